"""Series of several monitors as instants: what was known at each time, and where nobody looked.

Two monitors hardly look at the same moment. Times that lie within a quarter of the finest step are one instant; a
series that is coarser than the instants holds its last value until one and a half of its own steps have passed. Beyond
that, and where a series has a hole, its reading is not there: a gap is a gap.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median, median_low

from knockon.expr.vocabulary import Vocabulary
from knockon.terms.errors import LimitExceeded
from knockon.terms.limits import INSTANTS_MAX
from knockon.terms.reading import Reading
from knockon.terms.series import Series
from knockon.terms.words import Scalar

_SAME_INSTANT_SHARE = 0.25
_COARSER_STEPS = 1.25
_HELD_STEPS = 1.5
GAP_STEPS = 2.5
"""Steps without a value that are a gap: two lost scrapes are one, a scrape that is a little late is none."""


@dataclass(frozen=True, slots=True)
class Instant:
    """Every reading of the series at one time; empty where nobody looked (a gap begins)."""

    at_s: float
    """Unix time in seconds."""
    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class Timeline:
    """Instants, oldest first, with the gaps between them."""

    instants: tuple[Instant, ...]
    step_s: float
    """The usual time between two of them."""
    gaps: tuple[tuple[float, float], ...]
    """Begin and end of every time in which nobody looked; an instant without readings stands at its begin."""


def timeline_of(series: Sequence[Series], vocabulary: Vocabulary, *, gap_s: float | None = None) -> Timeline | None:
    """The instants of `series`; None where they have fewer than two times between them.

    Args:
        series: at least one value each.
        vocabulary: tells truths, which series hold as 1 and 0, from numbers.
        gap_s: seconds between two instants from which on there is a gap; two and a half steps if not said.

    Raises:
        LimitExceeded: more instants than INSTANTS_MAX.
    """
    own_s = [own_step(one.at_s) for one in series]
    times = _times(series)
    if len(times) < 2:
        return None
    if len(times) > INSTANTS_MAX:
        # Before anything is made of them.
        raise LimitExceeded("the instants of a series", limit=INSTANTS_MAX, found=len(times), fix="give a longer step")
    step_s = _usual_step(times)
    limit_s = gap_s if gap_s is not None else GAP_STEPS * step_s
    instants: list[Instant] = []
    gaps: list[tuple[float, float]] = []
    for index, at_s in enumerate(times):
        if index and at_s - times[index - 1] > limit_s:
            begin_s = times[index - 1] + limit_s
            gaps.append((times[index - 1], at_s))
            instants.append(Instant(begin_s, ()))
        since_s = times[index - 1] if index else float("-inf")
        readings = [
            reading
            for one, step in zip(series, own_s, strict=True)
            if (reading := _reading(one, at_s, min(since_s, _held_since(at_s, step, step_s)), vocabulary))
        ]
        instants.append(Instant(at_s, tuple(readings)))
    return Timeline(tuple(instants), step_s, tuple(gaps))


def gap_limit_of(series: Sequence[Series], *, gap_s: float | None = None) -> float | None:
    """Seconds between two instants from which on there is a gap; None where the series have fewer than two instants."""
    times = _times(series)
    if len(times) < 2:
        return None
    return gap_s if gap_s is not None else GAP_STEPS * _usual_step(times)


def own_step(at_s: Sequence[float]) -> float | None:
    """The usual seconds between two times of one series; None where it has only one."""
    # The lower of two middle ones: a hole must not make a series look coarser than it is.
    return median_low([later - earlier for earlier, later in pairwise(at_s)]) if len(at_s) > 1 else None


def _usual_step(times: Sequence[float]) -> float:
    return median(later - earlier for earlier, later in pairwise(times))


def _times(series: Sequence[Series]) -> list[float]:
    """The times of all instants: of times that count as one the last."""
    finest_s = min((step for one in series if (step := own_step(one.at_s)) is not None), default=0.0)
    times: list[float] = []
    began_s = float("-inf")
    for at_s in sorted({at_s for one in series for at_s in one.at_s}):
        if at_s - began_s <= _SAME_INSTANT_SHARE * finest_s:
            times[-1] = at_s
        else:
            times.append(at_s)
            began_s = at_s
    return times


def _held_since(at_s: float, own_s: float | None, step_s: float) -> float:
    """The oldest time whose value still counts at `at_s`, for a series that is coarser than the instants."""
    is_coarser = own_s is not None and own_s > _COARSER_STEPS * step_s
    return at_s - _HELD_STEPS * own_s if is_coarser and own_s is not None else float("inf")


def _reading(one: Series, at_s: float, since_s: float, vocabulary: Vocabulary) -> Reading | None:
    place = bisect_right(one.at_s, at_s) - 1
    if place < 0 or one.at_s[place] <= since_s:
        return None
    value: Scalar = one.values[place]
    info = vocabulary.get(one.name)
    if info is not None and info.type == "bool":
        value = bool(value)
    elif info is not None and info.type == "int":
        value = int(value) if value == int(value) else value
    return Reading(one.name, value, one.origin, replica=one.replica, at_s=one.at_s[place], model=one.model)
