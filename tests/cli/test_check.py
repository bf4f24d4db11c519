"""`knockon check`: the worked example, its neighbours, files, and exit codes."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Knockon

QWEN = ("vllm", "serve", "Qwen/Qwen3-235B-A22B", "--tensor-parallel-size")
CONFIG = {
    "architectures": ["Qwen3MoeForCausalLM"],
    "model_type": "qwen3_moe",
    "num_hidden_layers": 94,
    "hidden_size": 4096,
    "num_attention_heads": 64,
    "num_key_value_heads": 4,
    "head_dim": 128,
    "torch_dtype": "bfloat16",
    "vocab_size": 151936,
    "max_position_embeddings": 40960,
}


def answer(knockon: Knockon, *arguments: str) -> dict[str, Any]:
    done = knockon("check", "--format", "json", "--fail-on", "never", *arguments)
    assert (done.code, done.err) == (0, "")
    said: dict[str, Any] = json.loads(done.out)
    return said


def test_worked_example_is_degraded_with_its_derivation_and_fix(knockon: Knockon) -> None:
    said = answer(knockon, "--", *QWEN, "8")

    assert said["verdict"] == "degraded"
    [finding] = said["findings"]
    assert (finding["rule"], finding["verdict"]) == ("K001", "degraded")
    values = {step["name"]: step["value"] for step in finding["derivation"]}
    assert (values["heads"], values["tp"], values["kv_head_replicas"], values["kept"]) == (4, 8, 2, 0.5)
    assert {"from": "compute", "onto": "storage", "quantity": "kv_cache_tokens", "factor": 0.5} in finding["shifts"]
    fix = finding["fixes"][0]
    assert (fix["technique"], fix["set"], fix["range"], fix["verdict"]) == (
        "decode-context-parallelism", {"decode_context_parallel_size": 2}, [1, 2], "fine",
    )  # fmt: skip
    assert finding["at"] == {"path": "<command>", "line": 1, "column": 33}
    assert said["sizing"]["kv_head_replicas"] == 2


@pytest.mark.parametrize(
    ("arguments", "verdict", "rules"),
    [
        pytest.param((*QWEN, "4"), "fine", [], id="every KV head stored once"),
        pytest.param((*QWEN, "8", "--decode-context-parallel-size", "2"), "fine", ["K003"], id="DCP 2, its cost noted"),
        pytest.param(
            (*QWEN, "8", "--decode-context-parallel-size", "4"), "conflict", ["K004", "K003"], id="DCP over the range"
        ),
    ],
)
def test_neighbours_of_the_worked_example(
    knockon: Knockon, arguments: tuple[str, ...], verdict: str, rules: list[str]
) -> None:
    said = answer(knockon, "--", *arguments)

    assert said["verdict"] == verdict
    assert [finding["rule"] for finding in said["findings"]] == rules


@pytest.mark.parametrize(
    ("fail_on", "tp", "dcp", "code"),
    [
        (None, "8", "1", 0),
        ("degraded", "8", "1", 1),
        ("never", "8", "1", 0),
        (None, "8", "4", 1),
        ("never", "8", "4", 0),
        ("degraded", "4", "1", 0),
    ],
)
def test_exit_code_is_one_from_the_asked_verdict_on(
    knockon: Knockon, fail_on: str | None, tp: str, dcp: str, code: int
) -> None:
    option = ("--fail-on", fail_on) if fail_on else ()

    assert knockon("check", *option, "--", *QWEN, tp, "--decode-context-parallel-size", dcp).code == code


def test_unknown_flag_is_answered_with_the_nearest(knockon: Knockon) -> None:
    said = json.loads(knockon("check", "--format", "json", "--", *QWEN, "4", "--gpu-memory-utilisation", "0.9").out)

    [flag] = said["unknown_flags"]
    assert (flag["flag"], flag["suggestions"][0]) == ("--gpu-memory-utilisation", "--gpu-memory-utilization")


def test_unknown_model_leaves_the_verdict_unknown_and_says_what_to_give(knockon: Knockon) -> None:
    done = knockon("check", "--", "vllm", "serve", "nobody/Nothing-1B", "-tp", "8")

    assert done.code == 2
    assert done.out.startswith("? unknown — ")
    assert "knockon catalog list models" in " ".join(done.out.split())


def test_config_json_describes_the_model(knockon: Knockon) -> None:
    Path("config.json").write_text(json.dumps(CONFIG))

    by_option = answer(knockon, "--model", "config.json", "--", "vllm", "serve", "/weights", "-tp", "8")
    by_file = answer(knockon, "config.json", "--engine", "vllm", "--set", "tensor_parallel_size=8",
                     "--set", "decode_context_parallel_size=1")  # fmt: skip

    assert [finding["rule"] for finding in by_option["findings"]] == ["K001"]
    assert [finding["rule"] for finding in by_file["findings"]] == ["K001"]


def test_folder_of_weights_describes_the_model(knockon: Knockon) -> None:
    Path("weights").mkdir()
    Path("weights/config.json").write_text(json.dumps(CONFIG))

    said = answer(knockon, "--", "vllm", "serve", "weights", "-tp", "8")

    assert [finding["rule"] for finding in said["findings"]] == ["K001"]


def test_script_is_read_and_its_lines_are_named(knockon: Knockon) -> None:
    Path("run.sh").write_text("#!/bin/sh\ncd /srv\nvllm serve Qwen/Qwen3-235B-A22B \\\n  --tensor-parallel-size 8\n")

    [finding] = answer(knockon, "run.sh")["findings"]

    assert finding["at"] == {"path": "run.sh", "line": 4, "column": 3}


FACTS_YAML = """\
model: Qwen/Qwen3-235B-A22B
engine: vllm
facts:
  tensor_parallel_size: 8
  decode_context_parallel_size: 1
"""
FACTS_JSON = json.dumps(
    {
        "model": "Qwen/Qwen3-235B-A22B",
        "engine": "vllm",
        "facts": {"tensor_parallel_size": 8, "decode_context_parallel_size": 1},
    }
)


@pytest.mark.parametrize("shell", [("bash", "-c"), ("/bin/sh", "-lc"), ("bash", "-e", "-c")])
def test_script_given_to_a_shell_is_read(knockon: Knockon, shell: tuple[str, ...]) -> None:
    script = "export VLLM_USE_V1=1; exec vllm serve Qwen/Qwen3-8B --tensor-parallel-size 3"

    said = answer(knockon, "--", *shell, script)

    assert said["findings"][0]["rule"] == "K008"
    assert said["findings"][0]["at"]["path"] == "<command>"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("facts.yaml", FACTS_YAML),
        ("facts.json", FACTS_JSON),
        ("facts.yml", "command: vllm serve Qwen/Qwen3-235B-A22B -tp 8\n"),
    ],
)
def test_facts_may_stand_in_a_file(knockon: Knockon, name: str, text: str) -> None:
    Path(name).write_text(text)

    assert [finding["rule"] for finding in answer(knockon, name)["findings"]] == ["K001"]


def test_standard_input_is_a_file_too(knockon: Knockon) -> None:
    done = knockon("check", "-", "--format", "json", stdin="vllm serve Qwen/Qwen3-235B-A22B -tp 8")

    assert [finding["at"]["path"] for finding in json.loads(done.out)["findings"]] == ["<stdin>"]


def test_set_wins_over_the_command(knockon: Knockon) -> None:
    assert answer(knockon, "--set", "tensor_parallel_size=4", "--", *QWEN, "8")["verdict"] == "fine"


def test_several_files_give_several_answers_and_the_worst_exit_code(knockon: Knockon) -> None:
    Path("good.sh").write_text("vllm serve Qwen/Qwen3-235B-A22B -tp 4")
    Path("bad.sh").write_text("vllm serve Qwen/Qwen3-235B-A22B -tp 8")

    done = knockon("check", "good.sh", "bad.sh", "--fail-on", "degraded", "--format", "json")

    assert done.code == 1
    said = json.loads(done.out)["answers"]
    assert [(one["file"], one["verdict"]) for one in said] == [("good.sh", "fine"), ("bad.sh", "degraded")]


def test_settings_files_that_the_command_names_are_read(knockon: Knockon) -> None:
    Path("vllm.yaml").write_text("tensor-parallel-size: 8\n")

    said = answer(knockon, "--", "vllm", "serve", "Qwen/Qwen3-235B-A22B", "--config", "vllm.yaml")

    assert [finding["rule"] for finding in said["findings"]] == ["K001"]


def test_sizes_that_cannot_be_told_are_null_with_a_reason(knockon: Knockon) -> None:
    sizing = answer(knockon, "--", *QWEN, "8")["sizing"]

    assert sizing["kv_cache_tokens"] is None
    assert "available_kv_cache_bytes" in sizing["reasons"]["kv_cache_tokens"]


def test_what_an_option_overrules_of_a_file_is_noted(knockon: Knockon, tmp_path: Path) -> None:
    (tmp_path / "d.yaml").write_text(
        "command: vllm serve Qwen/Qwen3-8B\ngpu: H200\nfacts: {kv_cache_dtype: fp8, max_num_seqs: 8}\n"
    )

    options = ("--gpu", "H100", "--set", "kv_cache_dtype=auto", "--set", "max_num_seqs=8")
    said = json.loads(knockon("check", "d.yaml", *options, "-f", "json").out)
    page = knockon("check", "d.yaml", *options, "--lang", "zh").out

    assert [note["en"] for note in said["notes"]] == [
        "--gpu H100 overrules gpu: H200 (d.yaml:2:1)",
        "--set kv_cache_dtype=auto overrules kv_cache_dtype=fp8 (d.yaml:3:9)",
    ]
    assert "• --gpu H100 覆盖了 gpu: H200（d.yaml:2:1）" in page


def test_a_release_that_overrules_that_of_the_image_is_noted(knockon: Knockon) -> None:
    command = ("docker", "run", "vllm/vllm-openai:v0.11.0", "--model", "Qwen/Qwen3-8B")

    other = json.loads(knockon("check", "-f", "json", "--engine-version", "0.12", "--", *command).out)
    same = json.loads(knockon("check", "-f", "json", "--engine-version", "0.11.0", "--", *command).out)

    assert other["notes"][0]["en"] == "--engine-version 0.12 overrules 0.11.0 (vllm/vllm-openai:v0.11.0)"
    assert same["notes"] == []


def test_a_command_of_another_engine_than_the_option_says_is_refused(knockon: Knockon) -> None:
    done = knockon("check", "--engine", "sglang", "--", "vllm", "serve", "Qwen/Qwen3-8B")

    assert done.code == 2
    assert done.err == (
        "<command>:1:1: the command starts vllm, and --engine says sglang; expected one engine; "
        "leave --engine out, or say --engine vllm\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "vllm serve Qwen/Qwen3-235B-A22B -tp 8",
        "HF_HOME=/x  vllm serve Qwen/Qwen3-235B-A22B \\\n  -tp '8'",
        "cd /srv && exec vllm serve Qwen/Qwen3-235B-A22B -tp 8 2>&1 | tee log",
    ],
)
def test_a_command_line_in_quotes_is_read_as_one(knockon: Knockon, text: str) -> None:
    whole = json.loads(knockon("check", "-f", "json", "--", text).out)
    split = json.loads(knockon("check", "-f", "json", "--", "vllm", "serve", "Qwen/Qwen3-235B-A22B", "-tp", "8").out)
    advised = knockon("advise", "--set", "memory_occupancy_ratio=0.95", "--", text)

    assert [one["rule"] for one in whole["findings"]] == [one["rule"] for one in split["findings"]] == ["K001"]
    assert advised.code == 0


def test_a_command_line_in_quotes_may_begin_with_the_model_of_a_named_engine(knockon: Knockon) -> None:
    done = knockon("check", "-f", "json", "--engine", "vllm", "--", "Qwen/Qwen3-235B-A22B -tp 8")

    assert [one["rule"] for one in json.loads(done.out)["findings"]] == ["K001"]
