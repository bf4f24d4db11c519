"""Models that the catalog has not, by the shape they share with those it has."""

import pytest

from knockon.jobs.model import catalog_facts, repository_of
from knockon.terms.errors import NotFound
from tests.shipped import shipped


@pytest.mark.parametrize(
    ("name", "heads", "kv_heads"),
    [
        ("someone/Qwen3.5-122B-A10B-AWQ", 32, 2),
        ("someone/Kimi-Linear-48B-A3B-Instruct-AWQ-4bit", 32, 32),
        ("unsloth/llama-3-8b-Instruct", 32, 8),
        ("Qwen3.6-27B AutoRound int4 + MTP", 24, 4),
        ("neuralmagic/Qwen2-72B-Instruct-quantized.w8a16", 64, 8),
        ("Qwen3-235B", 64, 4),
        ("Qwen3 30B", 32, 4),
        ("llama3-70b", 64, 8),
        ("Qwen3-Next", 16, 2),
        ("Qwen3-Coder-480B", 96, 8),
        ("Llama 4 Maverick", 40, 8),
        ("Qwen/Qwen3.6-27B (24 heads, 4 KV heads)", 24, 4),
        ("Qwen/Qwen3.6-27B or Qwen3.8-27B", 24, 4),
        ("meta-llama/Llama-3.1-8B-Instruct on H200", 32, 8),
    ],
)
def test_another_storage_or_tuning_of_known_weights_has_their_shape(name: str, heads: int, kv_heads: int) -> None:
    facts, note = catalog_facts(shipped().catalog, name)

    assert facts["num_attention_heads"].value == heads
    assert facts["num_key_value_heads"].value == kv_heads
    assert "checkpoint_quantization" not in facts
    assert note is not None
    assert f"{name} is not in the catalog" in note.en


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("deepseek-ai/DeepSeek-R1 (FP8)", "deepseek-ai/DeepSeek-R1"),
        ("DeepSeek-V3 FP8", "deepseek-ai/DeepSeek-V3"),
        ("openai/gpt-oss-20b (MXFP4)", "openai/gpt-oss-20b"),
        ("Qwen3-235B-A22B (FP8)", "Qwen/Qwen3-235B-A22B-FP8"),
    ],
)
def test_a_storage_that_the_model_or_its_sibling_has_is_that_one(name: str, meant: str) -> None:
    facts, note = catalog_facts(shipped().catalog, name)

    assert "checkpoint_quantization" in facts
    assert note is not None
    assert note.en == f"{name} is taken for {meant}"


def test_of_this_or_that_what_is_not_known_is_said() -> None:
    _, note = catalog_facts(shipped().catalog, "Qwen/Qwen3.6-27B or Nobody-27B (24 heads)")

    assert note is not None
    assert "Nobody-27B" in note.en


@pytest.mark.parametrize("name", ["Qwen3-VL", "Qwen3", "Llama 70B", "Qwen3 models", "Qwen2-VL family with 12 heads"])
def test_a_name_that_several_sizes_or_releases_fit_is_short_for_none(name: str) -> None:
    with pytest.raises(NotFound):
        catalog_facts(shipped().catalog, name)


def test_tuning_may_change_the_longest_sequence_so_it_is_not_taken() -> None:
    facts, _ = catalog_facts(shipped().catalog, "someone/llama-3-8b-Instruct-v0.1")

    assert "max_position_embeddings" not in facts


def test_a_family_with_quantized_weights_leaves_their_storage_open() -> None:
    facts, _ = catalog_facts(shipped().catalog, "deepseek-ai/DeepSeek-V4-Flash-0731")

    assert not [name for name in facts if name.startswith("checkpoint_")]


@pytest.mark.parametrize("name", ["any", "MTP models", "FP8", "Qwen/Qwen3-235B-A22B-FP9", "Nemotron 120B", "it", ""])
def test_a_name_of_another_shape_is_not_found(name: str) -> None:
    with pytest.raises(NotFound):
        catalog_facts(shipped().catalog, name)


def test_a_known_name_needs_no_note() -> None:
    assert catalog_facts(shipped().catalog, "Qwen/Qwen3-235B-A22B")[1] is None


@pytest.mark.parametrize(
    ("name", "repository"),
    [
        ("/root/.cache/huggingface/hub/models--Qwen--Qwen3-8B/snapshots/b968826d9c46/", "Qwen/Qwen3-8B"),
        ("models--meta-llama--Llama-3.1-8B-Instruct", "meta-llama/Llama-3.1-8B-Instruct"),
        ("/cache/models--a--b--c/snapshots/0", "a/b--c"),
        ("Qwen/Qwen3-8B", "Qwen/Qwen3-8B"),
        ("/models/Qwen3-8B", "/models/Qwen3-8B"),
        ("my-models--Qwen--Qwen3-8B", "my-models--Qwen--Qwen3-8B"),
    ],
)
def test_folder_of_the_cache_is_the_repository_it_holds(name: str, repository: str) -> None:
    assert repository_of(name) == repository
