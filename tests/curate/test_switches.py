"""What techniques say of engines is held against the flag tables: programs, flags and values."""

from pathlib import Path

import pytest

from knockon.curate.checks.switches import Engines
from knockon.curate.lint import lint_tree
from knockon.engines.listed import flags_listed, values_listed
from tests.curate.trees import TECHNIQUE, TODAY, changed, written

ENGINES = Engines(
    {"vllm": frozenset(("--dtype", "--shard", "--kv-cache-dtype"))},
    {"engine": frozenset(("vllm", "it's", "tables_only"))},
)


def said(folder: Path, files: dict[str, str]) -> list[str]:
    problems = lint_tree(*written(folder, files), today=TODAY, engines=lambda: ENGINES)
    return [f"{problem.code}: {problem.what}" for problem in problems]


def switched(engines: str) -> dict[str, str]:
    return changed(TECHNIQUE, 'vllm: {switch: --dtype, since: "0.10"}', engines)


@pytest.mark.parametrize(
    ("engines", "found"),
    [
        ("vllm: {switch: --dtype}", []),
        ("vllm: {switch: --kv_cache_dtype fp8}", []),
        ("vllm: {switch: vllm bench serve --goodput}", []),
        ("vllm: {switch: on by default}", []),
        ("vllm: {switch: --no-such-flag}", ["unknown-switch: vllm never had the flag --no-such-flag"]),
        ("vllm: {switch: on by default; --shrad 2}", ["unknown-switch: vllm never had the flag --shrad"]),
        ("paper: {switch: --any}", []),
        (
            "vlllm: {switch: --any}",
            ["unknown-engine: only 'sharding' names a program 'vlllm', and no source does"],
        ),
    ],
)
def test_switch_is_of_an_engine_and_was_one_of_its_flags(tmp_path: Path, engines: str, found: list[str]) -> None:
    assert said(tmp_path, switched(engines)) == found


def test_value_that_nothing_knows_is_complained_about(tmp_path: Path) -> None:
    vocabulary = "rules/vocabulary.yaml"
    open_fact = changed(vocabulary, """options: [vllm, "it's"], group: engine""", "group: engine")
    detect = changed(TECHNIQUE, "detect: shard_size > 1", """detect: engine == "tables_only" or engine == "fp9\"""")

    what = "no engine, rule or switch knows the value 'fp9' of 'engine'"
    assert f"unknown-value: {what}" in said(tmp_path, {**open_fact, **detect})
    assert len([line for line in said(tmp_path, {**open_fact, **detect}) if "unknown-value" in line]) == 1


def test_tables_of_all_engines_are_listed() -> None:
    flags, values = flags_listed(), values_listed()

    assert sorted(flags) == ["sglang", "tgi", "trtllm", "vllm"]
    assert "--kv-cache-dtype" in flags["vllm"]
    assert {"fp8", "nvfp4"} <= values["kv_cache_dtype"]
    assert "fp9" not in values["kv_cache_dtype"]
