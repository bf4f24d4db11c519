"""Analysis of diagnose rules: dead ones, and pairs of walls with a witness that really fires both."""

from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from knockon.backends.python.walk import judge_one
from knockon.rules.analyse import Analysis, analyse
from knockon.rules.rulebook import Rulebook
from knockon.rules.thresholds import values_in_force
from knockon.terms.truth import Truth
from knockon.terms.words import Scalar
from tests.shipped import shipped


def analysed(**changed: float) -> Analysis:
    """The shipped rules under the default profile, some thresholds changed."""
    return analyse(shipped().rulebook, {**thresholds(shipped().rulebook), **changed})


def thresholds(rulebook: Rulebook) -> dict[str, Scalar]:
    return dict(values_in_force(rulebook.profiles, "default"))


def test_every_shipped_rule_can_fire() -> None:
    assert analysed().dead == ()


def test_level_at_the_top_of_the_range_leaves_its_rules_dead() -> None:
    assert analysed(**{"threshold.bandwidth_high": 1.0}).dead == ("D004",)


def test_witness_of_every_overlap_fires_both_rules() -> None:
    rulebook, known = shipped().rulebook, thresholds(shipped().rulebook)

    for overlap in analysed().overlaps:
        for key in (overlap.first, overlap.second):
            assert judge_one(rulebook.by_id[key].when, {**known, **overlap.witness}) is Truth.TRUE


def test_memory_and_compute_walls_overlap_and_the_outranked_pair_is_left_out() -> None:
    pairs = {(one.first, one.second) for one in analysed().overlaps}

    assert ("D001", "D002") in pairs
    assert ("D003", "D007") not in pairs
    assert not any(first == "D001" and second == "D003" for first, second in pairs)


def test_rules_that_compare_readings_are_not_proved() -> None:
    assert analysed().not_proved == ("D009", "D013", "D036", "D071", "D090", "D091", "D117", "D122", "D126", "D135")


@cache
def overlapping() -> frozenset[tuple[str, str]]:
    return frozenset((one.first, one.second) for one in analysed().overlaps)


RATIO = st.floats(0, 1)


@given(memory=RATIO, compute=RATIO, bandwidth=RATIO)
def test_readings_that_fire_two_walls_were_found(memory: float, compute: float, bandwidth: float) -> None:
    rulebook = shipped().rulebook
    readings = {
        "memory_occupancy_ratio": memory,
        "compute_utilization_ratio": compute,
        "memory_bandwidth_utilization_ratio": bandwidth,
        "throughput_below_expectation": True,
    }
    values = {**thresholds(rulebook), **readings}
    fired = [key for key in ("D001", "D002", "D004") if judge_one(rulebook.by_id[key].when, values) is Truth.TRUE]  # type: ignore[index]

    assert all((first, second) in overlapping() for first in fired for second in fired if first < second)
