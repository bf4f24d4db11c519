"""A config.json becomes facts: under every name a family uses, told apart by attention, refused by key."""

import pytest

from knockon.engines.hf_config.normalise import facts_of
from knockon.terms.errors import IntakeError
from knockon.terms.fact import Origin, values_of
from knockon.terms.words import Json, Scalar

LLAMA: dict[str, Json] = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "num_hidden_layers": 32,
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "intermediate_size": 14336,
    "vocab_size": 128256,
    "max_position_embeddings": 131072,
    "torch_dtype": "bfloat16",
    "tie_word_embeddings": False,
}
LATENT: dict[str, Json] = {
    "model_type": "deepseek_v3",
    "num_hidden_layers": 61,
    "num_attention_heads": 128,
    "num_key_value_heads": 128,
    "kv_lora_rank": 512,
    "qk_rope_head_dim": 64,
    "n_routed_experts": 256,
    "n_shared_experts": 1,
    "first_k_dense_replace": 3,
    "moe_layer_freq": 1,
}


def values(config: dict[str, Json]) -> dict[str, Scalar]:
    return values_of(facts_of(config, origin_text="config.json"))


def kind_of(**keys: Json) -> Scalar | None:
    return values({"num_attention_heads": 32, "num_key_value_heads": 8, "num_hidden_layers": 4, **keys}).get(
        "attention_kind"
    )


def test_plain_config_gives_exactly_its_facts() -> None:
    assert values(LLAMA) == {
        "architecture": "LlamaForCausalLM",
        "model_type": "llama",
        "model_dtype": "bfloat16",
        "num_hidden_layers": 32,
        "hidden_size": 4096,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
        "head_dim": 128,
        "attention_kind": "gqa",
        "full_attention_layer_count": 32,
        "intermediate_size": 14336,
        "vocab_size": 128256,
        "max_position_embeddings": 131072,
        "tie_word_embeddings": False,
        "has_vision_tower": False,
        "num_experts": 0,
        "moe_layer_count": 0,
        "text_model_type": "llama",
        "layer_pattern": "f" * 32,
        "mlp_pattern": "d" * 32,
        "is_encoder_decoder": False,
        "is_latent_attention": False,
        "has_attention_sinks": False,
        "has_bidirectional_images": False,
    }


def test_empty_config_states_nothing_about_the_model() -> None:
    assert values({}) == {"has_vision_tower": False}


def test_origin_names_the_key_and_tells_read_from_derived() -> None:
    facts = facts_of(LLAMA, origin_text="config.json of example/llama")

    assert facts["num_key_value_heads"].origin == Origin("model", "num_key_value_heads in config.json of example/llama")
    assert facts["head_dim"].origin == Origin(
        "derived", "hidden_size / num_attention_heads in config.json of example/llama"
    )


def test_language_part_of_a_multimodal_config_is_read_and_the_outer_names_kept() -> None:
    told = values(
        {
            "architectures": ["ExampleForConditionalGeneration"],
            "model_type": "llava",
            "vision_config": {"num_attention_heads": 16},
            "text_config": {k: v for k, v in LLAMA.items() if k != "architectures"},
        }
    )

    assert told["architecture"] == "ExampleForConditionalGeneration"
    assert told["model_type"] == "llava"
    assert told["num_attention_heads"] == 32
    assert told["attention_kind"] == "gqa"
    assert told["has_vision_tower"] is True


@pytest.mark.parametrize("part", ["text_config", "llm_config", "language_config"])
def test_nested_key_is_named_with_its_part(part: str) -> None:
    facts = facts_of({part: {"hidden_size": 64}}, origin_text="config.json")

    assert facts["hidden_size"].origin.text == f"{part}.hidden_size in config.json"


@pytest.mark.parametrize(
    ("config", "heads", "kind"),
    [
        pytest.param({"model_type": "falcon", "multi_query": True, "num_kv_heads": 71}, 1, "mqa", id="falcon-7b"),
        pytest.param(
            {"model_type": "falcon", "multi_query": True, "new_decoder_architecture": True, "num_kv_heads": 8},
            8,
            None,
            id="newer-falcon-with-heads-that-do-not-divide",
        ),
        pytest.param({"model_type": "falcon", "multi_query": False}, 71, "mha", id="falcon-rw"),
        pytest.param({"model_type": "gpt_bigcode", "multi_query": True}, 1, "mqa", id="starcoder"),
        pytest.param(
            {"model_type": "chatglm", "multi_query_attention": True, "multi_query_group_num": 1}, 1, "mqa", id="chatglm"
        ),
        pytest.param({"model_type": "bloom"}, 71, "mha", id="bloom"),
        pytest.param({"model_type": "qwen2"}, None, None, id="family-with-another-default-is-not-guessed"),
    ],
)
def test_key_value_heads_under_each_familys_name(config: dict[str, Json], heads: int | None, kind: str | None) -> None:
    told = values({"n_head": 71, **config})

    assert told["num_attention_heads"] == 71
    assert told.get("num_key_value_heads") == heads
    assert told.get("attention_kind") == kind


def test_gpt_style_names_are_the_same_facts() -> None:
    told = values({"model_type": "gpt2", "n_layer": 12, "n_embd": 768, "n_head": 12, "n_positions": 1024})

    assert told["num_hidden_layers"] == 12
    assert told["hidden_size"] == 768
    assert told["head_dim"] == 64
    assert told["num_key_value_heads"] == 12
    assert told["max_position_embeddings"] == 1024
    assert told["attention_kind"] == "mha"


def test_latent_attention_keeps_its_heads_but_gets_no_head_dim() -> None:
    told = values(LATENT)

    assert told["attention_kind"] == "mla"
    assert told["num_key_value_heads"] == 128
    assert "head_dim" not in told
    assert told["num_experts"] == 256
    assert told["moe_layer_count"] == 58


@pytest.mark.parametrize(
    ("keys", "kind"),
    [
        pytest.param({"model_type": "llama"}, "gqa", id="plain"),
        pytest.param({}, "gqa", id="no-family-named"),
        pytest.param({"model_type": "made_up_next"}, None, id="unknown-family"),
        pytest.param({"architectures": ["MadeUpForCausalLM"]}, None, id="unknown-implementation"),
        pytest.param({"kv_lora_rank": 512}, "mla", id="latent"),
        pytest.param({"kv_lora_rank": 512, "index_topk": 2048}, "mla_sparse", id="latent-with-indexer"),
        pytest.param({"model_type": "gpt_oss"}, "hybrid_sliding", id="hybrid-window-by-family"),
        pytest.param(
            {"model_type": "llama", "layer_types": ["full_attention", "sliding_attention"] * 2},
            "hybrid_sliding",
            id="hybrid-window-by-layers",
        ),
        pytest.param({"model_type": "llama", "layer_types": ["full_attention"] * 4}, "gqa", id="all-layers-full"),
        pytest.param({"model_type": "mistral", "sliding_window": 4096}, "sliding", id="window-everywhere"),
        pytest.param(
            {"model_type": "mistral", "sliding_window": 4096, "max_position_embeddings": 4096},
            "gqa",
            id="window-never-cuts",
        ),
        pytest.param(
            {"model_type": "qwen2", "sliding_window": 4096, "use_sliding_window": False},
            "gqa",
            id="window-switched-off",
        ),
        pytest.param(
            {"model_type": "qwen2", "sliding_window": 4096, "use_sliding_window": True, "max_window_layers": 2},
            "hybrid_sliding",
            id="window-from-a-layer-on",
        ),
        pytest.param({"model_type": "llama4_text"}, "hybrid_chunked", id="chunks"),
        pytest.param({"layer_types": ["linear_attention", "full_attention"]}, "hybrid_linear", id="linear-layers"),
        pytest.param({"hybrid_override_pattern": "M-M*-"}, "hybrid_linear", id="mamba-pattern"),
        pytest.param({"compress_ratios": [4, 128]}, "compressed", id="compressed"),
        pytest.param({"block_configs": [{}]}, "per_layer", id="searched-architecture"),
        pytest.param({"num_key_value_heads": [8, 4, 8, 4]}, "per_layer", id="heads-by-layer"),
        pytest.param({"model_type": "gemma4_text", "num_global_key_value_heads": 4}, "per_layer", id="two-numbers"),
        pytest.param({"is_encoder_decoder": True}, "cross", id="encoder-decoder"),
        pytest.param({"num_key_value_heads": 1}, "mqa", id="one-head"),
        pytest.param({"num_key_value_heads": 32}, "mha", id="as-many-heads"),
        pytest.param({"num_key_value_heads": None}, None, id="no-heads"),
    ],
)
def test_attention_kind(keys: dict[str, Json], kind: str | None) -> None:
    assert kind_of(**keys) == kind


def test_full_attention_layers_are_counted_where_the_config_lists_them() -> None:
    by_pattern = values({"model_type": "nemotron_h", "hybrid_override_pattern": "M-M*-M*"})
    by_interval = values({"model_type": "qwen3_next", "num_hidden_layers": 48, "full_attention_interval": 4})

    assert by_pattern["full_attention_layer_count"] == 2
    assert by_interval["full_attention_layer_count"] == 12


def test_head_dim_is_not_derived_where_the_family_has_its_own() -> None:
    told = values({"model_type": "qwen3", "hidden_size": 4096, "num_attention_heads": 64})

    assert "head_dim" not in told


def test_experts_in_some_layers_only() -> None:
    told = values(
        {
            "model_type": "qwen3_moe",
            "num_experts": 128,
            "num_hidden_layers": 8,
            "decoder_sparse_step": 2,
            "mlp_only_layers": [1],
        }
    )

    assert told["num_experts"] == 128
    assert told["moe_layer_count"] == 3


@pytest.mark.parametrize(
    ("quantization", "told"),
    [
        pytest.param(
            {"quant_method": "fp8", "weight_block_size": [128, 128]},
            {"checkpoint_quantization": "fp8", "checkpoint_weight_bits": 8, "checkpoint_scale_group_size": 16384},
            id="fp8-in-blocks",
        ),
        pytest.param(
            {"quant_method": "gptq", "bits": 4, "group_size": 128},
            {"checkpoint_quantization": "gptq", "checkpoint_weight_bits": 4, "checkpoint_scale_group_size": 128},
            id="gptq",
        ),
        pytest.param(
            {"quant_method": "gptq", "bits": 4, "group_size": -1},
            {"checkpoint_quantization": "gptq", "checkpoint_weight_bits": 4},
            id="one-scale-a-column",
        ),
        pytest.param(
            {"quant_method": "gptq", "bits": 4, "sym": False, "desc_act": True},
            {
                "checkpoint_quantization": "gptq",
                "checkpoint_weight_bits": 4,
                "checkpoint_is_symmetric": False,
                "checkpoint_orders_activations": True,
            },
            id="gptq-with-zero-points-and-order",
        ),
        pytest.param(
            {"quant_method": "awq", "bits": 4, "zero_point": True},
            {"checkpoint_quantization": "awq", "checkpoint_weight_bits": 4, "checkpoint_is_symmetric": False},
            id="awq-with-zero-points",
        ),
        pytest.param(
            {
                "quant_method": "compressed-tensors",
                "config_groups": {
                    "group_0": {
                        "weights": {"num_bits": 8, "type": "float", "strategy": "channel"},
                        "input_activations": {"num_bits": 8, "type": "float"},
                    }
                },
            },
            {
                "checkpoint_quantization": "compressed-tensors",
                "checkpoint_weight_bits": 8,
                "checkpoint_scheme": "w8a8-fp8",
            },
            id="scheme-of-weights-and-activations",
        ),
        pytest.param(
            {
                "quant_method": "compressed-tensors",
                "config_groups": {
                    "group_0": {"weights": {"num_bits": 8, "type": "int"}, "input_activations": None},
                    "group_1": {"weights": {"num_bits": 4, "type": "int"}, "input_activations": None},
                },
            },
            {"checkpoint_quantization": "compressed-tensors"},
            id="schemes-that-differ-are-not-guessed",
        ),
        pytest.param(
            {
                "quant_method": "compressed-tensors",
                "config_groups": {"group_0": {"weights": {"num_bits": 4, "group_size": 32}}},
                "kv_cache_scheme": {"type": "float", "num_bits": 8},
            },
            {
                "checkpoint_quantization": "compressed-tensors",
                "checkpoint_weight_bits": 4,
                "checkpoint_scale_group_size": 32,
                "checkpoint_kv_cache_dtype": "fp8",
            },
            id="compressed-tensors",
        ),
        pytest.param(
            {
                "quant_method": "compressed-tensors",
                "config_groups": {"group_0": {"weights": {"num_bits": 4, "actorder": "group"}}},
            },
            {
                "checkpoint_quantization": "compressed-tensors",
                "checkpoint_weight_bits": 4,
                "checkpoint_orders_activations": True,
            },
            id="order-of-activations-by-group",
        ),
        pytest.param(
            {
                "quant_method": "compressed-tensors",
                "config_groups": {"group_0": {"weights": {"num_bits": 4, "actorder": "weight"}}},
            },
            {
                "checkpoint_quantization": "compressed-tensors",
                "checkpoint_weight_bits": 4,
                "checkpoint_orders_activations": False,
            },
            id="static-order-of-activations",
        ),
        pytest.param(
            {"quantization": {"quant_algo": "NVFP4", "kv_cache_quant_algo": "FP8"}},
            {
                "checkpoint_quantization": "modelopt",
                "checkpoint_weight_bits": 4,
                "checkpoint_scale_group_size": 16,
                "checkpoint_kv_cache_dtype": "fp8",
                "checkpoint_quantization_algorithm": "NVFP4",
            },
            id="modelopt",
        ),
        pytest.param(
            {"quant_method": "modelopt", "quant_algo": "MIXED_PRECISION"},
            {"checkpoint_quantization": "modelopt", "checkpoint_quantization_algorithm": "MIXED_PRECISION"},
            id="mixed-bits-are-not-guessed",
        ),
    ],
)
def test_checkpoint_quantization(quantization: dict[str, Json], told: dict[str, Scalar]) -> None:
    found = values({"quantization_config": quantization})

    assert {name: value for name, value in found.items() if name.startswith("checkpoint_")} == told


@pytest.mark.parametrize(
    ("config", "message"),
    [
        pytest.param({"num_attention_heads": "32"}, "num_attention_heads is '32'; expected a whole number", id="text"),
        pytest.param({"num_hidden_layers": True}, "num_hidden_layers is True; expected a whole number", id="bool"),
        pytest.param({"hidden_size": 4096.0}, "hidden_size is 4096.0; expected a whole number", id="float"),
        pytest.param({"vocab_size": 0}, "vocab_size is 0; expected a whole number of at least 1", id="zero"),
        pytest.param(
            {"num_attention_heads": [8, "8"]}, "num_attention_heads is '8'; expected a whole number", id="list"
        ),
        pytest.param({"model_type": 7}, "model_type is 7; expected text", id="number-as-text"),
        pytest.param({"architectures": "Llama"}, "architectures is 'Llama'; expected a list of texts", id="not-a-list"),
        pytest.param({"text_config": "gone"}, "text_config is 'gone'; expected an object", id="part"),
        pytest.param(
            {"text_config": {"hidden_size": "x"}},
            "text_config.hidden_size is 'x'; expected a whole number",
            id="nested",
        ),
        pytest.param(
            {"tie_word_embeddings": "no"}, "tie_word_embeddings is 'no'; expected true or false", id="text-as-bool"
        ),
        pytest.param(
            {"num_attention_heads": 8, "num_key_value_heads": 16},
            "num_key_value_heads is 16; expected no more than the 8 query heads",
            id="more-kv-heads-than-heads",
        ),
        pytest.param(
            {"quantization_config": "fp8"}, "quantization_config is 'fp8'; expected an object", id="quantization"
        ),
    ],
)
def test_bad_config_is_refused_by_key(config: dict[str, Json], message: str) -> None:
    with pytest.raises(IntakeError) as caught:
        facts_of(config, origin_text="config.json")

    assert str(caught.value) == f"{message}; take the config.json as published with the model"
    assert caught.value.code == "bad-model-config"
