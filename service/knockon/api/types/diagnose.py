"""The answer of `diagnose`: hypotheses with evidence, what is missing, whether operators may be tuned."""

from collections.abc import Iterable
from typing import Any

import strawberry

from knockon.api.context import Info, knowledge_of
from knockon.api.scalars import UpperWord, Value
from knockon.api.shape import Resolver, field, nonempty, pairs, path, shows
from knockon.api.types.check import Atom
from knockon.api.types.expectation import ExpectedThroughput
from knockon.api.types.kinds import Checklist, ReadingState
from knockon.api.types.over_time import OverTime
from knockon.api.types.profile import Profile, Threshold, thresholds_of
from knockon.api.types.resemblance import Resemblance
from knockon.api.types.revision import REVISION, Revision, revision_of
from knockon.api.types.rule import DiagnoseRule, Wall, wall_of
from knockon.api.types.source import SOURCES, Source
from knockon.api.types.words import HowTo, Text, Way
from knockon.jobs import diagnose as jobs
from knockon.rules import coverage, diagnose, gate, hypothesis, intake, missing
from knockon.rules.trends import trends_in
from knockon.terms import reading
from knockon.terms.truth import Truth


def _of_rule(attribute: str) -> Resolver:
    return path("rule", attribute)


@shows(hypothesis.Observation)
class Observation:
    """A reading that a verdict rests on."""

    name: str = field("Name of the reading.")
    value: Value | None = field("What was measured; null when it was not.")
    origin: str | None = field("Where it was read; null when it was not measured.", resolver=nonempty("origin"))


def _sources(root: hypothesis.Hypothesis, info: Info) -> Any:
    return knowledge_of(info).catalog.sources(root.rule.cite)


@shows(hypothesis.Hypothesis)
class Hypothesis:
    """A wall that the readings point to."""

    rule: DiagnoseRule = field("The rule that sees it.")
    wall: Wall = field("The wall.", resolver=wall_of)
    confidence: float = field("0 to 1.")
    layer: str = field("Where the wall stands.", resolver=_of_rule("layer"))
    dimension: str = field("What is short.", resolver=_of_rule("dimension"))
    says: Text = field("The verdict in words, with the values seen.")
    observations: list[Observation] = field("The two or more readings it rests on.")
    for_: list[Atom] = field("Evidence for it.", name="for")
    against: list[Atom] = field("Evidence against it.")
    not_checked: list[str] = field("Readings that would have been evidence and were not measured.")
    doubts: list[Text] = field("Why it is less sure than its own readings make it.")
    confirm: Text = field("The experiment that would confirm or refute it.", resolver=_of_rule("confirm"))
    refute: Text | None = field(
        "The outcome that would refute it; null where the rule says none.", resolver=_of_rule("refute")
    )
    advice: list[Text] = field("What to do about it.", resolver=_of_rule("advice"))
    sources: list[Source] = field(SOURCES, resolver=_sources)


@shows(diagnose.OutrankedRule)
class Outranked:
    """A rule that fired and was overruled."""

    rule: DiagnoseRule = field("The rule.")
    by: strawberry.ID = field("The rule that sees the same readings more exactly.")


@shows(missing.Lack)
class Lack:
    """A reading that was not measured."""

    reading: str = field("Its name.", resolver=path("name"))
    class_: Checklist = field("Its class in the collection checklist.", name="class", resolver=path("checklist"))
    decides: list[strawberry.ID] = field("The rules it would decide.")
    separates: list[strawberry.ID] = field("The walls for or against which it would speak.")
    how: list[HowTo] = field("How to obtain it.", resolver=pairs("how", Way))


@shows(reading.Reading)
class Reading:
    """A measurement as it was handed over."""

    name: str = field("Its name.")
    value: Value | None = field("Its value; null when it is missing or invalid.")
    raw: str | None = field("The text as it stood; null where there was none.", resolver=nonempty("raw"))
    why: str | None = field("Why it is no number; null when it is one.", resolver=nonempty("why"))
    origin: str = field("Where it was read.")
    replica: str | None = field("Rank or replica; null for the whole deployment.", resolver=nonempty("replica"))
    model: str | None = field("The served model it is of; null where that is not said.", resolver=nonempty("model"))
    state: ReadingState = field("Whether it is a number, and why not.")


@shows(coverage.ClassCoverage)
class ClassCoverage:
    """One class of the collection checklist."""

    name: Checklist = field("Which class.")
    ratio: float = field("Share of its items that were collected, 0 to 1.")
    collected: list[str] = field("Items that were collected.")
    absent: list[str] = field("Items that were not.")


@shows(coverage.Coverage)
class Coverage:
    """The collection checklist."""

    classes: list[ClassCoverage] = field("KPI, resources, load and configuration.")
    warning: str | None = field(
        "What this run cannot be used for; null when nothing is in the way.", resolver=nonempty("warning")
    )


@shows(gate.Gate)
class Gate:
    """Whether single operators may be tuned now."""

    open: bool = field("Only when it pays.")
    why: Text = field("Why.")


def _judged(attribute: str) -> Resolver:
    return path("diagnosis", attribute)


def _thresholds(root: jobs.DiagnoseAnswer) -> Any:
    return thresholds_of(root.thresholds)


def _seen(observed: Iterable[intake.Observed]) -> list[hypothesis.Observation]:
    return [hypothesis.Observation(one.name, one.value, one.origin) for one in observed]


def _readings(root: jobs.DiagnoseAnswer) -> Any:
    return _seen(one for _, one in sorted(root.intake.observed.items()))


def _trends(root: jobs.DiagnoseAnswer) -> Any:
    return _seen(trends_in(root.intake))


@shows(jobs.DiagnoseAnswer)
class DiagnoseAnswer:
    """Which wall the readings hit."""

    verdict: UpperWord = field(
        "The id of a wall in capitals, `MEMORY`, or `HEALTHY`, `AMBIGUOUS`, `INSUFFICIENT_DATA`.",
        resolver=_judged("verdict"),
    )
    finest: strawberry.ID | None = field(
        "The wall that was told, or the part of it where that can be told; null where no wall was.",
        resolver=_judged("finest"),
    )
    between: list[strawberry.ID] = field(
        "Walls that explain the readings about equally well; empty where one explains them best.",
        resolver=_judged("between"),
    )
    hypotheses: list[Hypothesis] = field("Most likely first.", resolver=_judged("hypotheses"))
    outranked: list[Outranked] = field("Rules that fired and were overruled.", resolver=_judged("outranked"))
    missing: list[Lack] = field(
        "What to measure next; what would decide most comes first.", resolver=_judged("missing")
    )
    unread: list[Reading] = field("Readings the source has but could not give.", resolver=path("intake", "missing"))
    invalid: list[Reading] = field(
        "Readings that cannot be; none of them was used.", resolver=path("intake", "invalid")
    )
    readings: list[Observation] = field(
        "Every reading as rules saw it, all replicas together, by name.", resolver=_readings
    )
    resemblance: Resemblance | None = field(
        "Reports like what was told, and what caused those; null where nobody told anything in words."
    )
    over_time: OverTime | None = field("What series say beyond their last values; null where there are none.")
    trends: list[Observation] = field(
        "Readings that only series have: how fast something rises or falls.", resolver=_trends
    )
    coverage: Coverage = field("What was collected of the checklist.")
    operator_gate: Gate = field("Whether single operators may be tuned now.", resolver=_judged("gate"))
    profile: Profile = field("The profile that was in force.")
    fits: Truth = field(
        "Whether the profile is for what was judged; `notes` say what is not, or cannot be told.",
        resolver=path("fit", "truth"),
    )
    thresholds: list[Threshold] = field("The thresholds in force, by name.", resolver=_thresholds)
    expectation: ExpectedThroughput = field("What throughput the deployment should reach.")
    engine: str | None = field("The engine the readings come from; null when they do not say.")
    notes: list[Text] = field("What a reader should know before trusting the readings.")
    revision: Revision = field(REVISION, resolver=revision_of)
