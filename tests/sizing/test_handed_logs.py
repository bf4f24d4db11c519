"""What real engines logged of their KV caches, held against what the config and the memory give."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from knockon.engines.hf_config.normalise import facts_of
from knockon.engines.vllm.attention import attention_facts
from knockon.sizing.size import size
from knockon.sizing.sizing import Sizing
from knockon.terms.fact import Fact, Origin, values_of
from tests.sizing.shapes import GIB

# What a log's formula may be off by: pages, and ranks that have a little less memory than the one that was read.
TOLERANCE = 0.02
# The logs whose formula was found to hold; the others have parts that no log names (drafts, states, padding).
HELD = ("exact", "close")
PARALLEL = {
    "tensor_parallel_size": "tp",
    "pipeline_parallel_size": "pp",
    "decode_context_parallel_size": "dcp",
    "max_model_len": "max_model_len",
}


def cases(shared_dir: Path) -> Iterator[tuple[dict[str, Any], Sizing]]:
    """Every handed log whose model's config is handed too, with the sizes that follow."""
    folder = shared_dir / "cases"
    configs = json.loads((folder / "model_configs.json").read_text(encoding="utf-8"))
    for line in (folder / "kv_capacity.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        config = configs.get(case.get("model_config_key") or "")
        if config is not None:
            yield case, sized(case, dict(config))


def sized(case: Mapping[str, Any], config: dict[str, Any]) -> Sizing:
    if isinstance(config.get("layer_types"), dict):
        config["layer_types"] = config["layer_types"].get("list")
    facts = facts_of(config, origin_text="config.json", name=case.get("model"))
    given: dict[str, Any] = {name: case[key] for name, key in PARALLEL.items() if isinstance(case.get(key), int)}
    given["engine"] = case["engine"] if case["engine"] in ("vllm", "sglang", "trtllm") else "vllm"
    given["kv_cache_dtype"] = case.get("kv_cache_dtype") or "auto"
    version = str(case.get("engine_version") or "").split(" ")[0]
    if version.startswith("0."):
        given["engine_version"] = version
    if "fp32" in str(case.get("attention_family")):
        given["dtype"] = "float32"
    if "--no-enable-prefix-caching" in " ".join(case.get("args") or ()):
        given["enable_prefix_caching"] = False
    room = case["logged"].get("available_kv_cache_memory_gib_per_gpu")
    if room:
        given["available_kv_cache_bytes"] = int(room * GIB)
    facts |= {name: Fact(name, value, Origin("flag", "the log")) for name, value in given.items()}
    return size(values_of({**attention_facts(facts), **facts}))


def is_near(told: float | None, logged: float) -> bool:
    return told is not None and abs(told - logged) <= TOLERANCE * logged


def test_bytes_of_a_token_are_those_of_the_formula_that_held(shared_dir: Path) -> None:
    wrong, seen = [], 0
    for case, sizing in cases(shared_dir):
        check = case.get("arith_check") or {}
        formula = check.get("formula_bytes_per_token_per_gpu")
        if not formula or not str(check.get("verdict")).startswith(HELD):
            continue
        seen += 1
        # The formulas leave out that ranks may share tokens.
        told = sizing.kv_bytes_per_stored_token
        if not is_near(told, formula):
            wrong.append((case["id"], told, formula))

    assert wrong == []
    assert seen > 30


def test_tokens_are_those_the_engine_printed(shared_dir: Path) -> None:
    wrong, seen = [], 0
    for case, sizing in cases(shared_dir):
        check, logged = case.get("arith_check") or {}, case["logged"]
        tokens = logged.get("gpu_kv_cache_size_tokens")
        if "available_kv_cache_memory_gib_per_gpu" not in logged or not tokens:
            continue
        if not str(check.get("verdict")).startswith(HELD):
            continue
        seen += 1
        if not is_near(sizing.kv_cache_tokens, tokens):
            wrong.append((case["id"], sizing.kv_cache_tokens, tokens))

    assert wrong == []
    assert seen >= 25
