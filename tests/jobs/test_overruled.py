"""What is stated twice and not alike is noted: both values and where they stand."""

from typing import Any

from knockon.engines import read_command
from knockon.jobs.deployment import Asked, deployment_of
from knockon.terms.argument import arguments_of
from tests.shipped import shipped

QWEN = "Qwen/Qwen3-8B"


def asked(*words: str, **more: Any) -> Asked:
    configured = read_command(arguments_of(["vllm", "serve", QWEN, *words]))
    return Asked(configured=configured, **more)


def notes(*words: str, **more: Any) -> list[tuple[str, str]]:
    return [(note.en, note.zh) for note in deployment_of(shipped(), asked(*words, **more)).notes]


def test_an_option_that_overrules_the_command_is_noted_with_both_values() -> None:
    flag = "flag --tensor-parallel-size at <command>:1:26"
    assert notes("-tp", "8", sets=["tensor_parallel_size=4"]) == [
        (
            f"--set tensor_parallel_size=4 overrules tensor_parallel_size = 8 ({flag})",
            f"--set tensor_parallel_size=4 覆盖了 tensor_parallel_size = 8（{flag}）",
        )
    ]
    assert notes("-tp", "8", sets=["tensor_parallel_size=8"]) == []
    assert notes(sets=["tensor_parallel_size=4"]) == [], "a default is nobody's word"


def test_an_option_that_overrules_the_model_or_another_option_is_noted() -> None:
    assert [en for en, _ in notes(sets=["num_key_value_heads=4", "gpu_count=2"], gpu_count=8)] == [
        f"--set num_key_value_heads=4 overrules num_key_value_heads = 8 (num_key_value_heads in config.json of {QWEN})",
        "--set gpu_count=2 overrules gpu_count = 8 (--gpus 8)",
    ]


def test_another_model_than_the_command_names_is_noted() -> None:
    assert notes(model="Qwen/Qwen3-32B") == [
        (
            f"--model Qwen/Qwen3-32B overrules {QWEN} (the model of the command)",
            f"--model Qwen/Qwen3-32B 覆盖了 {QWEN}（命令中的模型）",
        )
    ]
    assert notes(model=QWEN.lower()) == []
    assert notes(model=QWEN, model_config={}) == [], "its config.json is what --model is for"
