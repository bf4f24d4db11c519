"""What a model's config declares tells one technique from its neighbour."""

import pytest

from knockon.backends.python.walk import judge_one
from knockon.engines import read_command
from knockon.manifests.command import split_command
from knockon.terms.fact import values_of
from knockon.terms.truth import Truth
from knockon.terms.words import TechniqueId
from tests.shipped import shipped

LATENT_WITH_INDEXER = {"index_head_dim": 128, "attention_kind": "mla_sparse"}
COMPRESSED_WITH_INDEXER = {"index_head_dim": 128, "attention_kind": "compressed"}


@pytest.mark.parametrize(
    ("facts", "shown", "not_shown"),
    [
        (LATENT_WITH_INDEXER, "dsa-indexer", "compressed-hybrid-sparse-attention"),
        (COMPRESSED_WITH_INDEXER, "compressed-hybrid-sparse-attention", "dsa-indexer"),
    ],
)
def test_an_indexer_over_compressed_keys_is_not_the_one_over_latents(
    facts: dict[str, int | str], shown: str, not_shown: str
) -> None:
    verdicts = {}
    for id_ in (shown, not_shown):
        technique = shipped().catalog.techniques[TechniqueId(id_)]
        assert technique.detect is not None
        verdicts[id_] = judge_one(technique.detect, facts, vocabulary=shipped().rulebook.vocabulary)

    # Nobody names an algorithm here, so that its part of the condition stays open.
    assert verdicts[shown] is Truth.TRUE
    assert verdicts[not_shown] is not Truth.TRUE


TRAINED_WITH_YARN = {
    "rope_scaling_type": "yarn",
    "rope_scaling_factor": 40,
    "rope_original_max_position_embeddings": 4096,
    "max_position_embeddings": 163840,
}
STRETCHED_AT_SERVING = {
    "rope_scaling_type": "yarn",
    "rope_scaling_factor": 4,
    "rope_original_max_position_embeddings": 32768,
    "max_position_embeddings": 40960,
}


def test_a_model_trained_with_scaled_positions_is_not_one_stretched_at_serving() -> None:
    detect = shipped().catalog.techniques[TechniqueId("rope-scaling-at-serving")].detect
    assert detect is not None
    vocabulary = shipped().rulebook.vocabulary

    assert judge_one(detect, TRAINED_WITH_YARN, vocabulary=vocabulary) is Truth.FALSE
    assert judge_one(detect, STRETCHED_AT_SERVING, vocabulary=vocabulary) is Truth.TRUE


@pytest.mark.parametrize("facts", [{"quantization": "W4A16_AWQ"}, {"checkpoint_quantization_algorithm": "W4A16_AWQ"}])
def test_weights_that_modelopt_wrote_by_awq_are_told_as_awq(facts: dict[str, str]) -> None:
    detect = shipped().catalog.techniques[TechniqueId("awq")].detect
    assert detect is not None

    assert judge_one(detect, facts, vocabulary=shipped().rulebook.vocabulary) is Truth.TRUE


@pytest.mark.parametrize("family", ["gemma4_assistant", "gemma4_unified_assistant"])
def test_a_gemma_4_assistant_drafts_on_the_cache_of_the_target_in_every_engine(family: str) -> None:
    detect = shipped().catalog.techniques[TechniqueId("shared-kv-drafting")].detect
    assert detect is not None
    vocabulary = shipped().rulebook.vocabulary
    drafting = {"enable_speculative_decoding": True, "draft_model_type": family}

    assert judge_one(detect, {**drafting, "speculative_method": "mtp"}, vocabulary=vocabulary) is Truth.TRUE
    assert judge_one(detect, {**drafting, "speculative_method": "nextn"}, vocabulary=vocabulary) is Truth.TRUE
    assert (
        judge_one(
            detect,
            {**drafting, "speculative_method": "draft_model", "draft_model_type": "qwen3"},
            vocabulary=vocabulary,
        )
        is Truth.FALSE
    )


@pytest.mark.parametrize(("held_as", "is_it"), [("nvfp4", Truth.TRUE), ("fp8", Truth.TRUE), ("bfloat16", Truth.FALSE)])
def test_a_draft_cache_in_any_format_of_fewer_bits_is_a_quantized_one(held_as: str, is_it: Truth) -> None:
    detect = shipped().catalog.techniques[TechniqueId("draft-kv-quantization")].detect
    assert detect is not None
    facts = {"enable_speculative_decoding": True, "draft_kv_cache_dtype": held_as}

    assert judge_one(detect, facts, vocabulary=shipped().rulebook.vocabulary) is is_it


@pytest.mark.parametrize(
    ("command", "is_it"),
    [
        ("VLLM_ROCM_QUICK_REDUCE_QUANTIZATION=INT4 vllm serve m", Truth.TRUE),
        ("ROCM_QUICK_REDUCE_QUANTIZATION=INT8 python3 -m sglang.launch_server --model-path m", Truth.TRUE),
        ("python3 -m sglang.launch_server --model-path m --enable-quant-communications", Truth.TRUE),
        ("VLLM_ROCM_QUICK_REDUCE_QUANTIZATION=FP vllm serve m", Truth.UNKNOWN),
    ],
)
def test_partial_sums_that_are_sent_in_fewer_bits_are_told_in_every_engine(command: str, is_it: Truth) -> None:
    detect = shipped().catalog.techniques[TechniqueId("quantized-allreduce")].detect
    assert detect is not None
    facts = values_of(read_command(split_command(command, path="x")).by_name())

    assert judge_one(detect, facts, vocabulary=shipped().rulebook.vocabulary) is is_it


@pytest.mark.parametrize(
    ("command", "is_it"),
    [
        ("python3 -m sglang.launch_server --model-path m --quantization gptq_marlin", Truth.TRUE),
        ("python3 -m sglang.launch_server --model-path m --moe-runner-backend lora_marlin", Truth.TRUE),
        ("text-generation-launcher --model-id m --quantize marlin", Truth.TRUE),
        # vLLM 0.33.0 reads the name as GPTQ and chooses the kernel itself.
        ("vllm serve m --quantization gptq_marlin", Truth.UNKNOWN),
    ],
)
def test_kernels_of_marlin_are_told_by_the_names_that_engines_give_them(command: str, is_it: Truth) -> None:
    detect = shipped().catalog.techniques[TechniqueId("marlin-gemm")].detect
    assert detect is not None
    facts = values_of(read_command(split_command(command, path="x")).by_name())

    assert judge_one(detect, facts, vocabulary=shipped().rulebook.vocabulary) is is_it
