"""Complaints about a deployment's files say where in them: path, line and column, exit code 2."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Knockon

FILES = {
    "key given twice": (
        '{"model_type": "qwen3",\n "hidden_size": 1,\n "hidden_size": 2}',
        '3:2: key "hidden_size" is given',
    ),
    "key of the wrong type": ('{"model_type": "qwen3",\n "num_hidden_layers": "x"}', "2:2: num_hidden_layers is 'x'"),
    "key outside its range": ('{"model_type": "qwen3",\n "num_hidden_layers": 9999}', "2:2: num_hidden_layers is 9999"),
    "integer of 5,000 digits": ('{"model_type":\n ' + "9" * 5000 + "}", "2:2: an integer of 5000 digits"),
    "no number": ('{"model_type": "qwen3",\n "vocab_size": NaN}', "2:16: NaN is no number of JSON"),
    "fact outside its range": (
        '{"engine": "vllm",\n "facts": {"tensor_parallel_size": 99999}}',
        "2:12: tensor_parallel_size cannot be '99999'; expected a whole number from 1 to 4096",
    ),
    "unknown engine": (
        '{"gpus": 8,\n "engine": "vlm"}',
        "2:2: no engine is called 'vlm'; did you mean 'vllm'?; known engines: vllm, sglang",
    ),
    "too many GPUs": ("engine: vllm\ngpus: 2000000\n", "2:1: gpu_count cannot be 2000000"),
    "unknown model": ("engine: vllm\nmodel: nobody/Nothing\n", "2:1: no model is called 'nobody/Nothing'"),
    "unknown GPU": ("engine: vllm\ngpu: H999\n", "2:1: no gpu is called 'H999'"),
    "derived fact": ("engine: vllm\nfacts:\n  kv_head_replicas: 2\n", "3:3: kv_head_replicas follows from other facts"),
    "unknown fact": (
        "engine: vllm\nfacts:\n  tensor_paralel_size: 2\n",
        "3:3: no fact is called 'tensor_paralel_size'",
    ),
    "unknown engine beside a command": (
        "# a\n\nengine: vlm\ncommand: vllm serve x\n",
        "3:1: no engine is called 'vlm'; did you mean 'vllm'?",
    ),
    "open quote in a command": ('# a\nengine: vllm\ncommand: vllm serve "x\n', '3:21: the quote " is not closed'),
    "open quote in a line of a command": (
        'command: |\n  # y\n  vllm serve x \\\n    --revision "x\n',
        '4:16: the quote " is not closed',
    ),
    "open quote in a folded command": ('# a\ncommand: >-\n  vllm serve\n  "x\n', '2:1: the quote " is not closed'),
    "open bracket in a command": ("# a\ncommand: vllm serve ${FOO\n", "2:22: the bracket { is not closed"),
    "second command": ("command: vllm serve x ; vllm serve y\n", "1:25: 'vllm' starts a second command"),
    "compound command": ("# a\n\ncommand: for x in y; do vllm serve x; done\n", "3:10: 'for' starts a compound"),
    "no engine in a command": ("# a\n\ncommand: echo hi\n", "3:10: there is no command that starts an engine"),
    "setting outside its range": (
        "# a\nengine: vllm\nsettings:\n  tp: 2\n  max_model_len: abc\n",
        "5:3: --max-model-len cannot be 'abc'",
    ),
    "setting of JSON": (
        '{"engine": "vllm",\n "settings": {"tp": 2,\n "max_model_len": "abc"}}',
        "3:2: --max-model-len cannot be 'abc'",
    ),
}


@pytest.mark.parametrize(("text", "said"), FILES.values(), ids=FILES)
def test_complaint_points_into_the_file(knockon: Knockon, tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / ("deployment.json" if text.startswith("{") else "deployment.yaml")
    file.write_text(text, encoding="utf-8")

    done = knockon("check", str(file))

    assert (done.code, done.out) == (2, "")
    assert done.err.removeprefix("error: ").startswith(f"{file}:{said}")


def test_config_that_the_command_names_is_pointed_into(knockon: Knockon, tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    file.write_text('{"model_type": "qwen3",\n  "num_hidden_layers": "x"}', encoding="utf-8")

    done = knockon("check", "--", "vllm", "serve", str(tmp_path))

    assert done.code == 2
    assert done.err.removeprefix("error: ").startswith(f"{file}:2:3: num_hidden_layers is 'x'")


def test_options_file_that_the_command_names_is_pointed_into(knockon: Knockon, tmp_path: Path) -> None:
    options, script = tmp_path / "options.yaml", tmp_path / "run.sh"
    options.write_text("enable_chunked_prefill: true\nmoe_expert_parallel_size: 3\n", encoding="utf-8")
    script.write_text(
        f"trtllm-serve Qwen/Qwen3-30B-A3B --tp_size 4 --extra_llm_api_options {options}\n", encoding="utf-8"
    )

    done = knockon("check", str(script), "--format", "json")

    asked = {fact["name"]: fact for fact in json.loads(done.out)["facts"]}
    assert asked["expert_parallel_size"]["at"] == {"path": str(options), "line": 2, "column": 27}
    assert asked["tensor_parallel_size"]["at"]["path"] == str(script)


def test_fact_on_our_command_line_replaces_that_of_the_file(knockon: Knockon, tmp_path: Path) -> None:
    file = tmp_path / "facts.yaml"
    file.write_text("engine: vllm\nfacts:\n  tensor_parallel_size: 2\n", encoding="utf-8")

    done = knockon("check", str(file), "--set", "tensor_parallel_size=4", "--format", "json")

    assert done.code == 0
    assert '"--set tensor_parallel_size=4"' in done.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--model", ""), "--model is empty"),
        (
            ("--engine", "vlm"),
            "no engine is called 'vlm'; did you mean 'vllm'?; known engines: vllm, sglang, trtllm, tgi",
        ),
        (("--gpus", "9" * 20, "--engine", "vllm"), f"gpu_count cannot be {'9' * 20}"),
        (("--set", "tensor_parallel_size=1", "--set", "tensor_parallel_size=2"), "tensor_parallel_size is set twice"),
        (("--set", "memory_occupancy_ratio=0.9"), "memory_occupancy_ratio is a reading, not a fact"),
        (
            ("--", "vllm", "serve", "Qwen/Qwen3-8B", "-pp", "2147483648"),
            "<command>:1:26: pipeline_parallel_size cannot",
        ),
    ],
)
def test_option_that_cannot_be_is_refused(knockon: Knockon, arguments: tuple[str, ...], said: str) -> None:
    done = knockon("check", *arguments)

    assert (done.code, done.out) == (2, "")
    assert done.err.removeprefix("error: ").startswith(said)
