"""What every kind of manifest promises: the commands in it that start an engine, each word with where it stands.

Nothing is ever executed: no variable of this machine is looked at, no file is opened, no template is rendered.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol, overload

from knockon.manifests.template import Masked, masked
from knockon.terms.argument import Argument, Variable
from knockon.terms.errors import IntakeError, LimitExceeded, Problem
from knockon.terms.limits import TEMPLATE_ACTIONS_MAX
from knockon.terms.place import Position
from knockon.terms.words import JsonObject, Text


@dataclass(frozen=True)
class File:
    """One file as it was read: its path as people see it, and its text."""

    path: str
    text: str

    @cached_property
    def line_starts(self) -> list[int]:
        """The offset of every line's first character."""
        starts = [0]
        found = self.text.find("\n")
        while found >= 0:
            starts.append(found + 1)
            found = self.text.find("\n", found + 1)
        return starts

    @cached_property
    def template(self) -> Masked:
        """The text without the code of a template engine; raises LimitExceeded."""
        count = self.text.count("{{") + self.text.count("{%")
        if count > TEMPLATE_ACTIONS_MAX:
            at = Position(self.path, 1, 1)
            raise LimitExceeded("the number of template actions", limit=TEMPLATE_ACTIONS_MAX, found=count, at=at)
        return masked(self.text)

    def position(self, offset: int) -> Position:
        """The line and column of a character."""
        line = bisect_right(self.line_starts, offset)
        return Position(self.path, line, offset - self.line_starts[line - 1] + 1)

    @property
    def name(self) -> str:
        """The path without its folders."""
        return self.path.replace("\\", "/").rsplit("/", 1)[-1]


def file_of(raw: bytes, *, path: str) -> File:
    """Bytes as a file; a byte order mark in front is dropped.

    Raises:
        IntakeError: not UTF-8; with the place.
    """
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    try:
        return File(path, raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode("utf-8")
        at = Position(path, before.count("\n") + 1, len(before) - before.rfind("\n"))
        what = f"byte 0x{raw[error.start]:02x} does not belong here"
        raise IntakeError(Problem("not-utf-8", what, "UTF-8", "save the file as UTF-8", at)) from error


class FileSet(Sequence[File]):
    """The files that are read together; what they mention is looked for once."""

    def __init__(self, files: Sequence[File]) -> None:
        self._files = tuple(files)
        self._mentioning: dict[str, tuple[File, ...]] = {}
        self._used: set[str] = set()
        self._by_name: dict[str, list[File]] = {}
        for file in self._files:
            self._by_name.setdefault(file.name, []).append(file)

    @property
    def used(self) -> frozenset[str]:
        """The paths of the files that another one took something from."""
        return frozenset(self._used)

    def use(self, file: File) -> None:
        """Say that another file takes something from `file`."""
        self._used.add(file.path)

    @overload
    def __getitem__(self, index: int) -> File: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[File]: ...
    def __getitem__(self, index: int | slice) -> File | Sequence[File]:
        """The file or files at a place of the set."""
        return self._files[index]

    def __iter__(self) -> Iterator[File]:
        """Every file, in order."""
        return iter(self._files)

    def __len__(self) -> int:
        """How many files there are."""
        return len(self._files)

    def mentioning(self, word: str) -> tuple[File, ...]:
        """The files in whose text `word` stands."""
        if word not in self._mentioning:
            self._mentioning[word] = tuple(file for file in self._files if word in file.text)
        return self._mentioning[word]

    def at_path(self, path: str, *, beside: File | None = None) -> File | None:
        """The file that a path used in a manifest means: the longest common end of both paths wins.

        Args:
            path: as the manifest has it.
            beside: the manifest; of files that fit equally well the one nearest to it is meant.

        Returns:
            None when no file has that name, or two fit equally well.
        """
        wanted = [step for step in path.replace("\\", "/").split("/") if step not in ("", ".", "..")]
        if not wanted:
            return None
        fits: list[tuple[int, File]] = []
        for file in self._by_name.get(wanted[-1], ()):
            steps = file.path.replace("\\", "/").split("/")
            pairs = enumerate(zip(reversed(steps), reversed(wanted), strict=False))
            common = next((n for n, (a, b) in pairs if a != b), min(len(steps), len(wanted)))
            fits.append((common, file))
        best = max((common for common, _ in fits), default=0)
        chosen = [file for common, file in fits if common == best]
        if len(chosen) > 1 and beside is not None:
            near = [_shared_folders(file.path, beside.path) for file in chosen]
            chosen = [file for file, shared in zip(chosen, near, strict=True) if shared == max(near)]
        if len(chosen) != 1:
            return None
        self.use(chosen[0])
        return chosen[0]


def _shared_folders(first: str, second: str) -> int:
    """How many folders two paths have in common, from the top."""
    pairs = zip(first.replace("\\", "/").split("/")[:-1], second.replace("\\", "/").split("/")[:-1], strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(first.count("/"), second.count("/")))


def file_set(files: Sequence[File]) -> FileSet:
    """`files` as a set; a set stays as it is."""
    return files if isinstance(files, FileSet) else FileSet(files)


@dataclass(frozen=True, slots=True)
class Attached:
    """An options file that the command names and whose content is in the same files."""

    path: str
    """As the command names it."""
    data: JsonObject
    at: Position
    """Where the content starts."""


@dataclass(frozen=True, slots=True)
class Launch:
    """One command that starts an engine, as far as its words are known."""

    name: str
    """For people: the workload's, service's, unit's or file's name, with its part where there are several."""
    kind: str
    """What holds it: a Kubernetes kind ("Deployment"), "values", "compose", "dockerfile", "shell" or "systemd"."""
    arguments: tuple[Argument, ...]
    """From the program word on (or the server image that stands for it); words that are not known are left out."""
    environment: tuple[Variable, ...] = ()
    """Set for the command, each name once, the value that counts; those that are not known are left out."""
    image: str | None = None
    gpu_count: int | None = None
    """The GPUs of one replica with all its pods; None when nobody says."""
    gpu_name: str | None = None
    """As the manifest names it ("NVIDIA-H100-80GB-HBM3"); None when it does not."""
    replicas: int | None = None
    at: Position | None = None
    """Where the command starts."""
    notes: tuple[Text, ...] = ()
    """What was left out or taken for something, each with its place."""
    left_out: tuple[Argument, ...] = ()
    """What is not known: a flag whose value is not, or that stands under a condition; a positional word as it stands.

    The engine's default is not what such a flag has.
    """
    is_incomplete: bool = False
    """There may be further arguments (`$EXTRA_ARGS`): of any flag that is not given, the default may not hold."""
    files: tuple[Attached, ...] = ()
    image_at: Position | None = None

    def command(self) -> tuple[Argument, ...]:
        """The words as a shell would have them: assignments in front, then the arguments."""
        assigned = (Argument(f"{each.name}={each.value}", each.at) for each in self.environment)
        return (*assigned, *self.arguments)


class Manifest(Protocol):
    """One kind of file. Pure: the same files give the same answer; only KnockonError is ever raised.

    The caller caps the size of the texts.
    """

    @property
    def name(self) -> str:
        """The kind's word: "kubernetes"."""

    def recognises(self, file: File) -> bool:
        """Whether `file` looks like this kind, by its name and its first kilobytes; cheap."""

    def read(self, file: File, *, others: Sequence[File]) -> tuple[Launch, ...]:
        """The launches in `file`, in the order in which they stand; empty when there is none.

        Args:
            file: the file to read.
            others: the files that belong to it (ConfigMaps, environment files, scripts); `file` may be among them.

        Raises:
            IntakeError: the file cannot be read; with the place.
            LimitExceeded: a cap of terms/limits.py.
        """


@dataclass
class Notes:
    """Collects what is to be said about one launch; the same sentence once."""

    _said: dict[Text, None] = field(default_factory=dict)
    is_incomplete: bool = False
    """What was said means that there may be further arguments."""

    @property
    def said(self) -> tuple[Text, ...]:
        """Every sentence, in the order in which it was said first."""
        return tuple(self._said)

    def copy(self) -> "Notes":
        """The same sentences, to be added to apart."""
        return Notes(dict(self._said), self.is_incomplete)

    def add(self, at: Position | None, en: str, zh: str) -> None:
        """Say a sentence about a place."""
        place = f"{at}: " if at else ""
        self._said.setdefault(Text(place + en, place + zh))
