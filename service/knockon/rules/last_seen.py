"""What was last seen long before the other readings of a series ended: it is missing now, whatever it was then."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from knockon.rules.instants import GAP_STEPS, gap_limit_of, own_step
from knockon.terms.reading import Reading
from knockon.terms.series import Series

# Two monitors that a person stops, one after the other, are still of one time.
_TOGETHER_S = 60.0

_Key = tuple[str, str, str]


def still_seen(readings: Sequence[Reading], series: Sequence[Series], *, gap_s: float | None = None) -> list[Reading]:
    """The readings; each that is older than the newest instant by more than a gap is missing, with when it was seen.

    A series that is coarser than the others may be as old as a gap of its own.

    Args:
        readings: what is judged. One without a time and without a series holds all the time.
        series: readings over time.
        gap_s: seconds without a value from which on there is a gap; what the series show if not said.
    """
    limit_s = gap_limit_of(series, gap_s=gap_s)
    if limit_s is None:
        return list(readings)
    newest_s = max(one.at_s[-1] for one in series)
    own = {(one.name, one.model, one.replica): one for one in series}
    least_s = limit_s if gap_s is not None else max(limit_s, _TOGETHER_S)
    return list(_judged(readings, own, newest_s=newest_s, least_s=least_s))


def _judged(
    readings: Sequence[Reading], own: Mapping[_Key, Series], *, newest_s: float, least_s: float
) -> Iterator[Reading]:
    for reading in readings:
        one = own.get((reading.name, reading.model, reading.replica))
        times = [at_s for at_s in (reading.at_s, one.at_s[-1] if one else None) if at_s is not None]
        step_s = own_step(one.at_s) if one else None
        limit_s = max(least_s, GAP_STEPS * step_s) if step_s is not None else least_s
        if reading.state == "measured" and times and newest_s - max(times) > limit_s:
            why = f"last seen {_span(newest_s - max(times))} ago, counted from the newest reading"
            yield replace(reading, value=None, state="missing", why=why, raw=reading.raw or str(reading.value))
        else:
            yield reading


def _span(seconds: float) -> str:
    for unit, name in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= unit:
            return f"{seconds / unit:.3g} {name}"
    return f"{seconds:.3g} s"
