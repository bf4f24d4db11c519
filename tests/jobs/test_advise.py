"""advise: what helps against a wall, tried in the deployment, in the order of the stages."""

from dataclasses import replace
from pathlib import Path

import pytest

from knockon.engines import read_command
from knockon.jobs.advise import STAGES, AdviseAnswer, Advised, advise
from knockon.jobs.deployment import Asked, deployment_of
from knockon.jobs.fitting import taken_back
from knockon.rules.couple import judge
from knockon.rules.hierarchy import INSUFFICIENT, relief_of
from knockon.sources import read_source
from knockon.sources.together import together
from knockon.terms.argument import arguments_of
from knockon.terms.words import CheckVerdict, Effect
from tests.shipped import shipped

MEMORY = ("memory_occupancy_ratio=0.97", "compute_utilization_ratio=0.3", "preemptions_per_s=1")
BANDWIDTH = ("memory_bandwidth_utilization_ratio=0.85", "compute_utilization_ratio=0.4")
LLAMA = Asked(engine="vllm", model="meta-llama/Llama-3.1-70B-Instruct", gpu="h100-sxm", gpu_count=8, sets=["tp=4"])


def answered(*sets: str, asked: Asked | None = LLAMA) -> AdviseAnswer:
    return advise(shipped(), (), sets=sets, asked=asked)


def found(answer: AdviseAnswer, technique: str) -> Advised:
    return next(one for one in answer.advised if one.technique.id == technique)


def test_against_full_memory_the_cache_is_quantized_and_checked_again() -> None:
    answer = answered(*MEMORY)

    assert answer.walls == ("memory",)
    assert answer.measure_first is None
    quantized = found(answer, "kv-cache-quantization")
    assert quantized.sets == {"kv_cache_dtype": "fp8"}
    assert quantized.verdict is not None
    assert quantized.unchecked is None
    assert {shift.quantity for shift in quantized.gains} == {"kv_bytes_per_token_per_gpu"}
    assert quantized.costs
    assert any(line.cause == "kv-cache-quantization" for entry in quantized.ledger for line in entry.costs)


def test_every_advised_technique_gains_on_the_wall_and_is_not_in_use() -> None:
    for sets in (MEMORY, BANDWIDTH):
        answer = answered(*sets)
        wall = shipped().rulebook.walls[answer.walls[0]]
        assert answer.advised
        for one in answer.advised:
            assert one.technique.id != "tensor-parallelism"
            assert all(shift.effect is Effect.GAIN and shift.quantity in wall.relieved_by for shift in one.gains)
            assert (one.verdict is None) == (one.unchecked is not None)


def test_stages_stand_in_their_order_and_conflicts_are_never_advised() -> None:
    answer = answered(*MEMORY)

    order = [STAGES.index(one.stage) for one in answer.advised]
    assert order == sorted(order)
    assert all(one.verdict is not CheckVerdict.CONFLICT for one in answer.advised)


def test_what_was_not_checked_again_comes_last_of_its_stage() -> None:
    macro = [one for one in answered(*BANDWIDTH).advised if one.stage == "macro"]

    unchecked = [one.verdict is None for one in macro]
    assert unchecked == sorted(unchecked)
    assert {False, True} <= set(unchecked)


def test_waiting_for_data_is_answered_with_data_loaders_and_not_with_shorter_prompts() -> None:
    answer = answered("data_wait_share_ratio=0.7", "compute_utilization_ratio=0.3", asked=None)

    assert answer.walls == ("io",)
    assert {"data-prefetching", "local-data-staging"} <= {one.technique.id for one in answer.advised}
    fed = {"data_wait_share_ratio", "data_preparation_s", "dataset_download_bytes", "checkpoint_time_s"}
    for one in answer.advised:
        assert {shift.quantity for shift in one.gains} <= fed
        assert not {str(cell.stage) for cell in one.technique.cells}.isdisjoint({"data", "training"})
    assert "the operator gate is closed" not in {one.why.en for one in answer.ruled_out}


def test_a_slow_start_is_answered_with_what_shortens_it() -> None:
    answer = answered("startup_swap_gain_factor=3.5", asked=None)

    assert answer.walls == ("startup",)
    assert "fast-weight-loading" in {one.technique.id for one in answer.advised}
    assert "queue-length-cap" not in {one.technique.id for one in answer.advised}


def test_operators_wait_for_the_gate() -> None:
    answer = answered(*MEMORY)

    assert all(one.stage != "operator" for one in answer.advised)
    assert "the operator gate is closed" in {one.why.en for one in answer.ruled_out}


def test_a_technique_that_would_conflict_is_ruled_out_with_what_the_check_says() -> None:
    command = arguments_of(["vllm", "serve", "meta-llama/Llama-3.1-70B-Instruct", "-tp", "4"], path="<command>")
    few, enough = (Asked(configured=read_command(command), gpu="h100-sxm", gpu_count=count) for count in (4, 8))

    answer = answered(*MEMORY, asked=few)

    ruled_out = {one.technique.id: one.why.en for one in answer.ruled_out}
    assert "8 ranks need a GPU each, and there are 4" in ruled_out["pipeline-parallelism"]
    assert "pipeline-parallelism" not in {one.technique.id for one in answer.advised}
    assert found(answered(*MEMORY, asked=enough), "pipeline-parallelism").sets == {"pipeline_parallel_size": 2}


def test_a_checkpoint_that_is_quantized_already_is_not_quantized_again() -> None:
    deepseek = Asked(engine="vllm", model="deepseek-ai/DeepSeek-V3", gpu="h200", gpu_count=8, sets=["tp=8"])

    assert "weight-quantization" not in {one.technique.id for one in answered(*MEMORY, asked=deepseek).advised}


def test_an_engine_without_a_switch_rules_it_out() -> None:
    ruled_out = {one.technique.id: one.why.en for one in answered(*MEMORY).ruled_out}

    assert ruled_out["admission-flow-control"] == "vllm has no switch for it"


def test_without_a_deployment_nothing_is_checked_again_and_that_is_said() -> None:
    answer = answered(*MEMORY, asked=None)

    assert answer.advised
    assert {one.unchecked.en for one in answer.advised if one.unchecked} == {
        "no deployment was described to check it in"
    }


def test_too_little_to_tell_the_wall_means_measuring_first() -> None:
    answer = answered("ttft_s_p95=3")

    assert answer.diagnosed.diagnosis.verdict == INSUFFICIENT
    assert answer.measure_first is not None
    assert answer.diagnosed.diagnosis.missing[0].name in answer.measure_first.en
    assert (answer.walls, answer.advised, answer.ruled_out) == ((), (), ())


def test_doubtful_numbers_mean_measuring_again() -> None:
    answer = answered("impossible_value_seen=true")

    assert answer.diagnosed.diagnosis.verdict == "measurement"
    assert answer.measure_first is not None
    assert answer.advised == ()


def serving(words: str, count: int, gpu: str = "h100-sxm") -> Asked:
    """What `command` starts on so many GPUs."""
    return Asked(configured=read_command(arguments_of(words.split(), path="<command>")), gpu=gpu, gpu_count=count)


SMALL = "vllm serve meta-llama/Llama-3.1-8B-Instruct"
LARGE = "vllm serve meta-llama/Llama-3.1-70B-Instruct -tp 4"
ONE_MORE_REPLICA = ("batch_gain_factor=1.02", "compute_utilization_ratio=0.93")
SLOW_LINKS = ("communication_share_ratio=0.5", "collective_fallback_seen=true")


def test_more_ranks_than_gpus_are_not_offered() -> None:
    whys = {
        (engine, count): {one.technique.id: one.why.en for one in answered(*ONE_MORE_REPLICA, asked=asked).ruled_out}
        for engine, count, asked in (
            ("vllm", 1, serving(SMALL, 1)),
            ("vllm", 2, serving(SMALL, 2)),
            # No rule speaks of this one: what it runs on is counted all the same.
            ("", 1, Asked(model="meta-llama/Llama-3.1-8B-Instruct", gpu="h100-sxm", gpu_count=1)),
        )
    }

    assert whys["vllm", 1]["data-parallel-replicas"].endswith("and 1 are not enough for all of them.")
    assert whys["", 1]["tensor-parallelism"] == "it takes 2 GPUs, and 1 are told"
    assert "data-parallel-replicas" not in whys["vllm", 2]
    assert "tensor-parallelism" not in whys["vllm", 2]


def test_a_loss_whose_way_out_is_to_take_it_back_rules_out() -> None:
    node = Asked(engine="vllm", gpu_count=8, sets=["tensor_parallel_size=4", "data_parallel_size=2"])
    after = deployment_of(shipped(), replace(node, sets=[*K161, "data_parallel_size=4"]))
    findings = judge(shipped().rulebook, after.facts).findings

    against = taken_back(findings, {"data_parallel_size": 4}, {"data_parallel_size": 2})

    assert against is not None
    assert (against.rule.id, against.verdict) == ("K161", CheckVerdict.DEGRADED)
    assert taken_back(findings, {"max_num_seqs": 4}, {"max_num_seqs": 2}) is None


K161 = [
    "tensor_parallel_size=4", "pipeline_parallel_size=1", "prefill_context_parallel_size=1", "node_count=1",
    "data_parallel_backend=mp", "distributed_executor_backend=mp", "data_parallel_external_lb=false",
    "data_parallel_size_local_given=false",
]  # fmt: skip


def test_what_takes_more_devices_than_are_told_comes_last_with_the_reason() -> None:
    full, roomy = (answered(*MEMORY, asked=serving(LARGE, count)) for count in (4, 8))

    last = [one for one in full.advised if one.takes_more]
    assert last
    for one in last:
        assert one.technique.adds_devices
        assert one.unchecked is not None
        assert one.unchecked.en == "it takes more devices, and all 4 that are told are in use"
        assert [other for other in full.advised if other.stage == one.stage][-len(last) :] == last
    assert not any(one.takes_more for one in roomy.advised)


def test_what_rests_on_something_that_is_not_in_use_is_ruled_out_with_it() -> None:
    moe, dense = "vllm serve deepseek-ai/DeepSeek-V3 -tp 8", "vllm serve meta-llama/Llama-3.1-70B-Instruct -tp 8"
    without = answered(*SLOW_LINKS, asked=serving(moe, 8, "h200"))
    with_it = answered(*SLOW_LINKS, asked=serving(f"{moe} --enable-expert-parallel", 8, "h200"))
    ids = [{one.technique.id for one in answered(*SLOW_LINKS, asked=serving(dense, 8)).advised}]
    why = {one.technique.id: one.why.en for one in without.ruled_out}["two-batch-overlap"]

    assert why == "it takes Expert parallelism, which is not in use"
    assert "it takes Expert" not in {one.technique.id: one.why.en for one in with_it.ruled_out}.get(
        "two-batch-overlap", ""
    )
    # No expert moves in a dense model, no KV leaves the engine, no context is shared out.
    assert ids[0].isdisjoint({"expert-affinity-placement", "kv-transfer-nixl", "dcp-all-to-all"})


def test_every_wall_but_those_that_are_none_has_something_that_moves_it() -> None:
    rulebook, catalog = shipped().rulebook, shipped().catalog
    gained = {
        (str(shift.quantity), str(cell.stage))
        for technique in catalog.techniques.values()
        if technique.tombstone is None
        for shift in technique.shifts_of(Effect.GAIN)
        for cell in technique.cells
    }
    for wall in rulebook.walls:
        relief = relief_of(rulebook.walls, wall)
        assert bool(relief.quantities) == (wall not in ("healthy", "measurement"))
        for quantity in relief.quantities:
            assert any((quantity, stage) in gained for stage in relief.stages), (wall, quantity)


def test_heat_is_answered_with_caps_and_clocks_whatever_the_engine() -> None:
    answer = answered("thermal_throttle_active=true", "sm_clock_share_ratio=0.6", asked=serving(SMALL, 1))

    assert answer.walls == ("power",)
    switches = {one.technique.id: one.switch.switch if one.switch else None for one in answer.advised}
    assert {"gpu-power-capping", "clock-locking"} <= switches.keys()
    assert switches["clock-locking"] == "-lgc"


def dumped(shared_dir: Path, *names: str, asked: Asked | None = None) -> AdviseAnswer:
    """The answer on files of real systems."""
    vocabulary = shipped().rulebook.vocabulary
    folder = shared_dir / "fixtures"
    parts = [
        read_source((folder / name).read_text(encoding="utf-8"), filename=name, vocabulary=vocabulary) for name in names
    ]
    return advise(shipped(), together(parts), asked=asked)


VLLM_DUMP = "serving/vllm_metrics_v0.5_llama3.1_8b_fp8.prom"


def test_a_queue_in_a_real_dump_is_answered_with_more_slots_first(shared_dir: Path) -> None:
    command = "vllm serve neuralmagic/Meta-Llama-3.1-8B-Instruct-FP8 --max-num-seqs 64"

    answer = dumped(shared_dir, VLLM_DUMP, asked=serving(command, 1))

    first = answer.advised[0]
    assert (answer.walls, first.technique.id, first.stage) == (("queueing",), "larger-batch", "macro")
    assert first.sets == {"max_num_seqs": 128}
    order = [STAGES.index(one.stage) for one in answer.advised]
    assert order == sorted(order)
    assert all(one.stage != "operator" for one in answer.advised)


@pytest.mark.parametrize("name", [VLLM_DUMP, "serving/triton_trtllm_metrics_readme.prom"])
def test_without_a_deployment_what_may_not_fit_comes_behind_what_does(shared_dir: Path, name: str) -> None:
    answer = dumped(shared_dir, name)

    assert answer.walls == ("queueing",)
    macro = [one.fits for one in answer.advised if one.stage == "macro"]
    assert macro == sorted(macro, reverse=True)
    ids = [one.technique.id for one in answer.advised]
    assert "queue-length-cap" in ids or "larger-batch" in ids


@pytest.mark.parametrize(
    ("names", "says"),
    [
        (
            ("bench/inference-perf/vllm_stage6_lifecycle.json", "bench/inference-perf/vllm_stage6_prometheus.json"),
            "doubt",
        ),
        (("bench/aiperf/qwen_concurrency4_profile_export_aiperf.json",), "cannot be told yet"),
        (("serving/sglang_metrics_docs_llama3.1_8b.prom",), "cannot be told yet"),
        (("gpu/nvidia_gpu_exporter_nvidia-h200_load.prom",), "cannot be told yet"),
    ],
)
def test_what_cannot_be_told_is_measured_before_anything_is_advised(
    shared_dir: Path, names: tuple[str, ...], says: str
) -> None:
    answer = dumped(shared_dir, *names)

    assert answer.measure_first is not None
    assert says in answer.measure_first.en
    assert (answer.advised, answer.ruled_out) == ((), ())
