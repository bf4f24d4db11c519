"""Which engine a command starts, and what stands before its program."""

import pytest

from knockon.engines import read_command
from knockon.engines.base import Given
from knockon.manifests.command import split_command
from knockon.terms.argument import arguments_of
from knockon.terms.errors import IntakeError, NotFound
from knockon.terms.place import Position


@pytest.mark.parametrize(
    ("command", "engine", "model"),
    [
        ("/opt/venv/bin/vllm serve a", "vllm", "a"),
        ("uv run vllm serve a", "vllm", "a"),
        ("numactl -N 0 -m 0 vllm serve a", "vllm", "a"),
        ("nohup env A=1 python -m vllm.entrypoints.openai.api_server --model a", "vllm", "a"),
        ("docker run --gpus all vllm/vllm-openai:latest --model a", "vllm", "a"),
        ("docker run lmsysorg/sglang:v0.5.10 python3 -m sglang.launch_server --model-path a", "sglang", "a"),
        ("srun -N 2 trtllm-llmapi-launch trtllm-serve a", "trtllm", "a"),
        ("python3 -X dev -m tensorrt_llm.commands.serve serve a", "trtllm", "a"),
    ],
)
def test_the_program_is_found_behind_launchers(command: str, engine: str, model: str) -> None:
    configured = read_command(split_command(command, path="x"))

    assert (configured.engine, configured.model, configured.unknown_flags) == (engine, model, ())


def test_assignments_of_every_form_are_the_environment() -> None:
    words = arguments_of(["A=1", "env", "B=2", "docker", "run", "-e", "C=3", "--env=D=4", "vllm", "serve", "a"])

    assert read_command(words).environment == (
        Given("A", "1", Position("<command>", 1, 1)),
        Given("B", "2", Position("<command>", 1, 9)),
        Given("C", "3", Position("<command>", 1, 27)),
        Given("D", "4", Position("<command>", 1, 37)),
    )


@pytest.mark.parametrize(
    ("words", "seen"),
    [
        (["ollama", "serve"], "ollama serve"),
        (["vllm", "bench", "serve"], "vllm bench serve"),
        (["python", "script.py", "vllm", "serve"], "python script.py vllm"),
    ],
)
def test_another_program_is_refused_by_name(words: list[str], seen: str) -> None:
    with pytest.raises(IntakeError) as caught:
        read_command(arguments_of(words))

    assert str(caught.value) == (
        f"<command>:1:1: '{seen}' starts no engine known here; "
        "expected a command that starts one of vllm, sglang, trtllm, tgi, for example `vllm serve MODEL`; "
        "name the engine with --engine if the command starts with its flags"
    )


def test_no_words_are_refused() -> None:
    with pytest.raises(IntakeError) as caught:
        read_command([])

    assert caught.value.problem.what == "there is no command that starts an engine"


def test_a_named_engine_needs_no_program() -> None:
    configured = read_command(arguments_of(["org/model", "-tp", "4"]), engine="vllm")

    assert (configured.model, configured.by_name()["tensor_parallel_size"].value) == ("org/model", 4)


def test_an_unknown_engine_is_not_found() -> None:
    with pytest.raises(NotFound) as caught:
        read_command(arguments_of(["a"]), engine="vlm")

    assert (
        str(caught.value) == "no engine is called 'vlm'; did you mean 'vllm'?; known engines: vllm, sglang, trtllm, tgi"
    )


def test_the_version_asked_for_beats_that_of_the_image() -> None:
    words = arguments_of(["docker", "run", "vllm/vllm-openai:v0.19.0", "--model", "a"])

    assert read_command(words, version="0.25.0").engine_version == "0.25.0"
    assert read_command(words).engine_version == "0.19.0"


NAMES = ("compilation_mode", "gpu_count", "tensor_parallel_size", "enable_prefix_caching")


def test_facts_say_where_they_come_from() -> None:
    facts = read_command(arguments_of(["CUDA_VISIBLE_DEVICES=0,1", "vllm", "serve", "a", "-cc.mode", "0"])).by_name()

    default = "default of vLLM 0.33.0 (no version given; the newest known)"
    assert [(facts[name].origin.kind, facts[name].origin.text, str(facts[name].origin.at)) for name in NAMES] == [
        ("flag", "flag --compilation-config mode", "<command>:1:39"),
        ("env", "environment CUDA_VISIBLE_DEVICES", "<command>:1:1"),
        ("engine-default", default, "None"),
        ("engine-default", f"{default}; where the model supports it", "None"),
    ]


def test_a_version_newer_than_known_says_so() -> None:
    facts = read_command(arguments_of(["vllm", "serve", "a"]), version="0.40.0").by_name()

    assert facts["tensor_parallel_size"].origin.text == "default of vLLM 0.33.0 (the newest known; 0.40.0 is newer)"
