"""A run: one measurement of a target, kept with the diagnosis that was made of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Generic, TypeVar

from knockon.rules.hypothesis import Observation
from knockon.terms.reading import Reading
from knockon.terms.words import RuleId, Scalar, Text, WallId

Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class KeptHypothesis:
    """A diagnose rule that fired on a run, as it was told then."""

    rule: RuleId
    wall: WallId
    confidence: float
    """0 to 1."""
    says: Text
    observations: tuple[Observation, ...]
    """The two or more readings it rests on."""


@dataclass(frozen=True, slots=True)
class KeptLack:
    """A reading that was missing, with what it would have decided."""

    name: str
    checklist: str
    """kpi, resource or context."""
    decides: tuple[RuleId, ...]
    separates: tuple[WallId, ...]


@dataclass(frozen=True, slots=True)
class KeptRun:
    """One run with its diagnosis; never changed."""

    id: str
    """The digest of target, time, readings, profile and stated settings: the same run has the same id."""
    target: str
    taken_at: datetime
    """When it was measured, in UTC."""
    kept_at: datetime
    """When it was handed in, in UTC."""
    revision: int | None
    """Number of the revision that judged it; None for trees that were never published in this database."""
    digest: str
    """Digest of the catalog and rules that judged it."""
    profile: str
    verdict: str
    """A wall, or healthy, ambiguous, insufficient_data."""
    finest: WallId | None
    between: tuple[WallId, ...]
    hypotheses: tuple[KeptHypothesis, ...]
    """The surest first."""
    missing: tuple[KeptLack, ...]
    """The most telling first."""
    readings: tuple[Reading, ...]
    """As they were handed in, those that could not be judged with the reason."""
    settings: Mapping[str, Scalar]
    """What was stated of the deployment, by fact."""
    is_new: bool = field(default=True, compare=False)
    """False on what `keep` gives back when the same run was kept already."""


@dataclass(frozen=True, slots=True)
class RunKey:
    """Where a run stands in the history of its target: newest first, then by id."""

    taken_at: datetime
    id: str


@dataclass(frozen=True, slots=True)
class Part(Generic[Key]):
    """The part of a list that a page is of: what stands behind one key and before another; None where it has no end."""

    after: Key | None = None
    before: Key | None = None
    from_end: bool = False
    """Whether the page ends where the part ends; else it begins where the part begins."""


WHOLE: Final[Part[Any]] = Part()


@dataclass(frozen=True, slots=True)
class RunPage:
    """Some runs of a target, newest first."""

    runs: Sequence[KeptRun]
    has_next: bool
    has_previous: bool
    total: int
    """How many runs of the target lie in the time asked about, on all pages together."""


@dataclass(frozen=True, slots=True)
class Target:
    """Something that runs were kept of."""

    name: str
    count: int
    """How many runs there are."""
    first_at: datetime
    """When the oldest of them was measured, in UTC."""
    latest_at: datetime
    verdict: str
    """Of the latest run."""


@dataclass(frozen=True, slots=True)
class TargetPage:
    """Some targets, by name."""

    targets: Sequence[Target]
    has_next: bool
    has_previous: bool
    total: int
