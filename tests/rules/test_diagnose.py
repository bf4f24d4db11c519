"""The four base walls and the operator gate, on the shipped rules with the default profile."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knockon.rules.coverage import coverage
from knockon.rules.diagnose import Diagnosis, diagnose
from knockon.rules.intake import Intake, take
from knockon.rules.thresholds import values_in_force
from knockon.terms.reading import Reading
from knockon.terms.words import Scalar
from tests.shipped import shipped


def taken(**values: Scalar) -> Intake:
    """Measured readings by name."""
    return take(shipped().rulebook, [Reading(name, value, "test") for name, value in values.items()])


def judged(profile: str = "default", **values: Scalar) -> Diagnosis:
    """The diagnosis of these readings."""
    rulebook = shipped().rulebook
    return diagnose(rulebook, taken(**values), dict(values_in_force(rulebook.profiles, profile)))


def fired(diagnosis: Diagnosis) -> list[str]:
    """Ids of the rules behind the hypotheses."""
    return [hypothesis.rule.id for hypothesis in diagnosis.hypotheses]


def test_memory_over_its_level_is_a_memory_wall_naming_both_observations() -> None:
    diagnosis = judged(memory_occupancy_ratio=0.95, compute_utilization_ratio=0.7)

    assert diagnosis.verdict == "memory"
    first = diagnosis.hypotheses[0]
    assert first.rule.id == "D001"
    assert [str(seen) for seen in first.observations] == [
        "memory_occupancy_ratio = 0.95",
        "compute_utilization_ratio = 0.7",
    ]


def test_second_observation_that_was_not_made_is_named_and_lowers_confidence() -> None:
    both = judged(memory_occupancy_ratio=0.95, compute_utilization_ratio=0.7).hypotheses[0]
    alone = judged(memory_occupancy_ratio=0.95).hypotheses[0]

    assert str(alone.observations[1]) == "compute_utilization_ratio was not measured"
    assert "compute_utilization_ratio" in alone.not_checked
    assert alone.confidence < both.confidence


def test_busy_compute_below_expectation_is_a_compute_wall() -> None:
    diagnosis = judged(compute_utilization_ratio=0.92, throughput_below_expectation=True, memory_occupancy_ratio=0.5)

    assert diagnosis.verdict == "compute"
    assert fired(diagnosis)[0] == "D002"


def test_busy_compute_as_expected_is_no_wall() -> None:
    assert "D002" not in fired(judged(compute_utilization_ratio=0.92, throughput_below_expectation=False))


def test_idle_compute_with_full_memory_is_a_memory_wall_and_beats_starved_compute() -> None:
    diagnosis = judged(compute_utilization_ratio=0.3, memory_occupancy_ratio=0.97, throughput_below_expectation=True)

    assert diagnosis.verdict == "memory"
    assert fired(diagnosis)[0] == "D003"
    assert [(item.rule.id, item.by) for item in diagnosis.outranked] == [("D001", "D003")]
    assert not diagnosis.gate.open


def test_bandwidth_over_its_level_is_a_bandwidth_wall() -> None:
    diagnosis = judged(
        memory_bandwidth_utilization_ratio=0.8, compute_utilization_ratio=0.4, memory_occupancy_ratio=0.5
    )

    assert diagnosis.verdict == "bandwidth"
    assert fired(diagnosis)[0] == "D004"


def test_slow_with_every_layer_fine_is_scheduling() -> None:
    diagnosis = judged(
        e2e_slow=True,
        memory_occupancy_ratio=0.6,
        compute_utilization_ratio=0.6,
        memory_bandwidth_utilization_ratio=0.4,
    )

    assert diagnosis.verdict == "queueing"
    assert diagnosis.hypotheses[0].rule.layer == "L6"


def test_slow_with_one_layer_unmeasured_cannot_be_told() -> None:
    diagnosis = judged(e2e_slow=True, memory_occupancy_ratio=0.6, compute_utilization_ratio=0.6)

    assert diagnosis.verdict == "insufficient_data"
    assert "memory_bandwidth_utilization_ratio" in {lack.name for lack in diagnosis.missing}


def test_no_reading_at_all_is_insufficient_never_healthy() -> None:
    diagnosis = judged()

    assert diagnosis.verdict == "insufficient_data"
    assert diagnosis.hypotheses == ()
    assert not diagnosis.gate.open
    assert diagnosis.gate.why.en.startswith("closed: cannot tell, needs compute_utilization_ratio")


GATE = {
    "compute_utilization_ratio": 0.6,
    "memory_occupancy_ratio": 0.6,
    "throughput_below_expectation": True,
    "macro_converged": True,
    "service_converged": True,
}


def test_gate_opens_when_everything_coarser_has_converged() -> None:
    diagnosis = judged(**GATE)

    assert diagnosis.gate.open
    assert "D006" in fired(diagnosis)


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("compute_utilization_ratio", 0.9, "compute_utilization_ratio < threshold.operator_gate_compute does not hold"),
        ("memory_occupancy_ratio", 0.88, "memory_occupancy_ratio < threshold.operator_gate_memory does not hold"),
        ("throughput_below_expectation", False, "throughput_below_expectation does not hold"),
        ("macro_converged", False, "macro_converged does not hold"),
        ("service_converged", False, "service_converged does not hold"),
    ],
)
def test_gate_stays_closed_with_its_reason(name: str, value: Scalar, reason: str) -> None:
    diagnosis = judged(**{**GATE, name: value})

    assert not diagnosis.gate.open
    assert reason in diagnosis.gate.why.en


@pytest.mark.parametrize("running", [5, 50])
@pytest.mark.parametrize("full", [0.91, 0.97, 0.985, 1.0])
@pytest.mark.parametrize("name", ["kv_cache_usage_ratio", "memory_occupancy_ratio"])
def test_requests_that_wait_for_a_pool_over_the_level_of_memory_are_a_memory_wall(
    name: str, full: float, running: int
) -> None:
    assert judged(waiting_count=10, running_count=running, **{name: full}).verdict == "memory"


@pytest.mark.parametrize(
    ("rule", "seen"),
    [
        ("D278", {"throughput_flat_over_load": True, "waiting_count": 10}),
        ("D465", {"rejected_seen": True}),
        ("D466", {"waiting_count": 10, "running_count": 5}),
        ("D790", {"gateway_limit_count": 2, "throughput_below_expectation": True}),
    ],
)
def test_limit_that_nobody_saw_reached_is_doubted_in_a_pool_over_the_level_of_memory(
    rule: str, seen: dict[str, Scalar]
) -> None:
    def confidence(full: float) -> float:
        diagnosis = judged(kv_cache_usage_ratio=full, **seen)
        return next(one.confidence for one in diagnosis.hypotheses if one.rule.id == rule)

    assert confidence(0.91) < 0.7 * confidence(0.9)


def test_second_profile_moves_a_threshold_and_keeps_the_rest() -> None:
    assert fired(judged(memory_occupancy_ratio=0.95))[:1] == ["D001"]
    assert fired(judged("h100-vllm-chat", memory_occupancy_ratio=0.95)) == []
    assert fired(judged("h100-vllm-chat", memory_bandwidth_utilization_ratio=0.68)) == ["D004"]


def test_duty_cycle_alone_never_makes_a_compute_wall() -> None:
    diagnosis = judged(gpu_busy_ratio=1.0, throughput_below_expectation=True)

    assert diagnosis.verdict == "insufficient_data"
    assert "compute_utilization_ratio" in {lack.name for lack in diagnosis.missing}


def test_percentage_given_for_a_ratio_is_invalid_not_a_wall() -> None:
    intake = taken(memory_occupancy_ratio=95)

    assert intake.observed == {}
    assert [(bad.name, bad.why) for bad in intake.invalid] == [
        (
            "memory_occupancy_ratio",
            "95 is above the greatest possible value 1; ratios run from 0 to 1, a percentage must be divided by 100",
        )
    ]


def test_throughput_is_compared_with_what_was_expected() -> None:
    intake = taken(output_tokens_per_s=900, expected_output_tokens_per_s=1500)

    assert intake.observed["throughput_below_expectation"].value is True


def test_replicas_combine_as_the_vocabulary_says() -> None:
    readings = [
        Reading("kv_cache_usage_ratio", value, "test", replica=str(rank)) for rank, value in enumerate((0.2, 0.9))
    ]
    readings += [Reading("waiting_count", value, "test", replica=str(rank)) for rank, value in enumerate((3, 4))]
    intake = take(shipped().rulebook, readings)

    assert intake.observed["kv_cache_usage_ratio"].value == 0.9
    assert intake.observed["waiting_count"].value == 7


def test_missing_context_warns_that_runs_cannot_be_compared() -> None:
    intake = taken(output_tokens_per_s=900, memory_occupancy_ratio=0.5)
    report = coverage(shipped().rulebook, intake.observed.keys(), has_config=False)

    assert report.ratios == {"kpi": 0.25, "resource": 0.25, "context": 0.0}
    assert report.warning.startswith("load & config context is missing (concurrency, request_lengths, key_config)")


RATIO = st.one_of(st.none(), st.floats(0, 1))


@given(memory=RATIO, compute=RATIO, bandwidth=RATIO, below=st.sampled_from([None, True, False]))
def test_further_readings_never_silence_a_rule_by_themselves(
    memory: float | None, compute: float | None, bandwidth: float | None, below: bool | None
) -> None:
    known: dict[str, Scalar] = {
        name: value
        for name, value in {
            "memory_occupancy_ratio": memory,
            "compute_utilization_ratio": compute,
            "memory_bandwidth_utilization_ratio": bandwidth,
            "throughput_below_expectation": below,
        }.items()
        if value is not None
    }
    before = judged(**known)
    after = judged(**known, success_ratio=1.0, output_tokens_per_s=10.0, preemptions_per_s=0.0)

    everything = set(fired(after)) | {item.rule.id for item in after.outranked}
    assert set(fired(before)) <= everything
