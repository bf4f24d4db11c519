"""What vLLM's plugin for Ascend says of itself: the device, its settings, and its own defaults."""

import pytest

from knockon.engines import read_command
from knockon.jobs.deployment import Asked, deployment_of
from knockon.terms.argument import arguments_of
from knockon.terms.words import Scalar
from tests.shipped import shipped

QWEN = ["vllm", "serve", "Qwen/Qwen3-30B-A3B"]
NAMES = ("runs_on_ascend", "ascend_flashcomm", "ascend_launch_blocking", "cudagraph_mode", "kv_block_size_tokens")


def told(*words: str, before: tuple[str, ...] = (), gpu: str | None = None) -> dict[str, Scalar]:
    asked = Asked(configured=read_command(arguments_of([*before, *QWEN, *words])), gpu=gpu)
    facts = deployment_of(shipped(), asked).facts
    return {name: facts[name].value for name in NAMES if name in facts}


def test_a_setting_of_the_plugin_says_that_it_runs() -> None:
    assert told(before=("ASCEND_LAUNCH_BLOCKING=1",)) == {
        "runs_on_ascend": True,
        "ascend_flashcomm": False,
        "ascend_launch_blocking": True,
        "cudagraph_mode": "FULL_AND_PIECEWISE",
        "kv_block_size_tokens": 128,
    }


def test_other_hardware_has_none_of_it() -> None:
    facts = told()

    assert facts["runs_on_ascend"] is False
    assert not {"ascend_flashcomm", "ascend_launch_blocking"} & set(facts)


@pytest.mark.parametrize("words", [("--enforce-eager",), ("-O0",), ("-cc.mode", "0")])
def test_graphs_are_no_default_where_compilation_was_spoken_of(words: tuple[str, ...]) -> None:
    facts = told(*words, before=("ASCEND_RT_VISIBLE_DEVICES=0",))

    assert facts["runs_on_ascend"] is True
    assert facts.get("cudagraph_mode") != "FULL_AND_PIECEWISE"
