"""The tree of walls: what is out of reach, where the answer stops, and when nothing is said."""

from dataclasses import replace

import pytest

from knockon.rules.diagnose import Diagnosis, diagnose
from knockon.rules.hierarchy import AMBIGUOUS, INSUFFICIENT, SPEAK_MIN, lineage, out_of_reach, verdict_of
from knockon.rules.hypothesis import Hypothesis, hypothesis_of
from knockon.rules.intake import take
from knockon.rules.rule import DiagnoseRule
from knockon.rules.thresholds import values_in_force
from knockon.terms.reading import Reading, ReadingQuality
from knockon.terms.words import Scalar, Text, WallId
from tests.shipped import shipped

WALLS = shipped().rulebook.walls


def hypothesis(rule_id: str, confidence: float) -> Hypothesis:
    """A rule that fired, as sure as the test wants it."""
    rule = shipped().rulebook.rule(rule_id)
    assert isinstance(rule, DiagnoseRule)
    return Hypothesis(rule, rule.wall, confidence, Text("", ""), (), (), (), ())


def judged(quality: ReadingQuality = "measured", facts: dict[str, Scalar] | None = None, **values: Scalar) -> Diagnosis:
    """The diagnosis of readings of one quality."""
    rulebook = shipped().rulebook
    intake = take(rulebook, [Reading(name, value, "test", quality=quality) for name, value in values.items()])
    return diagnose(rulebook, intake, {**values_in_force(rulebook.profiles, "default"), **(facts or {})})


def test_parts_that_cannot_be_told_apart_are_the_wall_they_are_parts_of() -> None:
    verdict = verdict_of(WALLS, [hypothesis("D030", 0.8), hypothesis("D034", 0.78)], [])

    assert (verdict.word, verdict.finest) == ("queueing", "queueing")
    assert verdict.between == ("queueing_gateway", "queueing_engine")


def test_walls_that_cannot_be_told_apart_are_ambiguous_and_both_named() -> None:
    verdict = verdict_of(WALLS, [hypothesis("D015", 0.8), hypothesis("D045", 0.78)], [])

    assert (verdict.word, verdict.between) == (AMBIGUOUS, ("memory", "host"))


def test_a_part_of_a_wall_says_more_than_the_wall() -> None:
    verdict = verdict_of(WALLS, [hypothesis("D041", 0.8), hypothesis("D030", 0.78)], [])

    assert (verdict.word, verdict.finest, verdict.between) == ("queueing", "queueing_gateway", ())


def test_numbers_that_are_not_to_be_trusted_come_before_a_rival() -> None:
    assert verdict_of(WALLS, [hypothesis("D015", 0.8), hypothesis("D117", 0.78)], []).word == "measurement"


def test_a_wall_whose_resource_was_relieved_in_vain_is_less_sure() -> None:
    before = judged(host_cpu_throttled_ratio=0.6).hypotheses[0]
    after = judged(host_cpu_throttled_ratio=0.6, host_cpu_gain_factor=1.0).hypotheses[0]

    assert (before.wall, after.wall) == ("host", "host")
    assert after.confidence == round(before.confidence * 0.6, 2)
    assert [str(atom.text) for atom in after.against] == ["host_cpu_gain_factor <= threshold.gain_none"]
    assert "host_cpu_gain_factor" not in before.not_checked


def test_a_suspicion_is_no_verdict() -> None:
    assert verdict_of(WALLS, [hypothesis("D015", SPEAK_MIN - 0.01)], []).word == INSUFFICIENT
    assert verdict_of(WALLS, [hypothesis("D015", SPEAK_MIN)], []).word == "memory"


def test_every_wall_leads_to_one_that_is_part_of_no_other() -> None:
    assert {tuple(lineage(WALLS, wall))[-1] for wall in WALLS} <= {
        wall for wall, one in WALLS.items() if not one.parent
    }
    assert tuple(lineage(WALLS, WallId("queueing_rank"))) == ("queueing_rank", "queueing")


@pytest.mark.parametrize(
    ("facts", "closed"),
    [
        ({"tensor_parallel_size": 1, "pipeline_parallel_size": 1, "data_parallel_size": 1}, {"interconnect"}),
        ({"tensor_parallel_size": 1, "pipeline_parallel_size": 1}, set()),
        ({"tensor_parallel_size": 2, "pipeline_parallel_size": 1, "data_parallel_size": 1}, set()),
    ],
)
def test_one_device_has_no_interconnect_wall(facts: dict[str, Scalar], closed: set[str]) -> None:
    assert out_of_reach(WALLS, facts) == closed


def test_a_wall_below_one_that_does_not_cross_is_not_looked_at() -> None:
    parent = replace(WALLS[WallId("queueing")], crosses_text="waiting_count > 0")
    walls = {**WALLS, WallId("queueing"): parent}

    assert WallId("queueing_rank") in out_of_reach(walls, {"waiting_count": 0})
    assert out_of_reach(walls, {"waiting_count": 1}) == frozenset()
    assert out_of_reach(walls, {}) == frozenset()


def test_what_a_validity_rule_does_not_trust_is_no_evidence() -> None:
    diagnosis = judged(requests_per_s=106.0, requested_requests_per_s=183.0, schedule_delay_s_p99=42.0, ttft_s_p99=3.35)

    assert diagnosis.verdict == "measurement"
    assert "ttft_s_p99" not in diagnosis.intake.observed
    assert [(one.name, one.raw) for one in diagnosis.intake.invalid] == [("ttft_s_p99", "3.35")]
    assert diagnosis.intake.invalid[0].why.startswith("D117: 106 of 183 requests per second were sent")


def test_what_was_derived_from_a_distrusted_reading_goes_with_it() -> None:
    diagnosis = judged(kv_cache_usage_ratio=0.0, running_count=20)

    assert diagnosis.verdict == "measurement"
    assert "memory_occupancy_ratio" not in diagnosis.intake.observed


@pytest.mark.parametrize(("quality", "at_most"), [("reported", 0.84), ("estimated", 0.6), ("assumed", 0.45)])
def test_confidence_falls_with_the_worst_value_it_rests_on(quality: ReadingQuality, at_most: float) -> None:
    values: dict[str, Scalar] = {"kv_cache_usage_ratio": 0.995, "running_falls_while_waiting": True}
    measured, worse = judged(**values), judged(quality, **values)

    assert measured.hypotheses[0].confidence == 0.85
    assert worse.hypotheses[0].rule.id == measured.hypotheses[0].rule.id
    assert worse.hypotheses[0].confidence <= at_most
    assert worse.hypotheses[0].quality == quality


def test_rules_that_agree_from_other_readings_make_each_other_surer() -> None:
    alone = judged(host_feature_slowdown_factor=5.0, e2e_s_p50=7.0).hypotheses[0]
    both = judged(
        host_feature_slowdown_factor=5.0, e2e_s_p50=7.0, cpu_pinning_gain_factor=1.4, run_to_run_spread_ratio=0.2
    )

    assert [one.wall for one in both.hypotheses] == ["host", "host"]
    assert both.hypotheses[0].rule.id == "D046" or both.hypotheses[1].rule.id == "D046"
    assert alone.rule.id == "D046"
    agreed = round(alone.rule.confidence + 0.05, 2)
    assert {one.confidence for one in both.hypotheses if one.rule.id == "D046"} == {agreed}


def test_a_fact_is_one_of_the_two_observations() -> None:
    diagnosis = judged(facts={"max_num_seqs": 1}, ttft_grows_with_position=True)
    rule = shipped().rulebook.rule("D037")
    assert isinstance(rule, DiagnoseRule)

    assert (diagnosis.verdict, diagnosis.finest) == ("queueing", "queueing_engine")
    seen = hypothesis_of(rule, diagnosis.intake.observed, {"max_num_seqs": 1, **diagnosis.intake.values})
    assert [str(one) for one in seen.observations] == ["max_num_seqs = 1", "ttft_s_p95 was not measured"]


def test_a_rule_whose_experiment_nobody_made_is_not_missing_anything() -> None:
    names = {lack.name for lack in judged(memory_occupancy_ratio=0.5).missing}

    assert "memory_bandwidth_utilization_ratio" in names
    assert not names & {"cuda_graph_gain_factor", "storage_swap_gain_factor", "optimizer_offloaded"}


def test_what_a_suspicion_lacks_is_measured_first() -> None:
    diagnosis = judged(collective_bus_share_ratio=0.3)

    assert diagnosis.verdict == INSUFFICIENT
    assert diagnosis.missing[0].name in diagnosis.hypotheses[0].not_checked
    assert "link_raw_share_ratio" in diagnosis.hypotheses[0].not_checked


def test_missing_is_ranked_by_the_walls_it_separates_where_nothing_is_told() -> None:
    missing = judged().missing
    counts = [len(lack.separates) for lack in missing]

    assert counts == sorted(counts, reverse=True)
    assert all(lack.decides for lack in missing)


@pytest.mark.parametrize(
    ("seen", "asked"),
    [
        ({"prefix_cache_hit_ratio": 0.2}, "prefix_share_ratio"),
        ({"parallel_speed_factor": 0.2}, "fast_link_present"),
        ({"model_load_s": 300.0, "startup_is_slow": True}, "storage_read_share_ratio"),
    ],
)
def test_what_was_measured_says_what_to_measure_next(seen: dict[str, float | bool], asked: str) -> None:
    generic = [lack.name for lack in judged().missing]
    names = [lack.name for lack in judged(**seen).missing]

    assert asked not in generic
    assert asked in names[:12]


def test_a_latency_of_zero_was_not_measured_and_is_asked_for() -> None:
    diagnosis = judged(ttft_s_p50=0.0, e2e_s_p50=4.76)

    assert [(one.name, one.state) for one in diagnosis.intake.missing] == [("ttft_s_p50", "missing")]
    assert "ttft_s_p50" in {lack.name for lack in diagnosis.missing}


def test_a_share_a_little_over_one_is_a_wrong_peak_and_a_percentage_is_a_slip() -> None:
    assert judged(mfu_ratio=1.04).verdict == "measurement"
    assert judged(mfu_ratio=42.0).verdict == INSUFFICIENT
    assert judged(sm_active_ratio=1.02).intake.invalid == ()


def test_replicas_out_of_balance_are_seen_without_being_told() -> None:
    rulebook = shipped().rulebook
    readings = [Reading("waiting_count", value, "test", replica=str(at)) for at, value in enumerate((117, 108, 0, 0))]
    readings += [Reading("kv_cache_usage_ratio", value, "test", replica=str(at)) for at, value in enumerate((1.0, 0.2))]
    intake = take(rulebook, readings)

    assert intake.values["waiting_count_spread_ratio"] == 117 / 56.25
    assert intake.values["kv_cache_usage_spread_ratio"] == 1 / 0.6
    assert diagnose(rulebook, intake, values_in_force(rulebook.profiles, "default")).finest == "queueing_rank"
