"""`advise` and `compare` on the command line: a command after --, refusals, both languages."""

import json
from pathlib import Path

import pytest

from knockon.store.store import open_store
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


def test_kept_runs_are_compared_by_target_time_and_id(knockon: Knockon, runs: tuple[str, ...], tmp_path: Path) -> None:
    database = ("--database-url", f"sqlite:///{tmp_path}/kept.db")
    ids = []
    for at, file, on in zip(("2026-11-28T12:00:00Z", "2026-11-29T12:00:00Z"), runs[:2], runs[2:], strict=True):
        keep = ("--keep", "--target", "prod", "--taken-at", at, *database)
        said = json.loads(knockon("diagnose", file, "--deployment", on, *keep, "--format", "json").out)
        ids.append(said["kept"]["id"])
    allowed = ("--allow-different", "model", "--allow-different", "hardware", *database, "--format", "json")

    answers = [
        json.loads(knockon("compare", before, after, *allowed).out)
        for before, after in (
            (f"kept:{ids[0][:8]}", f"kept:{ids[1]}"),
            ("kept:prod@2026-11-28T12:00:00Z", "kept:prod"),
            (runs[0], "kept:prod@2026-11-30T00:00:00+00:00"),
        )
    ]

    assert answers[0]["changed"] == [{"name": "enforce_eager", "before": True, "after": False}]
    assert [one["reading"] for one in answers[0]["moved"] if one["telling"]] == ["itl_s_p50"]
    assert answers[1] == answers[0]
    # The file says nothing of its deployment.
    assert [one["context"] for one in answers[2]["obstacles"]] == ["config"]
    listed = knockon("history", "prod", *database).out
    assert ids[0][:8] in listed


@pytest.mark.parametrize(
    ("named", "says"),
    [
        ("kept:prod", "no target is called 'prod'"),
        ("kept:0123456789ab", "no target is called '0123456789ab'"),
        ("kept:prod@noon", "'noon' is no time of a run"),
    ],
)
def test_a_run_that_is_not_kept_is_refused(knockon: Knockon, tmp_path: Path, named: str, says: str) -> None:
    url = f"sqlite:///{tmp_path}/kept.db"
    with open_store(url) as store:
        store.migrate()

    done = knockon("compare", named, named, "--database-url", url)

    assert done.code == 2
    assert says in done.err


def test_a_run_of_each_sweep_is_compared(knockon: Knockon, tmp_path: Path) -> None:
    row = (
        '{"model_id": "org/m", "request_rate": "inf", "max_concurrency": %d, "completed": 50, "duration": 10.0, '
        '"total_input_tokens": 5000, "total_output_tokens": 5000, "request_throughput": 5.0, '
        '"output_throughput": %.1f, "total_token_throughput": 5500.0, "median_ttft_ms": 60.0}\n'
    )
    for name, scale in (("a", 1.0), ("b", 1.2)):
        (tmp_path / f"{name}.jsonl").write_text(row % (4, 100 * scale) + row % (8, 150 * scale), encoding="utf-8")
    allowed = [part for context in ("hardware", "config", "load") for part in ("--allow-different", context)]

    done = knockon("compare", *(str(tmp_path / f"{n}.jsonl") for n in "ab"), "--run", "1", *allowed, "--format", "json")

    said = json.loads(done.out)
    assert [one["context"] for one in said["obstacles"]] == []
    [output] = [one for one in said["moved"] if one["reading"] == "output_tokens_per_s"]
    assert (output["before"], output["after"]) == (100.0, 120.0)
