"""diagnose over time: each rule's course through a series of readings, with warm-up cut and gaps left open."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from knockon.backends.python.walk import judge_one
from knockon.rules.course import Course, CourseState, Patience, Told, course_of, never_held
from knockon.rules.diagnose import Held, judge
from knockon.rules.instants import Instant, Timeline, timeline_of
from knockon.rules.intake import Intake, take
from knockon.rules.rule import DiagnoseRule
from knockon.rules.rulebook import Rulebook
from knockon.rules.trend import Trend
from knockon.rules.trends import WINDOW_S, Memory, with_trends
from knockon.rules.warmup import warm_up_of
from knockon.terms.errors import LimitExceeded
from knockon.terms.limits import INSTANTS_MAX
from knockon.terms.reading import Reading
from knockon.terms.series import Series
from knockon.terms.truth import Truth
from knockon.terms.words import RuleId, Scalar, Text

# From here on generating the function of the rulebook costs less than walking the nodes at every instant.
_GENERATED_FROM = 60
# What a run does per second, the one that says most first.
_THROUGHPUTS = ("output_tokens_per_s", "requests_per_s", "prompt_tokens_per_s")
_LOADS = ("running_count", "concurrency_count")
# A load that is lower by as much as the throughput explains it.
_LOWER_SHARE = 0.9

Completed = Callable[[Intake], Intake]
"""Adds to the readings of one instant what follows from them and the deployment."""


@dataclass(frozen=True, slots=True)
class TimeAsked:
    """How a series is to be looked at. Seconds over 0; None means what the series itself shows."""

    window_s: float = WINDOW_S
    """What trends look back on."""
    warm_up_s: float | None = None
    """The beginning that is left out; 0 leaves out nothing."""
    gap_s: float | None = None
    """The time without a value from which on there is a gap."""


@dataclass(frozen=True, slots=True)
class WarmUp:
    """The beginning of a series that is left out, and why."""

    until_s: float
    instants: int
    why: Text


@dataclass(frozen=True, slots=True)
class RuleCourse:
    """What became of one rule."""

    rule: DiagnoseRule
    course: Course
    unknown: int
    """Instants at which it could not be told."""
    to_s: float
    """Unix seconds of the last instant."""

    @property
    def since_s(self) -> float | None:
        """From when on the condition holds that makes the rule fire, or wait, now; None where it does neither."""
        last = self.course.episodes[-1] if self.course.episodes else None
        return last.since_s if last is not None and last.until_s is None else self.course.pending_since_s

    @property
    def held_s(self) -> float | None:
        """For how many seconds that condition has held by the last instant."""
        return None if self.since_s is None else self.to_s - self.since_s


@dataclass(frozen=True, slots=True)
class OverTime:
    """What a series says beyond its last values."""

    from_s: float
    to_s: float
    """Unix seconds of the first and the last instant, warm-up left out."""
    instants: int
    step_s: float
    gaps: tuple[tuple[float, float], ...]
    warm_up: WarmUp | None
    courses: tuple[RuleCourse, ...]
    """Of every rule, in the order of their ids."""
    trends: Mapping[str, Trend | str]
    """At the last instant, by what has the trend; a text, with the reason, where it has too few values."""
    held: Held
    """What it says of the rules that wait."""

    @property
    def spoken(self) -> tuple[RuleCourse, ...]:
        """Rules that fired or were about to, those that fire now first."""
        ranks = {CourseState.FIRING: 0, CourseState.PENDING: 1, CourseState.UNKNOWN: 2, CourseState.INACTIVE: 3}
        told = [one for one in self.courses if one.course.episodes or CourseState.PENDING in one.course.states]
        return tuple(sorted(told, key=lambda one: (ranks[one.course.state], one.rule.id)))


@dataclass(frozen=True, slots=True)
class Look:
    """A series as instants with the readings of each as rules see them, warm-up left out."""

    timeline: Timeline
    seen: Sequence[tuple[Instant, Intake | None]]
    """At least one, trends among the readings; None where nobody looked."""
    trends: Mapping[str, Trend | str]
    """At the last instant; see `OverTime.trends`."""
    warm_up: WarmUp | None


def look_at(
    rulebook: Rulebook,
    series: Sequence[Series],
    constants: Sequence[Reading],
    *,
    asked: TimeAsked,
    about: str | None = None,
    completed: Completed = lambda intake: intake,
) -> Look | None:
    """The instants of `series`; None where they have fewer than two times.

    Args:
        rulebook: knows the readings.
        series: readings over time.
        constants: readings that were taken once, and hold all the time unless a series has the same.
        asked: how to look.
        about: the served model, where the readings are of several.
        completed: adds to the readings of each instant what follows from them.

    Raises:
        LimitExceeded: more instants than INSTANTS_MAX.
    """
    timeline = timeline_of(series, rulebook.vocabulary, gap_s=asked.gap_s)
    if timeline is None:
        return None
    if len(timeline.instants) > INSTANTS_MAX:
        raise LimitExceeded(
            "the instants of a series", limit=INSTANTS_MAX, found=len(timeline.instants), fix="give a longer step"
        )
    moving = {one.name for one in series}
    still = [one for one in constants if one.name not in moving and one.state == "measured"]
    seen = [
        (instant, completed(take(rulebook, [*instant.readings, *still], about=about)) if instant.readings else None)
        for instant in timeline.instants
    ]
    warm_up = _warm_up(seen, asked.warm_up_s)
    left = [(instant, intake) for instant, intake in seen if warm_up is None or instant.at_s >= warm_up.until_s]
    memory = Memory(asked.window_s)
    for index, (instant, bare) in enumerate(left):
        if bare is not None:
            memory.add(instant.at_s, bare.observed)
            left[index] = (instant, with_trends(bare, memory.trends(), rulebook.readings))
    return Look(timeline, left, memory.trends(), warm_up)


def follow(rulebook: Rulebook, look: Look, known: Mapping[str, Scalar]) -> OverTime:
    """The course of every diagnose rule through what was looked at.

    Args:
        rulebook: the rules; a long series makes it generate their function.
        look: what `look_at` gave.
        known: thresholds (`threshold.x` → value) and facts.
    """
    if len(look.seen) >= _GENERATED_FROM:
        rulebook.prepared_to_diagnose()
    said: dict[RuleId, list[Truth | None]] = {rule.id: [] for rule in rulebook.diagnose}
    values: list[Mapping[str, Scalar]] = []
    last_held: dict[RuleId, Intake] = {}
    for _, intake in look.seen:
        truths: dict[RuleId, Truth] = {}
        if intake is not None:
            judged = judge(rulebook, intake, known)
            truths = {rule.id: truth for rule, truth in judged.truths}
            last_held |= {rule: intake for rule, truth in truths.items() if truth is Truth.TRUE}
            values.append(judged.values)
        else:
            values.append({})
        for rule_id, row in said.items():
            # Where nobody looked nothing is told.
            row.append(Truth.UNKNOWN if intake is None else truths.get(rule_id))
    times = [instant.at_s for instant, _ in look.seen]
    from_s, to_s = times[0], times[-1]
    courses = tuple(_course(rulebook, rule, times, said[rule.id], values) for rule in rulebook.diagnose)
    return OverTime(
        from_s=from_s,
        to_s=to_s,
        instants=sum(intake is not None for _, intake in look.seen),
        step_s=look.timeline.step_s,
        gaps=tuple(gap for gap in look.timeline.gaps if gap[1] > from_s),
        warm_up=look.warm_up,
        courses=courses,
        trends=look.trends,
        held=_held(courses, last_held),
    )


_Seen = Sequence[tuple[Instant, Intake | None]]


def _course(
    rulebook: Rulebook,
    rule: DiagnoseRule,
    times: Sequence[float],
    said: Sequence[Truth | None],
    values: Sequence[Mapping[str, Scalar]],
) -> RuleCourse:
    """The course of one rule by what its condition said at each time, on these values.

    None is said where the rule's wall was out of reach: then it neither holds nor stays.
    """
    holds = [Truth.FALSE if truth is None else truth for truth in said]
    unknown = holds.count(Truth.UNKNOWN)
    if Truth.TRUE not in holds:
        # Nearly all rules, nearly always.
        return RuleCourse(rule, never_held(holds), unknown, times[-1])
    leave = rule.leave
    told = [
        Told(at_s, truth, Truth.FALSE)
        if leave is None or reached is None
        else Told(at_s, truth, judge_one(leave, seen, vocabulary=rulebook.vocabulary))
        for at_s, truth, reached, seen in zip(times, holds, said, values, strict=True)
    ]
    return RuleCourse(rule, course_of(told, Patience(rule.for_s, rule.keep_firing_for_s)), unknown, times[-1])


def _held(courses: Sequence[RuleCourse], last_held: Mapping[RuleId, Intake]) -> Held:
    """Rules without a wait are as their condition is, which the last readings say themselves."""
    waiting = [one for one in courses if one.rule.for_s or one.rule.keep_firing_for_s or one.rule.leave_text]

    def those(*states: CourseState) -> Iterator[RuleId]:
        return (one.rule.id for one in waiting if one.course.state in states)

    return Held(
        pending=frozenset(those(CourseState.PENDING, CourseState.UNKNOWN)),
        silent=frozenset(those(CourseState.INACTIVE)),
        kept={rule: last_held[rule] for rule in those(CourseState.FIRING)},
    )


def _warm_up(seen: _Seen, said_s: float | None) -> WarmUp | None:
    first_s = seen[0][0].at_s
    if said_s is not None:
        cut = sum(instant.at_s < first_s + said_s for instant, _ in seen)
        # Something has to be left to judge.
        if not 0 < cut < len(seen):
            return None
        why = Text(f"the first {said_s:g} s were said to be warm-up", f"按要求视前 {said_s:g} 秒为预热")
        return WarmUp(seen[cut][0].at_s, cut, why)
    for name in _THROUGHPUTS:
        row = [(instant.at_s, value) for instant, intake in seen if (value := _number(intake, name)) is not None]
        if row:
            return _risen(name, row, seen)
    return None


def _risen(name: str, row: Sequence[tuple[float, float]], seen: _Seen) -> WarmUp | None:
    cut = warm_up_of([value for _, value in row])
    if not cut or _is_of_load(seen, until_s=row[cut][0]):
        return None
    before, after = (sum(value for _, value in part) / len(part) for part in (row[:cut], row[cut:]))
    why = Text(
        f"{name} was {before:.4g} on average until then and {after:.4g} after it, at no lower load (MSER)",
        f"此前 {name} 平均为 {before:.4g}，此后为 {after:.4g}，而负载并未更低（MSER）",
    )
    until_s = row[cut][0]
    return WarmUp(until_s, sum(instant.at_s < until_s for instant, _ in seen), why)


def _is_of_load(seen: _Seen, *, until_s: float) -> bool:
    """Whether a lower load explains that less was done until then."""
    for name in _LOADS:
        before = [v for at, intake in seen if at.at_s < until_s and (v := _number(intake, name)) is not None]
        after = [v for at, intake in seen if at.at_s >= until_s and (v := _number(intake, name)) is not None]
        if before and after:
            return sum(before) / len(before) < _LOWER_SHARE * sum(after) / len(after)
    return False


def _number(intake: Intake | None, name: str) -> float | None:
    seen = intake.observed.get(name) if intake is not None else None
    return None if seen is None or isinstance(seen.value, str | bool) else float(seen.value)
