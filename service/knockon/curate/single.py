"""One YAML file outside of any tree, held to the shape that its kind has in one."""

from pathlib import Path

from knockon.curate.document import Document, read_file
from knockon.curate.layout import ROOMS
from knockon.curate.shaping import body_of
from knockon.terms.body import Body
from knockon.terms.bundle import Kind


def read_single(file: Path, kind: Kind) -> tuple[Body, Document]:
    """The body of a file that is one thing of `kind`, and the document, for the places of what is in it.

    Raises:
        CurationError: the file cannot be read, or is not of this shape; with every problem and its place.
        LimitExceeded: larger or deeper than terms/limits.py allows.
    """
    document = read_file(file, str(file))
    [shape] = [room.shape for room in ROOMS if room.kind == kind and room.plan == "one"]
    return body_of(document.data, shape, document, steps=()), document
