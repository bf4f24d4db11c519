"""What TensorRT-LLM makes of options, model and GPU: values as its own source derives them, and nothing on a guess."""

from typing import Any

import pytest

from knockon.engines import read_command
from knockon.engines.base import Effective
from knockon.engines.trtllm.derive.graphs import generated_sizes, kept_sizes
from knockon.jobs.deployment import Asked, deployment_of
from knockon.terms.argument import arguments_of
from knockon.terms.words import JsonObject, Scalar
from tests.shipped import shipped

LLAMA: JsonObject = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "num_hidden_layers": 32,
    "max_position_embeddings": 8192,
    "vocab_size": 128256,
    "torch_dtype": "bfloat16",
}
DEEPSEEK: JsonObject = {
    "architectures": ["DeepseekV3ForCausalLM"],
    "model_type": "deepseek_v3",
    "hidden_size": 7168,
    "num_attention_heads": 128,
    "num_key_value_heads": 128,
    "num_hidden_layers": 61,
    "kv_lora_rank": 512,
    "qk_rope_head_dim": 64,
    "qk_nope_head_dim": 128,
    "v_head_dim": 128,
    "n_routed_experts": 256,
    "num_experts_per_tok": 8,
    "max_position_embeddings": 163840,
}
HYBRID: JsonObject = {
    **LLAMA,
    "architectures": ["Qwen3NextForCausalLM"],
    "model_type": "qwen3_next",
    "full_attention_interval": 4,
    "num_experts": 512,
}


def told(
    flags: str = "",
    *,
    model: JsonObject = LLAMA,
    gpu: str | None = None,
    options: JsonObject | None = None,
    version: str | None = None,
    environment: str = "",
) -> dict[str, Effective]:
    words = [*environment.split(), "trtllm-serve", "org/model", *flags.split()]
    files: dict[str, JsonObject] = {}
    if options is not None:
        words += ["--config", "options.yaml"]
        files["options.yaml"] = options
    asked = Asked(
        configured=read_command(arguments_of(words), version=version, files=files), model_config=model, gpu=gpu
    )
    return {one.name: one for one in deployment_of(shipped(), asked).effective}


def runs(name: str, flags: str = "", **asked: Any) -> Scalar | None:
    one = told(flags, **asked).get(name)
    return None if one is None else one.value


def test_nothing_asked_is_the_defaults() -> None:
    assert {name: one.value for name, one in told(gpu="H100").items()} == {
        "max_num_seqs": 2048,
        "max_num_batched_tokens": 8192,
        "max_model_len": 8192,
        "kv_cache_free_gpu_memory_ratio": 0.9,
        "enable_prefix_caching": True,
        "enable_chunked_prefill": False,
        "kv_block_size_tokens": 32,
        "enable_async_scheduling": True,
        "cudagraph_capture_size_max": 128,
        "cudagraph_padding": False,
        "prefill_graph_backend": "disabled",
    }


@pytest.mark.parametrize(
    ("flags", "model", "expected"),
    [
        ("", LLAMA, 8192),
        ("--max_seq_len 4096", LLAMA, 4096),
        ("--max_seq_len 65536", LLAMA, 8192),
        ("", {**LLAMA, "rope_scaling": {"type": "linear", "factor": 4.0}}, 32768),
        ("", {**LLAMA, "rope_scaling": {"rope_type": "yarn", "factor": 4.0}}, 8192),
        ("", {"architectures": ["LlamaForCausalLM"], "model_type": "llama"}, None),
    ],
)
def test_a_request_is_no_longer_than_the_config_allows(flags: str, model: JsonObject, expected: int | None) -> None:
    assert runs("max_model_len", flags, model=model) == expected


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"gpu": "H100", "model": DEEPSEEK}, True),
        ({"gpu": "a100-sxm-80gb", "model": DEEPSEEK}, False),
        ({"model": DEEPSEEK}, None),
        ({"gpu": "B200", "model": DEEPSEEK, "flags": "--kv_cache_dtype nvfp4"}, False),
        ({"options": {"attn_backend": "FLASHINFER"}}, False),
        ({"environment": "FORCE_DETERMINISTIC=1"}, False),
        ({"options": {"kv_cache_config": {"enable_block_reuse": False}}}, False),
        ({"model": HYBRID}, None),
    ],
)
def test_reuse_is_told_where_every_branch_is_known(asked: dict[str, Any], expected: bool | None) -> None:
    assert runs("enable_prefix_caching", **asked) is expected


def test_latent_attention_takes_whole_prompts_before_hopper() -> None:
    off = told("--enable_chunked_prefill", model=DEEPSEEK, gpu="a100-sxm-80gb")["enable_chunked_prefill"]

    assert (off.asked, off.value, off.is_overridden) == (True, False, True)
    assert runs("enable_chunked_prefill", "--enable_chunked_prefill", model=DEEPSEEK, gpu="H200") is True
    assert runs("enable_chunked_prefill", "--enable_chunked_prefill", model=DEEPSEEK) is None


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"speculative_config": {"decoding_type": "NGram", "max_draft_len": 4}}, False),
        ({"speculative_config": {"decoding_type": "Eagle3", "max_draft_len": 3}}, True),
        ({"mm_encoder_only": True}, False),
        ({"disable_overlap_scheduler": True}, False),
        ({"pipeline_parallel_size": 2}, None),
        ({"speculative_config": {"max_draft_len": 3}}, None),
    ],
)
def test_the_overlap_scheduler_runs_where_drafts_take_it(options: JsonObject, expected: bool | None) -> None:
    assert runs("enable_async_scheduling", options=options) is expected


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, 1),
        ({"moe_expert_parallel_size": 4}, 4),
        ({"moe_tensor_parallel_size": 2}, 4),
        ({"moe_cluster_parallel_size": 2}, None),
    ],
)
def test_experts_take_what_slices_leave(options: JsonObject, expected: int | None) -> None:
    assert runs("expert_parallel_size", "--tp_size 8", model=DEEPSEEK, options=options) == expected


@pytest.mark.parametrize(
    ("flags", "options", "expected"),
    [
        ("", {"cuda_graph_config": {"max_batch_size": 512}}, 512),
        ("--max_batch_size 48", {}, 32),
        ("--max_batch_size 48", {"cuda_graph_config": {"enable_padding": True}}, 48),
        ("--max_num_tokens 16 --max_batch_size 16", {}, 16),
        ("", {"cuda_graph_config": {"batch_sizes": [1, 8, 64]}}, 64),
        ("--max_batch_size 32", {"cuda_graph_config": {"batch_sizes": [1, 8, 64]}}, None),
        ("", {"cuda_graph_config": None}, None),
        ("", {"speculative_config": {"decoding_type": "Eagle3", "max_draft_len": 3}}, None),
    ],
)
def test_the_largest_graph_is_that_of_a_full_step(flags: str, options: JsonObject, expected: int | None) -> None:
    assert runs("cudagraph_capture_size_max", flags, options=options) == expected


def test_sizes_are_those_of_the_source() -> None:
    assert generated_sizes(128, pads=False) == (*range(1, 33), 64, 128)
    assert generated_sizes(600, pads=False)[-4:] == (128, 256, 512, 600)
    assert generated_sizes(256, pads=True) == (1, 2, 4, *range(8, 129, 8), 192, 256)
    assert generated_sizes(20, pads=True) == (1, 2, 4, 8, 16, 20)
    assert kept_sizes((1, 2, 4, 8), ceiling=6, pads=True) == (1, 2, 4, 6)
    assert kept_sizes((1, 2, 4, 8), ceiling=4, pads=True) == (1, 2, 4)
    assert kept_sizes((1, 2, 4, 8), ceiling=0, pads=True) == ()


def test_vanilla_attention_keeps_a_step_in_one_block() -> None:
    assert runs("kv_block_size_tokens", "--max_num_tokens 4096", options={"attn_backend": "VANILLA"}) == 4096
    assert runs("kv_block_size_tokens", model=DEEPSEEK) is None


def test_an_early_answer_needs_overlap_and_one_server() -> None:
    off = {"enable_early_first_token_response": True, "disable_overlap_scheduler": True}
    pair = {"enable_early_first_token_response": True, "cache_transceiver_config": {"backend": "UCX"}}

    assert runs("enable_early_first_token", options=off) is False
    assert runs("enable_early_first_token", options=pair) is False
    assert runs("enable_early_first_token", options={"enable_early_first_token_response": True}) is None


def test_a_pipeline_on_blackwell_switches_kernels_on() -> None:
    assert runs("use_cute_dsl_bf16", "--pp_size 2", gpu="B200") is True
    assert runs("use_cute_dsl_bf16", "--pp_size 2", gpu="H200") is None


@pytest.mark.parametrize("version", ["1.0.0", "1.2.0rc4", "1.5.0"])
def test_other_lines_are_not_told(version: str) -> None:
    assert told(version=version) == {}


def test_the_line_that_was_read_is_told() -> None:
    assert runs("max_num_seqs", version="1.4.0rc2") == 2048


def test_another_backend_is_not_told() -> None:
    assert told("--backend tensorrt") == {}


def test_every_reason_has_both_languages_and_a_citation_that_is_shipped() -> None:
    citations = shipped().catalog.citations

    for one in told("--enable_chunked_prefill", model=DEEPSEEK, gpu="a100-sxm-80gb").values():
        assert one.why.en
        assert one.why.zh
        assert all(cite.ref in citations for cite in one.cite)
