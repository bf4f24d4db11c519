"""Pools of the catalog's models are, to the byte, those that vLLM's own planner lays."""

from pathlib import Path
from typing import Any

import pytest

from knockon.engines.hf_config.normalise import facts_of
from knockon.sizing.size import size
from knockon.terms.words import Scalar
from tests.data import read_yaml
from tests.shipped import shipped
from tests.sizing.shapes import GIB

ROWS: list[dict[str, Any]] = read_yaml(Path(__file__).with_name("planned_pools.yaml"))
# Told by the config, and asked for below.
_ASKED = frozenset({"checkpoint_kv_cache_dtype", "max_model_len"})


@pytest.mark.parametrize("row", [pytest.param(row, id=f"{row['model']}-tp{row['tp']}-dcp{row['dcp']}") for row in ROWS])
def test_pool_is_the_planners(row: dict[str, Any]) -> None:
    sizing = size(
        {
            **_facts_of(row["model"]),
            "engine": "vllm",
            "engine_version": "0.33.0",
            "tensor_parallel_size": row["tp"],
            "decode_context_parallel_size": row["dcp"],
            "kv_cache_dtype": row["kv"],
            "available_kv_cache_bytes": 40 * GIB,
            "max_model_len": 32768,
            "max_num_batched_tokens": 8192,
        }
    )

    assert sizing.kv_bytes_per_block == row["block_bytes"]
    assert sizing.needed_bytes == row["blocks"] * row["block_bytes"]
    assert sizing.kv_cache_tokens == row["tokens"]


def _facts_of(model: str) -> dict[str, Scalar]:
    told = facts_of(shipped().catalog.models[model].config, origin_text="test")
    return {name: fact.value for name, fact in told.items() if name not in _ASKED}  # type: ignore[misc]


def test_rows_reach_every_kind_of_cache_that_is_reckoned() -> None:
    kinds = {_facts_of(row["model"])["attention_kind"] for row in ROWS}

    assert kinds >= {
        "gqa", "mha", "mqa", "mla", "mla_sparse", "hybrid_sliding", "per_layer", "hybrid_chunked", "hybrid_linear"
    }  # fmt: skip
