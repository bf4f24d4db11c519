"""What vLLM makes of flags, model and GPU: each value as its own source derives it, and nothing on a guess."""

from typing import Any

import pytest

from knockon.catalog.catalog import Catalog
from knockon.engines import read_command
from knockon.engines.base import Effective
from knockon.engines.vllm.architectures import by_name_of, traits_of
from knockon.engines.vllm.derive.compiling import capture_sizes
from knockon.jobs.deployment import Asked, changed, deployment_of
from knockon.terms.argument import arguments_of
from tests.shipped import shipped

LLAMA = {
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
QWEN_HYBRID = {
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
    "torch_dtype": "bfloat16",
}
WHISPER = {
    "architectures": ["WhisperForConditionalGeneration"],
    "model_type": "whisper",
    "is_encoder_decoder": True,
    "d_model": 1280,
    "max_target_positions": 448,
    "torch_dtype": "float16",
}
GPUS = {
    "h100": ("gpu_memory_bytes=79.65GiB", "gpu_compute_capability=9.0", "gpu_name=NVIDIA H100 80GB HBM3"),
    "a100": ("gpu_memory_bytes=80GiB", "gpu_compute_capability=8.0", "gpu_name=NVIDIA A100-SXM4-80GB"),
    "b200": ("gpu_memory_bytes=179GiB", "gpu_compute_capability=10.0", "gpu_name=NVIDIA B200"),
    "v100": ("gpu_memory_bytes=32GiB", "gpu_compute_capability=7.0", "gpu_name=Tesla V100-SXM2-32GB"),
    "unnamed ampere": ("gpu_memory_bytes=80GiB", "gpu_compute_capability=8.0"),
}


def settings(
    command: str = "", *, gpu: str = "h100", config: dict[str, Any] = LLAMA, **more: Any
) -> dict[str, Effective]:
    version = more.pop("version", "0.33.0")
    words = [*more.pop("before", []), "vllm", "serve", more.pop("model", "org/model"), *command.split()]
    asked = Asked(
        configured=read_command(arguments_of(words), version=version),
        model_config=config,
        gpu_count=8,
        sets=[*GPUS.get(gpu, ()), *more.pop("sets", ())],
    )
    return {one.name: one for one in deployment_of(shipped(), asked).effective}


def told(name: str, command: str = "", **more: Any) -> Any:
    found = settings(command, **more).get(name)
    return None if found is None else found.value


@pytest.mark.parametrize(
    ("gpu", "tokens", "sequences"),
    [("h100", 8192, 1024), ("a100", 2048, 256), ("b200", 16384, 1024), ("v100", 2048, 256)],
)
def test_budgets_follow_the_gpus_memory_and_name(gpu: str, tokens: int, sequences: int) -> None:
    found = settings(gpu=gpu)

    assert (found["max_num_batched_tokens"].value, found["max_num_seqs"].value) == (tokens, sequences)


def test_budgets_of_an_ampere_gpu_without_a_name_are_not_told() -> None:
    assert told("max_num_batched_tokens", gpu="unnamed ampere") is None
    assert told("max_num_seqs", gpu="unnamed ampere") is None


def test_budget_holds_a_whole_prompt_without_chunked_prefill() -> None:
    assert told("max_num_batched_tokens", "--no-enable-chunked-prefill --max-model-len 8192", gpu="v100") == 8192


def test_budget_is_no_more_than_all_sequences_at_full_length() -> None:
    found = settings("--max-model-len 4 --max-num-seqs 8")

    assert found["max_num_batched_tokens"].value == 32
    assert found["max_num_batched_tokens"].why.en == "all sequences at their full length"


def test_sequences_are_no_more_than_the_tokens_asked_for() -> None:
    assert told("max_num_seqs", "--max-num-batched-tokens 64 --max-model-len 4096") == 64


def test_throughput_mode_doubles_what_nobody_asked_for() -> None:
    found = settings("--performance-mode throughput --max-num-seqs 100")

    assert (found["max_num_batched_tokens"].value, found["max_num_seqs"].value) == (16384, 100)


def test_bfloat16_checkpoint_runs_in_float16_on_a_gpu_that_cannot() -> None:
    found = settings(gpu="v100")["dtype"]

    assert (found.value, found.asked, found.why.en) == ("float16", None, "the GPU cannot compute in bfloat16")


def test_gemma_runs_in_float32_where_bfloat16_is_missing() -> None:
    gemma = {**LLAMA, "architectures": ["Gemma2ForCausalLM"], "model_type": "gemma2"}

    assert told("dtype", gpu="v100", config=gemma) == "float32"


def test_auto_is_no_override() -> None:
    found = settings("--dtype auto")["dtype"]

    assert (found.asked, found.value, found.is_overridden) == ("auto", "bfloat16", False)


def test_encoder_decoder_model_overrides_chunked_prefill() -> None:
    found = settings("--enable-chunked-prefill", config=WHISPER)

    assert found["enable_chunked_prefill"].value is False
    assert found["enable_chunked_prefill"].is_overridden
    assert found["enable_prefix_caching"].value is False
    assert found["cudagraph_mode"].value == "FULL_DECODE_ONLY"
    assert found["disable_chunked_mm_input"].value is True


def test_pooling_runner_settles_caching_scheduling_and_graphs() -> None:
    found = settings("--runner pooling")

    assert found["convert"].value == "embed"
    assert found["enable_async_scheduling"].value is False
    assert found["cudagraph_mode"].value == "PIECEWISE"
    assert found["enable_prefix_caching"].value is True


def test_pooling_over_the_whole_sequence_takes_no_chunks_and_no_prefixes() -> None:
    found = settings('--runner pooling --pooler-config {"pooling_type":"MEAN"}')

    assert found["enable_chunked_prefill"].value is False
    assert found["enable_prefix_caching"].value is False


def test_model_whose_name_speaks_of_embeddings_may_pool_and_is_not_told() -> None:
    found = settings(model="Qwen/Qwen3-Embedding-8B")

    assert {"runner", "enable_prefix_caching", "cudagraph_mode"}.isdisjoint(found)


def test_states_of_a_hybrid_align_with_prefix_reuse_whatever_was_asked() -> None:
    found = settings("--mamba-cache-mode none", config=QWEN_HYBRID)["mamba_cache_mode"]

    assert (found.asked, found.value, found.is_overridden) == ("none", "align", True)


def test_states_without_prefix_reuse_span_the_whole_length() -> None:
    found = settings("--no-enable-prefix-caching", config=QWEN_HYBRID)

    assert found["mamba_cache_mode"].value == "none"
    assert found["mamba_block_size_tokens"].value == 262144


def test_block_of_a_hybrid_is_aligned_later_and_not_told() -> None:
    assert told("kv_block_size_tokens", "--block-size 64", config=QWEN_HYBRID) is None
    assert told("kv_block_size_tokens") == 16


def test_state_only_model_reuses_no_prefixes_and_has_a_length_of_its_own() -> None:
    mamba = {"architectures": ["Mamba2ForCausalLM"], "model_type": "mamba2", "torch_dtype": "bfloat16"}
    found = settings(config=mamba)

    assert found["enable_prefix_caching"].value is False
    assert found["max_model_len"].value == 2048


@pytest.mark.parametrize(
    ("flags", "mode", "graphs"),
    [
        ("", "VLLM_COMPILE", "FULL_AND_PIECEWISE"),
        ("-O0", "NONE", "NONE"),
        ("-O1", "VLLM_COMPILE", "PIECEWISE"),
        ("--enforce-eager", "NONE", "NONE"),
        ("-cc.mode 0", "NONE", "FULL_DECODE_ONLY"),
        ("-cc.mode 1", "STOCK_TORCH_COMPILE", "NONE"),
        ("-cc.mode 2", "DYNAMO_TRACE_ONCE", "FULL_DECODE_ONLY"),
        ("-cc.mode 0 -cc.cudagraph_mode PIECEWISE", "NONE", "NONE"),
        ("-cc.mode 0 -cc.cudagraph_mode FULL", "NONE", "FULL"),
    ],
)
def test_graphs_follow_the_level_and_what_compiles(flags: str, mode: str, graphs: str) -> None:
    found = settings(flags)

    assert (found["compilation_mode"].value, found["cudagraph_mode"].value) == (mode, graphs)


def test_model_with_breakable_graphs_is_not_compiled_and_keeps_its_pieces() -> None:
    deepseek = {**LLAMA, "architectures": ["DeepseekV32ForCausalLM"], "model_type": "deepseek_v32"}

    found = settings(config=deepseek)
    off = settings(config=deepseek, before=["VLLM_USE_BREAKABLE_CUDAGRAPH=0"])

    assert (found["compilation_mode"].value, found["cudagraph_mode"].value) == ("NONE", "FULL_AND_PIECEWISE")
    assert off["compilation_mode"].value == "VLLM_COMPILE"


@pytest.mark.parametrize(
    ("flags", "gpu", "largest", "count"),
    [
        ("", "h100", 512, 51),
        ("", "b200", 1024, 83),
        ("--max-num-seqs 64", "h100", 128, 19),
        ("--max-num-seqs 3", "h100", 4, 4),
        ("--max-cudagraph-capture-size 100", "h100", 96, 15),
        ("--cudagraph-capture-sizes 8 32", "h100", 32, None),
        ("-O0", "h100", 0, 0),
    ],
)
def test_captured_sizes_follow_sequences_and_gpu(flags: str, gpu: str, largest: int, count: int | None) -> None:
    found = settings(flags, gpu=gpu)

    assert found["cudagraph_capture_size_max"].value == largest
    assert (found["cudagraph_capture_size_count"].value if count is not None else None) == count


def test_capture_grid_is_coarser_above_256_and_ends_with_the_budget() -> None:
    sizes = capture_sizes(300, tokens=290, decode=(7, 900))

    assert sizes[:6] == [1, 2, 4, 7, 8, 16]
    assert sizes[-4:] == [256, 272, 288, 290]


def test_gpt_oss_captures_more_and_brings_its_reasoning_parser() -> None:
    found = settings(config={**LLAMA, "architectures": ["GptOssForCausalLM"], "model_type": "gpt_oss"})

    assert found["cudagraph_capture_size_max"].value == 1024
    assert found["reasoning_parser"].value == "openai_gptoss"


@pytest.mark.parametrize(
    ("flags", "executor", "world"),
    [
        ("", "uni", 1),
        ("-tp 2", "mp", 2),
        ("-dp 2", "mp", 1),
        ("-tp 2 -pp 2 --distributed-executor-backend ray", "ray", 4),
    ],
)
def test_executor_follows_the_world(flags: str, executor: str, world: int) -> None:
    found = settings(flags)

    assert (found["distributed_executor_backend"].value, found["world_size"].value) == (executor, world)


def test_hybrid_balancing_of_one_local_rank_becomes_external() -> None:
    found = settings("-dp 4 --data-parallel-size-local 1 --data-parallel-hybrid-lb")

    assert (found["data_parallel_hybrid_lb"].value, found["data_parallel_external_lb"].value) == (False, True)
    assert found["data_parallel_hybrid_lb"].is_overridden


def test_experts_are_spread_over_tensor_and_data_parallel_ranks() -> None:
    assert told("expert_parallel_size", "-tp 2 -dp 4 --enable-expert-parallel", config=QWEN_HYBRID) == 8
    assert told("expert_parallel_size", "-tp 2 -dp 4", config=QWEN_HYBRID) == 1


def test_offloading_brings_its_own_connector() -> None:
    transfer = '{"kv_connector":"DecodeBenchConnector","kv_role":"kv_producer"}'
    found = settings(f"--kv-offloading-size 4 --kv-transfer-config {transfer}")

    assert (found["kv_connector"].asked, found["kv_connector"].value) == ("DecodeBenchConnector", "OffloadingConnector")
    assert (found["kv_role"].asked, found["kv_role"].value) == ("kv_producer", "kv_both")


def test_drafting_by_suffix_goes_to_the_first_runner_without_asynchronous_scheduling() -> None:
    found = settings('--speculative-config {"method":"suffix"}')

    assert found["uses_model_runner_v2"].value is False
    assert found["enable_async_scheduling"].value is False
    assert found["num_speculative_tokens"].value == 24


def test_lookup_bounds_follow_one_another() -> None:
    found = settings('--speculative-config {"method":"ngram","num_speculative_tokens":3,"prompt_lookup_max":7}')

    assert (found["prompt_lookup_tokens_min"].value, found["prompt_lookup_tokens_max"].value) == (7, 7)
    assert found["max_num_scheduled_tokens"].value == 8192


def test_quantized_checkpoints_run_with_the_loader_of_their_family() -> None:
    gptq = {**LLAMA, "quantization_config": {"quant_method": "gptq", "bits": 4, "group_size": 128}}

    found = settings("--quantization gptq_marlin", config=gptq)["quantization"]

    assert (found.asked, found.value, found.is_overridden) == ("gptq_marlin", "auto_gptq", True)


def test_quantization_that_only_the_name_tells_is_not_told() -> None:
    assert told("quantization", model="nvidia/Llama-3.1-8B-Instruct-FP8") is None
    assert told("fuse_norm_quant", model="nvidia/Llama-3.1-8B-Instruct-FP8") is None


def test_packed_kv_types_keep_the_first_and_last_layers() -> None:
    found = settings("--kv-cache-dtype turboquant_4bit_nc")

    assert found["kv_cache_dtype_skip_layers"].value == "0,1,30,31"
    assert found["flash_attention_version"].value == 2


def test_other_releases_and_other_makers_are_told_the_experts_alone() -> None:
    assert set(settings(version="0.15.0")) == {"expert_parallel_size"}
    assert set(settings(sets=("gpu_name=AMD Instinct MI300X",), gpu="none")) == {"expert_parallel_size"}


def test_release_that_nobody_said_is_taken_for_the_one_that_was_read() -> None:
    assert told("max_num_seqs", version=None) == 1024


def test_other_engines_are_told_nothing_of_this_one() -> None:
    asked = Asked(
        configured=read_command(arguments_of(["python", "-m", "sglang.launch_server", "--model-path", "org/model"]))
    )

    sources = {cite.ref for one in deployment_of(shipped(), asked).effective for cite in one.cite}
    assert {ref.partition("-")[0] for ref in sources} == {"sglang"}


def test_what_is_derived_is_a_fact_unless_it_was_asked_otherwise() -> None:
    words = ["vllm", "serve", "org/model", "--mamba-cache-mode", "none", "-tp", "2"]
    asked = Asked(configured=read_command(arguments_of(words)), model_config=QWEN_HYBRID, sets=GPUS["h100"])

    facts = deployment_of(shipped(), asked).facts

    assert facts["max_num_seqs"].value == 1024
    assert facts["max_num_seqs"].origin.kind == "derived"
    assert facts["mamba_cache_mode"].value == "none"


def test_a_changed_deployment_is_derived_anew() -> None:
    words = ["vllm", "serve", "org/model"]
    asked = Asked(configured=read_command(arguments_of(words)), model_config=LLAMA, sets=GPUS["h100"])
    deployment = deployment_of(shipped(), asked)

    after = changed(deployment, {"tensor_parallel_size": 4, "max_num_seqs": 16}, shipped().rulebook.vocabulary)

    assert after.facts["world_size"].value == 4
    assert after.facts["cudagraph_capture_size_max"].value == 32
    assert deployment.facts["cudagraph_capture_size_max"].value == 512


def test_every_setting_names_a_source_that_the_catalog_has() -> None:
    catalog: Catalog = shipped().catalog
    commands = ("", "--enforce-eager", "-dp 4 -tp 2 --enable-expert-parallel", "--enable-lora --enable-sleep-mode")
    found = [one for command in commands for one in settings(command, config=QWEN_HYBRID).values()]
    found += settings("--kv-cache-dtype turboquant_4bit_nc").values()

    assert {cite.ref for one in found for cite in one.cite} <= set(catalog.citations)
    assert all(one.cite and one.cite[0].where for one in found)


def test_every_setting_is_explained_in_both_languages() -> None:
    found = settings("--enable-lora -tp 2", config=QWEN_HYBRID).values()

    assert [one.name for one in found if not one.why.en or not one.why.zh] == []


@pytest.mark.parametrize(
    ("architecture", "traits"),
    [
        ("LlamaForCausalLM", {"pp", "lora"}),
        ("Mamba2ForCausalLM", {"attention_free"}),
        ("BertModel", {"pooling", "cls", "lora"}),
    ],
)
def test_architectures_have_their_traits(architecture: str, traits: set[str]) -> None:
    assert traits_of(architecture) == traits


def test_architecture_outside_of_the_registry_has_no_traits() -> None:
    assert traits_of("NobodyForCausalLM") is None


def test_runner_follows_the_end_of_a_name() -> None:
    assert by_name_of("NobodyForSequenceClassification") == ("pooling", "classify")
    assert by_name_of("LlamaForCausalLM", runner="pooling") is None
    assert by_name_of("Nothing") is None
