"""Where each character of a YAML scalar stands: block scalars lose their indentation, quoted ones their escapes.

Not a parser: the value is known already. Where the two do not fit together (which would be a defect here), the whole
value is said to stand where the scalar starts.
"""

import re

from knockon.manifests.written import Piece, Written, joined

# https://yaml.org/spec/1.2.2/#57-escaped-characters
_ESCAPES = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "\t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", "e": "\x1b",
    " ": " ", '"': '"', "/": "/", "\\": "\\", "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029",
}  # fmt: skip
_HEX_SIGNS = ("x", "u", "U")
_SINGLE = re.compile(r"''|[ \t]+(?:\r?\n\s*)?|\r?\n\s*|[^'\n\r \t]+|\r")
_DOUBLE = re.compile(r"\\\r?\n[ \t]*|\\x..|\\u....|\\U........|\\.|[ \t]+(?:\r?\n\s*)?|\r?\n\s*|[^\\\n\r \t]+|\r")
_BLANK_RUN = re.compile(r"[ \n]*")


def written_of(source: Written, start: int, end: int, value: str, style: str) -> Written:
    """The value of the scalar written from `start` to before `end` of `source`."""
    raw = source.text[start:end]
    if raw == value:
        return source.cut(start, end)
    if style == "'":
        spans = _quoted(raw[1:-1], value, _SINGLE, start + 1)
    elif style == '"':
        spans = _quoted(raw[1:-1], value, _DOUBLE, start + 1)
    else:
        spans = _lines(source.text, start, end, value, is_block=bool(style))
    if spans is None:
        return Written(value, source.cut(start, start).pieces)
    if not spans:
        return Written(value, source.cut(start + 1 if style in ("'", '"') else start, end).pieces[:1])
    if len(source.pieces) == 1:
        base = source.pieces[0]
        return Written(value, tuple(Piece(at, base.file, base.offset + offset) for at, offset in spans))
    ends = [at for at, _ in spans[1:]] + [len(value)]
    return joined(
        Written(value[at:stop], source.cut(offset, offset + stop - at).pieces)
        for (at, offset), stop in zip(spans, ends, strict=True)
    )


Spans = list[tuple[int, int]]
"""(index into the value, offset into the source), sorted, the first index 0."""


def _quoted(raw: str, value: str, pattern: re.Pattern[str], offset: int) -> Spans | None:
    """The spans of a quoted scalar, between its quotes."""
    spans: Spans = [(0, offset)]
    at = index = 0
    while index < len(raw):
        found = pattern.match(raw, index)
        if found is None:
            return None
        text = _meant(found[0], is_double=pattern is _DOUBLE)
        if text is None or not value.startswith(text, at):
            return None
        at += len(text)
        index = found.end()
        if len(text) != len(found[0]):
            spans.append((at, offset + index))
    return _tidy(spans) if at == len(value) else None


def _meant(piece: str, *, is_double: bool) -> str | None:
    """What a piece of a quoted scalar stands for; None for an escape that is none."""
    if is_double and piece[0] == "\\":
        return _escaped(piece)
    if not is_double and piece == "''":
        return "'"
    if "\n" in piece:
        # A folded line break: one blank, or as many line breaks as there are empty lines.
        return "\n" * (piece.count("\n") - 1) or " "
    return piece


def _escaped(piece: str) -> str | None:
    """What an escape in double quotes stands for; None for what is none."""
    if piece[1:2] in ("\r", "\n"):
        return ""
    if piece[1:2] not in _HEX_SIGNS:
        return _ESCAPES.get(piece[1:2])
    try:
        return chr(int(f"0x{piece[2:]}", 0))
    except (ValueError, OverflowError):
        return None


def _lines(text: str, start: int, end: int, value: str, *, is_block: bool) -> Spans | None:
    """The spans of a scalar over several lines without quotes: each of its lines is found again in the value."""
    first = text.find("\n", start, end) + 1 if is_block else start
    if is_block and not first:
        return []
    spans: Spans = []
    indent: int | None = None
    at = 0
    offset = first
    while offset < end and at < len(value):
        newline = text.find("\n", offset, end)
        stop = newline if newline >= 0 else end
        line = text[offset:stop].rstrip("\r")
        content = line.strip(" \t") if not is_block else line.rstrip("\r")
        if content.strip():
            lead = len(line) - len(line.lstrip(" " if is_block else " \t"))
            if indent is None or not is_block:
                indent = lead
                if is_block:
                    # Behind an indentation indicator the first line may begin with blanks of its own.
                    own = next((each for each in value.split("\n") if each.strip()), "")
                    indent -= len(own) - len(own.lstrip(" "))
            said = line[max(indent, 0) :] if is_block else content
            at = _found(value, said, at)
            if at < 0:
                return None
            spans.append((at, offset + max(indent, 0)))
            at += len(said)
        offset = stop + 1
    if spans and spans[0][0] > 0:
        spans.insert(0, (0, max(first, spans[0][1] - spans[0][0])))
    return _tidy(spans)


def _found(value: str, line: str, at: int) -> int:
    """Where `line` goes on in the value, behind what joins it to the line before; -1 when it does not."""
    run = _BLANK_RUN.match(value, at)
    last = run.end() if run else at
    for index in range(at, last + 1):
        if value.startswith(line, index):
            return index
    return -1


def _tidy(spans: Spans) -> Spans:
    """Spans without those that only continue the one before, and without empty ones."""
    tidy: Spans = []
    for at, offset in spans:
        if tidy and tidy[-1][0] == at:
            tidy[-1] = (at, offset)
        elif not tidy or tidy[-1][1] + at - tidy[-1][0] != offset:
            tidy.append((at, offset))
    return tidy
