"""What every engine promises: reading the command that starts it as facts, losing nothing of it.

Not for a model's config.json: that is hf_config/, whose facts join these by `terms.fact.merged`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from knockon.terms.argument import Argument
from knockon.terms.citation import Cite
from knockon.terms.fact import Fact
from knockon.terms.place import Position
from knockon.terms.words import Json, JsonObject, Scalar, Text


@dataclass(frozen=True, slots=True)
class Given:
    """One flag or environment variable as it was given; `value` is what it reads as, `at` where it stands."""

    name: str
    """The engine's own long name ("--tensor-parallel-size"), whatever spelling was used."""
    value: Json
    at: Position | None = None


@dataclass(frozen=True, slots=True)
class UnknownFlag:
    """A flag the engine's table does not have; `suggestions` are the nearest flags, best first."""

    flag: str
    at: Position | None = None
    suggestions: tuple[str, ...] = ()
    value: str | None = None
    """The words that followed it, joined by blanks; None when none did."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A flag or value that was read but that this version of the engine will not start with."""

    flag: str
    value: str
    why: Text
    at: Position | None = None
    is_missing: bool = False
    """Whether another release has the flag: it is gone, or still to come."""
    facts: tuple[str, ...] = ()
    """The facts that its value would have stated. Nothing is known of them, not even the engine's default."""
    is_unknown: bool = False
    """Whether it is one of `unknown_flags`, refused because the release asked for has no such flag."""


@dataclass(frozen=True, slots=True)
class NamedFile:
    """An options file the command names; when `read` is false its settings are not among the facts."""

    flag: str
    path: str
    at: Position | None = None
    read: bool = False


@dataclass(frozen=True, slots=True)
class Effective:
    """One setting as the engine will run it, after its own defaults and overrides."""

    name: str
    """The fact's name."""
    setting: str
    """What the engine's own configuration calls it: "scheduler.max_num_seqs"."""
    value: Scalar
    asked: Scalar | None
    """What was asked for; None when nobody asked."""
    why: Text
    cite: tuple[Cite, ...]
    at: Position | None = None
    """Where it was asked."""

    @property
    def is_overridden(self) -> bool:
        """Whether the engine runs something else than was asked; "auto" leaves it the choice."""
        return self.asked not in (None, "auto", "AUTO") and self.asked != self.value


@dataclass(frozen=True, slots=True)
class Configured:
    """Everything one command says about a deployment."""

    engine: str
    engine_version: str | None
    """As it was asked for; None when nobody said, and the defaults are then those of the newest release known."""
    model: str | None
    """The model as it was typed; None when the command names none."""
    facts: tuple[Fact, ...]
    """One per name: what the command, its environment and its files set, then the engine's own defaults."""
    given: tuple[Given, ...] = ()
    """Every known flag in the order of the command, also those that set no fact."""
    environment: tuple[Given, ...] = ()
    """The variables set before the program, as texts."""
    unknown_flags: tuple[UnknownFlag, ...] = ()
    refused: tuple[Refused, ...] = ()
    files: tuple[NamedFile, ...] = ()
    notes: tuple[Text, ...] = ()
    model_at: Position | None = None
    model_overrides: JsonObject = field(default_factory=dict)
    """What the command puts over the model's config.json: keys of that file, those of a part inside it in an object."""
    model_overrides_at: Position | None = None
    stages: tuple[str, ...] = ()
    """The releases from which on these words are read in another way, the oldest looked at first."""
    as_of: Callable[[str], "Configured"] | None = field(default=None, compare=False, repr=False)
    """The same words as the release given by its version reads them; None where only one reading is known."""

    def by_name(self) -> dict[str, Fact]:
        """The facts by their names."""
        return {fact.name: fact for fact in self.facts}


@dataclass(frozen=True, slots=True)
class Start:
    """Where in a command an engine's own arguments begin, and what its program word already says."""

    index: int
    """Index of the first argument after the program words."""
    program: str
    """The program words, for people: "vllm serve"."""
    version: str | None = None
    """The engine version that the program word names (a container image's tag), where it does."""


class Engine(Protocol):
    """One engine. Pure: the same words give the same answer; only KnockonError is ever raised.

    The caller caps the arguments (terms/limits.py) and reads the files that the command names.
    """

    @property
    def name(self) -> str:
        """The engine's word in facts and on the command line: "vllm"."""

    def recognises(self, arguments: Sequence[Argument]) -> Start | None:
        """Where this engine's arguments begin if `arguments` start with its program; None if they do not."""

    def read(
        self,
        arguments: Sequence[Argument],
        *,
        version: str | None = None,
        environment: Sequence[Given] = (),
        files: Mapping[str, JsonObject] | None = None,
    ) -> Configured:
        """Read the arguments after the program words.

        Args:
            arguments: what follows the program words.
            version: the engine's version, "0.33.0"; None means the newest one known.
            environment: variables set for the program.
            files: contents of options files by the path the command uses; those not there stay unread and are noted.

        Raises:
            IntakeError: a value that is not of its flag's type, a flag without its value, an unreadable version.
        """

    def follow(self, stated: Mapping[str, Fact]) -> dict[str, Fact]:
        """Everything stated of a deployment of this engine, with what the engine makes of it; nothing on a guess.

        Args:
            stated: what was asked, told by its origin from what is a default, and what model and GPU are.
        """

    def effective(self, facts: Mapping[str, Fact], *, model_name: str | None = None) -> tuple[Effective, ...]:
        """The settings as the engine will run them, after its own defaults and overrides; empty where nobody knows.

        Args:
            facts: what `follow` gave.
            model_name: the model as the command names it, where it does.
        """
