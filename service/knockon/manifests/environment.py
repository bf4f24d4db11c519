"""Files of `NAME=value` lines: what Compose, `docker run --env-file` and systemd read variables from."""

import re

from knockon.manifests.word import Word, word_of
from knockon.manifests.written import Written

_LINE = re.compile(r"[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_.-]*)=([^\n]*)")


def variables_in(source: Written) -> dict[str, Word]:
    """The variables of an environment file, a pair of quotes around a value removed; a name's last line counts."""
    variables: dict[str, Word] = {}
    offset = 0
    text = source.text
    while offset < len(text):
        newline = text.find("\n", offset)
        stop = newline if newline >= 0 else len(text)
        line = _LINE.match(text, offset, stop)
        if line is not None:
            start, end = line.span(2)
            start, end = _trimmed(text, start, end)
            variables[line[1]] = word_of(source.cut(start, end))
        offset = stop + 1
    return variables


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """A value's span without blanks around it, a comment behind it and its quotes."""
    while start < end and text[start] in " \t":
        start += 1
    while end > start and text[end - 1] in " \t\r":
        end -= 1
    if end - start >= 2 and text[start] in "'\"":
        closing = text.find(text[start], start + 1, end)
        if closing > 0:
            return start + 1, closing
    comment = text.find(" #", start, end)
    return start, comment if comment >= 0 else end
