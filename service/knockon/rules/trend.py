"""Whether a row of values rises or falls, and how fast: Sen's slope, and Mann's test of whether there is one at all.

H. B. Mann, Nonparametric tests against trend, Econometrica 13 (1945); P. K. Sen, Estimates of the regression
coefficient based on Kendall's tau, JASA 63 (1968). Neither minds outliers or asks for a distribution; both take the
values for independent of one another, so that of a very dense series a part says more than all of it.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

# Under eight values the normal approximation of the test is poor, and a line through them says little.
VALUES_MIN = 8
# Pairs grow with the square; thirty values say as much about a line as hundreds.
_VALUES_MAX = 30
# Both ends of the normal distribution together hold 5 % beyond it.
CERTAIN_Z = 1.96


@dataclass(frozen=True, slots=True)
class Trend:
    """A line through values over time. `slope_per_s` is 0 where no trend can be told from the noise."""

    slope_per_s: float
    first: float
    """The line at the first time."""
    last: float
    """The line at the last time."""
    z: float
    """The test's statistic: beyond 1.96 on either side there is a trend, at 5 %."""
    count: int
    """The values it rests on."""

    @property
    def is_certain(self) -> bool:
        """Whether there is a trend at all."""
        return abs(self.z) >= CERTAIN_Z


def trend_of(at_s: Sequence[float], values: Sequence[float]) -> Trend | None:
    """The trend of `values` at rising times `at_s`; None with fewer than VALUES_MIN of them."""
    if len(values) < VALUES_MIN:
        return None
    at_s, values = _thinned(at_s), _thinned(values)
    z = _statistic(values)
    middle, level = median(at_s), median(values)
    slope = 0.0
    if abs(z) >= CERTAIN_Z:
        pairs = [
            (later - value) / (later_s - time_s)
            for index, (time_s, value) in enumerate(zip(at_s, values, strict=True))
            for later_s, later in zip(at_s[index + 1 :], values[index + 1 :], strict=True)
        ]
        slope = median(pairs)
        level = median(value - slope * (time_s - middle) for time_s, value in zip(at_s, values, strict=True))
    first, last = (level + slope * (end_s - middle) for end_s in (at_s[0], at_s[-1]))
    return Trend(slope, first, last, z, len(values))


def _thinned(row: Sequence[float]) -> Sequence[float]:
    """At most _VALUES_MAX of `row`, evenly spread, both ends among them."""
    if len(row) <= _VALUES_MAX:
        return row
    last = len(row) - 1
    return [row[round(index * last / (_VALUES_MAX - 1))] for index in range(_VALUES_MAX)]


def _statistic(values: Sequence[float]) -> float:
    """Mann's and Kendall's Z, corrected for ties and for continuity; 0 where all values are the same."""
    count = len(values)
    score = sum(
        (later > value) - (later < value) for index, value in enumerate(values) for later in values[index + 1 :]
    )
    ties = sum(tied * (tied - 1) * (2 * tied + 5) for tied in Counter(values).values())
    variance = (count * (count - 1) * (2 * count + 5) - ties) / 18
    if variance <= 0 or score == 0:
        return 0.0
    return (score - math.copysign(1, score)) / math.sqrt(variance)
