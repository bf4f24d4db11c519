"""YAML files of the trees, written evenly: comments stay, and formatting twice gives the same bytes.

Settled here are indentation, blanks inside brackets and at line ends, the order of the keys that a shape knows, the
line end at the end, what in brackets takes several lines, and that a question there is quoted. Where else lines break,
what else stands in brackets and what is quoted is left to the writer: sentences are folded by meaning, not by width.
"""

import io
from collections import Counter
from typing import Any

from knockon.curate.document import read_bytes
from knockon.curate.flow import comments_in, laid_out, with_lists
from knockon.curate.layout import ROOMS
from knockon.curate.order import in_order
from knockon.terms.errors import IntakeError, KnockonError, Problem
from knockon.terms.place import Position

# ruamel folds at a width; no line of ours is as long.
_WIDTH = 1_000_000


def formatted(text: str, *, path: str, room: str) -> str:
    """The text of one file in its canonical form.

    Args:
        text: the file's text.
        path: what complaints call it.
        room: where it lies in the trees, `catalog/…` or `rules/…`; it says in which order keys stand.

    Raises:
        IntakeError: what writes YAML with its comments is not installed, or a comment would get lost.
        CurationError: the text is not YAML as the trees have it.
    """
    before = read_bytes(text.encode(), path)
    written = _rewritten(text)
    place = next((each for each in ROOMS if each.pattern.fullmatch(room)), None)
    if place is not None and (moved := in_order(written, place)) != written:
        written = _rewritten(moved)
    if read_bytes(written.encode(), path).data != before.data:
        # Nothing is ever lost to a formatter: what it would change stays as it is, and somebody hears of it.
        raise KnockonError(
            Problem(
                "unstable-format",
                "formatting would change what the file says",
                "the same content",
                "write it more plainly, and tell the maintainers",
                Position(path, 1, 1),
            )
        )
    lost = Counter(comment for _, comment in comments_in(text)) - Counter(
        comment for _, comment in comments_in(written)
    )
    for line, comment in comments_in(text):
        if comment in lost:
            what, expected = f"{comment!r} would get lost", "comments above what they speak of"
            fix = "move it out of the brackets"
            raise IntakeError(Problem("unstable-format", what, expected, fix, Position(path, line, 1)))
    return written


def _rewritten(text: str) -> str:
    writer = _writer()
    loaded: Any = writer.load(text)
    marks = laid_out(loaded, text)
    _quote_questions(loaded, in_brackets=False)
    stream = io.StringIO()
    writer.dump(loaded, stream)
    written = with_lists(stream.getvalue(), marks)
    if isinstance(loaded, list):
        # The writer indents the items of a list below what holds it, and nothing holds a whole file.
        written = "\n".join(line.removeprefix("  ") for line in written.split("\n"))
    return "\n".join(line.rstrip() for line in written.split("\n")).rstrip("\n") + "\n"


def _quote_questions(value: Any, *, in_brackets: bool) -> None:
    """Quote texts in brackets that end in a question mark: bare, PyYAML's own reader does not take them."""
    from ruamel.yaml.scalarstring import DoubleQuotedScalarString  # noqa: PLC0415 - an extra, see _writer

    if not hasattr(value, "fa"):
        return
    in_brackets = in_brackets or bool(value.fa.flow_style())
    for key, item in list(value.items() if hasattr(value, "items") else enumerate(value)):
        if in_brackets and type(item) is str and item.endswith("?"):
            value[key] = DoubleQuotedScalarString(item)
        else:
            _quote_questions(item, in_brackets=in_brackets)


def _writer() -> Any:
    try:
        from ruamel.yaml import YAML  # noqa: PLC0415 - an extra, and 60 ms that only this verb spends
    except ImportError:
        raise IntakeError(
            Problem(
                "extra-missing",
                "the package that rewrites YAML is not installed",
                "ruamel.yaml",
                "pip install 'knockon[edit]'",
            )
        ) from None
    writer = YAML(typ="rt", pure=True)
    writer.width = _WIDTH
    writer.preserve_quotes = True
    writer.indent(mapping=2, sequence=4, offset=2)
    return writer
