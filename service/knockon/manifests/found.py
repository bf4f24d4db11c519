"""What a command may refer to, and what is found in it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from knockon.manifests.base import Notes
from knockon.manifests.word import Word
from knockon.manifests.written import Written
from knockon.terms.errors import LimitExceeded
from knockon.terms.limits import LAUNCHES_MAX, SCRIPT_DEPTH_MAX, SCRIPT_WORDS_MAX
from knockon.terms.place import Position


@dataclass(frozen=True, slots=True)
class Found:
    """A command that starts an engine."""

    words: tuple[Word, ...]
    """From the program on."""
    program_count: int
    """How many of them name the program."""
    environment: Mapping[str, Word]
    image: Word | None = None
    gpu_count: int | None = None
    files: Mapping[str, Written] = field(default_factory=dict)
    """Files that the script around the command writes, by the path it uses."""


def refuse_many(count: int, at: Position | None) -> None:
    """Refuse more launches than one file may hold; raises LimitExceeded."""
    if count > LAUNCHES_MAX:
        raise LimitExceeded("the number of launches in one file", limit=LAUNCHES_MAX, at=at, fix="split the file")


Scripts = Callable[[str], Written | None]
"""The text of a file in the command's file system; None where it is not known."""


def no_scripts(path: str) -> None:
    """No file of the command's file system is known."""
    del path


@dataclass
class Budget:
    """How many words of scripts may still be read for one launch: functions may call functions."""

    left: int = SCRIPT_WORDS_MAX

    def spend(self, count: int, at: Position) -> None:
        """Take some; raises LimitExceeded where too few are left."""
        self.left -= count
        if self.left < 0:
            raise LimitExceeded("the number of words read in functions and scripts", limit=SCRIPT_WORDS_MAX, at=at)


@dataclass(frozen=True, slots=True)
class Around:
    """What surrounds a command."""

    read_script: "Callable[[Written, Around], list[Found]]"
    notes: Notes
    environment: Mapping[str, Word] = field(default_factory=dict)
    """What is set for the command already."""
    positional: tuple[Word, ...] | None = None
    """`$1` and so on of a script; None when nobody knows."""
    files: Scripts = no_scripts
    made: Mapping[str, Written] = field(default_factory=dict)
    depth: int = 0
    budget: Budget = field(default_factory=Budget)

    def script(self, script: Written, *, positional: Sequence[Word] | None = None) -> list[Found]:
        """What a script inside this command starts; raises LimitExceeded where scripts start scripts without end."""
        given = None if positional is None else tuple(positional)
        return self.read_script(script, replace(self._deeper(script.at(0)), positional=given))

    def deeper(self, word: Word) -> "Around":
        """The same around a command inside this one; raises LimitExceeded."""
        return self._deeper(word.at)

    def _deeper(self, at: Position) -> "Around":
        if self.depth >= SCRIPT_DEPTH_MAX:
            raise LimitExceeded("the nesting of commands in commands", limit=SCRIPT_DEPTH_MAX, at=at)
        return replace(self, depth=self.depth + 1)

    def file(self, path: str) -> Written | None:
        """A file that was written by the script before, or that is known otherwise."""
        return self.made[path] if path in self.made else self.files(path)
