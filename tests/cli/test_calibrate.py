"""`knockon profile calibrate`: the answer's contract, its page, the file it writes, and wrong use."""

import json
import random
from pathlib import Path

import pytest

from tests.cli.conftest import Knockon
from tests.cli.test_contracts import complaints


def history() -> None:
    """Write run.csv: a pool that is well used."""
    source = random.Random(7)
    rows = [f"{1764410400 + 60 * index},{source.gauss(0.93, 0.01):.4f},0" for index in range(400)]
    Path("run.csv").write_text("\n".join(["at,kv_cache_usage_ratio,preemptions_per_s", *rows]) + "\n")


def sweep() -> None:
    """Write sweep.yaml: throughput that stops growing at 40 requests."""
    rows = [
        f"- {{concurrency_count: {load}, output_tokens_per_s: {50 * min(load, 40)}, "
        f"kv_cache_usage_ratio: {min(1, 0.52 + 0.01 * load):.4f}}}"
        for load in (1, 2, 4, 8, 16, 32, 48, 60)
    ]
    Path("sweep.yaml").write_text("\n".join(rows) + "\n")


@pytest.mark.parametrize("of", ["history", "sweep"])
def test_answer_keeps_its_contract(knockon: Knockon, of: str) -> None:
    history()
    sweep()
    file = {"history": "run.csv", "sweep": "sweep.yaml"}[of]

    said = json.loads(knockon("profile", "calibrate", file, "--format", "json").out)

    assert complaints("calibrate", said) == []
    assert said["method"] == of
    assert said["yaml"].startswith("name: calibrated\n")


def test_profile_is_written_and_can_be_used_at_once(knockon: Knockon) -> None:
    history()

    done = knockon("profile", "calibrate", "run.csv", "--name", "mine", "--engine", "vllm", "-o", "mine.yaml")
    shown = json.loads(knockon("profile", "show", "mine.yaml", "--format", "json").out)
    judged = json.loads(knockon("diagnose", "run.csv", "--profile", "mine.yaml", "--format", "json").out)

    assert done.code == 0
    assert "1 threshold from a history" in done.out
    assert "Written to mine.yaml; use it with --profile mine.yaml" in done.out
    [level] = [one for one in shown["thresholds"] if one["profile"] == "mine"]
    assert (level["name"], level["provenance"], level["samples"]) == ("memory_occupancy_high", "history", 400)
    assert level["interval"][0] < level["interval"][1]
    assert (judged["profile"]["name"], judged["profile"]["fits"]) == ("mine", None)
    assert judged["over_time"]["rules"] == [] or judged["over_time"]["rules"][0]["state"] != "firing"
    assert "the profile mine is for engine vllm; whether this is cannot be told" in [
        note["en"] for note in judged["notes"]
    ]


def test_page_shows_levels_and_back_test(knockon: Knockon) -> None:
    history()
    sweep()

    told, swept = knockon("profile", "calibrate", "run.csv").out, knockon("profile", "calibrate", "sweep.yaml").out

    assert "memory_occupancy_high  > kv_cache_usage_ratio  0.9" in told
    assert "D001  memory  1 × (" in told
    assert "name: calibrated" in told
    assert "output_tokens_per_s 2000 at load 40 (" in swept
    assert "D001  memory  2 / 8 (48, 60)" in swept


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "give readings over time"),
        (("run.csv", "--quantile", "0.4"), "0.4 is not over 0.5"),
        (("run.csv", "--name", "Mine!"), "'Mine!' is not made of lower-case words"),
        (("run.csv", "--threshold", "kv_roomy"), "a history calibrates"),
        (("run.csv", "--base", "nobody"), "no profile is called 'nobody'"),
        (("run.csv", "--quantile", "0.999"), "takes 3688"),
        (("run.csv", "-o", "absent/mine.yaml"), "cannot be written"),
    ],
)
def test_what_cannot_be_done_is_told(knockon: Knockon, arguments: tuple[str, ...], says: str) -> None:
    history()

    done = knockon("profile", "calibrate", *arguments)

    assert done.code == 2
    assert says in " ".join(done.err.split())
