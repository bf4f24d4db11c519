"""Runs that were kept, with the diagnosis that was made of each, and the targets they are of."""

from dataclasses import dataclass
from datetime import datetime

import strawberry

from knockon.api import page
from knockon.api.scalars import UpperWord
from knockon.api.shape import field, pairs, path, shows
from knockon.api.types.diagnose import Observation, Reading
from knockon.api.types.kinds import Checklist
from knockon.api.types.page import PageInfo
from knockon.api.types.words import Assigned, Setting, Text
from knockon.store import run


@shows(run.KeptHypothesis)
class KeptHypothesis:
    """A diagnose rule that fired on a run, as it was told then."""

    rule: strawberry.ID = field("The rule; `rule` has it as it is today.")
    wall: strawberry.ID = field("The wall it sees.")
    confidence: float = field("0 to 1.")
    says: Text = field("The verdict in words, with the values seen.")
    observations: list[Observation] = field("The two or more readings it rests on.")


@shows(run.KeptLack)
class KeptLack:
    """A reading that was missing."""

    reading: str = field("Its name.", resolver=path("name"))
    class_: Checklist = field("Its class in the collection checklist.", name="class", resolver=path("checklist"))
    decides: list[strawberry.ID] = field("The rules it would have decided.")
    separates: list[strawberry.ID] = field("The walls for or against which it would have spoken.")


@shows(run.KeptRun)
class KeptRun:
    """One measurement of a target with the diagnosis that was made of it; never changed."""

    id: strawberry.ID = field("The same for the same target, time, readings, profile and stated settings.")
    target: str = field("What was measured.")
    taken_at: datetime = field("When it was measured, in UTC.")
    kept_at: datetime = field("When it was handed in, in UTC.")
    revision: int | None = field(
        "Number of the revision that judged it, for `asOf`; null where that was never published here."
    )
    digest: strawberry.ID = field("Digest of the catalog and rules that judged it.")
    profile: str = field("The profile of thresholds that was in force.")
    verdict: UpperWord = field(
        "The id of a wall in capitals, `MEMORY`, or `HEALTHY`, `AMBIGUOUS`, `INSUFFICIENT_DATA`."
    )
    finest: strawberry.ID | None = field(
        "The wall that was told, or the part of it where that could be told; null where no wall was."
    )
    between: list[strawberry.ID] = field("Walls that explained the readings about equally well.")
    hypotheses: list[KeptHypothesis] = field("The rules that fired, the surest first.")
    missing: list[KeptLack] = field("What was not measured; what would have decided most comes first.")
    readings: list[Reading] = field("As they were handed in; those that could not be judged say why.")
    settings: list[Setting] = field("What was stated of the deployment.", resolver=pairs("settings", Assigned))


@dataclass(frozen=True, slots=True)
class Handed:
    """A run that was handed in."""

    run: run.KeptRun

    @property
    def is_new(self) -> bool:
        """Whether it was not kept before."""
        return self.run.is_new


@shows(Handed)
class Submitted:
    """Readings that are kept."""

    run: KeptRun = field("The run, with its diagnosis.")
    is_new: bool = field("False where the same run was kept already; then nothing was changed.")


@shows(page.Edge)
class KeptRunEdge:
    """A run and its cursor."""

    cursor: str = field("For `after` and `before`; it holds when runs are added and removed.")
    node: KeptRun = field("The run.")


@shows(page.Page)
class KeptRunConnection:
    """A page of runs of a target, newest first."""

    edges: list[KeptRunEdge] = field("The runs with their cursors.")
    nodes: list[KeptRun] = field("The runs alone.")
    page_info: PageInfo = field("Where the page lies.")
    total_count: int = field("How many runs lie in the time asked about, on all pages together.")


@shows(run.Target)
class Target:
    """Something that runs are kept of."""

    name: str = field("Its name, as clients gave it.")
    count: int = field("How many runs are kept.")
    first_at: datetime = field("When the oldest of them was measured, in UTC.")
    latest_at: datetime = field("When the newest of them was measured, in UTC.")
    verdict: UpperWord = field("The verdict on the newest of them.")


@shows(page.Edge)
class TargetEdge:
    """A target and its cursor."""

    cursor: str = field("For `after` and `before`; it holds when targets are added and removed.")
    node: Target = field("The target.")


@shows(page.Page)
class TargetConnection:
    """A page of targets, by name."""

    edges: list[TargetEdge] = field("The targets with their cursors.")
    nodes: list[Target] = field("The targets alone.")
    page_info: PageInfo = field("Where the page lies.")
    total_count: int = field("How many targets there are, on all pages together.")
