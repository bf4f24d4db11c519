"""The words and operators of shell text, before anything is put in for anything."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal as OneOf

from knockon.manifests.written import Written

REDIRECTIONS = frozenset({"&>>", "<<<", "<<-", "&>", ">>", ">&", ">|", "<<", "<&", "<>", ">", "<"})

ParamKind = OneOf["variable", "arithmetic", "unknown", "template"]


@dataclass(frozen=True, slots=True)
class Literal:
    """Characters that stand for themselves; `start` and `end` are where they are written."""

    start: int
    end: int
    text: str
    is_quoted: bool


@dataclass(frozen=True, slots=True)
class Param:
    """Something that is replaced when the command runs: a variable, a command's output, a part of a template."""

    start: int
    end: int
    kind: ParamKind
    is_quoted: bool
    name: str = ""
    """The variable; of arithmetic the expression."""
    operator: str = ""
    """How `${NAME…}` goes on: ":-", "+", …; "other" for what is not understood."""
    rest: "tuple[Part, ...]" = ()
    """What stands behind the operator."""
    is_items: bool = False
    """`[@]`: one word for each item."""


Part = Literal | Param


@dataclass(frozen=True, slots=True)
class Raw:
    """One word as written; `items` when it is `NAME=(…)`."""

    start: int
    end: int
    parts: tuple[Part, ...]
    items: "tuple[Raw, ...] | None" = None

    @property
    def plain(self) -> str | None:
        """The text when nothing in it is replaced; None otherwise."""
        if len(self.parts) == 1 and isinstance(self.parts[0], Literal):
            return self.parts[0].text
        if any(isinstance(part, Param) for part in self.parts):
            return None
        return "".join(part.text for part in self.parts if isinstance(part, Literal))

    @property
    def keyword(self) -> str:
        """The text when it is written without any quote, as reserved words must be."""
        if len(self.parts) == 1 and isinstance(self.parts[0], Literal) and not self.parts[0].is_quoted:
            return self.parts[0].text
        return ""


@dataclass(slots=True)
class Operator:
    """A separator or a redirection; `body` is the text that belongs to a `<<`."""

    text: str
    start: int
    body: "Body | None" = None


@dataclass(frozen=True, slots=True)
class Body:
    """The lines of a here-document; `parts` are replaced unless its delimiter is quoted."""

    start: int
    end: int
    parts: tuple[Part, ...]


Token = Raw | Operator


def as_written(script: Written, parts: Sequence[Part]) -> str:
    """A word's text with what would be replaced as it stands."""
    return "".join(part.text if isinstance(part, Literal) else script.text[part.start : part.end] for part in parts)
