"""What engines logged of their KV caches, held against what `check` says of the same deployment.

Runs where the handed folder is. Models are named as they are in the catalog; what is not told is explained in
kv_capacity.yaml.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from knockon.engines import read_command
from knockon.jobs.deployment import Asked, deployment_of
from knockon.sizing.sizing import Sizing
from knockon.terms.argument import arguments_of
from tests.data import read_yaml
from tests.shipped import shipped

REASONS = Path(__file__).with_name("kv_capacity.yaml")
NEAR_MIN = 0.95
TOLERANCE = 0.02
_GIB = 1 << 30
_FLAGS = {
    "--tensor-parallel-size": "tp",
    "--pipeline-parallel-size": "pp",
    "--data-parallel-size": "dp",
    "--decode-context-parallel-size": "dcp",
    "--max-model-len": "max_model_len",
    "--gpu-memory-utilization": "gpu_memory_utilization",
    "--kv-cache-dtype": "kv_cache_dtype",
}
_IN_ARGS = {
    "--max-num-seqs": r"max[_-]num[_-]seqs'?[:= ]+(\d+)",
    "--max-num-batched-tokens": r"max[_-]num[_-]batched[_-]tokens'?[:= ]+(\d+)",
}


@dataclass(frozen=True, slots=True)
class Log:
    """One logged KV cache and the sizes told of it."""

    id: str
    formula: tuple[float, ...]
    """Bytes of a token that the case's formula gives, as found and after what it says was adjusted."""
    formula_of: str
    tokens: int | None
    """Tokens the engine printed, where it also printed the memory they lie in."""
    told: Sizing


@pytest.fixture(scope="module")
def reasons() -> Mapping[str, Any]:
    held: Mapping[str, Any] = read_yaml(REASONS)
    return held


@pytest.fixture(scope="module")
def logs(shared_dir: Path) -> Sequence[Log]:
    path = shared_dir / "cases" / "kv_capacity.jsonl"
    if not path.is_file():
        pytest.skip(f"the logs are not among the handed cases: {path}")
    return [_log(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def _log(case: Mapping[str, Any]) -> Log:
    checked, logged = case["arith_check"], case["logged"]
    keys = ("formula_bytes_per_token_per_gpu", "adjusted_formula_bytes_per_token_per_gpu")
    room = logged.get("available_kv_cache_memory_gib_per_gpu")
    sets = (f"available_kv_cache_bytes={int(room * _GIB)}",) if room else ()
    configured = read_command(arguments_of(_words(case)), version=case["engine_version"])
    return Log(
        id=case["id"],
        formula=tuple(checked[key] for key in keys if checked.get(key)),
        formula_of=checked.get("formula") or "",
        tokens=logged.get("gpu_kv_cache_size_tokens") if room else None,
        told=deployment_of(shipped(), Asked(configured=configured, sets=sets)).sizing,
    )


def _words(case: Mapping[str, Any]) -> list[str]:
    """The command of a log; the model by the catalog's name where the case gives one."""
    known = case.get("model_config_key")
    model = known if known in shipped().catalog.models else re.sub(r"\s*\(.*", "", case["model"]).strip()
    if case["engine"].split()[0] == "sglang":
        return ["python", "-m", "sglang.launch_server", "--model-path", model, "--tp", str(case["tp"] or 1)]
    words = ["vllm", "serve", model]
    for flag, key in _FLAGS.items():
        if case.get(key) is not None and (key != "max_model_len" or isinstance(case[key], int)):
            words += [flag, str(case[key])]
    said = " ".join(case["args"])
    for flag, pattern in _IN_ARGS.items():
        found = re.search(pattern, said)
        if found is not None:
            words += [flag, found[1]]
    words += ["--dtype", case["dtype"]] if case.get("dtype") not in (None, "auto") else []
    words += ["--enable-prefix-caching"] if "'enable_prefix_caching': True" in said else []
    return [*words, *(one for one in ("--no-enable-prefix-caching", "--quantization=fp8") if one in said)]


def _is_near(told: float | None, wanted: float) -> bool:
    return told is not None and abs(told - wanted) <= TOLERANCE * wanted


def test_bytes_of_a_token_are_those_of_the_formula(logs: Sequence[Log], reasons: Mapping[str, Any]) -> None:
    held = [one for one in logs if one.formula and not one.formula_of.startswith(tuple(reasons["bounds"]))]
    missed = [
        one for one in held if not any(_is_near(one.told.kv_bytes_per_stored_token, each) for each in one.formula)
    ]
    for one in missed:
        print(f"{one.id}: told {one.told.kv_bytes_per_stored_token}, formula {one.formula}")  # noqa: T201 - read with -s
    print(f"within two per cent: {len(held) - len(missed)} of {len(held)} with a formula")  # noqa: T201 - read with -s

    assert 1 - len(missed) / len(held) >= NEAR_MIN


def test_what_a_formula_bounds_is_not_below_it(logs: Sequence[Log], reasons: Mapping[str, Any]) -> None:
    bounded = [one for one in logs if one.formula_of.startswith(tuple(reasons["bounds"]))]

    assert [one.id for one in bounded if (one.told.kv_bytes_per_stored_token or 0) < min(one.formula)] == []


def test_tokens_are_those_the_engine_printed(logs: Sequence[Log], reasons: Mapping[str, Any]) -> None:
    printed = [one for one in logs if one.tokens]
    missed = {one.id for one in printed if not _is_near(one.told.kv_cache_tokens, one.tokens or 0)}
    print(f"tokens within two per cent: {len(printed) - len(missed)} of {len(printed)}")  # noqa: T201 - read with -s

    assert missed == set(reasons["tokens"])
    assert len(printed) >= 30


def test_what_cannot_be_told_is_said(logs: Sequence[Log], reasons: Mapping[str, Any]) -> None:
    untold = {one.id: one.told.reasons for one in logs if one.told.kv_bytes_per_token_per_gpu is None}

    assert set(untold) == set(reasons["unknown"])
    assert all(said.get("kv_bytes_per_token_per_gpu") for said in untold.values())
