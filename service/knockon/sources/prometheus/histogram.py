"""Quantiles of Prometheus histograms, and every reason not to give one."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

# The shortest list of bounds among the exporters known here has ten; with one or two, most of an answer would be the
# straight line between them. Documentation samples are cut like that.
_BOUNDS_MIN = 3


@dataclass(frozen=True, slots=True)
class Histogram:
    """Cumulative counts by upper bound, and the count of all observations; None where the text has none."""

    buckets: Mapping[float, float]
    count: float | None


@dataclass(frozen=True, slots=True)
class Estimate:
    """A quantile between `lower` and `upper`, the bounds of its bucket, or why there is none.

    A quantile without value but with a `lower` bound is over that bound, and nobody knows how far.
    """

    value: float | None
    why: str = ""
    lower: float = 0.0
    upper: float = 0.0

    @property
    def is_beyond(self) -> bool:
        """Whether the quantile is over the last bound."""
        return self.value is None and math.isinf(self.upper)


def since(now: Histogram, before: Histogram) -> Histogram | str:
    """The observations between two scrapes of one histogram, or why they cannot be told."""
    if now.buckets.keys() != before.buckets.keys():
        return "the bucket bounds changed between the two scrapes"
    if now.count is None or before.count is None:
        return "a scrape has no _count"
    buckets = {bound: count - before.buckets[bound] for bound, count in now.buckets.items()}
    count = now.count - before.count
    if count < 0 or any(number < 0 for number in buckets.values()):
        return "a count fell between the two scrapes: the process restarted, or the scrapes are in the wrong order"
    return Histogram(buckets, count)


def quantile(histogram: Histogram, share: float) -> Estimate:
    """The `share` quantile (0 to 1), interpolated linearly inside its bucket as Prometheus' histogram_quantile does.

    Refused rather than guessed: an incomplete histogram, one without observations, a quantile beyond the last bound.
    """
    if why := _why_incomplete(histogram):
        return Estimate(None, why)
    bounds = sorted(histogram.buckets)
    total = histogram.buckets[math.inf]
    if total == 0:
        return Estimate(None, "no observations yet")
    rank = share * total
    index = next(i for i, bound in enumerate(bounds) if histogram.buckets[bound] >= rank)
    lower = bounds[index - 1] if index else 0.0
    upper = bounds[index]
    if math.isinf(upper):
        over = 1 - histogram.buckets[lower] / total
        return Estimate(None, f"{over:.0%} of the observations lie beyond the last bucket", lower, upper)
    if index == 0 and upper <= 0:
        return Estimate(upper, lower=upper, upper=upper)
    below = histogram.buckets[lower] if index else 0.0
    inside = histogram.buckets[upper] - below
    return Estimate(lower + (upper - lower) * (rank - below) / inside, lower=lower, upper=upper)


def _why_incomplete(histogram: Histogram) -> str:
    if not histogram.buckets:
        return "the histogram has no buckets, so it has no quantiles"
    if not all(math.isfinite(number) for number in histogram.buckets.values()) or not all(
        math.isfinite(bound) or bound == math.inf for bound in histogram.buckets
    ):
        return "a bucket of the histogram is not a number"
    total = histogram.buckets.get(math.inf)
    if total is None:
        return "the histogram is cut off: it has no +Inf bucket"
    if histogram.count is None or histogram.count != total:
        seen = "missing" if histogram.count is None else f"{histogram.count:g}"
        return f"the histogram is cut off: _count is {seen}, the +Inf bucket {total:g}"
    if len(histogram.buckets) - 1 < _BOUNDS_MIN:
        return (
            f"the histogram is cut off: {len(histogram.buckets) - 1} finite bucket(s), at least {_BOUNDS_MIN} expected"
        )
    counts = [histogram.buckets[bound] for bound in sorted(histogram.buckets)]
    if counts[0] < 0 or any(left > right for left, right in pairwise(counts)):
        return "the buckets are not cumulative: a larger bound has a smaller count"
    return ""
