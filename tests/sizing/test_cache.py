"""The KV cache of plain and latent attention, exact to the byte, on each engine; None with a reason for the rest."""

import json
import re
from pathlib import Path

import pytest

from knockon.sizing.size import size
from knockon.sizing.sizing import Step, derived
from knockon.terms.words import Scalar
from tests.sizing.shapes import (
    DEEPSEEK_V3,
    GEMMA3_27B_FULL,
    GIB,
    GPT_OSS_20B,
    GPT_OSS_120B_FULL,
    LLAMA_8B,
    LLAMA_70B,
    QWEN3_30B,
    QWEN3_235B,
    QWEN3_NEXT,
)

SHAPES = {
    "qwen3-235b-a22b": QWEN3_235B,
    "qwen3-30b-a3b": QWEN3_30B,
    "llama-3.1-8b": LLAMA_8B,
    "llama-3.3-70b": LLAMA_70B,
    "deepseek-v3": DEEPSEEK_V3,
    "deepseek-v3.2": DEEPSEEK_V3,
    "gemma-3-27b": GEMMA3_27B_FULL,
    "gpt-oss-120b": GPT_OSS_120B_FULL,
    "gpt-oss-20b": GPT_OSS_20B,
    "qwen3-next-80b-a3b": QWEN3_NEXT,
}


# Values that vLLM 0.33.0's own planner gives for these shapes.
@pytest.mark.parametrize(
    ("facts", "available", "block", "tokens", "needed"),
    [
        pytest.param({**QWEN3_235B, "tensor_parallel_size": 4}, 50, 16, 1115504, 1971322880, id="qwen3-235b-tp4"),
        pytest.param({**QWEN3_235B, "tensor_parallel_size": 8}, 50, 16, 1115504, 1971322880, id="qwen3-235b-tp8"),
        pytest.param(
            {**QWEN3_235B, "tensor_parallel_size": 8, "decode_context_parallel_size": 2},
            50,
            16,
            2231008,
            985661440,
            id="qwen3-235b-tp8-dcp2",
        ),
        pytest.param(LLAMA_8B, 40, 16, 327680, 17179869184, id="llama-8b-tp1"),
        pytest.param({**LLAMA_8B, "tensor_parallel_size": 8}, 40, 16, 2621440, 2147483648, id="llama-8b-tp8"),
        pytest.param({**LLAMA_8B, "kv_cache_dtype": "fp8"}, 40, 16, 655360, 8589934592, id="llama-8b-fp8"),
        pytest.param({**LLAMA_70B, "tensor_parallel_size": 16}, 50, 16, 1310720, 5368709120, id="llama-70b-tp16"),
        pytest.param({**DEEPSEEK_V3, "tensor_parallel_size": 8}, 30, 64, 458368, 11513364480, id="deepseek-tp8"),
        pytest.param(
            {**DEEPSEEK_V3, "tensor_parallel_size": 8, "decode_context_parallel_size": 8},
            30,
            64,
            3666944,
            1439170560,
            id="deepseek-tp8-dcp8",
        ),
        pytest.param(
            {**DEEPSEEK_V3, "kv_cache_dtype": "fp8_ds_mla"}, 30, 64, 804928, 6556221440, id="deepseek-fp8-with-scales"
        ),
    ],
)
def test_golden_values(facts: dict[str, Scalar], available: int, block: int, tokens: int, needed: int) -> None:
    sizing = size({**facts, "available_kv_cache_bytes": available * GIB, "kv_block_size_tokens": block})

    assert sizing.kv_cache_tokens == tokens
    assert sizing.needed_bytes == needed
    assert sizing.fits is True


def test_all_golden_vectors(shared_dir: Path) -> None:
    path = shared_dir / "research" / "engines" / "kv_golden_vectors.json"
    wrong, seen = [], 0
    for vector in json.loads(path.read_text(encoding="utf-8")):
        case = vector["case"]
        seen += 1
        sizing = size(_facts_of(vector))
        got = (sizing.kv_cache_tokens, sizing.needed_bytes, round(sizing.max_concurrency or 0, 4))
        expected = (vector["kv_cache_size_tokens"], vector["bytes_for_one_max_len_request"], vector["max_concurrency"])
        if got != pytest.approx(expected, abs=1e-4, rel=0) or sizing.kv_bytes_per_block != vector["bytes_per_block"]:
            wrong.append((case, got, expected))

    assert wrong == []
    assert seen == 20


def _facts_of(vector: dict[str, object]) -> dict[str, Scalar]:
    case = str(vector["case"])
    shape = SHAPES[max((name for name in SHAPES if case.startswith(name)), key=len)]
    facts = {**shape, "max_model_len": vector["max_model_len"], "available_kv_cache_bytes": vector["available_bytes"]}
    # A block that states made larger is found, not given.
    if "linear_state_kind" not in shape:
        facts["kv_block_size_tokens"] = vector["block_sizes"][0]  # type: ignore[index]
    for short, name in (("tp", "tensor_parallel_size"), ("dcp", "decode_context_parallel_size")):
        found = re.search(rf"\b{short}(\d+)", case)
        if found:
            facts[name] = int(found[1])
    facts["kv_cache_dtype"] = "fp8_ds_mla" if "fp8_ds_mla" in case else "fp8" if "fp8" in case else "auto"
    return facts  # type: ignore[return-value]


def test_worked_example_is_derived_step_by_step() -> None:
    sizing = size({**QWEN3_235B, "tensor_parallel_size": 8, "available_kv_cache_bytes": 50 * GIB})

    assert sizing.steps[:5] == (
        Step("H", "num_key_value_heads", 4, "1"),
        Step("kv_head_replicas", "TP / H = 8 / 4", 2, "1"),
        Step("kv_heads_per_rank", "max(1, H / TP) = max(1, 4 / 8)", 1, "1"),
        Step("kv_bytes_per_token_per_layer", "1 heads x (128 + 128) x 2 B (bfloat16)", 512, "byte/token"),
        Step("kv_bytes_per_stored_token", "512 x 94 layers", 48128, "byte/token"),
    )
    assert sizing.steps[-2:] == (
        Step("kv_cache_tokens", "(53687091200 // 770048 = 69719 blocks) x 16", 1115504, "token"),
        Step("max_concurrency", "1115504 / 40960", 69719 / 2560, "1"),
    )
    assert derived(sizing) == {
        "kv_head_replicas": 2,
        "kv_heads_per_rank": 1,
        "kv_bytes_per_token_per_gpu": 48128,
        "kv_cache_tokens": 1115504,
        "max_concurrency": 69719 / 2560,
        "needed_bytes": 1971322880,
        "fits": True,
        "kv_blocks_per_request": 2560,
        "kv_blocks_per_request_at_least": 2560,
        "kv_bytes_per_block": 770048,
        "available_kv_cache_bytes_at_most": 50 * GIB,
    }
    assert sizing.longest_that_fits == 1115488
    assert sizing.concurrency_that_fits == 27


def test_decode_context_parallelism_halves_bytes_per_token_and_keeps_replicas() -> None:
    sizing = size({**QWEN3_235B, "tensor_parallel_size": 8, "decode_context_parallel_size": 2})

    assert sizing.kv_head_replicas == 2
    assert sizing.kv_bytes_per_token_per_gpu == 24064
    assert sizing.kv_bytes_per_stored_token == 48128


def test_latent_is_copied_on_every_rank() -> None:
    sizing = size({**DEEPSEEK_V3, "tensor_parallel_size": 16})

    assert sizing.kv_head_replicas == 16
    assert sizing.kv_bytes_per_token_per_gpu == 70272


def test_pipeline_stage_with_most_layers_counts() -> None:
    sizing = size({**QWEN3_235B, "tensor_parallel_size": 4, "pipeline_parallel_size": 4})

    assert sizing.kv_bytes_per_token_per_gpu == 512 * 24


def test_prefill_context_parallelism_leaves_the_cache_as_it_is() -> None:
    sizing = size({**DEEPSEEK_V3, "tensor_parallel_size": 8, "prefill_context_parallel_size": 2})

    assert sizing.kv_bytes_per_token_per_gpu == 70272


@pytest.mark.parametrize(
    ("facts", "field", "reason"),
    [
        pytest.param(
            {**QWEN3_235B, "tensor_parallel_size": 6, "num_attention_heads": 60},
            "kv_head_replicas",
            "vllm cannot spread H = 4 KV heads over TP = 6: neither divides the other",
            id="heads-do-not-divide",
        ),
        pytest.param(
            {**QWEN3_235B, "tensor_parallel_size": 3},
            "kv_head_replicas",
            "vllm cannot run TP = 3: it does not divide the 64 query heads",
            id="query-heads-do-not-divide",
        ),
        pytest.param(
            {**QWEN3_235B, "tensor_parallel_size": 4, "decode_context_parallel_size": 2},
            "kv_cache_tokens",
            "vLLM refuses DCP = 2 since 0.11.1: every KV head is held once, as TP = 4 <= H",
            id="nothing-to-share",
        ),
        pytest.param(
            {**QWEN3_235B, "tensor_parallel_size": 8, "decode_context_parallel_size": 4},
            "kv_cache_tokens",
            "vLLM refuses DCP = 4 since 0.11.1: more than TP / H = 2",
            id="more-than-replicas",
        ),
        pytest.param(
            {**QWEN3_235B, "tensor_parallel_size": 8, "decode_context_parallel_size": 3},
            "kv_cache_tokens",
            "vllm refuses DCP = 3: it does not divide TP = 8",
            id="dcp-does-not-divide",
        ),
        pytest.param(
            {**QWEN3_235B, "tensor_parallel_size": 8, "decode_context_parallel_size": 2, "num_attention_heads": 40,
             "num_key_value_heads": 8, "head_dim": 64},
            "kv_cache_tokens",
            "vLLM refuses DCP = 2 since 0.11.1: every KV head is held once, as TP = 8 <= H",
            id="as-many-ranks-as-heads",
        ),
        pytest.param(
            {**LLAMA_8B, "attention_kind": "hybrid_sliding"},
            "kv_bytes_per_token_per_gpu",
            "the KV cache of hybrid_sliding attention is not reckoned here",
            id="windows",
        ),
        pytest.param(
            {**DEEPSEEK_V3, "attention_kind": "mla_sparse"},
            "kv_bytes_per_token_per_gpu",
            "the KV cache of mla_sparse attention beside its indexer is not reckoned here",
            id="indexer",
        ),
        pytest.param({"num_key_value_heads": 8}, "kv_head_replicas", "needs attention_kind", id="kind-not-told"),
        pytest.param(
            {**LLAMA_8B, "kv_cache_dtype": "made_up"},
            "kv_bytes_per_token_per_gpu",
            "how vllm lays out a KV cache of type made_up is not known here",
            id="unknown-type",
        ),
        pytest.param(
            {**LLAMA_8B, "engine": "made_up"},
            "kv_cache_tokens",
            "the arithmetic of made_up is not known here",
            id="engine",
        ),
        pytest.param(
            LLAMA_8B,
            "kv_cache_tokens",
            "needs available_kv_cache_bytes, which the engine's start-up log tells",
            id="pool-not-known",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_told_is_none_with_its_reason(facts: dict[str, Scalar], field: str, reason: str) -> None:
    sizing = size(facts)

    assert getattr(sizing, field) is None
    assert sizing.reasons[field].en == reason


def test_heads_are_counted_for_hybrids_whose_cache_is_not() -> None:
    sizing = size({**LLAMA_8B, "attention_kind": "hybrid_linear", "tensor_parallel_size": 16})

    assert sizing.kv_head_replicas == 2
    assert sizing.kv_bytes_per_token_per_gpu is None


@pytest.mark.parametrize(
    ("dtype", "facts", "expected"),
    [
        pytest.param("auto", {"model_dtype": "float32"}, 2048, id="auto-loads-32-bit-as-16"),
        pytest.param("auto", {"model_dtype": "float32", "dtype": "float32"}, 4096, id="32-bit-when-asked"),
        pytest.param("auto", {"checkpoint_kv_cache_dtype": "fp8"}, 1024, id="as-the-checkpoint-asks"),
        pytest.param("bfloat16", {"checkpoint_kv_cache_dtype": "fp8"}, 2048, id="asked-beats-checkpoint"),
        pytest.param("fp8_e5m2", {}, 1024, id="fp8"),
        pytest.param("nvfp4", {}, 576, id="four-bit-with-scales"),
        pytest.param("int8_per_token_head", {}, 1056, id="scales-for-each-head"),
        pytest.param("mxfp8", {"engine": "sglang"}, 1056, id="sglang-mxfp8"),
    ],
)
def test_bytes_of_a_row_by_element_type(dtype: str, facts: dict[str, Scalar], expected: int) -> None:
    shape: dict[str, Scalar] = {**LLAMA_8B, "num_hidden_layers": 1, "num_key_value_heads": 4, "tensor_parallel_size": 1}

    assert size({**shape, "kv_cache_dtype": dtype, **facts}).kv_bytes_per_token_per_gpu == expected


def test_sglang_rounds_down_to_pages_and_widens_by_dcp() -> None:
    facts = {**QWEN3_235B, "engine": "sglang", "tensor_parallel_size": 8, "available_kv_cache_bytes": 50 * GIB}

    plain = size({**facts, "kv_block_size_tokens": 64})
    shared = size({**facts, "kv_block_size_tokens": 64, "decode_context_parallel_size": 2})

    assert plain.kv_cache_tokens == 50 * GIB // 48128 // 64 * 64
    assert shared.kv_cache_tokens == 50 * GIB // 48128 // 64 * 64 * 2


def test_sglang_shares_nothing_where_no_head_is_copied() -> None:
    facts: dict[str, Scalar] = {
        **LLAMA_8B,
        "engine": "sglang",
        "tensor_parallel_size": 4,
        "decode_context_parallel_size": 2,
    }

    sizing = size(facts)

    assert (
        sizing.kv_bytes_per_token_per_gpu
        == size({**facts, "decode_context_parallel_size": 1}).kv_bytes_per_token_per_gpu
    )


def test_sglang_attention_data_parallelism_keeps_heads_together() -> None:
    sizing = size(
        {
            **QWEN3_235B,
            "engine": "sglang",
            "tensor_parallel_size": 8,
            "attention_data_parallel_size": 4,
            "enable_attention_data_parallel": True,
        }
    )

    assert sizing.kv_head_replicas == 1
    assert sizing.kv_heads_per_rank == 2


def test_tensorrt_llm_rounds_heads_up_and_tokens_down_to_blocks() -> None:
    sizing = size(
        {
            **LLAMA_8B,
            "engine": "trtllm",
            "num_attention_heads": 36,
            "num_key_value_heads": 9,
            "tensor_parallel_size": 2,
            "available_kv_cache_bytes": GIB,
        }
    )

    assert sizing.kv_heads_per_rank == 5
    assert sizing.kv_bytes_per_token_per_gpu == 5 * 256 * 2 * 32
    assert sizing.kv_cache_tokens == GIB // 81920 // 32 * 32


def test_one_request_that_does_not_fit_is_told_with_what_it_needs() -> None:
    sizing = size({**QWEN3_30B, "max_model_len": 221000, "kv_cache_dtype": "fp8", "available_kv_cache_bytes": 6 * GIB})

    # vllm#25350 logged 10.12 GiB for this request.
    assert sizing.needed_bytes == 10862985216
    assert sizing.fits is False


def test_vllm_keeps_one_block_for_itself() -> None:
    exactly = {**LLAMA_8B, "max_model_len": 16, "available_kv_cache_bytes": 131072 * 16}

    assert size(exactly).fits is False
    assert size({**exactly, "available_kv_cache_bytes": 131072 * 32}).fits is True


def test_zero_bytes_hold_nothing() -> None:
    sizing = size({**LLAMA_8B, "available_kv_cache_bytes": 0})

    assert sizing.kv_cache_tokens == 0
    assert sizing.max_concurrency == 0.0
    assert sizing.fits is False


def test_longest_sequence_of_the_model_stands_in_for_max_model_len() -> None:
    facts = {name: value for name, value in LLAMA_8B.items() if name != "max_model_len"}

    sizing = size({**facts, "max_position_embeddings": 4096})

    assert sizing.needed_bytes == 4096 * 131072
    assert Step("max_model_len", "max_position_embeddings", 4096, "token") in sizing.steps
