"""The closed words and the ids of the domain: one word per idea (see docs/architecture.md)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

TechniqueId = NewType("TechniqueId", str)
QuantityId = NewType("QuantityId", str)
RuleId = NewType("RuleId", str)
CitationId = NewType("CitationId", str)
WallId = NewType("WallId", str)

Scalar = bool | int | float | str
"""A value the language knows. `None` never is one: absence is the absence of the name."""

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
JsonObject = Mapping[str, Json]


class CheckVerdict(StrEnum):
    """What `check` says of a deployment, or a couple rule of its own finding."""

    CONFLICT = "conflict"
    DEGRADED = "degraded"
    NOTE = "note"
    FINE = "fine"
    UNKNOWN = "unknown"


class Effect(StrEnum):
    """Whether a shift is what a technique is used for, or what it costs."""

    GAIN = "gain"
    COST = "cost"


class Change(StrEnum):
    """The direction in which a quantity moves."""

    UP = "up"
    DOWN = "down"


class CheckedDepth(StrEnum):
    """How far a source was read when the claim was checked."""

    READ = "read"
    ABSTRACT = "abstract"
    LISTING = "listing"


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence for people in the two languages the catalog speaks."""

    en: str
    zh: str

    def in_language(self, language: str) -> str:
        """The text in `language` ("zh" or anything else for English)."""
        return self.zh if language == "zh" and self.zh else self.en
