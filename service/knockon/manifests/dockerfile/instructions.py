"""A Dockerfile as its instructions: continuation lines joined, comments gone, here-documents kept."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from knockon.manifests.written import Written, joined

_ESCAPE = re.compile(r"#\s*escape\s*=\s*([`\\])\s*$", re.IGNORECASE)
_NAME = re.compile(r"\s*([A-Za-z]+)(?:\s+|$)")
_HEREDOC = re.compile(r"<<-?\s*([\"']?)([A-Za-z_][A-Za-z0-9_]*)\1")


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction; `bodies` are its here-documents by their delimiters."""

    name: str
    """In capitals."""
    argument: Written
    bodies: tuple[Written, ...] = ()


def instructions_of(source: Written) -> Iterator[Instruction]:
    """Every instruction, in order."""
    reader = _Reader(source, _lines(source.text), _escape(source.text))
    while reader.index < len(reader.lines):
        whole = reader.joined_line()
        name = _NAME.match(whole.text) if whole is not None else None
        if whole is None or name is None:
            continue
        argument = whole.cut(name.end(), len(whole.text))
        has_bodies = name[1].upper() in ("RUN", "COPY", "ADD")
        bodies = [reader.body(mark[2]) for mark in _HEREDOC.finditer(argument.text)] if has_bodies else []
        yield Instruction(name[1].upper(), argument, tuple(bodies))


@dataclass
class _Reader:
    source: Written
    lines: list[tuple[int, int]]
    escape: str
    index: int = 0

    def joined_line(self) -> Written | None:
        """The next line with those that continue it; None for a blank one or a comment."""
        start, end = self._next()
        if _is_skipped(self.source.text[start:end]):
            return None
        parts: list[Written] = []
        while True:
            stripped = self.source.text[start:end].rstrip()
            continues = stripped.endswith(self.escape)
            parts.append(self.source.cut(start, start + len(stripped) - continues))
            while continues and self.index < len(self.lines) and _is_skipped(self._ahead()):
                self.index += 1
            if not continues or self.index == len(self.lines):
                return joined(parts)
            start, end = self._next()
            parts.append(Written(" ", self.source.cut(start, start).pieces))

    def body(self, delimiter: str) -> Written:
        """The lines up to the one that is the delimiter."""
        first = self.index
        while self.index < len(self.lines) and self._ahead().strip() != delimiter:
            self.index += 1
        end = len(self.source.text)
        begin = self.lines[first][0] if first < len(self.lines) else end
        stop = self.lines[self.index][0] if self.index < len(self.lines) else end
        self.index += 1
        return self.source.cut(begin, stop)

    def _next(self) -> tuple[int, int]:
        self.index += 1
        return self.lines[self.index - 1]

    def _ahead(self) -> str:
        start, end = self.lines[self.index]
        return self.source.text[start:end]


def _lines(text: str) -> list[tuple[int, int]]:
    lines = []
    offset = 0
    for line in text.split("\n"):
        lines.append((offset, offset + len(line)))
        offset += len(line) + 1
    return lines


def _escape(text: str) -> str:
    """The sign that joins lines: a directive at the top may change it."""
    for line in text.split("\n", 8)[:8]:
        if not line.startswith("#"):
            break
        match = _ESCAPE.match(line.strip())
        if match is not None:
            return match[1]
    return "\\"


def _is_skipped(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")
