"""advise: what helps against a wall, tried in the deployment, in the order of the stages."""

from knockon.engines import read_command
from knockon.jobs.advise import STAGES, AdviseAnswer, Advised, advise
from knockon.jobs.deployment import Asked
from knockon.rules.hierarchy import INSUFFICIENT
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
