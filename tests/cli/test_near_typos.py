"""Slips of the finger and names of another kind are answered with what was meant; words of other trades are not."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Knockon

SERVE = ("--", "vllm", "serve", "Qwen/Qwen3-8B")
MEANT = {
    "profile": (("diagnose", "--profile", "defalt", "--set", "waiting_count=3"), "'default'"),
    "profile shown": (("profile", "show", "defalt"), "'default'"),
    "engine": (("check", "--engine", "sglan", *SERVE), "'sglang'"),
    "rule with a zero too few": (("rules", "show", "K01"), "'K001'"),
    "rule with a zero too many": (("rules", "show", "k0001"), "'K001'"),
    "verb": (("brakes", "x"), "'breaks'"),
    "verb of a verb": (("search", "kv"), "'catalog search'"),
    "verb of two verbs": (("lint",), "'rules lint', 'catalog lint'"),
    "fact by some of its words": (("check", "--set", "kv_dtype=fp8", *SERVE), "'kv_cache_dtype' or "),
    "fact by beginnings of its words": (("check", "--set", "gpu_util=.9", *SERVE), "'gpu_memory_utilization_ratio'"),
}


@pytest.mark.parametrize(("line", "meant"), MEANT.values(), ids=MEANT)
def test_near_name_is_offered(knockon: Knockon, line: tuple[str, ...], meant: str) -> None:
    done = knockon(*line)

    assert (done.code, done.out) == (2, "")
    assert f"did you mean {meant}" in " ".join(done.err.replace("│", " ").replace("Did", "did").split())


@pytest.mark.parametrize(
    "line",
    [
        ("rules", "show", "K9999"),
        ("rules", "show", "banana"),
        ("banana",),
        ("profile", "show", "banana"),
        ("check", "--engine", "banana", *SERVE),
        ("check", "--set", "hello_world=1", *SERVE),
    ],
)
def test_nothing_far_is_offered(knockon: Knockon, line: tuple[str, ...]) -> None:
    done = knockon(*line)

    assert (done.code, "did you mean" in done.err.lower()) == (2, False)


def test_flag_of_another_engine_is_answered_with_the_own_one(knockon: Knockon) -> None:
    done = knockon("check", "--format", "json", *SERVE, "--tp-size", "4")

    [problem] = json.loads(done.out)["problems"]
    assert problem["suggestions"] == ["--tensor-parallel-size"]


def test_model_without_its_ending_is_offered_with_it_first(knockon: Knockon) -> None:
    done = knockon("check", "--format", "json", "--", "vllm", "serve", "meta-llama/Llama-3.1-70")

    [problem] = json.loads(done.out)["problems"]
    assert problem["suggestions"][0] == "meta-llama/Llama-3.1-70B-Instruct"


def test_key_of_a_deployment_file(knockon: Knockon) -> None:
    Path("launch.yaml").write_text("engine: vllm\ncommnad: vllm serve x\n")
    done = knockon("check", "launch.yaml")

    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("launch.yaml:2:1: 'commnad' is not understood here; ")
    assert done.err.endswith("; did you mean 'command'?\n")


def test_fact_among_readings_is_told_where_it_goes(knockon: Knockon) -> None:
    done = knockon("diagnose", "--set", "max_num_seqs=48")

    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "error: max_num_seqs is a fact, not a reading; expected a reading: what is measured of a running system; a fact"
        " is what is set, of one deployment: it goes with the deployment (--deployment), or under `facts` of a file of"
        " readings\n"
    )
