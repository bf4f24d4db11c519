"""The words and variables of a command, each with where it stands."""

from collections.abc import Sequence
from dataclasses import dataclass

from knockon.terms.errors import LimitExceeded
from knockon.terms.limits import COMMAND_ARGUMENTS_MAX, COMMAND_TEXT_MAX
from knockon.terms.place import Position


@dataclass(frozen=True, slots=True)
class Argument:
    """One word of a command, quotes already removed, and where it stood."""

    text: str
    at: Position | None = None


@dataclass(frozen=True, slots=True)
class Variable:
    """One environment variable set for a command; `at` is where its value stands, or its name where that is all."""

    name: str
    value: str
    at: Position | None = None


def arguments_of(words: Sequence[str], *, path: str = "<command>") -> list[Argument]:
    """Words that a shell has split already, with their places in the words joined by blanks.

    Raises:
        LimitExceeded: too much text or too many words.
    """
    if len(words) > COMMAND_ARGUMENTS_MAX:
        raise LimitExceeded("the number of words of the command", limit=COMMAND_ARGUMENTS_MAX, found=len(words))
    arguments: list[Argument] = []
    column = 1
    for word in words:
        arguments.append(Argument(word, Position(path, 1, column)))
        column += len(word) + 1
    if column - 1 > COMMAND_TEXT_MAX:
        raise LimitExceeded("the command's text", limit=COMMAND_TEXT_MAX, found=column - 1)
    return arguments
