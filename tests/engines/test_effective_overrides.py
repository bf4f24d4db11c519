"""What vLLM runs in place of what was asked: each override shows its value, and why."""

from typing import Any

import pytest

from knockon.engines import read_command
from knockon.jobs.deployment import Asked, deployment_of
from knockon.terms.argument import arguments_of
from tests.engines.test_effective import GPUS, LLAMA, WHISPER
from tests.shipped import shipped

VISION = {
    "architectures": ["Gemma3ForConditionalGeneration"],
    "model_type": "gemma3",
    "text_config": {"model_type": "gemma3_text", "num_hidden_layers": 62, "num_attention_heads": 32},
    "vision_config": {"num_hidden_layers": 27, "num_attention_heads": 16},
}
MOE = {**LLAMA, "architectures": ["Qwen3MoeForCausalLM"], "model_type": "qwen3_moe", "num_experts": 128}
CHUNKED = {
    **LLAMA,
    "architectures": ["Llama4ForCausalLM"],
    "model_type": "llama4_text",
    "attention_chunk_size": 8192,
}
V1 = "VLLM_USE_V2_MODEL_RUNNER=0"
NGRAMS = '{"method":"ngram","num_speculative_tokens":4,"num_speculative_tokens_per_batch_size":[[1,8,4]]}'
DFLASH = '{"method":"dflash","model":"a/dflash","num_speculative_tokens":7}'
DRAFT = '{"method":"draft_model","model":"meta-llama/Meta-Llama-3-8B-Instruct","num_speculative_tokens":4}'


@pytest.mark.parametrize(
    ("config", "flags", "gpu", "name", "asked", "runs"),
    [
        pytest.param(
            MOE, "--all2all-backend pplx", "h100", "all2all_backend", "pplx", "allgather_reducescatter", id="gone"
        ),
        pytest.param(MOE, "--all2all-backend nixl_ep", "h100", "all2all_backend", "nixl_ep", "nixl_ep", id="as-asked"),
        pytest.param(
            MOE,
            "--moe-backend flashinfer_moe_ep_cutedsl",
            "b200",
            "all2all_backend",
            None,
            "passthrough",
            id="themselves",
        ),
        pytest.param(WHISPER, "--enable-prefix-caching", "h100", "enable_prefix_caching", True, False, id="whisper"),
        pytest.param(
            VISION,
            "--mm-encoder-tp-mode data",
            "h100",
            "mm_encoder_tp_mode",
            "data",
            "weights",
            id="encoder-not-by-data",
        ),
        pytest.param(
            LLAMA,
            "-ac.flash_attn_version=3",
            "b200",
            "flash_attention_version",
            3,
            4,
            id="flash-attention-on-blackwell",
        ),
        pytest.param(
            LLAMA, "-cc.pass_config.fuse_attn_quant=true", "h100", "cudagraph_mode", None, "FULL", id="fused-attention"
        ),
        pytest.param(
            LLAMA,
            "-cc.pass_config.fuse_attn_quant=true -cc.use_inductor_graph_partition=true",
            "h100",
            "cudagraph_mode",
            None,
            "FULL_AND_PIECEWISE",
            id="fused-attention-cut-by-inductor",
        ),
        pytest.param(
            LLAMA,
            '--compilation-config {"cudagraph_mode":"PIECEWISE","splitting_ops":[]}',
            "h100",
            "cudagraph_mode",
            "PIECEWISE",
            "NONE",
            id="nothing-to-cut-at",
        ),
        pytest.param(
            LLAMA,
            f"--speculative-config {NGRAMS}",
            "h100",
            "cudagraph_mode",
            None,
            "FULL_AND_PIECEWISE",
            id="drafts-on-v2",
        ),
        pytest.param(
            LLAMA,
            f"--speculative-config {DFLASH} --max-num-batched-tokens 2048 --max-num-seqs 512",
            "h100",
            "max_num_active_seqs",
            None,
            256,
            id="dflash-cuts-sequences",
        ),
        pytest.param(
            {**LLAMA, "max_position_embeddings": 131072},
            f"--speculative-config {DRAFT}",
            "h100",
            "max_model_len",
            None,
            8192,
            id="draft-shortens",
        ),
        pytest.param(CHUNKED, "", "h100", "disable_hybrid_kv_cache_manager", None, False, id="chunks"),
        pytest.param(
            CHUNKED,
            '--speculative-config {"method":"eagle3","model":"a/head","num_speculative_tokens":4}',
            "h100",
            "disable_hybrid_kv_cache_manager",
            None,
            True,
            id="chunks-with-drafts-from-hidden-states",
        ),
        pytest.param(
            LLAMA,
            '--kv-transfer-config {"kv_connector":"LMCacheConnectorV1","kv_role":"kv_both"}',
            "h100",
            "disable_hybrid_kv_cache_manager",
            None,
            True,
            id="connector-of-one-layout",
        ),
    ],
)
def test_override_is_told(config: dict[str, Any], flags: str, gpu: str, name: str, asked: object, runs: object) -> None:
    told = overridden(flags, config=config, gpu=gpu)[name]

    assert (told.asked, told.value) == (asked, runs)
    assert told.why.en
    assert told.cite


def test_changing_draft_counts_on_the_older_runner_lose_full_graphs() -> None:
    told = overridden(f"--speculative-config {NGRAMS}", config=LLAMA, gpu="h100", environment=V1)

    assert told["cudagraph_mode"].value == "PIECEWISE"
    assert told["enable_async_scheduling"].value is False


def test_length_that_was_wanted_outlives_the_override() -> None:
    deployment = deployed(
        f"--speculative-config {DRAFT}", config={**LLAMA, "max_position_embeddings": 131072}, gpu="h100"
    )

    assert deployment.facts["model_len_wanted_tokens"].value == 131072
    assert {one.name: one.value for one in deployment.effective}["max_model_len"] == 8192


def test_list_of_graph_sizes_is_told_from_the_largest() -> None:
    both = deployed("--cudagraph-capture-sizes 1 2 8 --max-cudagraph-capture-size 16", config=LLAMA, gpu="h100")
    alone = deployed("--cudagraph-capture-sizes 1 2 8", config=LLAMA, gpu="h100")

    assert (both.facts["cudagraph_listed_size_max"].value, both.facts["cudagraph_capture_size_max"].value) == (8, 16)
    assert alone.facts["cudagraph_capture_size_max"].value == 8


def deployed(flags: str, *, config: dict[str, Any], gpu: str, environment: str = "") -> Any:
    words = [*environment.split(), "vllm", "serve", "m", *flags.split()]
    configured = read_command(arguments_of(words), version="0.33.0")
    return deployment_of(shipped(), Asked(configured=configured, model_config=config, sets=list(GPUS[gpu])))


def overridden(flags: str, *, config: dict[str, Any], gpu: str, environment: str = "") -> dict[str, Any]:
    return {one.name: one for one in deployed(flags, config=config, gpu=gpu, environment=environment).effective}
