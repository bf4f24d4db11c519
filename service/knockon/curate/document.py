"""One YAML file, read strictly into plain data; places in it are looked up only when something is wrong.

Not a general YAML reader: anchors, aliases, merge keys, tags, several documents and duplicate keys are refused,
and scalars are those of YAML 1.2 (see scalars.py).
"""

import errno
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from knockon.curate.build import Place, Steps, data_of, places_of
from knockon.curate.files import bytes_in, check_size
from knockon.curate.written import place_in_lines, written_width
from knockon.terms.errors import CurationError, Problem
from knockon.terms.place import Position
from knockon.terms.words import Json

_TOP = Place(key_line=1, key_column=1, line=1, column=1, start=0, end=0, style="", lines=0)


@dataclass(frozen=True)
class Text:
    """One file: its path as people see it, and its text."""

    path: str
    text: str

    @cached_property
    def places(self) -> dict[Steps, Place]:
        """The place of every value. Reads the text a second time, so ask only when there is something to point at."""
        return places_of(self.text, self.path)

    def at(self, *steps: str | int) -> Position:
        """Where the value at `steps` starts; where there is none, the nearest value around it."""
        place = self._nearest(steps)
        return Position(self.path, place.line, place.column)

    def key_at(self, *steps: str | int) -> Position:
        """Where the key of the value at `steps` stands; where there is none, the nearest value around it."""
        place = self.places.get(steps)
        return Position(self.path, place.key_line, place.key_column) if place else self.at(*steps)

    def inside(self, *steps: str | int, offset: int) -> Position:
        """Where character `offset` of the text at `steps` stands; the start where its lines stand apart."""
        place = self._nearest(steps)
        start = Position(self.path, place.line, place.column)
        if place.style in ("|", ">") or (place.lines > 1 and not place.style):
            found = place_in_lines(self.text[place.start : place.end], offset)
            if found is None:
                return start
            line, column = found
            return Position(self.path, place.line + line, column + 1) if line else start.right(column)
        if place.lines != 1:
            return start
        if not place.style:
            return start.right(offset)
        return start.right(1 + written_width(self.text[place.start + 1 : place.end - 1], place.style, offset))

    def _nearest(self, steps: Steps) -> Place:
        while steps and steps not in self.places:
            steps = steps[:-1]
        return self.places.get(steps, _TOP)


@dataclass(frozen=True)
class Document(Text):
    """A text and the plain data in it."""

    data: Json


def read_file(file: Path, path: str) -> Document:
    """Read one YAML file; `path` is how it is called in complaints.

    Raises:
        CurationError: unreadable, not UTF-8, not YAML as described above; with all problems that could be found.
        LimitExceeded: larger or deeper than terms/limits.py allows; a larger file is not read whole.
    """
    return read_bytes(content_of(file, path), path)


def content_of(file: Path | str, path: str) -> bytes:
    """The bytes of one file of a size that is read.

    Raises:
        CurationError: unreadable. LimitExceeded: larger than terms/limits.py allows; it is not read whole.
    """
    try:
        return bytes_in(file, path)
    except OSError as error:
        at = Position(path, 1, 1)
        if error.errno in (errno.EINVAL, errno.EISDIR):
            what = "is a folder" if error.errno == errno.EISDIR else "is not a regular file"
            raise CurationError([Problem("unreadable-file", what, "a YAML file", at=at)]) from error
        why = error.strerror or type(error).__name__
        raise CurationError([Problem("unreadable-file", f"cannot be read: {why}", at=at)]) from error


def read_bytes(raw: bytes, path: str) -> Document:
    """Read one YAML text as bytes; raises like `read_file`."""
    check_size(len(raw), path)
    text = _decoded(raw, path)
    return Document(path, text, data_of(text, path))


def _decoded(raw: bytes, path: str) -> str:
    if raw.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        what, fix = "the file starts with a byte order mark", "save it again as UTF-8 without BOM"
        raise CurationError([Problem("byte-order-mark", what, "plain UTF-8", fix, Position(path, 1, 1))])
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        at = _end_of(raw[: error.start].decode("utf-8"), path)
        what = f"byte 0x{raw[error.start]:02x} does not belong here"
        raise CurationError([Problem("not-utf-8", what, "UTF-8", "save the file as UTF-8", at)]) from error
    return text


def _end_of(text: str, path: str) -> Position:
    return Position(path, text.count("\n") + 1, len(text) - text.rfind("\n"))
