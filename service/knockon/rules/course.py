"""The course of one rule over time: pending, firing, left again, with levels to enter and to leave.

Told by what the rule's condition said at each instant. Where every instant can be told it is what Prometheus makes of
`for` and `keep_firing_for` (rules/alerting.go, `AlertingRule.Eval`): a condition that holds is pending until it has
held for `for_s`, an alert whose condition ended stays on for `keep_firing_for_s`. An instant that cannot be told is
neither: it breaks what was pending, for nobody saw it hold, and it ends nothing that fires, for nobody saw it end.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from knockon.terms.truth import Truth, any_of


class CourseState(StrEnum):
    """What a rule does at one instant. UNKNOWN: its condition could not be told, and it was not firing."""

    INACTIVE = "inactive"
    PENDING = "pending"
    FIRING = "firing"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Told:
    """What a rule's condition said at one instant."""

    at_s: float
    """Unix time in seconds."""
    holds: Truth
    stays: Truth = Truth.FALSE
    """The looser condition under which a firing rule stays on; FALSE where the rule has none."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a rule waits before it fires, and before it stops; seconds, at least 0."""

    for_s: float = 0.0
    keep_firing_for_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Episode:
    """One time a rule fired. All times are Unix seconds."""

    since_s: float
    """From when on its condition held without a break."""
    fired_s: float
    """When it had held long enough."""
    until_s: float | None = None
    """When it was seen to have ended; None while it fires."""
    unseen_s: float = 0.0
    """Seconds of it in which nothing could be told."""


@dataclass(frozen=True, slots=True)
class Course:
    """What became of one rule; `states` has one state for each instant."""

    states: tuple[CourseState, ...]
    episodes: tuple[Episode, ...]
    pending_since_s: float | None
    """From when on the condition holds without a break, while it does not fire yet."""

    @property
    def state(self) -> CourseState:
        """The state at the last instant; UNKNOWN where there was none."""
        return self.states[-1] if self.states else CourseState.UNKNOWN

    @property
    def flaps(self) -> int:
        """How often it fired again after it had left."""
        return max(0, len(self.episodes) - 1)


def course_of(told: Sequence[Told], patience: Patience) -> Course:
    """The course of a rule through `told`, whose times rise."""
    walker = _Walker(patience)
    for one in told:
        walker.step(one)
    return Course(tuple(walker.states), tuple(walker.episodes), walker.pending_since_s)


def never_held(holds: Sequence[Truth]) -> Course:
    """The course of a rule whose condition was never TRUE: what `course_of` says of it, told at once."""
    states = {Truth.UNKNOWN: CourseState.UNKNOWN, Truth.FALSE: CourseState.INACTIVE}
    return Course(tuple(states[truth] for truth in holds), (), None)


class _Walker:
    """Where a rule stands between two instants."""

    def __init__(self, patience: Patience) -> None:
        self._patience = patience
        self._ended_s: float | None = None
        self._before: Told | None = None
        self._was_unseen = False
        self.states: list[CourseState] = []
        self.episodes: list[Episode] = []
        self.pending_since_s: float | None = None

    def step(self, one: Told) -> None:
        fires = bool(self.states) and self.states[-1] is CourseState.FIRING
        holds = any_of((one.holds, one.stays)) if fires else one.holds
        if fires:
            self._count_unseen(one, holds)
        state = self._stepped(one, holds, fires=fires)
        self.states.append(state)
        self._before, self._was_unseen = one, holds is Truth.UNKNOWN

    def _stepped(self, one: Told, holds: Truth, *, fires: bool) -> CourseState:
        if holds is Truth.TRUE:
            self._ended_s = None
            return CourseState.FIRING if fires else self._waited(one.at_s)
        self.pending_since_s = None
        if holds is Truth.UNKNOWN:
            return CourseState.FIRING if fires else CourseState.UNKNOWN
        if fires and self._is_kept(one.at_s):
            return CourseState.FIRING
        if fires:
            self.episodes[-1] = replace(self.episodes[-1], until_s=one.at_s)
            self._ended_s = None
        return CourseState.INACTIVE

    def _waited(self, at_s: float) -> CourseState:
        """PENDING until the condition has held long enough."""
        since_s = self.pending_since_s if self.pending_since_s is not None else at_s
        self.pending_since_s = since_s
        if at_s - since_s < self._patience.for_s:
            return CourseState.PENDING
        self.episodes.append(Episode(since_s, at_s))
        self.pending_since_s = None
        return CourseState.FIRING

    def _is_kept(self, at_s: float) -> bool:
        if self._ended_s is None:
            self._ended_s = at_s
        return at_s - self._ended_s < self._patience.keep_firing_for_s

    def _count_unseen(self, one: Told, holds: Truth) -> None:
        if self._before is not None and (self._was_unseen or holds is Truth.UNKNOWN):
            last = self.episodes[-1]
            self.episodes[-1] = replace(last, unseen_s=last.unseen_s + one.at_s - self._before.at_s)
