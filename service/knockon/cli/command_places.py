"""Where the words of a command stand that a file of facts holds as one text."""

from collections.abc import Sequence
from dataclasses import replace

from knockon.terms.argument import Argument
from knockon.terms.place import Position


def placed(words: Sequence[Argument], command: str, *, text: str, key: Position) -> list[Argument]:
    """The words with their places in the file instead of those in the command.

    Where the command is not written in the file as it reads (folded lines, escapes), every word is at the key.

    Args:
        words: with places in `command`.
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
            return [replace(word, at=key) for word in words]
        starts[number - at] = Position(key.path, number, column + 1)
    return [replace(word, at=_moved(word.at, starts, key)) for word in words]


def _moved(at: Position | None, starts: dict[int, Position], key: Position) -> Position:
    start = starts.get(at.line) if at is not None else None
    return start.right(at.column - 1) if start is not None and at is not None else key
