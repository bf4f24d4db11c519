"""What SGLang makes of flags, model and GPU: each value as its own source derives it, and nothing on a guess."""

from typing import Any

import pytest

from knockon.engines import read_command
from knockon.engines.base import Effective
from knockon.engines.sglang.derive.graphs import prefill_sizes
from knockon.jobs.deployment import Asked, deployment_of
from knockon.terms.argument import arguments_of
from tests.shipped import shipped

PLAIN = {
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "num_hidden_layers": 32,
    "max_position_embeddings": 8192,
    "vocab_size": 128256,
    "torch_dtype": "bfloat16",
}
LLAMA = PLAIN | {"architectures": ["LlamaForCausalLM"], "model_type": "llama"}
QWEN = PLAIN | {"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3"}
GEMMA = PLAIN | {"architectures": ["Gemma3ForCausalLM"], "model_type": "gemma3_text", "sliding_window": 1024}
DEEPSEEK = {
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
    "quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]},
}
SPARSE = DEEPSEEK | {
    "architectures": ["DeepseekV32ForCausalLM"],
    "model_type": "deepseek_v32",
    "index_topk": 2048,
    "index_head_dim": 128,
    "index_n_heads": 64,
}
HYBRID = {
    "architectures": ["Qwen3NextForCausalLM"],
    "model_type": "qwen3_next",
    "hidden_size": 2048,
    "num_attention_heads": 16,
    "num_key_value_heads": 2,
    "head_dim": 256,
    "num_hidden_layers": 48,
    "full_attention_interval": 4,
    "num_experts": 512,
    "max_position_embeddings": 262144,
}
GPUS = {
    "h100": ("gpu_memory_bytes=81559MiB", "gpu_compute_capability=9.0", "gpu_name=NVIDIA H100 80GB HBM3"),
    "b200": ("gpu_memory_bytes=183359MiB", "gpu_compute_capability=10.0", "gpu_name=NVIDIA B200"),
    "a100": ("gpu_memory_bytes=81920MiB", "gpu_compute_capability=8.0", "gpu_name=NVIDIA A100-SXM4-80GB"),
    "l4": ("gpu_memory_bytes=23034MiB", "gpu_compute_capability=8.9", "gpu_name=NVIDIA L4"),
    "t4": ("gpu_memory_bytes=15360MiB", "gpu_compute_capability=7.5", "gpu_name=Tesla T4"),
    "mi300x": ("gpu_memory_bytes=196288MiB", "gpu_name=AMD Instinct MI300X"),
    "near a bound": ("gpu_memory_bytes=20300MiB", "gpu_compute_capability=8.9"),
}


def settings(
    command: str = "", *, gpu: str = "h100", config: dict[str, Any] = LLAMA, version: str | None = "0.5.23", **more: Any
) -> dict[str, Effective]:
    words = ["sglang", "serve", "org/model", *command.split()]
    asked = Asked(
        configured=read_command(arguments_of(words), version=version),
        model_config=config,
        sets=[*GPUS.get(gpu, ()), *more.get("sets", ())],
    )
    return {one.name: one for one in deployment_of(shipped(), asked).effective}


def told(name: str, command: str = "", **more: Any) -> Any:
    found = settings(command, **more).get(name)
    return None if found is None else found.value


@pytest.mark.parametrize(
    ("gpu", "tp", "chunk", "batch"),
    [
        ("t4", 1, 2048, 8),
        ("l4", 1, 4096, 48),
        ("l4", 4, 4096, 160),
        ("h100", 2, 8192, 256),
        ("h100", 8, 8192, 512),
        ("b200", 1, 16384, 512),
        ("near a bound", 1, None, None),
    ],
)
def test_chunks_and_graphs_follow_the_gpus_memory(gpu: str, tp: int, chunk: int | None, batch: int | None) -> None:
    found = settings(f"--tp {tp}", gpu=gpu)
    values = [found[name].value if name in found else None for name in CHUNK_AND_BATCH]
    assert values == [chunk, batch]


CHUNK_AND_BATCH = ("chunked_prefill_size_tokens", "cudagraph_capture_size_max")


def test_attention_groups_divide_the_chunk_and_are_one_replica() -> None:
    found = settings("--tp 8 --dp 8 --enable-dp-attention --chunked-prefill-size 8192")
    chunk, replicas = found["chunked_prefill_size_tokens"], found["data_parallel_size"]
    assert (chunk.value, chunk.asked, chunk.is_overridden) == (1024, 8192, True)
    assert (replicas.value, replicas.asked) == (1, 8)
    assert found["prefill_graph_tokens_max"].value == 1024


def test_captured_batch_is_no_more_than_run_at_once() -> None:
    assert told("cudagraph_capture_size_max", "--max-running-requests 64") == 64


@pytest.mark.parametrize(
    ("gpu", "command", "config", "kernels"),
    [
        ("h100", "", LLAMA, "fa3"),
        ("a100", "", LLAMA, "flashinfer"),
        ("b200", "", LLAMA, "trtllm_mha"),
        ("b200", "--speculative-algorithm EAGLE3 --speculative-draft-model-path d", QWEN, "flashinfer"),
        ("h100", "--kv-cache-dtype fp8_e5m2", LLAMA, "triton"),
        ("h100", "", DEEPSEEK, "fa3"),
        ("b200", "", DEEPSEEK, "trtllm_mla"),
        ("a100", "", DEEPSEEK, "triton"),
        ("h100", "", SPARSE, "dsa"),
        ("b200", "--enable-deterministic-inference", LLAMA, "flashinfer"),
        ("a100", "--enable-deterministic-inference", LLAMA, "fa3"),
        ("h100", "--attention-backend nsa", SPARSE, "dsa"),
        ("b200", "", HYBRID, None),
        ("h100", "", HYBRID, "fa3"),
        ("", "", LLAMA, None),
    ],
)
def test_kernels_follow_model_gpu_and_drafts(gpu: str, command: str, config: dict[str, Any], kernels: str) -> None:
    assert told("attention_backend", command, gpu=gpu, config=config) == kernels


@pytest.mark.parametrize(
    ("gpu", "command", "config", "page"),
    [
        ("h100", "", LLAMA, 1),
        ("b200", "", LLAMA, 64),
        ("b200", "--page-size 32", LLAMA, 32),
        ("b200", "--attention-backend fa4 --page-size 64", LLAMA, 128),
        ("h100", "--page-size 16", SPARSE, 64),
        ("h100", "--attention-backend flashmla", DEEPSEEK, 64),
    ],
)
def test_pages_follow_the_kernels(gpu: str, command: str, config: dict[str, Any], page: int) -> None:
    assert told("kv_block_size_tokens", command, gpu=gpu, config=config) == page


def test_kv_type_of_sparse_attention_follows_the_gpu() -> None:
    assert told("kv_cache_dtype", config=SPARSE, gpu="b200") == "fp8_e4m3"
    assert told("kv_cache_dtype", config=SPARSE, gpu="h100") == "bfloat16"
    assert told("kv_cache_dtype", config=LLAMA) is None


@pytest.mark.parametrize(
    ("command", "config", "decode", "prefill"),
    [
        ("", LLAMA, "full", "breakable"),
        ("--disable-cuda-graph", LLAMA, "disabled", "disabled"),
        ("--disable-decode-cuda-graph", LLAMA, "disabled", "breakable"),
        ("--pp-size 2", LLAMA, "full", "disabled"),
        ("--disaggregation-mode prefill", LLAMA, "disabled", "breakable"),
        ("--disaggregation-mode decode", LLAMA, "full", "disabled"),
        ("--attention-backend torch_native", LLAMA, "disabled", "disabled"),
        ("--tp 2 --dcp-size 2", LLAMA, "full", "disabled"),
        ("--moe-a2a-backend mori --tp 8", DEEPSEEK, "full", "disabled"),
        ("--moe-a2a-backend deepep --deepep-mode normal --tp 8", DEEPSEEK, "disabled", "disabled"),
        ("--cuda-graph-backend-prefill full", LLAMA, "full", "full"),
        ('--cuda-graph-config {"decode":{"backend":"breakable"}}', LLAMA, "breakable", "breakable"),
    ],
)
def test_graphs_follow_role_and_features(command: str, config: dict[str, Any], decode: str, prefill: str) -> None:
    found = settings(command, config=config)
    assert (found["decode_graph_backend"].value, found["prefill_graph_backend"].value) == (decode, prefill)


def test_deepseek_prefills_eagerly_with_trtllm_kernels() -> None:
    assert told("prefill_graph_backend", config=DEEPSEEK, gpu="b200") == "disabled"


def test_prefill_under_context_parallelism_is_not_told() -> None:
    command = "--tp 8 --enable-prefill-cp --cp-strategy interleave --attn-cp-size 8"
    assert told("prefill_graph_backend", command, config=SPARSE) is None


def test_share_of_memory_keeps_activations_and_graphs_back() -> None:
    # 512 + 8192 * 1.5 + 1/8 * 1024 + 256 * 2 + 58 sizes * 8 = 13904 of 81559 MiB.
    assert len(prefill_sizes(8192)) == 58
    assert told("mem_fraction_static_ratio") == 0.83


def test_share_of_memory_of_a_datasheets_gpu_is_not_told() -> None:
    asked = Asked(
        configured=read_command(arguments_of(["sglang", "serve", "org/model"]), version="0.5.23"),
        model_config=LLAMA,
        gpu="H100",
    )
    assert "mem_fraction_static_ratio" not in {one.name for one in deployment_of(shipped(), asked).effective}


@pytest.mark.parametrize(
    ("command", "config", "gpu", "value"),
    [
        ("", LLAMA, "h100", True),
        ("--disable-radix-cache", LLAMA, "h100", False),
        ("--disaggregation-mode decode", LLAMA, "h100", False),
        ("--disaggregation-mode decode --disaggregation-decode-enable-radix-cache", LLAMA, "h100", True),
        ("--enable-mis", LLAMA, "a100", False),
        ("--enable-deterministic-inference", LLAMA, "b200", False),
        ("--enable-deterministic-inference", LLAMA, "h100", True),
        ("--is-embedding", LLAMA, "h100", None),
    ],
)
def test_prefix_reuse_is_taken_back(command: str, config: dict[str, Any], gpu: str, value: bool | None) -> None:
    assert told("enable_prefix_caching", command, config=config, gpu=gpu) is value


def test_pipeline_and_states_without_a_copy_stop_overlap() -> None:
    assert told("enable_async_scheduling", "--pp-size 2") is False
    assert told("enable_async_scheduling", "--disable-overlap-schedule") is False
    assert told("enable_async_scheduling", config=HYBRID) is True
    assert told("mamba_cache_mode", config=HYBRID) == "extra_buffer"
    found = settings("--disable-overlap-schedule", config=HYBRID)
    assert (found["mamba_cache_mode"].value, found["enable_async_scheduling"].value) == ("no_buffer", False)


CHAIN = "--speculative-algorithm EAGLE --speculative-num-steps 3 --speculative-eagle-topk 1"


@pytest.mark.parametrize(
    ("command", "config", "numbers"),
    [
        ("--speculative-algorithm EAGLE3 --speculative-draft-model-path d", LLAMA, (5, 4, 8)),
        ("--speculative-algorithm EAGLE3 --speculative-draft-model-path d", QWEN, (3, 1, 4)),
        ("--speculative-algorithm STANDALONE --speculative-draft-model-path d", LLAMA, (3, 1, 4)),
        (
            f"{CHAIN} --speculative-num-draft-tokens 8",
            QWEN,
            (3, 1, 4),
        ),
        ("--speculative-algorithm NGRAM", QWEN, (1, 10, 12)),
        ("--speculative-algorithm NGRAM --speculative-ngram-max-bfs-breadth 1", QWEN, (12, 1, 12)),
    ],
)
def test_draft_numbers_are_filled_in(command: str, config: dict[str, Any], numbers: tuple[int, int, int]) -> None:
    found = settings(command, config=config)
    names = ("speculative_steps_count", "speculative_eagle_topk", "speculative_draft_tokens_count")
    assert tuple(found[name].value for name in names) == numbers


def test_drafts_limit_requests_and_mixed_chunks() -> None:
    found = settings("--speculative-algorithm NGRAM --enable-mixed-chunk")
    assert (found["max_num_seqs"].value, found["enable_mixed_chunk"].value) == (48, False)
    assert told("max_num_seqs") is None


def test_model_with_draft_layers_drafts_by_itself() -> None:
    found = settings("--tp 8 --speculative-algorithm NEXTN", config=DEEPSEEK)
    assert (found["speculative_method"].value, found["draft_model"].value) == ("eagle", "org/model")


def test_exchange_spreads_experts_over_the_group() -> None:
    found = settings("--tp 8 --ep-size 4 --moe-a2a-backend deepep", config=DEEPSEEK)
    assert (found["expert_parallel_size"].value, found["expert_parallel_size"].asked) == (8, 4)


def test_streamed_experts_fix_the_layout() -> None:
    found = settings("--tp 8 --dwdp-size 8", config=DEEPSEEK)
    names = ("attention_data_parallel_size", "expert_parallel_size", "enable_dp_lm_head", "enforce_eager")
    assert [found[name].value for name in names] == [8, 8, True, True]
    assert found["chunked_prefill_size_tokens"].value == 1024


def test_windows_of_gemma_get_whole_pools() -> None:
    assert told("disable_hybrid_kv_cache_manager", config=GEMMA) is True
    assert told("disable_hybrid_kv_cache_manager", config=LLAMA) is None


def test_layout_of_the_host_tier_follows_the_copies() -> None:
    found = settings("--enable-hierarchical-cache --hicache-io-backend direct")
    layout = found["hierarchical_kv_cache_layout"]
    assert (layout.value, found["hierarchical_kv_cache_ratio"].value) == ("page_first_direct", 2.0)


@pytest.mark.parametrize(
    "more",
    [
        {"version": "0.5.14"},
        {"gpu": "mi300x"},
        {"command": "--device cpu"},
    ],
)
def test_other_releases_and_devices_are_told_nothing(more: dict[str, Any]) -> None:
    assert settings(**more) == {}


def test_what_is_derived_is_a_fact_unless_it_says_what_was_asked() -> None:
    asked = Asked(
        configured=read_command(arguments_of(["sglang", "serve", "org/model"]), version="0.5.23"),
        model_config=LLAMA,
        sets=list(GPUS["h100"]),
    )
    facts = deployment_of(shipped(), asked).facts
    assert facts["cudagraph_capture_size_max"].origin.kind == "derived"
    assert "chunked_prefill_size_tokens" not in facts
    assert "attention_backend" not in facts


COMMANDS = (
    "",
    "--tp 8 --dp 8 --enable-dp-attention --moe-a2a-backend deepep --enable-dp-lm-head",
    "--disaggregation-mode decode --speculative-algorithm NGRAM --enable-mixed-chunk",
    "--enable-hierarchical-cache --hicache-io-backend direct --pp-size 2",
    "--enable-deterministic-inference --tp 2",
    "--attention-backend flashmla --kv-cache-dtype fp8_e4m3",
)


@pytest.mark.parametrize("config", [LLAMA, DEEPSEEK, SPARSE, HYBRID, GEMMA])
def test_every_setting_names_a_source_and_is_told_in_both_languages(config: dict[str, Any]) -> None:
    citations = shipped().catalog.citations
    for command in COMMANDS:
        for gpu in GPUS:
            for one in settings(command, config=config, gpu=gpu).values():
                assert all(cite.ref in citations for cite in one.cite), one
                assert all((one.why.en, one.why.zh, one.cite[0].where)), one
                assert one.name in shipped().rulebook.vocabulary.names, one
