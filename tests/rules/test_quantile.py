"""Quantiles with their intervals, knees of sweeps, and which reading a threshold is the level of."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knockon.rules.knee import RUNS_MIN, Knee, at_load, knee_of
from knockon.rules.levels import levels_of
from knockon.rules.quantile import Quantile, TooFew, needed_for, quantile_of, worth_of
from tests.shipped import shipped


def independent(seed: int, count: int) -> list[float]:
    """Values between 0 and 1 that have nothing to do with one another."""
    source = random.Random(seed)
    return [source.random() for _ in range(count)]


def dragging(seed: int, count: int, share: float) -> list[float]:
    """Values of which each keeps `share` of the one before."""
    source = random.Random(seed)
    values = [0.0]
    for _ in range(count - 1):
        values.append(share * values[-1] + source.gauss(0, 1))
    return values


@pytest.mark.parametrize(("share", "needed"), [(0.9, 36), (0.95, 72), (0.99, 368), (0.01, 368), (0.5, 6)])
def test_interval_takes_so_many_independent_values(share: float, needed: int) -> None:
    # (1 - share) ** n or share ** n is under 2.5 % from there on.
    assert needed_for(share) == needed


def test_interval_holds_the_quantile_as_often_as_it_says() -> None:
    held = 0
    for seed in range(200):
        found = quantile_of([independent(seed, 400)], 0.9)
        assert isinstance(found, Quantile)
        held += found.low <= 0.9 <= found.high

    assert 184 <= held <= 200


def test_values_that_drag_are_worth_less() -> None:
    assert worth_of([dragging(1, 4000, 0.0)]) == pytest.approx(4000, rel=0.1)
    # A tenth over nineteen tenths.
    assert worth_of([dragging(1, 4000, 0.9)]) == pytest.approx(4000 / 19, rel=0.3)
    assert worth_of([[5.0] * 100]) == 0.0
    # Values on both sides of a gap do not follow one another.
    assert worth_of([[1.0], [2.0], [3.0]]) == 3.0


def test_too_few_values_have_no_interval() -> None:
    assert isinstance(quantile_of([independent(1, 300)], 0.99), TooFew)
    found = quantile_of([[1.0] * 1000], 0.99)
    assert found == TooFew(worth=0.0, needed=368, count=1000)


@pytest.mark.warming
@given(st.lists(st.floats(0, 1), min_size=80, max_size=200), st.sampled_from([0.05, 0.5, 0.9, 0.95]))
def test_quantile_lies_in_its_interval_and_among_the_values(values: list[float], share: float) -> None:
    found = quantile_of([values], share)

    if isinstance(found, Quantile):
        assert found.low <= found.value <= found.high
        assert {found.low, found.value, found.high} <= set(values)
        assert sum(value <= found.value for value in values) >= share * len(values) - 1e-6


def saturating(knee: float, slope: float, loads: list[float], *, noise: float = 0.0, seed: int = 0) -> list[float]:
    """Throughput that grows to the knee and stays there."""
    source = random.Random(seed)
    return [slope * min(load, knee) * (1 + noise * source.gauss(0, 1)) for load in loads]


LOADS = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 48.0, 64.0, 96.0, 128.0]


def test_knee_is_found_where_throughput_stops_growing() -> None:
    found = knee_of(LOADS, saturating(40, 50, LOADS))

    assert isinstance(found, Knee)
    assert found.load == pytest.approx(40)
    assert found.throughput == pytest.approx(2000)
    assert (found.before, found.after) == (pytest.approx(50), pytest.approx(0, abs=1e-6))


def test_interval_holds_the_knee_nearly_always_in_noise() -> None:
    held = 0
    for seed in range(100):
        found = knee_of(LOADS, saturating(40, 50, LOADS, noise=0.02, seed=seed))
        assert isinstance(found, Knee)
        held += found.low <= 40 <= found.high

    assert held >= 88


@pytest.mark.parametrize(
    ("throughputs", "why"),
    [
        pytest.param([50 * load for load in LOADS], "grows in one straight line", id="a line"),
        pytest.param([2000.0] * len(LOADS), "does not grow", id="flat from the beginning"),
        pytest.param([50 * min(load, 40) + 30 * max(0, load - 40) for load in LOADS], "still brings 60%", id="a bend"),
        pytest.param(
            [2000 - 50 * min(load, 40) - 5 * max(0, load - 40) for load in LOADS], "does not grow", id="falls"
        ),
    ],
)
def test_sweep_without_a_knee_is_told_so(throughputs: list[float], why: str) -> None:
    found = knee_of(LOADS, throughputs)

    assert isinstance(found, str)
    assert why in found


def test_few_loads_have_no_knee() -> None:
    loads = LOADS[: RUNS_MIN - 1]

    assert knee_of(loads, saturating(4, 50, loads)) == "5 loads; a knee takes 6"


@given(st.floats(0.01, 1000), st.floats(0.01, 1000))
def test_knee_scales_with_load_and_throughput(by_load: float, by_throughput: float) -> None:
    first = knee_of(LOADS, saturating(40, 50, LOADS, noise=0.02))
    other = knee_of(
        [load * by_load for load in LOADS],
        [value * by_throughput for value in saturating(40, 50, LOADS, noise=0.02)],
    )

    assert isinstance(first, Knee)
    assert isinstance(other, Knee)
    assert other.load == pytest.approx(first.load * by_load)
    assert other.high == pytest.approx(first.high * by_load)
    assert other.throughput == pytest.approx(first.throughput * by_throughput)


def test_reading_between_two_loads_is_on_the_line_between_them() -> None:
    assert at_load([1, 3, 5], [10.0, 30.0, 20.0], 2) == 20.0
    assert at_load([1, 3, 5], [10.0, 30.0, 20.0], 0.5) == 10.0
    assert at_load([1, 3, 5], [10.0, 30.0, 20.0], 9) == 20.0


def test_levels_are_read_from_the_conditions() -> None:
    found = {(one.threshold, one.reading): one for one in levels_of(shipped().rulebook)}

    assert found["memory_occupancy_high", "memory_occupancy_ratio"].side == "above"
    assert "D001" in found["memory_occupancy_high", "memory_occupancy_ratio"].rules
    assert "D008" in found["memory_occupancy_high", "kv_cache_usage_ratio"].rules
    assert found["compute_low", "compute_utilization_ratio"].side == "below"
    assert found["success_low", "success_ratio"].side == "below"
    # A product is no level: `waiting_count > threshold.waiting_per_running_high * running_count`.
    assert not any(threshold == "waiting_per_running_high" for threshold, _ in found)


def test_every_threshold_that_can_be_calibrated_is_the_level_of_a_reading() -> None:
    levels = {one.threshold: one for one in levels_of(shipped().rulebook) if one.side is not None}
    able = {key for key, one in shipped().rulebook.profiles["default"].thresholds.items() if one.calibrated_by}

    assert able <= levels.keys()


def test_quantiles_rise_with_their_share() -> None:
    values = independent(3, 2000)
    found = [quantile_of([values], share) for share in (0.5, 0.9, 0.95, 0.99)]

    assert all(isinstance(a, Quantile) and isinstance(b, Quantile) and a.value <= b.value for a, b in pairwise(found))
