"""Where the words of a command stand that a file of facts holds as one text."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from knockon.terms.argument import Argument
from knockon.terms.errors import KnockonError
from knockon.terms.place import Position


@dataclass(frozen=True, slots=True)
class Places:
    """Where the lines of the command begin in the file.

    Where the command is not written in the file as it reads (folded lines, escapes), everything is at the key.
    """

    key: Position
    starts: Mapping[int, Position]

    def moved(self, at: Position | None) -> Position:
        """The place in the file of a place in the command."""
        start = self.starts.get(at.line) if at is not None else None
        return start.right(at.column - 1) if start is not None and at is not None else self.key

    def placed(self, words: Sequence[Argument]) -> list[Argument]:
        """The words with their places in the file."""
        return [replace(word, at=self.moved(word.at)) for word in words]

    @contextmanager
    def told(self) -> Iterator[None]:
        """Give the complaints about the command's text, raised inside, their place in the file."""
        try:
            yield
        except KnockonError as error:
            error.problem = replace(error.problem, at=self.moved(error.problem.at))
            raise


def places_of(command: str, *, text: str, key: Position) -> Places:
    """Where `command` stands.

    Args:
        command: what stands under the key.
        text: the whole file.
        key: where the key stands in it.
    """
    starts: dict[int, Position] = {}
    lines = text.split("\n")
    # One line stands behind its key; several stand below it.
    at = key.line - 1 if command.strip("\n") in lines[key.line - 1] else key.line
    for number, line in enumerate(command.rstrip("\n").split("\n"), start=at + 1):
        column = lines[number - 1].find(line, key.column - 1 if at < key.line else 0) if number <= len(lines) else -1
        if column < 0:
            return Places(key, {})
        starts[number - at] = Position(key.path, number, column + 1)
    return Places(key, starts)
