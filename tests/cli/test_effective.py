"""`knockon check`: what the engine will run, beside what was asked, as data and on the page."""

import json

from tests.cli.conftest import Knockon

HYBRID = ("vllm", "serve", "Qwen/Qwen3-Next-80B-A3B-Instruct", "--mamba-cache-mode", "none")


def test_overridden_setting_comes_with_reason_and_place(knockon: Knockon) -> None:
    done = knockon("check", "--format", "json", "--fail-on", "never", "--", *HYBRID)

    [found] = [one for one in json.loads(done.out)["effective"] if one["name"] == "mamba_cache_mode"]

    assert found == {
        "name": "mamba_cache_mode",
        "setting": "cache.mamba_cache_mode",
        "asked": "none",
        "value": "align",
        "unit": "1",
        "overridden": True,
        "why": "prefix reuse keeps states at block ends",
        "why_zh": "前缀复用在块边界保存状态",
        "from": "vLLM 0.33.0, vllm/model_executor/models/config.py: lines 750-787",
        "at": {"path": "<command>", "line": 1, "column": 45},
    }


def test_page_shows_overrides_first_and_counts_the_rest(knockon: Knockon) -> None:
    lines = knockon("check", "--fail-on", "never", "--", *HYBRID, COLUMNS="120").out.splitlines()

    start = lines.index("What the engine will run")
    assert lines[start + 3].split()[:3] == ["mamba_cache_mode", "none", "align"]
    assert any("more are as asked or by default: --verbose, or --format json" in line for line in lines[start:])


def test_verbose_page_shows_every_setting(knockon: Knockon) -> None:
    lines = knockon("check", "--verbose", "--fail-on", "never", "--", *HYBRID, COLUMNS="120").out.splitlines()

    part = lines[lines.index("What the engine will run") : lines.index("Size")]
    assert any(line.split()[:1] == ["world_size"] for line in part)


def test_page_of_another_engine_has_no_such_section(knockon: Knockon) -> None:
    tgi = ("text-generation-launcher", "--model-id", "Qwen/Qwen3-32B", "--num-shard", "2")
    page = knockon("check", "--fail-on", "never", "--", *tgi).out

    assert "tensor-parallelism" in page
    assert "What the engine will run" not in page
