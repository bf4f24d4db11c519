"""The back-test: how often each rule would have fired over the same measurements, with the old and the new levels."""

from collections.abc import Mapping
from dataclasses import dataclass

from knockon.jobs.timeline import Look, follow
from knockon.rules.course import CourseState
from knockon.rules.diagnose import judge
from knockon.rules.intake import Intake
from knockon.rules.rule import DiagnoseRule
from knockon.rules.rulebook import Rulebook
from knockon.terms.truth import Truth
from knockon.terms.words import RuleId, Scalar

# Places shown of each rule; enough to look one up.
_FIRST = 3


@dataclass(frozen=True, slots=True)
class Fired:
    """How often a rule fired: `times` that it began to, at `instants` of all. Of a sweep both are the loads."""

    times: int = 0
    instants: int = 0
    first: tuple[float, ...] = ()
    """The first times (Unix seconds), or loads, at which it fired."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One rule with the old and the new levels."""

    rule: DiagnoseRule
    old: Fired
    new: Fired


@dataclass(frozen=True, slots=True)
class BackTest:
    """Every rule that fired with either, in the order of their ids, over `instants` instants or loads."""

    instants: int
    rules: tuple[Compared, ...]


def over_history(rulebook: Rulebook, look: Look, old: Mapping[str, Scalar], new: Mapping[str, Scalar]) -> BackTest:
    """Follow all rules through `look` twice; `old` and `new` are thresholds (`threshold.x` → value) and facts."""
    first, second = (_by_course(rulebook, look, known) for known in (old, new))
    return _compared(rulebook, first, second, sum(intake is not None for _, intake in look.seen))


def over_sweep(
    rulebook: Rulebook, intakes: Mapping[float, Intake], old: Mapping[str, Scalar], new: Mapping[str, Scalar]
) -> BackTest:
    """Judge every load twice."""
    first, second = (_by_load(rulebook, intakes, known) for known in (old, new))
    return _compared(rulebook, first, second, len(intakes))


def _by_course(rulebook: Rulebook, look: Look, known: Mapping[str, Scalar]) -> dict[RuleId, Fired]:
    over = follow(rulebook, look, known)
    return {
        one.rule.id: Fired(
            len(one.course.episodes),
            sum(state is CourseState.FIRING for state in one.course.states),
            tuple(each.since_s for each in one.course.episodes[:_FIRST]),
        )
        for one in over.courses
    }


def _by_load(rulebook: Rulebook, intakes: Mapping[float, Intake], known: Mapping[str, Scalar]) -> dict[RuleId, Fired]:
    loads: dict[RuleId, list[float]] = {}
    for load, intake in intakes.items():
        for rule, truth in judge(rulebook, intake, known).truths:
            if truth is Truth.TRUE:
                loads.setdefault(rule.id, []).append(load)
    return {rule: Fired(len(found), len(found), tuple(found[:_FIRST])) for rule, found in loads.items()}


def _compared(rulebook: Rulebook, old: Mapping[RuleId, Fired], new: Mapping[RuleId, Fired], instants: int) -> BackTest:
    rows = [Compared(rule, old.get(rule.id, Fired()), new.get(rule.id, Fired())) for rule in rulebook.diagnose]
    return BackTest(instants, tuple(row for row in rows if row.old.instants or row.new.instants))
