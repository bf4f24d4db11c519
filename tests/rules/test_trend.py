"""Trends, warm-up and instants: what a row of values says, and what it cannot say."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knockon.rules.instants import timeline_of
from knockon.rules.intake import take
from knockon.rules.trend import VALUES_MIN, Trend, trend_of
from knockon.rules.trends import Memory, with_trends
from knockon.rules.warmup import warm_up_of
from knockon.terms.reading import Reading
from knockon.terms.series import Series
from tests.shipped import shipped

BOOK = shipped().rulebook
TIMES = tuple(15.0 * index for index in range(60))


def noise(seed: int, count: int = 60) -> list[float]:
    """The same noise every time."""
    source = random.Random(seed)
    return [source.gauss(0, 1) for _ in range(count)]


def test_line_is_found_through_outliers() -> None:
    values = [0.01 * at_s for at_s in TIMES]
    values[10], values[40] = 90.0, -90.0

    found = trend_of(TIMES, values)

    assert found is not None
    assert found.slope_per_s == pytest.approx(0.01)
    assert (found.first, found.last) == (pytest.approx(0.0, abs=1e-9), pytest.approx(8.85))
    assert found.is_certain


def test_noise_has_no_trend_about_as_often_as_the_test_says() -> None:
    found = [trend_of(TIMES, noise(seed)) for seed in range(200)]
    certain = sum(one.is_certain for one in found if one is not None)

    assert 2 <= certain <= 20
    assert all(one is not None and (one.is_certain or one.slope_per_s == 0) for one in found)


def test_statistic_is_that_of_the_textbook() -> None:
    # Four pairs of ties among ten values: S = 37 and its variance 121.
    values = [1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0, 5.0, 6.0]
    score = 41
    variance = (10 * 9 * 25 - 4 * 2 * 1 * 9) / 18

    found = trend_of(TIMES[:10], values)

    assert found is not None
    assert found.z == pytest.approx((score - 1) / math.sqrt(variance))


def test_few_values_have_no_trend_and_equal_ones_have_none_for_certain() -> None:
    assert trend_of(TIMES[: VALUES_MIN - 1], [1.0] * (VALUES_MIN - 1)) is None
    assert trend_of(TIMES, [3.0] * 60) == Trend(0.0, 3.0, 3.0, 0.0, 30)


@given(
    st.lists(st.floats(-1e6, 1e6), min_size=VALUES_MIN, max_size=30),
    st.floats(0.01, 100),
    st.floats(-1e6, 1e6),
)
def test_trend_turns_with_time_and_scales_with_values(values: list[float], factor: float, shift: float) -> None:
    times = TIMES[: len(values)]
    found, turned = trend_of(times, values), trend_of(times, values[::-1])
    scaled = trend_of(times, [factor * value + shift for value in values])

    assert found is not None
    assert turned is not None
    assert scaled is not None
    assert turned.z == pytest.approx(-found.z)
    assert turned.slope_per_s == pytest.approx(-found.slope_per_s)
    if len({factor * value + shift for value in values}) == len(set(values)):
        assert scaled.slope_per_s == pytest.approx(factor * found.slope_per_s, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize(
    ("values", "cut"),
    [
        pytest.param([100.0] * 10 + [1000.0] * 40, 10, id="a slow beginning"),
        pytest.param([1000.0] * 10 + [100.0] * 40, 0, id="a good beginning is no warm-up"),
        pytest.param([1000.0] * 50, 0, id="always the same"),
        pytest.param([float(index) for index in range(50)], 0, id="no steady state to be seen"),
        pytest.param([100.0] * 5 + [1000.0] * 5, 0, id="too few values"),
        pytest.param([980.0] * 10 + [1000.0] * 40, 0, id="hardly lower"),
    ],
)
def test_warm_up(values: list[float], cut: int) -> None:
    assert warm_up_of(values) == cut


def test_noise_is_no_warm_up() -> None:
    assert [warm_up_of([1000 + 50 * value for value in noise(seed)]) for seed in range(50)] == [0] * 50


def observed(**values: float) -> dict[str, object]:
    """Readings of one instant as rules see them."""
    return dict(take(BOOK, [Reading(name, value, "test") for name, value in values.items()]).observed)


def test_trends_are_readings_and_replace_nothing() -> None:
    memory = Memory(window_s=600)
    for index, at_s in enumerate(TIMES[:41]):
        usage, waiting = 0.2 + 0.01 * index, 2.0 * index
        rate = 1000.0 - 10 * index
        seen = observed(
            kv_cache_usage_ratio=usage, waiting_count=waiting, running_count=50.0 - index, output_tokens_per_s=rate
        )
        memory.add(at_s, seen)  # type: ignore[arg-type]
    last = take(BOOK, [Reading("kv_cache_usage_ratio", 0.6, "t"), Reading("throughput_trend_factor", 0.9, "said")])

    found = with_trends(last, memory.trends(), BOOK.readings).values

    assert found["kv_cache_usage_slope_per_s"] == pytest.approx(0.01 / 15)
    assert found["kv_cache_time_to_full_s"] == pytest.approx(600)
    assert found["waiting_slope_per_s"] == pytest.approx(2 / 15)
    assert found["in_flight_trend_factor"] == pytest.approx((10 + 80) / 50)
    assert found["running_falls_while_waiting"] is True
    assert found["throughput_trend_factor"] == 0.9
    assert "requests_trend_factor" not in found


def test_too_short_a_time_is_a_missing_trend_with_the_reason() -> None:
    memory = Memory(window_s=600)
    for at_s in TIMES[:5]:
        memory.add(at_s, observed(kv_cache_usage_ratio=0.5))  # type: ignore[arg-type]

    found = with_trends(take(BOOK, []), memory.trends(), BOOK.readings)

    assert found.values == {}
    assert {one.name: one.why for one in found.missing}["kv_cache_usage_slope_per_s"] == (
        "5 values over 60 s; a trend takes 8 over half of its window of 600 s"
    )


def series(name: str, *points: tuple[float, float], replica: str = "") -> Series:
    """A series of (time, value)."""
    return Series(name, tuple(at for at, _ in points), tuple(value for _, value in points), "test", replica)


def names_at(*given_series: Series, gap_s: float | None = None) -> list[tuple[float, list[tuple[str, str, object]]]]:
    """What is known at each instant."""
    found = timeline_of(given_series, BOOK.vocabulary, gap_s=gap_s)
    assert found is not None
    return [(one.at_s, [(r.name, r.replica, r.value) for r in one.readings]) for one in found.instants]


def test_hole_in_one_series_is_missing_where_others_have_a_value() -> None:
    whole = series("waiting_count", (0, 1), (10, 2), (20, 3), (30, 4))
    holed = series("running_count", (0, 8), (10, 8), (30, 8))

    assert names_at(whole, holed)[2] == (20, [("waiting_count", "", 3)])


def test_coarser_series_holds_its_value_for_one_and_a_half_of_its_steps() -> None:
    fine = series("gpu_busy_ratio", *[(5.0 * index, 0.9) for index in range(21)])
    coarse = series("waiting_count", (0, 1), (20, 2), (80, 3), (100, 4))

    known = {at_s: [name for name, _, _ in seen] for at_s, seen in names_at(fine, coarse)}

    assert known[45.0] == ["gpu_busy_ratio", "waiting_count"]
    assert known[55.0] == ["gpu_busy_ratio"]
    assert known[95.0] == ["gpu_busy_ratio", "waiting_count"]


def test_moments_that_lie_close_together_are_one_instant() -> None:
    first = series("gpu_busy_ratio", (0, 0.1), (10, 0.2), (20, 0.3), replica="gpu=0")
    second = series("gpu_busy_ratio", (0.4, 0.5), (10.3, 0.6), (20.5, 0.7), replica="gpu=1")

    assert names_at(first, second)[1] == (10.3, [("gpu_busy_ratio", "gpu=0", 0.2), ("gpu_busy_ratio", "gpu=1", 0.6)])


def test_time_without_any_value_is_a_gap_and_truths_are_truths() -> None:
    one = series("clock_throttle_active", (0, 0), (10, 1), (20, 0), (100, 1))

    assert names_at(one) == [
        (0, [("clock_throttle_active", "", False)]),
        (10, [("clock_throttle_active", "", True)]),
        (20, [("clock_throttle_active", "", False)]),
        (45, []),
        (100, [("clock_throttle_active", "", True)]),
    ]
    assert (45, []) not in names_at(one, gap_s=90)
    assert timeline_of([series("waiting_count", (0, 1))], BOOK.vocabulary) is None
