"""Weights per GPU: published parameter counts, engines' logged sizes, and None where a config does not say enough."""

import pytest

from knockon.sizing.size import size
from knockon.terms.words import Scalar
from tests.sizing.shapes import GIB

LLAMA_8B: dict[str, Scalar] = {
    "model_type": "llama",
    "attention_kind": "gqa",
    "num_hidden_layers": 32,
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "intermediate_size": 14336,
    "vocab_size": 128256,
    "tie_word_embeddings": False,
    "num_experts": 0,
    "model_dtype": "bfloat16",
}
QWEN3_235B: dict[str, Scalar] = {
    "model_type": "qwen3_moe",
    "attention_kind": "gqa",
    "num_hidden_layers": 94,
    "hidden_size": 4096,
    "num_attention_heads": 64,
    "num_key_value_heads": 4,
    "head_dim": 128,
    "intermediate_size": 12288,
    "moe_intermediate_size": 1536,
    "vocab_size": 151936,
    "tie_word_embeddings": False,
    "num_experts": 128,
    "moe_layer_count": 94,
}
DEEPSEEK_V3: dict[str, Scalar] = {
    "model_type": "deepseek_v3",
    "attention_kind": "mla",
    "num_hidden_layers": 61,
    "hidden_size": 7168,
    "num_attention_heads": 128,
    "kv_lora_rank": 512,
    "q_lora_rank": 1536,
    "qk_rope_head_dim": 64,
    "qk_nope_head_dim": 128,
    "v_head_dim": 128,
    "intermediate_size": 18432,
    "moe_intermediate_size": 2048,
    "n_shared_experts": 1,
    "vocab_size": 129280,
    "tie_word_embeddings": False,
    "num_experts": 256,
    "moe_layer_count": 58,
}


def parameters_of(facts: dict[str, Scalar]) -> Scalar:
    return next(step.value for step in size(facts).steps if step.name == "parameters")


@pytest.mark.parametrize(
    ("facts", "parameters"),
    [
        # The counts the model cards publish: 8.03 B, 235 B and 671 B.
        pytest.param(LLAMA_8B, 8_030_261_248, id="llama-3.1-8b"),
        pytest.param(QWEN3_235B, 235_093_634_560, id="qwen3-235b-a22b"),
        pytest.param(DEEPSEEK_V3, 671_026_404_352, id="deepseek-v3"),
    ],
)
def test_parameters_follow_from_the_config(facts: dict[str, Scalar], parameters: int) -> None:
    assert parameters_of(facts) == parameters


# "Model loading took" of vLLM 0.19 on H100: a little more than the weights, for buffers.
@pytest.mark.parametrize(
    ("facts", "logged_gib"),
    [
        pytest.param({}, 14.99, id="one-gpu"),
        pytest.param({"tensor_parallel_size": 2}, 7.51, id="tp2"),
        pytest.param({"tensor_parallel_size": 4}, 3.77, id="tp4"),
        pytest.param({"pipeline_parallel_size": 2}, 7.51, id="pp2"),
        pytest.param({"pipeline_parallel_size": 4}, 4.26, id="pp4"),
        pytest.param({"quantization": "fp8"}, 8.49, id="fp8-made-while-loading"),
        pytest.param({"dtype": "float32"}, 29.98, id="float32"),
    ],
)
def test_bytes_are_what_vllm_logged(facts: dict[str, Scalar], logged_gib: float) -> None:
    told = size({**LLAMA_8B, **facts}).weights_bytes_per_gpu

    assert told is not None
    assert told / GIB == pytest.approx(logged_gib, rel=0.009)
    assert told / GIB < logged_gib


def test_copied_key_value_heads_weigh_on_every_rank() -> None:
    tp4, tp8 = (size({**QWEN3_235B, "tensor_parallel_size": tp}).weights_bytes_per_gpu for tp in (4, 8))
    kv_bytes = 94 * 2 * 4096 * 128 * 2
    replicated = 94 * (2 * 4096 + 2 * 128 + 128 * 4096) * 2 + 4096 * 2

    assert tp4 is not None
    assert tp8 is not None
    assert tp8 - kv_bytes - replicated == (tp4 - kv_bytes - replicated) / 2


def test_expert_parallelism_spreads_whole_experts() -> None:
    cut = size({**QWEN3_235B, "tensor_parallel_size": 8})
    spread = size({**QWEN3_235B, "tensor_parallel_size": 8, "expert_parallel_size": 8})

    assert spread.weights_bytes_per_gpu == cut.weights_bytes_per_gpu


def test_experts_are_cut_over_data_parallel_ranks_too() -> None:
    one = size({**QWEN3_235B, "tensor_parallel_size": 8}).weights_bytes_per_gpu
    both = size({**QWEN3_235B, "tensor_parallel_size": 8, "data_parallel_size": 2}).weights_bytes_per_gpu
    experts = 94 * 128 * 3 * 4096 * 1536 * 2

    assert one is not None
    assert both == one - experts // 16


def test_fp8_checkpoint_keeps_its_scales_and_its_vocabulary() -> None:
    quantized = {"checkpoint_quantization": "fp8", "checkpoint_weight_bits": 8, "checkpoint_scale_group_size": 16384}

    told = size({**LLAMA_8B, **quantized}).weights_bytes_per_gpu

    linear = 32 * (4096 * (4096 * 2 + 2 * 1024) + 3 * 4096 * 14336)
    kept = 8_030_261_248 - linear
    assert told == linear + linear * 4 // 16384 + kept * 2


def test_four_bit_checkpoint_is_sized_by_its_groups() -> None:
    quantized = {"checkpoint_quantization": "awq", "checkpoint_weight_bits": 4, "checkpoint_scale_group_size": 128}

    told = size({**LLAMA_8B, **quantized}).weights_bytes_per_gpu

    linear = 32 * (4096 * (4096 * 2 + 2 * 1024) + 3 * 4096 * 14336)
    kept = 8_030_261_248 - linear
    assert told == linear // 2 + linear // 128 * 5 // 2 + kept * 2


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        pytest.param({"model_type": "made_up"}, "the weights of made_up are not reckoned here", id="family"),
        pytest.param(
            {"has_vision_tower": True},
            "the weights of llama beside its language model are not reckoned here",
            id="vision-tower",
        ),
        pytest.param(
            {
                "checkpoint_quantization": "compressed-tensors",
                "checkpoint_weight_bits": 4,
                "checkpoint_ignored_layers": "lm_head,model.layers.0.self_attn.q_proj",
            },
            "which layers compressed-tensors leaves alone is not in the facts",
            id="unknown-exceptions",
        ),
        pytest.param(
            {"parameter_count": 9_000_000_000},
            "8,030,261,248 parameters follow from the config, 9,000,000,000 are published",
            id="disagrees-with-what-is-published",
        ),
    ],
)
def test_none_with_reason_where_the_facts_do_not_say(facts: dict[str, Scalar], reason: str) -> None:
    sizing = size({**LLAMA_8B, **facts})

    assert sizing.weights_bytes_per_gpu is None
    assert sizing.reasons["weights_bytes_per_gpu"].en == reason


def test_missing_facts_are_named() -> None:
    facts = {name: value for name, value in LLAMA_8B.items() if name not in ("vocab_size", "intermediate_size")}

    assert size(facts).reasons["weights_bytes_per_gpu"].en == "needs vocab_size"


def test_pool_is_only_a_band_when_estimated_and_the_log_lies_in_it() -> None:
    facts: dict[str, Scalar] = {
        **LLAMA_8B,
        "max_model_len": 8192,
        "gpu_memory_bytes": 80 * GIB,
        "gpu_memory_utilization_ratio": 0.95,
    }

    sizing = size(facts)

    # vLLM 0.19 on H100 logged 476,016 tokens.
    assert sizing.kv_cache_tokens is None
    assert sizing.kv_cache_tokens_band == (395600, 489728)
    assert sizing.reasons["kv_cache_tokens"].en.startswith("only a band can be told")
    assert sizing.fits is True
    assert [step.name for step in sizing.steps][-3:] == [
        "available_kv_cache_bytes", "needed_bytes", "kv_cache_tokens_band",
    ]  # fmt: skip


def test_band_on_both_sides_of_the_need_leaves_fits_open() -> None:
    sizing = size(
        {
            **LLAMA_8B,
            "max_model_len": 450_000,
            "gpu_memory_bytes": 80 * GIB,
            "gpu_memory_utilization_ratio": 0.95,
        }
    )

    assert sizing.fits is None
    assert sizing.reasons["fits"].en.startswith("the estimate's band lies on both sides of what is needed")
