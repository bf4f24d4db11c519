"""Real command lines with what vLLM's own configuration code answered to them."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from knockon.engines import read_command
from knockon.engines.base import Configured
from knockon.terms.argument import arguments_of
from knockon.terms.errors import IntakeError

# What the engine calls a setting in its answer, and our fact. Left out: what it derives from the model or the GPU.
EFFECTIVE = {
    "parallel.tensor_parallel_size": "tensor_parallel_size",
    "parallel.pipeline_parallel_size": "pipeline_parallel_size",
    "parallel.data_parallel_size": "data_parallel_size",
    "parallel.decode_context_parallel_size": "decode_context_parallel_size",
    "parallel.prefill_context_parallel_size": "prefill_context_parallel_size",
    "parallel.cp_kv_cache_interleave_size": "cp_kv_cache_interleave_size_tokens",
    "parallel.enable_expert_parallel": "enable_expert_parallel",
    "parallel.enable_eplb": "enable_expert_load_balancing",
    "parallel.enable_dbo": "enable_dual_batch_overlap",
    "parallel.all2all_backend": "all2all_backend",
    "parallel.nnodes": "node_count",
    "parallel.data_parallel_external_lb": "data_parallel_external_lb",
    "parallel.data_parallel_hybrid_lb": "data_parallel_hybrid_lb",
    "cache.block_size": "kv_block_size_tokens",
    "cache.gpu_memory_utilization": "gpu_memory_utilization_ratio",
    "cache.kv_cache_memory_bytes": "kv_cache_memory_bytes",
    "cache.num_gpu_blocks_override": "kv_blocks_override_count",
    "cache.mamba_block_size": "mamba_block_size_tokens",
    "scheduler.policy": "scheduling_policy",
    "scheduler.max_num_seqs": "max_num_seqs",
    "scheduler.max_num_batched_tokens": "max_num_batched_tokens",
    "model.max_model_len": "max_model_len",
    "model.enforce_eager": "enforce_eager",
    "model.disable_sliding_window": "disable_sliding_window",
    "model.enable_sleep_mode": "enable_sleep_mode",
    "lora.enabled": "enable_lora",
    "optimization_level": "optimization_level",
    "performance_mode": "performance_mode",
}


@pytest.fixture(scope="session")
def answers(shared_dir: Path) -> list[tuple[dict[str, Any], Configured | None]]:
    """Every command line, read; None where reading raised."""
    with gzip.open(shared_dir / "cases" / "engine_answers.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [(row, _read(row)) for row in rows]


def _read(row: dict[str, Any]) -> Configured | None:
    try:
        return read_command(arguments_of(["vllm", "serve", *row["args"]]), version=row["engine_version"])
    except IntakeError:
        return None


def test_every_flag_and_model_is_known(answers: list[tuple[dict[str, Any], Configured | None]]) -> None:
    unread = [row["id"] for row, configured in answers if configured is None]
    unknown = [flag.flag for _, configured in answers if configured for flag in configured.unknown_flags]
    models = [(row["model"], configured.model) for row, configured in answers if configured]

    # One command gives a limit as name=number, which the engine's parser refuses too.
    assert (len(answers), unread, unknown) == (560, ["v7-0146"], [])
    assert [pair for pair in models if pair[0] != pair[1]] == []


def test_what_the_engine_accepts_is_never_refused(answers: list[tuple[dict[str, Any], Configured | None]]) -> None:
    refused = [
        (row["id"], configured.refused)
        for row, configured in answers
        if configured and configured.refused and row["answer"]["status"] == "accepted"
    ]

    assert refused == []


def test_facts_are_what_the_engine_ran_with(answers: list[tuple[dict[str, Any], Configured | None]]) -> None:
    differing = []
    compared = 0
    for row, configured in answers:
        if configured is None or row["answer"]["status"] != "accepted":
            continue
        facts = configured.by_name()
        for setting, name in EFFECTIVE.items():
            if name in facts and setting in row["answer"]["effective"]:
                compared += 1
                if facts[name].value != row["answer"]["effective"][setting]:
                    differing.append((row["id"], name))

    assert differing == []
    assert compared > 20 * 260
