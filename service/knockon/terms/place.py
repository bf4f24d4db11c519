"""Where something stands: a position in a file, a span in a text."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place in a file or in a command line. Lines and columns count from 1, columns in characters."""

    path: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"

    def right(self, columns: int) -> "Position":
        """The position `columns` characters further on the same line."""
        return Position(self.path, self.line, self.column + columns)


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of characters in one text; zero-based, `start <= end`."""

    start: int
    end: int
