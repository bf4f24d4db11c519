import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knockon.sources.prometheus.histogram import Estimate, Histogram, quantile, since

INF = math.inf


@st.composite
def histograms(draw: st.DrawFn) -> Histogram:
    """A complete histogram with at least one observation, all of them under the last finite bound."""
    bounds = sorted(draw(st.sets(st.integers(1, 1_000), min_size=3, max_size=12)))
    counts = draw(st.lists(st.integers(0, 50), min_size=len(bounds), max_size=len(bounds)).filter(any))
    total, buckets = 0, {}
    for bound, count in zip(bounds, counts, strict=True):
        total += count
        buckets[float(bound)] = float(total)
    return Histogram({**buckets, INF: float(total)}, float(total))


# Worked by hand: 100 observations, 10 up to 0.1, 50 up to 0.2, 90 up to 0.4.
HUNDRED = Histogram({0.1: 10.0, 0.2: 50.0, 0.4: 90.0, INF: 100.0}, 100.0)


@pytest.mark.parametrize(
    ("share", "estimate"),
    [
        (0.05, Estimate(0.05, lower=0.0, upper=0.1)),
        (0.10, Estimate(0.1, lower=0.0, upper=0.1)),
        (0.30, Estimate(0.15, lower=0.1, upper=0.2)),
        (0.70, Estimate(0.3, lower=0.2, upper=0.4)),
        (0.90, Estimate(0.4, lower=0.2, upper=0.4)),
        (0.95, Estimate(None, "10% of the observations lie beyond the last bucket", 0.4, INF)),
    ],
)
def test_quantile_is_interpolated_in_its_bucket(share: float, estimate: Estimate) -> None:
    found = quantile(HUNDRED, share)
    assert found.value == (None if estimate.value is None else pytest.approx(estimate.value))
    assert (found.why, found.lower, found.upper) == (estimate.why, estimate.lower, estimate.upper)
    assert found.is_beyond is (estimate.value is None)


@pytest.mark.parametrize(
    ("histogram", "why"),
    [
        (Histogram({}, 5), "the histogram has no buckets, so it has no quantiles"),
        (Histogram({1: 1, 2: 2, 3: 3}, 3), "the histogram is cut off: it has no +Inf bucket"),
        (Histogram({1: 1, 2: 2, 3: 3, INF: 3}, None), "the histogram is cut off: _count is missing, the +Inf bucket 3"),
        (Histogram({1: 1, 2: 2, 3: 3, INF: 3}, 4), "the histogram is cut off: _count is 4, the +Inf bucket 3"),
        (Histogram({1: 1, 2: 2, INF: 2}, 2), "the histogram is cut off: 2 finite bucket(s), at least 3 expected"),
        (
            Histogram({1: 2, 2: 1, 3: 3, INF: 3}, 3),
            "the buckets are not cumulative: a larger bound has a smaller count",
        ),
        (Histogram({1: 1, 2: math.nan, 3: 3, INF: 3}, 3), "a bucket of the histogram is not a number"),
        (Histogram({math.nan: 1, 2: 2, 3: 3, INF: 3}, 3), "a bucket of the histogram is not a number"),
        (Histogram({1: 0, 2: 0, 3: 0, INF: 0}, 0), "no observations yet"),
    ],
)
def test_incomplete_histogram_gives_its_reason(histogram: Histogram, why: str) -> None:
    assert quantile(histogram, 0.5) == Estimate(None, why)


@given(histograms(), st.floats(0.001, 0.999), st.floats(0.001, 0.999))
def test_quantile_lies_in_its_bucket_and_rises_with_the_share(histogram: Histogram, one: float, other: float) -> None:
    low, high = (quantile(histogram, share) for share in sorted((one, other)))
    assert low.value is not None
    assert high.value is not None
    assert low.lower <= low.value <= low.upper * (1 + 1e-12)
    assert low.value <= high.value * (1 + 1e-12)


@given(histograms(), histograms())
def test_difference_gives_back_what_was_added(early: Histogram, late: Histogram) -> None:
    bounds = sorted({*early.buckets, *late.buckets})

    def filled(histogram: Histogram) -> Histogram:
        below = 0.0
        buckets = {}
        for bound in bounds:
            below = histogram.buckets.get(bound, below)
            buckets[bound] = below
        return Histogram(buckets, histogram.count)

    first, added = filled(early), filled(late)
    both = Histogram(
        {bound: first.buckets[bound] + added.buckets[bound] for bound in bounds},
        (first.count or 0) + (added.count or 0),
    )
    assert since(both, first) == added
    assert since(first, both) == (
        "a count fell between the two scrapes: the process restarted, or the scrapes are in the wrong order"
    )


def test_histograms_with_other_bounds_have_no_difference() -> None:
    other = Histogram({0.1: 1.0, INF: 1.0}, 1.0)
    assert since(HUNDRED, other) == "the bucket bounds changed between the two scrapes"
