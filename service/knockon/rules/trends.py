"""Readings that only time shows: how fast the KV pool fills, whether throughput falls, whether the queue grows.

They are of the last minutes before an instant, of all replicas together, and rules use them as they use any other.
"""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from knockon.rules.intake import Intake, Observed
from knockon.rules.rulebook import ReadingKind
from knockon.rules.trend import VALUES_MIN, Trend, trend_of
from knockon.terms.reading import Reading

WINDOW_S = 600.0
"""What a trend looks back on unless asked otherwise: forty points at the usual interval of 15 s."""
# Values that lie in less of the window than this say nothing of its whole.
COVERED_SHARE = 0.5

_KV, _RUNNING, _WAITING = "kv_cache_usage_ratio", "running_count", "waiting_count"
_OUTPUT, _REQUESTS = "output_tokens_per_s", "requests_per_s"
_IN_FLIGHT = "in_flight"
_ROWS = (_KV, _RUNNING, _WAITING, _OUTPUT, _REQUESTS, _IN_FLIGHT)


@dataclass(slots=True)
class Memory:
    """The values of the last `window_s` seconds, which each instant adds to."""

    window_s: float = WINDOW_S
    rows: dict[str, deque[tuple[float, float]]] = field(default_factory=dict)

    def add(self, at_s: float, observed: Mapping[str, Observed]) -> None:
        """Remember what was observed at `at_s`, which is after every earlier one."""
        values = {name: _number(observed, name) for name in (_KV, _RUNNING, _WAITING, _OUTPUT, _REQUESTS)}
        running, waiting = values[_RUNNING], values[_WAITING]
        values[_IN_FLIGHT] = running + waiting if running is not None and waiting is not None else None
        for name, value in values.items():
            row = self.rows.setdefault(name, deque())
            if value is not None:
                row.append((at_s, value))
            while row and row[0][0] < at_s - self.window_s:
                row.popleft()

    def trends(self) -> dict[str, Trend | str]:
        """The trend of every row that has values; a text, with the reason, where it has too few."""
        return {name: _trend(row, self.window_s) for name in _ROWS if (row := self.rows.get(name))}


def with_trends(intake: Intake, trends: Mapping[str, Trend | str], kinds: Mapping[str, ReadingKind]) -> Intake:
    """`intake` with the readings that follow from `trends`; what was measured or said is never replaced.

    Args:
        intake: the readings of the instant at which the trends end.
        trends: what `Memory.trends` gave.
        kinds: the readings there are; others are not added.
    """
    added: dict[str, Observed] = {}
    missing: list[Reading] = []
    for name, (row, make) in _MADE.items():
        trend = trends.get(row)
        if trend is None or name not in kinds or name in intake.observed:
            continue
        if isinstance(trend, str):
            missing.append(Reading(name, None, f"the trend of {row}", "missing", trend))
        elif (value := make(trend, intake.observed)) is not None:
            added[name] = Observed(name, value, _said(row, trend), quality="derived")
    shrinks = _shrinks(trends)
    if shrinks is not None and (name := "running_falls_while_waiting") in kinds and name not in intake.observed:
        added[name] = Observed(name, shrinks, f"the trends of {_RUNNING} and {_WAITING}", quality="derived")
    return replace(intake, observed={**intake.observed, **added}, missing=(*intake.missing, *missing))


def _slope(trend: Trend, _: Mapping[str, Observed]) -> float:
    return trend.slope_per_s


def _factor(trend: Trend, _: Mapping[str, Observed]) -> float | None:
    # A line that begins at nothing has no factor, and one that ends under it is at nothing.
    return max(trend.last, 0.0) / trend.first if trend.first > 0 else None


def _to_full(trend: Trend, observed: Mapping[str, Observed]) -> float | None:
    usage = _number(observed, _KV)
    return max(0.0, 1 - usage) / trend.slope_per_s if usage is not None and trend.slope_per_s > 0 else None


_Make = Callable[[Trend, Mapping[str, Observed]], float | None]

# Reading → the row whose trend it is, and how it follows from that.
_MADE: Mapping[str, tuple[str, _Make]] = {
    "kv_cache_usage_slope_per_s": (_KV, _slope),
    "kv_cache_time_to_full_s": (_KV, _to_full),
    "waiting_slope_per_s": (_WAITING, _slope),
    "throughput_trend_factor": (_OUTPUT, _factor),
    "requests_trend_factor": (_REQUESTS, _factor),
    "in_flight_trend_factor": (_IN_FLIGHT, _factor),
}

READINGS = (*_MADE, "running_falls_while_waiting")
"""Every reading that a trend gives."""


def trends_in(intake: Intake) -> tuple[Observed, ...]:
    """The readings of `intake` that a trend gives."""
    return tuple(seen for name in READINGS if (seen := intake.observed.get(name)) is not None)


def _shrinks(trends: Mapping[str, Trend | str]) -> bool | None:
    """Whether the running batch shrinks while the queue grows; None where it cannot be told."""
    running, waiting = trends.get(_RUNNING), trends.get(_WAITING)
    if not isinstance(running, Trend) or not isinstance(waiting, Trend):
        return None
    return running.slope_per_s < 0 < waiting.slope_per_s


def _trend(row: deque[tuple[float, float]], window_s: float) -> Trend | str:
    at_s, values = [one for one, _ in row], [one for _, one in row]
    spans_s = at_s[-1] - at_s[0]
    trend = trend_of(at_s, values)
    if trend is None or spans_s < COVERED_SHARE * window_s:
        return (
            f"{len(values)} values over {spans_s:g} s; a trend takes {VALUES_MIN} over half of its window of "
            f"{window_s:g} s"
        )
    return trend


def _said(row: str, trend: Trend) -> str:
    certain = "a trend" if trend.is_certain else "no trend"
    return f"{certain} in {trend.count} values of {row} (Mann-Kendall Z = {trend.z:.1f}), Sen's slope"


def _number(observed: Mapping[str, Observed], name: str) -> float | None:
    seen = observed.get(name)
    return None if seen is None or isinstance(seen.value, str | bool) else float(seen.value)
