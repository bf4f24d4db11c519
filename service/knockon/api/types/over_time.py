"""What series of readings say beyond their last values: gaps, warm-up, trends, and the course of each rule."""

from dataclasses import dataclass

from knockon.api.shape import field, path, shows
from knockon.api.types.rule import DiagnoseRule
from knockon.api.types.words import Text
from knockon.jobs import timeline
from knockon.rules import course
from knockon.rules.course import CourseState


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the time looked at."""

    from_s: float
    to_s: float


@shows(Stretch)
class TimeSpan:
    """A part of the time, in the seconds of the series: Unix time where it is of the calendar."""

    from_s: float = field("Its begin.")
    to_s: float = field("Its end.")


@shows(timeline.WarmUp)
class WarmUp:
    """The beginning of a series that is left out."""

    until_s: float = field("The first time that counts.")
    instants: int = field("How many instants are left out.")
    why: Text = field("Why.")


@shows(course.Episode)
class Episode:
    """One time a rule fired."""

    since_s: float = field("From when on its condition held without a break.")
    fired_s: float = field("When it had held for long enough.")
    until_s: float | None = field("When the rule left; null while it fires.")
    unseen_s: float = field("Seconds of it in which nothing could be told.")


@shows(timeline.RuleCourse)
class RuleCourse:
    """What became of one rule."""

    rule: DiagnoseRule = field("The rule.")
    state: CourseState = field("Its state at the last instant.", resolver=path("course", "state"))
    since_s: float | None = field(
        "From when on the condition holds that makes it fire, or wait, now; null where it does neither."
    )
    held_s: float | None = field("For how many seconds it has held by then; null where it does not.")
    for_s: float = field("How many seconds the rule waits before it fires.", resolver=path("rule", "for_s"))
    keep_firing_for_s: float = field(
        "How many seconds it fires on after its condition ended.", resolver=path("rule", "keep_firing_for_s")
    )
    fired: int = field("How often it fired.")
    flaps: int = field("How often it fired again after it had left.", resolver=path("course", "flaps"))
    unknown_instants: int = field("Instants at which it could not be told.", resolver=path("unknown"))
    episodes: list[Episode] = field("Each time it fired, the earliest first.", resolver=path("course", "episodes"))


def _gaps(root: timeline.OverTime) -> list[Stretch]:
    return [Stretch(*one) for one in root.gaps]


@shows(timeline.OverTime)
class OverTime:
    """What series of readings say beyond their last values."""

    from_s: float = field("The first instant that counts: Unix time in seconds where the series is of the calendar.")
    to_s: float = field("The last instant.")
    instants: int = field("How many instants have readings.")
    step_s: float = field("Seconds from one instant to the next, as a rule.")
    gaps: list[TimeSpan] = field("When nobody looked.", resolver=_gaps)
    warm_up: WarmUp | None = field("The beginning that is left out; null where nothing is.")
    rules: list[RuleCourse] = field(
        "Rules that fired or were about to, those that fire now first.", resolver=path("spoken")
    )
