"""The kinds in which reports are written, each on a small made-up one: units, lists, conditions, shares, factors."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from knockon.sources import read_source
from knockon.sources.readings.measure import kind_of
from knockon.sources.readings.parts import parts
from tests.sources.vocabulary import shipped_vocabulary


def _observed(metric: str, value: object, unit: str = "", note: str = "") -> Mapping[str, object]:
    return {"metric": metric, "value": value, "unit": unit, "note": note}


def _values(observations: Sequence[Mapping[str, Any]] = (), **texts: str) -> dict[str, object]:
    """What was measured, by name."""
    text = json.dumps({"observations": list(observations), **texts})
    taken = read_source(text, filename="f", vocabulary=shipped_vocabulary(), source="readings")
    return {one.name: one.value for one in taken.readings if one.state == "measured"}


@pytest.mark.parametrize(
    ("unit", "scale"),
    [
        ("GB/s", 1e9),
        ("GBps", 1e9),
        ("MiB/s", 2.0**20),
        ("gb/s", 1e9),
        ("Gb/s", 1.25e8),
        ("Gbps", 1.25e8),
        ("Gbit/s", 1.25e8),
        ("kB/s", 1e3),
        ("GB/s (about)", 1e9),
    ],
)
def test_rates_of_bytes_and_bits_are_read_in_bytes_per_second(unit: str, scale: float) -> None:
    said = _values([_observed("weight load rate", 2, unit)])

    assert said == {"model_load_bytes_per_s": pytest.approx(2 * scale)}


@pytest.mark.parametrize(
    ("metric", "value", "unit", "reading", "wanted"),
    [
        ("decode rate", 30, "token/s", "output_tokens_per_s", 30),
        ("step time", 17, "s/update", "step_time_s", 17),
        ("gap between steps", 580, "us per iteration", "host_gap_s", 580e-6),
        ("hard page faults", 6600, "per s", "page_fault_reads_per_s", 6600),
        ("concurrent clients", 32, "clients", "concurrency_count", 32),
        ("copies per step", 17, "copies per step", "host_copies_per_step", 17),
        ("gpu utilization", 35, "% (approx.)", "gpu_busy_ratio", 0.35),
        ("startup time", 5, "min", "startup_s", 300),
    ],
)
def test_a_number_is_converted_to_the_unit_of_its_reading(
    metric: str, value: float, unit: str, reading: str, wanted: float
) -> None:
    assert _values([_observed(metric, value, unit)]) == {reading: pytest.approx(wanted)}


def test_a_size_is_no_rate_and_a_lone_b_no_byte() -> None:
    assert kind_of("GB").of == "byte"
    assert kind_of("b").of == "b"
    assert _values([_observed("weight load rate", 2, "GB")]) == {}


@pytest.mark.parametrize(
    ("metric", "value", "note"),
    [
        ("ttft p50 / p95 / p99", [70, 90, 100], ""),
        ("ttft p50/p95/p99", "70 / 90 / 100", ""),
        ("ttft", [70, 90, 100], "p50, p95, p99"),
        ("ttft", [70, 90, 100], "three runs; p50 / p95 / p99"),
    ],
)
def test_a_list_is_apart_where_name_or_note_says_what_each_value_is(metric: str, value: object, note: str) -> None:
    said = _values([_observed(metric, value, "ms", note)])

    assert said == {
        "ttft_s_p50": pytest.approx(0.07),
        "ttft_s_p95": pytest.approx(0.09),
        "ttft_s_p99": pytest.approx(0.1),
    }


def test_two_runs_in_one_observation_are_set_beside_one_another() -> None:
    assert _values([_observed("prefill eager vs graphs", [100, 150], "tok/s")])["cuda_graph_gain_factor"] == 1.5
    assert _values([_observed("throughput proxy / direct", "20 vs 40", "req/s")])["gateway_slowdown_factor"] == 2


def test_values_by_level_in_a_text_are_levels() -> None:
    said = _values([_observed("throughput by batch", "1:20 8:80 64:160", "tok/s")])

    assert said["batch_gain_factor"] == 8


@pytest.mark.parametrize("note", ["min, max", "15 trials, 3 runs", "", "first, last"])
def test_a_range_stays_one_observation_and_its_worse_end_counts(note: str) -> None:
    assert _values([_observed("gpu utilization", [20, 35], "%", note)]) == {"gpu_busy_ratio": 0.2}


@pytest.mark.parametrize(
    "metric",
    ["decode rate at 100k context", "decode rate, one node", "decode rate with prefill", "decode_rate_8_requests"],
)
def test_a_condition_in_a_name_does_not_make_it_another(metric: str) -> None:
    assert _values([_observed(metric, 30, "tok/s")]) == {"output_tokens_per_s": 30}


def test_of_several_conditions_the_worse_value_counts_and_a_nearer_name_before_them() -> None:
    under = [_observed("board power, split", 300, "W"), _observed("board power, whole", 150, "W")]

    assert _values(under) == {"power_draw_w": 300}
    assert _values([*under, _observed("board power", 200, "W")]) == {"power_draw_w": 200}


@pytest.mark.parametrize("metric", ["decode rate with fix", "decode rate, published", "decode rate at target"])
def test_a_condition_that_is_not_how_the_system_is_gives_nothing(metric: str) -> None:
    assert "output_tokens_per_s" not in _values([_observed(metric, 30, "tok/s")])


@pytest.mark.parametrize(
    ("metric", "unit", "reading"),
    [
        ("allreduce", "% of step", "communication_share_ratio"),
        ("time share of tokenizer", "%", "host_share_ratio"),
        ("share of GPU time in attention", "%", "operator_share_ratio"),
        ("loading of batches by the dataloader", "% of iteration", "data_wait_share_ratio"),
    ],
)
def test_a_share_is_of_the_part_that_its_name_says(metric: str, unit: str, reading: str) -> None:
    assert _values([_observed(metric, 40, unit)]) == {reading: 0.4}


@pytest.mark.parametrize(
    ("metric", "unit"),
    [
        ("tokenizer and allreduce", "% of step"),
        ("allreduce", "% of kernel time"),
        ("attention tokens", "% of step"),
        ("allreduce", "%"),
    ],
)
def test_a_share_of_two_parts_of_kernels_or_of_nothing_is_none(metric: str, unit: str) -> None:
    assert _values([_observed(metric, 40, unit)]) == {}


def test_every_part_is_a_share_of_the_vocabulary() -> None:
    known = shipped_vocabulary().names

    assert [name for name in parts().parts if name not in known or not name.endswith("_ratio")] == []


@pytest.mark.parametrize(
    ("metric", "value", "unit", "reading", "wanted"),
    [
        ("throughput with dali", 50, "% faster", "loader_swap_gain_factor", 1.5),
        ("throughput with dali", 50, "%", "loader_swap_gain_factor", None),
        ("speedup with synthetic data", 40, "%", "data_gain_factor", 1.4),
        ("slowdown with json schema", 3, "x", "host_feature_slowdown_factor", 3),
        ("speedup without sidecar", 2, "x", "gateway_slowdown_factor", 2),
    ],
)
def test_a_factor_is_of_the_change_in_its_name(
    metric: str, value: float, unit: str, reading: str, wanted: float | None
) -> None:
    assert _values([_observed(metric, value, unit)]).get(reading) == wanted


def test_a_factor_in_a_text_is_of_the_change_beside_it_and_not_of_what_it_is_compared_with() -> None:
    assert _values(symptom="decode is 20 times slower with json schema")["host_feature_slowdown_factor"] == 20
    assert "host_feature_slowdown_factor" not in _values(symptom="decode is 20 times slower than with json schema")
    assert "release_gain_factor" not in _values(symptom="everything is 5x slower after")


def test_fewer_threads_that_are_faster_and_a_longer_context_are_levels() -> None:
    threads = [_observed("eval rate 8 threads", 6, "tok/s"), _observed("eval rate 16 threads", 2, "tok/s")]
    contexts = [_observed("decode 1k context", 100, "tok/s"), _observed("decode 32k context", 50, "tok/s")]

    assert _values(threads)["fewer_threads_gain_factor"] == 3
    assert _values(contexts)["context_slowdown_factor"] == 2


def test_a_rate_above_its_ceiling_is_impossible_and_twice_of_it_may_be_both_directions() -> None:
    def beside(rate: float) -> dict[str, object]:
        return _values([_observed("busbw", rate, "GB/s"), _observed("line rate", 400, "Gb/s")])

    assert beside(60)["impossible_value_seen"] is True
    assert "impossible_value_seen" not in beside(100)
    assert "impossible_value_seen" not in beside(40)


def test_any_mark_is_read_with_and_without() -> None:
    pair = [_observed("tput with flashinfer", 20, "tok/s"), _observed("tput flashinfer off", 10, "tok/s")]

    assert _values(pair)["kernel_swap_gain_factor"] == 2


def test_a_time_and_a_usage_are_no_time_over_another() -> None:
    assert "host_step_factor" not in _values([_observed("cpu usage", 80, "%"), _observed("gpu usage", 20, "%")])


@pytest.mark.parametrize(
    ("said", "reading"),
    [
        ("short prompts wait behind long prompts", "short_behind_long_seen"),
        ("one replica gets most of the requests", "uneven_work_seen"),
        ("the option is ignored", "effective_setting_differs"),
        ("the kernel falls back to a generic path", "kernel_fallback_seen"),
        ("measured bandwidth is above the line rate", "impossible_value_seen"),
    ],
)
def test_words_of_texts_values_and_notes_say_a_reading_unless_denied(said: str, reading: str) -> None:
    assert _values(symptom=said)[reading] is True
    assert _values([_observed("log", said)])[reading] is True
    assert _values([_observed("queue", 3, "req", said)])[reading] is True
    assert reading not in _values(symptom=f"never {said}")


@pytest.mark.parametrize(
    ("metric", "value", "unit", "reading", "wanted"),
    [
        ("barrier wait", 1.4, "s", "barrier_wait_s", 1.4),
        ("weight sync rate", 200, "MB/s", "weight_sync_bytes_per_s", 2e8),
        ("node scaling efficiency", 60, "%", "across_nodes_efficiency_ratio", 0.6),
        ("collective over wire time", 6.7, "x", "collective_floor_factor", 6.7),
        ("busy cores per gpu", 1.5, "", "host_busy_cores_per_device", 1.5),
        ("slowdown beside another job", 1.8, "x", "neighbour_slowdown_factor", 1.8),
        ("layers on cpu share", 40, "%", "host_layers_share_ratio", 0.4),
        ("wait for rollouts", 30, "s", "rollout_wait_s", 30),
        ("second token slowdown", 12, "x", "first_itl_slowdown_factor", 12),
        ("alloc retries", 46, "", "allocation_retry_seen", True),
    ],
)
def test_the_newer_readings_have_names(metric: str, value: float, unit: str, reading: str, wanted: float) -> None:
    assert _values([_observed(metric, value, unit)])[reading] == pytest.approx(wanted)
