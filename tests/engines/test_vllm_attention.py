"""What vLLM makes of flags and model together: the facts that rules on attention and lengths are asked with."""

import pytest

from knockon.engines.vllm.attention import NAMES, attention_facts
from knockon.terms.fact import Fact, Origin, OriginKind
from knockon.terms.words import Scalar

ENGINE = {"engine": "vllm"}


def told(stated: dict[str, Scalar], *, kind: OriginKind = "flag") -> dict[str, Scalar]:
    facts = {name: Fact(name, value, Origin(kind, f"{name} as said")) for name, value in {**ENGINE, **stated}.items()}
    return {name: fact.value for name, fact in attention_facts(facts).items()}


def test_another_engine_gets_none() -> None:
    facts = {"engine": Fact("engine", "sglang", Origin("flag", "asked"))}

    assert attention_facts(facts) == {}


def test_names_are_all_that_can_be_told() -> None:
    full: dict[str, Scalar] = {
        "is_latent_attention": True,
        "kv_lora_rank": 512,
        "qk_rope_head_dim": 64,
        "model_type": "deepseek_v3",
        "kv_cache_dtype": "auto",
        "max_position_embeddings": 163840,
        "has_bidirectional_images": False,
    }

    assert set(told(full)) == set(NAMES)


def test_a_block_size_nobody_asked_for_counts_as_none() -> None:
    assert told({"kv_block_size_tokens": 32})["kv_block_size_asked_tokens"] == 32
    assert told({"kv_block_size_tokens": 16}, kind="engine-default")["kv_block_size_asked_tokens"] == 0
    assert told({})["kv_block_size_asked_tokens"] == 0


@pytest.mark.parametrize(
    ("stated", "latent", "head"),
    [
        pytest.param({"is_latent_attention": True, "kv_lora_rank": 512, "qk_rope_head_dim": 64}, True, 576, id="mla"),
        pytest.param({"is_latent_attention": False, "head_dim": 128}, False, 128, id="plain"),
        pytest.param(
            {"is_latent_attention": True, "kv_lora_rank": 512, "qk_rope_head_dim": 64, "vllm_mla_disable": True},
            False,
            None,
            id="turned-off",
        ),
        pytest.param({"head_dim": 128}, None, None, id="family-not-known"),
    ],
)
def test_latent_attention_and_its_head(stated: dict[str, Scalar], latent: bool | None, head: int | None) -> None:
    facts = told(stated)

    assert facts.get("uses_latent_attention") == latent
    assert facts.get("attention_head_dim") == head


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        pytest.param({"kv_cache_dtype": "fp8"}, "fp8", id="asked"),
        pytest.param({"kv_cache_dtype": "auto", "model_type": "llama"}, "auto", id="the-models-own"),
        pytest.param(
            {"kv_cache_dtype": "auto", "model_type": "llama", "checkpoint_kv_cache_dtype": "fp8"},
            "fp8_e4m3",
            id="the-checkpoint-asks",
        ),
        pytest.param(
            {"kv_cache_dtype": "auto", "model_type": "llama", "checkpoint_quantization_hidden": True},
            None,
            id="another-file-may-ask",
        ),
        pytest.param({"kv_cache_dtype": "auto"}, None, id="model-not-known"),
        pytest.param({"kv_cache_dtype": "fp8", "model_type": "falcon"}, "auto", id="falcon-does-not-pass-it-on"),
    ],
)
def test_type_of_the_kv_cache(stated: dict[str, Scalar], expected: str | None) -> None:
    assert told(stated).get("kv_cache_dtype_in_use") == expected


@pytest.mark.parametrize(
    ("stated", "limit"),
    [
        pytest.param({}, 4096, id="declared"),
        pytest.param({"rope_scaling_type": "linear", "rope_scaling_factor": 4.0}, 16384, id="stretched"),
        pytest.param({"rope_scaling_type": "dynamic", "rope_scaling_factor": 2}, 8192, id="dynamic"),
        pytest.param({"rope_scaling_type": "yarn", "rope_scaling_factor": 4.0}, 4096, id="counted-already"),
        pytest.param(
            {"rope_scaling_type": "linear", "rope_scaling_factor": 8, "model_type": "gemma3"}, 4096, id="gemma-3"
        ),
        pytest.param({"disable_sliding_window": True, "sliding_window": 1024}, 1024, id="windows-turned-off"),
        pytest.param({"disable_sliding_window": False, "sliding_window": 1024}, 4096, id="windows-in-use"),
    ],
)
def test_longest_length(stated: dict[str, Scalar], limit: int) -> None:
    assert told({"max_position_embeddings": 4096, **stated})["model_len_limit_tokens"] == limit


@pytest.mark.parametrize(
    ("stated", "off"),
    [
        pytest.param({}, False, id="by-default"),
        pytest.param({"disable_hybrid_kv_cache_manager": True}, True, id="asked"),
        pytest.param({"attention_chunk_tokens": 8192}, None, id="chunks-of-a-release-not-known"),
        pytest.param({"attention_chunk_tokens": 8192, "manages_chunked_attention_apart": True}, False, id="chunks"),
        pytest.param({"attention_chunk_tokens": 8192, "manages_chunked_attention_apart": False}, True, id="forbidden"),
        pytest.param(
            {
                "attention_chunk_tokens": 8192,
                "manages_chunked_attention_apart": True,
                "speculative_method_in_use": "eagle3",
            },
            True,
            id="chunks-with-drafts-from-hidden-states",
        ),
        pytest.param({"kv_connector": "LMCacheConnectorV1"}, True, id="connector-without"),
        pytest.param({"kv_connector": "NixlConnector"}, False, id="connector-with"),
        pytest.param({"kv_connector": "MultiConnector"}, None, id="depends-on-others"),
    ],
)
def test_hybrid_manager(stated: dict[str, Scalar], off: bool | None) -> None:
    assert told(stated).get("hybrid_kv_manager_off") == off


def test_images_that_may_not_come_leave_it_open() -> None:
    gemma: dict[str, Scalar] = {"has_bidirectional_images": True}

    assert told(gemma)["uses_bidirectional_images"] is True
    assert told({**gemma, "language_model_only": True})["uses_bidirectional_images"] is False
    assert "uses_bidirectional_images" not in told({**gemma, "mm_images_per_prompt_max": 0})


def test_auto_is_no_backend() -> None:
    assert told({"attention_backend": "AUTO"})["attention_backend_asked"] == ""
    assert told({"attention_backend": "FLASHINFER"})["attention_backend_asked"] == "FLASHINFER"
