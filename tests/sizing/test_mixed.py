"""Layers of several kinds in one pool: the values vLLM's planner gives, what fits, and what drafting adds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knockon.sizing.size import size
from knockon.terms.words import Scalar
from tests.sizing.shapes import DEEPSEEK_V3, GIB, GPT_OSS_20B, LLAMA_8B, QWEN3_NEXT

GPT_OSS_120B: dict[str, Scalar] = {**GPT_OSS_20B, "layer_pattern": "sf" * 18, "num_hidden_layers": 36}
GEMMA3_27B: dict[str, Scalar] = {
    "attention_kind": "hybrid_sliding",
    "layer_pattern": "sssssf" * 10 + "ss",
    "num_hidden_layers": 62,
    "num_attention_heads": 32,
    "num_key_value_heads": 16,
    "head_dim": 128,
    "sliding_window": 1024,
    "max_model_len": 131072,
    "max_num_batched_tokens": 8192,
}
NEMOTRON_NANO: dict[str, Scalar] = {
    "attention_kind": "hybrid_linear",
    "layer_pattern": "mxmxmfxmxmxmfxmxmxmfxmxmxmfxmxmxmfxmxmxmxmfxmxmxmxmx",
    "num_hidden_layers": 52,
    "num_attention_heads": 32,
    "num_key_value_heads": 2,
    "head_dim": 128,
    "linear_state_kind": "mamba2",
    "linear_num_value_heads": 64,
    "linear_value_head_dim": 64,
    "linear_key_head_dim": 128,
    "linear_group_count": 8,
    "linear_conv_kernel_size": 4,
    "linear_inner_size": 4096,
    "linear_state_dtype": "float32",
    "max_model_len": 16384,
}
FALCON_H1: dict[str, Scalar] = {
    "attention_kind": "hybrid_linear",
    "layer_pattern": "b" * 24,
    "num_hidden_layers": 24,
    "num_attention_heads": 8,
    "num_key_value_heads": 2,
    "head_dim": 128,
    "linear_state_kind": "mamba2",
    "linear_num_value_heads": 48,
    "linear_value_head_dim": 64,
    "linear_key_head_dim": 256,
    "linear_group_count": 1,
    "linear_conv_kernel_size": 4,
    "linear_inner_size": 3072,
    "max_model_len": 8192,
}
CODESTRAL_MAMBA: dict[str, Scalar] = {
    "attention_kind": "linear",
    "layer_pattern": "m" * 64,
    "num_hidden_layers": 64,
    "linear_state_kind": "mamba2",
    "linear_num_value_heads": 128,
    "linear_value_head_dim": 64,
    "linear_key_head_dim": 128,
    "linear_group_count": 8,
    "linear_conv_kernel_size": 4,
    "linear_inner_size": 8192,
    "max_model_len": 8192,
}
GEMMA4_26B: dict[str, Scalar] = {
    "attention_kind": "per_layer",
    "layer_pattern": "sssssf" * 5,
    "num_hidden_layers": 30,
    "num_attention_heads": 16,
    "num_key_value_heads": 8,
    "head_dim": 256,
    "full_num_key_value_heads": 2,
    "full_head_dim": 512,
    "sliding_window": 1024,
    "max_model_len": 8192,
    "max_num_batched_tokens": 8192,
}


# vLLM 0.33.0's own planner, 20 GiB (gpt-oss) and 40 GiB (Gemma) for the pool.
@pytest.mark.parametrize(
    ("facts", "gib", "tokens"),
    [
        pytest.param(GPT_OSS_120B, 20, 517297, id="gpt-oss-120b"),
        pytest.param({**GPT_OSS_120B, "max_num_batched_tokens": 2048}, 20, 564274, id="less-in-flight"),
        pytest.param({**GPT_OSS_120B, "hybrid_kv_manager_off": True}, 20, 291264, id="windows-stored-whole"),
        pytest.param(GEMMA3_27B, 40, 291658, id="gemma-3-27b"),
        pytest.param({**GEMMA3_27B, "hybrid_kv_manager_off": True}, 40, 84560, id="gemma-windows-stored-whole"),
    ],
)
def test_windows_beside_full_layers(facts: dict[str, Scalar], gib: int, tokens: int) -> None:
    assert size({**facts, "available_kv_cache_bytes": gib * GIB}).kv_cache_tokens == tokens


def test_old_releases_print_whole_blocks_of_one_group() -> None:
    # The start-up log of vLLM 0.19.0 with Gemma 3 4B: 204,817 blocks, 7 groups, 468,144 tokens.
    gemma: dict[str, Scalar] = {
        **GEMMA3_27B,
        "layer_pattern": "sssssf" * 5 + "ssss",
        "num_hidden_layers": 34,
        "num_attention_heads": 8,
        "num_key_value_heads": 4,
        "head_dim": 256,
        "max_model_len": 8192,
        "engine_version": "0.19.0",
    }
    block = 5 * 16 * 4 * 512 * 2

    sizing = size({**gemma, "available_kv_cache_bytes": 204817 * block})

    assert sizing.kv_bytes_per_block == block
    assert sizing.kv_cache_tokens == 468144


@pytest.mark.parametrize(
    ("facts", "block"),
    [
        # The blocks vLLM 0.33.0 named when it refused an interleave that does not divide them.
        pytest.param({**NEMOTRON_NANO, "tensor_parallel_size": 8}, 528, id="nemotron-tp8"),
        pytest.param(
            {
                **NEMOTRON_NANO,
                "tensor_parallel_size": 8,
                "enable_speculative_decoding": True,
                "speculative_method": "ngram",
                "num_speculative_tokens": 3,
            },
            544,
            id="nemotron-tp8-three-drafts",
        ),
        pytest.param({**FALCON_H1, "tensor_parallel_size": 4, "model_dtype": "float16"}, 784, id="falcon-h1-tp4"),
        pytest.param(QWEN3_NEXT, 1056, id="qwen3-next"),
    ],
)
def test_blocks_grow_to_hold_a_state(facts: dict[str, Scalar], block: int) -> None:
    assert size(facts).kv_block_size_in_use_tokens == block


def test_layers_that_attend_and_keep_states_count_twice() -> None:
    # 751 blocks of 24 pages of 4 MiB were what vLLM 0.33.0 found on an 80 GB card.
    sizing = size({**FALCON_H1, "kv_block_size_tokens": 4096})

    assert sizing.kv_bytes_per_block == 24 * 4096 * 1024


def test_a_model_of_states_alone_has_states_and_no_cost_of_a_token() -> None:
    state = (8192 + 2 * 8 * 128) * 3 * 2 + 128 * 64 * 128 * 2

    sizing = size({**CODESTRAL_MAMBA, "available_kv_cache_bytes": 123 * 64 * state, "enable_prefix_caching": False})

    assert sizing.kv_bytes_per_block == 64 * state
    assert sizing.kv_blocks_per_request == 1
    assert sizing.concurrency_that_fits == 123
    assert sizing.kv_bytes_per_token_per_gpu is None
    assert sizing.kv_head_replicas is None


def test_smaller_rows_take_longer_blocks_so_that_pages_are_equal() -> None:
    sizing = size({**GEMMA4_26B, "available_kv_cache_bytes": 20 * GIB})
    windowed, full = 8 * 512 * 2, 2 * 1024 * 2

    assert sizing.kv_bytes_per_block == 5 * 16 * windowed
    assert sizing.kv_bytes_per_token_per_gpu == 25 * windowed + 5 * full
    # 8,192 tokens in blocks of 32 for the full layers, five groups with windows of 1,023 and all that is in flight.
    assert sizing.kv_blocks_per_request == 256 + 5 * (512 + 1)


def test_stages_share_the_layers_of_every_group() -> None:
    one, two = (size({**GPT_OSS_120B, "pipeline_parallel_size": stages}).kv_bytes_per_block for stages in (1, 2))

    assert one == 18 * 16 * 2048
    assert two == 9 * 16 * 2048


def test_tokens_in_flight_are_asked_for_where_they_matter() -> None:
    facts = {name: value for name, value in GPT_OSS_120B.items() if name != "max_num_batched_tokens"}

    sizing = size({**facts, "available_kv_cache_bytes": 20 * GIB})

    assert sizing.kv_cache_tokens is None
    assert sizing.reasons["kv_cache_tokens"].en == "needs max_num_batched_tokens"
    assert sizing.kv_blocks_per_request is None
    assert sizing.kv_blocks_per_request_at_least == 8192 + 9


def test_other_engines_pools_are_not_reckoned() -> None:
    sizing = size({**GPT_OSS_120B, "engine": "sglang", "available_kv_cache_bytes": 20 * GIB})

    assert sizing.kv_cache_tokens is None
    assert "how sglang shares its pool" in sizing.reasons["kv_cache_tokens"].en


def test_states_need_the_hybrid_manager() -> None:
    sizing = size({**QWEN3_NEXT, "hybrid_kv_manager_off": True, "available_kv_cache_bytes": 40 * GIB})

    assert sizing.kv_cache_tokens is None
    assert "refuses states" in sizing.reasons["kv_cache_tokens"].en
    assert sizing.kv_bytes_per_token_per_gpu == 12 * 2048


SPECULATING: dict[str, Scalar] = {"enable_speculative_decoding": True, "num_speculative_tokens": 2}


def test_prediction_layers_cache_as_the_others_do() -> None:
    plain = size(DEEPSEEK_V3)
    drafting = size({**DEEPSEEK_V3, **SPECULATING, "speculative_method": "mtp", "draft_layer_count": 1})

    assert plain.kv_bytes_per_stored_token == 61 * 1152
    assert drafting.kv_bytes_per_stored_token == 62 * 1152


def test_a_draft_model_brings_its_own_cache() -> None:
    draft: dict[str, Scalar] = {
        "speculative_method": "draft_model",
        "draft_num_hidden_layers": 16,
        "draft_num_key_value_heads": 8,
        "draft_head_dim": 64,
    }

    sizing = size({**LLAMA_8B, **SPECULATING, **draft, "available_kv_cache_bytes": 40 * GIB})

    assert sizing.kv_bytes_per_stored_token == 131072 + 16 * 2 * 8 * 64 * 2
    assert sizing.kv_cache_tokens == 40 * GIB // (163840 * 16) * 16


def test_a_draft_of_unknown_shape_leaves_the_pool_untold() -> None:
    sizing = size({**LLAMA_8B, **SPECULATING, "speculative_method": "eagle3", "available_kv_cache_bytes": 40 * GIB})

    assert sizing.kv_bytes_per_token_per_gpu == 131072
    assert sizing.kv_cache_tokens is None
    assert sizing.reasons["kv_cache_tokens"].en.startswith("needs draft_num_hidden_layers")


def test_prompt_lookup_costs_no_cache() -> None:
    drafting = {**LLAMA_8B, **SPECULATING, "speculative_method": "ngram", "available_kv_cache_bytes": 40 * GIB}

    assert size(drafting).kv_cache_tokens == 327680


def test_the_indexer_of_sparse_attention_caches_beside_the_latent() -> None:
    sparse: dict[str, Scalar] = {**DEEPSEEK_V3, "attention_kind": "mla_sparse", "index_head_dim": 128}

    assert size(sparse).kv_bytes_per_stored_token == 61 * (1152 + 132)
    hopper = size({**sparse, "kv_cache_dtype": "fp8", "gpu_compute_capability": "9.0"})
    assert hopper.kv_bytes_per_stored_token == 61 * (656 + 132)
    assert size({**sparse, "kv_cache_dtype": "nvfp4_ds_mla"}).kv_bytes_per_stored_token == 61 * (352 + 132)


def test_blocks_ordered_by_hand_take_the_place_of_memory() -> None:
    sizing = size({**LLAMA_8B, "kv_blocks_override_count": 100, "gpu_memory_bytes": 80 * GIB})

    assert sizing.kv_cache_tokens == 1600
    assert sizing.fits is False
    assert sizing.longest_that_fits == 99 * 16


@given(
    facts=st.sampled_from((GPT_OSS_120B, GEMMA3_27B, QWEN3_NEXT, NEMOTRON_NANO, GEMMA4_26B, LLAMA_8B)),
    available=st.integers(0, 64 * GIB),
    limit=st.integers(1, 300_000),
)
def test_the_longest_that_fits_fits_and_one_more_does_not(facts: dict[str, Scalar], available: int, limit: int) -> None:
    asked: dict[str, Scalar] = {
        "max_num_batched_tokens": 2048,
        **facts,
        "available_kv_cache_bytes": available,
        "model_len_limit_tokens": limit,
    }

    longest = size(asked).longest_that_fits

    if longest is None:
        assert size({**asked, "max_model_len": 1}).fits is False
    else:
        assert size({**asked, "max_model_len": longest}).fits is True
        assert longest == limit or size({**asked, "max_model_len": longest + 1}).fits is False
