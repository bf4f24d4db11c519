"""Trends as PromQL: how fast a recorded reading rises or falls over the last minutes, and 0 where that is noise.

In an answer a trend is Sen's slope where Mann's test finds one (rules/trend.py). PromQL has neither: here it is the
line of least squares, which `deriv` gives, where its correlation is further from 0 than chance explains at 5 %.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from knockon.rules.trend import CERTAIN_Z, VALUES_MIN
from knockon.rules.trends import COVERED_SHARE, WINDOW_S

Selector = Callable[[str], str]
"""The recorded series of a reading."""

_IN_FLIGHT = ("running_count", "waiting_count")
# Reading → the recorded readings whose sum it is a trend of.
_ROWS: Mapping[str, tuple[str, ...]] = {
    "kv_cache_usage_slope_per_s": ("kv_cache_usage_ratio",),
    "kv_cache_time_to_full_s": ("kv_cache_usage_ratio",),
    "waiting_slope_per_s": ("waiting_count",),
    "throughput_trend_factor": ("output_tokens_per_s",),
    "requests_trend_factor": ("requests_per_s",),
    "in_flight_trend_factor": _IN_FLIGHT,
    "running_falls_while_waiting": _IN_FLIGHT,
}
READINGS = tuple(_ROWS)
"""The readings that this module writes."""


def rows_of(reading: str) -> tuple[str, ...]:
    """The recorded readings that the trend `reading` is made of."""
    return _ROWS[reading]


def trend_query(reading: str, selector: Selector) -> str:
    """PromQL of the trend `reading`: one value for each group, absent where too little of the window has values."""
    rows = rows_of(reading)
    if reading == "running_falls_while_waiting":
        running, waiting = (_Line(selector(name)) for name in rows)
        return f"({running.slope} < bool 0) * ({waiting.slope} > bool 0)"
    line = _Line(" + ".join(selector(name) for name in rows))
    if reading == "kv_cache_time_to_full_s":
        return f"clamp_min(1 - {line.of}, 0) / ({line.slope} > 0)"
    if reading.endswith("_slope_per_s"):
        return line.slope
    half = f"{line.slope} * {line.span} / 2"
    # A line that begins at nothing has no factor, and one that ends under it is at nothing.
    return f"clamp_min({line.middle} + {half}, 0) / ({line.middle} - {half} > 0)"


@dataclass(frozen=True, slots=True)
class _Line:
    """The line of least squares through what `of` was over the window."""

    expression: str

    @property
    def of(self) -> str:
        return f"({self.expression})" if " " in self.expression else self.expression

    @property
    def _range(self) -> str:
        return f"{self.of}[{WINDOW_S:.0f}s:]"

    @property
    def _times(self) -> str:
        return f"timestamp({self.of})[{WINDOW_S:.0f}s:]"

    @property
    def middle(self) -> str:
        """The line in the middle of its values."""
        return f"avg_over_time({self._range})"

    @property
    def span(self) -> str:
        """Seconds from its first value to its last."""
        return f"(max_over_time({self._times}) - min_over_time({self._times}))"

    @property
    def slope(self) -> str:
        """The rise per second: 0 where it may be noise, absent where the window has too few values."""
        rise, values = f"deriv({self._range})", f"count_over_time({self._range})"
        # r² = (rise · deviation of the times / deviation of the values)², by which its t is z² = r² (n - 2) / (1 - r²).
        explained = f"{rise} ^ 2 * stdvar_over_time({self._times})"
        whole = f"stdvar_over_time({self._range})"
        limit = f"{CERTAIN_Z**2:.4g}"
        certain = f"({explained} * ({values} - 2 + {limit}) > bool {limit} * {whole})"
        enough = f"{values} >= {VALUES_MIN} and {self.span} >= {COVERED_SHARE * WINDOW_S:.0f}"
        return f"(({rise} * {certain}) and ({enough}))"
