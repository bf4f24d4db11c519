"""`advise` and `compare` on the command line: a command after --, refusals, both languages."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Knockon

FULL = ("--set", "memory_occupancy_ratio=0.97", "--set", "compute_utilization_ratio=0.3")
COMMAND = ("--gpu", "H100", "--gpus", "8", "--", "vllm", "serve", "meta-llama/Llama-3.1-70B-Instruct", "-tp", "4")


def test_advice_for_a_command(knockon: Knockon) -> None:
    done = knockon("advise", *FULL, "--format", "json", *COMMAND)

    said = json.loads(done.out)
    assert done.code == 0
    assert said["walls"] == ["memory"]
    quantized = next(one for one in said["advised"] if one["technique"] == "kv-cache-quantization")
    assert quantized["set"] == {"kv_cache_dtype": "fp8"}
    assert quantized["sources"]


def test_advice_as_a_page_names_stages_in_both_languages(knockon: Knockon) -> None:
    english, chinese = (knockon("advise", *FULL, "--lang", language, *COMMAND).out for language in ("en", "zh"))

    assert "Parameters first" in english
    assert "kv-cache-quantization" in english
    assert "先调参数" in chinese


def test_a_deployment_is_described_once(knockon: Knockon, tmp_path: Path) -> None:
    file = tmp_path / "facts.yaml"
    file.write_text("engine: vllm\n", encoding="utf-8")

    done = knockon("advise", *FULL, "--deployment", str(file), *COMMAND)

    assert done.code == 2
    assert "describe the deployment once" in done.err


def test_advice_without_readings_is_wrong_use(knockon: Knockon) -> None:
    assert knockon("advise", *COMMAND).code == 2


def test_advice_on_two_scrapes_rests_on_rates(knockon: Knockon, tmp_path: Path) -> None:
    for name, preemptions in (("before", 10), ("after", 130)):
        (tmp_path / f"{name}.prom").write_text(
            f'vllm:num_preemptions_total{{engine="0"}} {preemptions}\nvllm:kv_cache_usage_perc{{engine="0"}} 0.97\n'
        )
    files = (str(tmp_path / "after.prom"), "--before", str(tmp_path / "before.prom"), "--elapsed", "60")

    done = knockon("advise", *files, "--format", "json", *COMMAND)

    said = json.loads(done.out)
    seen = {one["reading"]: one["value"] for one in said["diagnosis"]["readings"]}
    assert (done.code, seen["preemptions_per_s"]) == (0, 2.0)
    assert said["walls"] == ["memory"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((*FULL, "--before", "x.prom"), "there is no FILE for every --before"),
        ((*FULL, "--elapsed", "60"), "there is no --before that it would be the time since"),
        ((*FULL, "--last", "30m"), "without --prometheus there is nothing to choose from"),
        (("--prometheus", "ftp://x"), "http"),
    ],
)
def test_options_of_advise_that_mean_nothing_are_refused(
    knockon: Knockon, arguments: tuple[str, ...], said: str
) -> None:
    done = knockon("advise", *arguments, COLUMNS="200")

    assert (done.code, said in done.err) == (2, True)


@pytest.fixture
def runs(tmp_path: Path) -> tuple[str, ...]:
    """Give two runs of one deployment, the second without eager mode."""
    load = "prompt_tokens_p50: 1000\noutput_tokens_p50: 200\nconcurrency_count: 64\n"
    for name, itl, eager in (("before", 0.04, "true"), ("after", 0.03, "false")):
        (tmp_path / f"{name}.yaml").write_text(f"{load}itl_s_p50: {itl}\n", encoding="utf-8")
        facts = f"engine: vllm\nmodel: Qwen/Qwen3-8B\ngpu: H100\ngpus: 1\nfacts: {{enforce_eager: {eager}}}\n"
        (tmp_path / f"{name}-on.yaml").write_text(facts, encoding="utf-8")
    return tuple(str(tmp_path / f"{name}.yaml") for name in ("before", "after", "before-on", "after-on"))


def test_runs_with_their_deployments_are_compared(knockon: Knockon, runs: tuple[str, ...]) -> None:
    before, after, on, other = runs
    arguments = ("compare", before, after, "--deployment-before", on, "--deployment-after", other)

    done = knockon(*arguments, "--format", "json")
    said = json.loads(done.out)
    assert (done.code, said["comparable"]) == (0, True)
    assert said["changed"] == [{"name": "enforce_eager", "before": True, "after": False}]
    assert [one["reading"] for one in said["moved"] if one["telling"]] == ["itl_s_p50"]
    page = knockon(*arguments).out
    assert "What changed" in page
    assert "-25.0%" in page
    assert "seen as expected" in page


def test_runs_without_their_deployments_are_not_comparable(knockon: Knockon, runs: tuple[str, ...]) -> None:
    before, after, *_ = runs

    done = knockon("compare", before, after)
    assert done.code == 1
    assert "not comparable" in done.out
    assert "the model is not known on both sides" in done.out
    allowed = [part for context in ("model", "hardware", "config") for part in ("--allow-different", context)]
    loud = knockon("compare", before, after, *allowed)
    assert loud.code == 0
    assert "Set aside by you" in loud.out
