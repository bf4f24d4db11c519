"""The roofline: reckoned by hand once, its laws, and what it refuses."""

from dataclasses import replace

import pytest

from knockon.sizing.roofline import Band, Load, Machine, Refusal, Roofline, Shares, band_of, roofline
from knockon.terms.words import Scalar, Text
from tests.sizing.shapes import LLAMA_3_8B, MIXTRAL_8X7B

MACHINE = Machine(bandwidth_bytes_per_s=2e12, dense_flops={"bf16": 300e12, "fp8": 600e12})
LOAD = Load(running=16, prompt_tokens=1000, output_tokens=200)


def found(facts: dict[str, Scalar], load: Load = LOAD, machine: Machine = MACHINE) -> Roofline:
    answer = roofline(facts, machine, load)
    assert isinstance(answer, Roofline), answer
    return answer


def test_decode_of_one_sequence_reads_weights_and_its_cache() -> None:
    # 8,030,261,248 parameters less the table that tokens are looked up in (128256 x 4096), two bytes each; 131,072
    # bytes of cache for each of 1000 + 200 / 2 tokens.
    answer = found(LLAMA_3_8B, replace(LOAD, running=1))

    assert answer.decode_step_s == pytest.approx(((8_030_261_248 - 128_256 * 4096) * 2 + 131_072 * 1100) / 2e12)
    assert answer.bound_by == "bandwidth"
    assert answer.format == "bf16"


def test_prefill_is_two_operations_a_weight_and_attention_to_half_of_the_prompt() -> None:
    answer = found(LLAMA_3_8B, replace(LOAD, running=1))

    tables_and_norms = 2 * 128_256 * 4096 + 65 * 4096
    flops = 1000 * (2 * (8_030_261_248 - tables_and_norms) + 32 * 2 * 32 * 256 * 500)
    assert answer.prefill_s == pytest.approx(flops / 300e12)


@pytest.mark.parametrize("running", [1, 4, 16, 64, 256])
def test_taking_turns_is_never_faster_than_hiding(running: int) -> None:
    answer = found(LLAMA_3_8B, replace(LOAD, running=running))

    assert answer.serial_tokens_per_s <= answer.tokens_per_s


def test_a_larger_batch_never_generates_less() -> None:
    rates = [found(LLAMA_3_8B, replace(LOAD, running=running)).tokens_per_s for running in (1, 2, 8, 32, 128, 512)]

    assert rates == sorted(rates)


def test_half_a_sequence_on_average_generates_half_of_one() -> None:
    one, half = (found(LLAMA_3_8B, replace(LOAD, running=running)).tokens_per_s for running in (1.0, 0.5))

    assert half == pytest.approx(one / 2)


def test_two_replicas_generate_what_two_deployments_do() -> None:
    alone = found(LLAMA_3_8B).tokens_per_s
    doubled = found({**LLAMA_3_8B, "data_parallel_size": 2}, replace(LOAD, running=32)).tokens_per_s

    assert doubled == pytest.approx(2 * alone)


def test_a_pipeline_shares_the_batch_among_its_stages() -> None:
    alone = found(LLAMA_3_8B, replace(LOAD, running=8)).tokens_per_s
    piped = found({**LLAMA_3_8B, "pipeline_parallel_size": 2}, replace(LOAD, running=16)).tokens_per_s

    # Stages do not hold the same: the last one multiplies by the table.
    assert 1.5 * alone < piped < 2 * alone


def test_experts_that_nobody_visits_are_not_read() -> None:
    one, many = (found(MIXTRAL_8X7B, replace(LOAD, running=running)) for running in (1, 64))
    ratio = next(step.value for step in one.steps if step.name == "experts_read_ratio")
    all_but = next(step.value for step in many.steps if step.name == "experts_read_ratio")

    assert ratio == pytest.approx(2 / 8)
    assert all_but == pytest.approx(1 - 0.75**64)


def test_cached_prompts_are_not_computed_again() -> None:
    assert found(LLAMA_3_8B, replace(LOAD, cached_ratio=1.0)).prefill_s == 0


def test_what_was_measured_takes_the_place_of_the_peak() -> None:
    slower = replace(MACHINE, measured_flops=30e12)

    assert found(LLAMA_3_8B, machine=slower).prefill_s == pytest.approx(10 * found(LLAMA_3_8B).prefill_s)


def test_the_band_follows_the_shares() -> None:
    answer = found(LLAMA_3_8B)
    all_of_it = band_of(answer, Shares(share=1.0, layer_overhead_s=0.0, low_share=1.0))
    half = band_of(answer, Shares(share=0.5, layer_overhead_s=0.0, low_share=0.5))

    assert all_of_it == Band(*[pytest.approx(answer.serial_tokens_per_s)] * 2, answer.tokens_per_s)
    assert half.central == pytest.approx(answer.serial_tokens_per_s / 2)
    assert half.low == pytest.approx(half.central / 2)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"enable_speculative_decoding": True, "speculative_method": "ngram"}, "more than one token"),
        ({"cpu_offload_bytes": 1 << 30}, "host memory"),
        ({"disaggregation_mode": "prefill"}, "disaggregated"),
        ({"gpu_memory_bytes": 1 << 30}, "the weights do not fit"),
        ({"text_model_type": "nobody_knows"}, "nobody_knows"),
        ({"engine": "tgi"}, "tgi"),
        ({"num_attention_heads": 128, "tensor_parallel_size": 16}, "several machines"),
    ],
)
def test_what_cannot_be_reckoned_is_refused_with_the_reason(more: dict[str, Scalar], why: str) -> None:
    answer = roofline({**LLAMA_3_8B, **more}, MACHINE, LOAD)

    assert isinstance(answer, Refusal)
    assert why in answer.reason.en


def test_a_gpu_without_a_known_peak_is_refused() -> None:
    answer = roofline(LLAMA_3_8B, replace(MACHINE, dense_flops={}), LOAD)

    assert answer == Refusal(Text("the GPU's dense peak for bf16 is not known", "未知该 GPU 在 bf16 下的稠密峰值"))
