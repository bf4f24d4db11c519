"""Layers, states, experts and lengths of a config.json, under one set of names for every family."""

import pytest

from knockon.engines.hf_config.normalise import facts_of
from knockon.terms.fact import values_of
from knockon.terms.words import Json, Scalar


def values(**config: Json) -> dict[str, Scalar]:
    return values_of(facts_of(config, origin_text="config.json"))


HEADS: dict[str, Json] = {"num_attention_heads": 16, "num_key_value_heads": 2, "hidden_size": 2048}


@pytest.mark.parametrize(
    ("config", "pattern"),
    [
        pytest.param({"model_type": "llama", "num_hidden_layers": 3}, "fff", id="plain"),
        pytest.param(
            {"model_type": "gemma3_text", "num_hidden_layers": 7, "sliding_window": 1024}, "sssssfs", id="every-sixth"
        ),
        pytest.param({"model_type": "gemma2", "num_hidden_layers": 4, "sliding_window": 4096}, "sfsf", id="in-turn"),
        pytest.param(
            {
                "model_type": "olmo3",
                "num_hidden_layers": 3,
                "layer_types": ["sliding_attention", "full_attention", "x"],
            },
            None,
            id="a-kind-not-known",
        ),
        pytest.param({"model_type": "llama4_text", "num_hidden_layers": 8}, "cccfcccf", id="chunks"),
        pytest.param(
            {"model_type": "qwen3_next", "num_hidden_layers": 8, "full_attention_interval": 4},
            "mmmfmmmf",
            id="interval",
        ),
        pytest.param(
            {"model_type": "nemotron_h", "num_hidden_layers": 5, "hybrid_override_pattern": "M-M*E"},
            "mxmfx",
            id="nemotron",
        ),
        pytest.param(
            {"model_type": "jamba", "num_hidden_layers": 4, "attn_layer_period": 4, "attn_layer_offset": 2},
            "mmfm",
            id="jamba",
        ),
        pytest.param({"model_type": "falcon_h1", "num_hidden_layers": 2}, "bb", id="both-in-one"),
        pytest.param({"model_type": "mamba2", "num_hidden_layers": 2}, "mm", id="states-alone"),
        pytest.param(
            {
                "model_type": "kimi_linear",
                "num_hidden_layers": 4,
                "kv_lora_rank": 512,
                "layer_types": ["linear_attention"] * 4,
                "linear_attn_config": {"full_attn_layers": [2, 4], "num_heads": 32, "head_dim": 128},
            },
            "mfmf",
            id="kimi-counts-from-one",
        ),
        pytest.param(
            {
                "model_type": "mimo_v2_flash",
                "num_hidden_layers": 3,
                "swa_num_key_value_heads": 8,
                "hybrid_layer_pattern": [0, 1, 1],
            },
            "fss",
            id="mimo",
        ),
        pytest.param(
            {
                "model_type": "gemma3n_text",
                "num_hidden_layers": 4,
                "num_kv_shared_layers": 2,
                "layer_types": ["sliding_attention", "full_attention"] * 2,
            },
            "sfxx",
            id="caches-shared",
        ),
        pytest.param({"model_type": "qwen4_exp", "num_hidden_layers": 4}, None, id="not-said"),
    ],
)
def test_layer_pattern(config: dict[str, Json], pattern: str | None) -> None:
    assert values(**HEADS, **config).get("layer_pattern") == pattern


@pytest.mark.parametrize(
    ("config", "pattern"),
    [
        pytest.param({"model_type": "llama"}, "dddd", id="dense"),
        pytest.param({"model_type": "mixtral", "num_local_experts": 8}, "eeee", id="every-layer"),
        pytest.param(
            {"model_type": "deepseek_v3", "n_routed_experts": 256, "first_k_dense_replace": 1}, "deee", id="dense-first"
        ),
        pytest.param(
            {"model_type": "jamba", "num_experts": 16, "expert_layer_period": 2, "expert_layer_offset": 1},
            "dede",
            id="period",
        ),
        pytest.param(
            {"model_type": "llama4_text", "num_local_experts": 128, "interleave_moe_layer_step": 2}, "dede", id="step"
        ),
        pytest.param({"model_type": "mamba2"}, "----", id="no-mlp"),
        pytest.param({"model_type": "nemotron_h", "hybrid_override_pattern": "M-*E"}, "-d-e", id="nemotron"),
        pytest.param({"model_type": "made_up", "num_experts": 8}, None, id="not-said"),
    ],
)
def test_mlp_pattern(config: dict[str, Json], pattern: str | None) -> None:
    assert values(**HEADS, num_hidden_layers=4, **config).get("mlp_pattern") == pattern


def test_state_of_gated_delta_nets() -> None:
    told = values(
        model_type="qwen3_5_text",
        linear_num_key_heads=16,
        linear_num_value_heads=48,
        linear_key_head_dim=128,
        linear_value_head_dim=128,
        linear_conv_kernel_dim=4,
        mamba_ssm_dtype="float32",
    )

    assert {name: value for name, value in told.items() if name.startswith("linear_")} == {
        "linear_state_kind": "gated_delta",
        "linear_num_key_heads": 16,
        "linear_num_value_heads": 48,
        "linear_key_head_dim": 128,
        "linear_value_head_dim": 128,
        "linear_conv_kernel_size": 4,
        "linear_state_dtype": "float32",
    }


def test_state_of_mamba_2_under_three_spellings() -> None:
    nemotron = values(model_type="nemotron_h", mamba_num_heads=64, mamba_head_dim=64, ssm_state_size=128, n_groups=8)
    falcon = values(model_type="falcon_h1", mamba_n_heads=48, mamba_d_head=64, mamba_d_state=256, mamba_d_ssm=3072)
    plain = values(model_type="mamba2", num_heads=128, head_dim=64, state_size=128, expand=2, hidden_size=4096)

    assert (nemotron["linear_inner_size"], nemotron["linear_state_dtype"]) == (4096, "float32")
    assert (falcon["linear_inner_size"], falcon["linear_key_head_dim"]) == (3072, 256)
    assert (plain["linear_inner_size"], plain["linear_num_value_heads"]) == (8192, 128)


def test_states_of_a_family_not_known_are_left_untold() -> None:
    assert "linear_state_kind" not in values(model_type="qwen4_exp", linear_num_value_heads=48)


@pytest.mark.parametrize(
    ("config", "longest"),
    [
        pytest.param({"max_position_embeddings": 4096}, 4096, id="usual"),
        pytest.param({"max_position_embeddings": 4096, "seq_length": 2048}, 2048, id="the-smallest"),
        pytest.param({"max_position_embeddings": 8192, "model_max_length": 131072}, 131072, id="model-max-length"),
        pytest.param({"max_target_positions": 448}, 448, id="whisper"),
        pytest.param({}, None, id="not-said"),
    ],
)
def test_longest_length(config: dict[str, Json], longest: int | None) -> None:
    assert values(**config).get("max_position_embeddings") == longest


def test_rotary_scaling_under_either_name_and_by_kind_of_layer() -> None:
    yarn = values(rope_scaling={"type": "yarn", "factor": 40, "original_max_position_embeddings": 4096})
    layered = values(
        rope_parameters={
            "sliding_attention": {"rope_type": "default"},
            "full_attention": {"rope_type": "linear", "factor": 8.0},
        }
    )

    assert yarn["rope_scaling_type"] == "yarn"
    assert yarn["rope_scaling_factor"] == 40
    assert yarn["rope_original_max_position_embeddings"] == 4096
    assert (layered["rope_scaling_type"], layered["rope_scaling_factor"]) == ("linear", 8.0)
    assert "rope_scaling_type" not in values(rope_parameters={"rope_type": "default", "rope_theta": 10000.0})


@pytest.mark.parametrize(
    ("config", "sinks"),
    [
        pytest.param({"model_type": "gpt_oss"}, True, id="always"),
        pytest.param({"model_type": "mimo_v2_flash", "add_swa_attention_sink_bias": False}, False, id="said-not"),
        pytest.param({"model_type": "granite"}, False, id="granite-without-kinds"),
        pytest.param({"model_type": "llama"}, False, id="never"),
        pytest.param({"model_type": "made_up"}, None, id="family-not-known"),
    ],
)
def test_attention_sinks(config: dict[str, Json], sinks: bool | None) -> None:
    assert values(**config).get("has_attention_sinks") == sinks


def test_images_seen_in_both_directions() -> None:
    assert values(model_type="gemma3", text_config={"model_type": "gemma3_text"})["has_bidirectional_images"] is True
    gemma4: dict[str, Json] = {"model_type": "gemma4_text", "use_bidirectional_attention": "vision"}
    assert values(model_type="gemma4", text_config=gemma4)["has_bidirectional_images"] is True
    assert values(model_type="llama")["has_bidirectional_images"] is False


def test_layers_left_unquantized() -> None:
    def ignored(names: list[Json]) -> Scalar | None:
        quantization: dict[str, Json] = {"quant_method": "compressed-tensors", "ignore": names}
        return values(quantization_config=quantization).get("checkpoint_ignored_layers")

    assert ignored(["lm_head", "re:.*gate$"]) == "lm_head,re:.*gate$"
    assert ignored([]) is None
    assert ignored([f"model.layers.{index}.mlp" for index in range(41)]) == "*"
