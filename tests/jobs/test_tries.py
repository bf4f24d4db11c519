"""Other settings for one deployment: what is asked of a try does not hang on what was asked before."""

import pytest

from knockon.engines import read_command
from knockon.jobs.deployment import Asked, Deployment, changed, deployment_of
from knockon.jobs.tries import Tries
from knockon.jobs.verdict import verdict_of
from knockon.rules.couple import judge
from knockon.terms.argument import arguments_of
from knockon.terms.words import CheckVerdict, Scalar
from tests.shipped import shipped

COMMANDS = {
    "vllm": "vllm serve Qwen/Qwen3-235B-A22B -tp 8 -dcp 4 --max-model-len 8192 --enable-expert-parallel",
    "sglang": "python -m sglang.launch_server --model-path Qwen/Qwen3-8B --tp 2 --enable-dp-attention --dp 2",
    "trtllm": "trtllm-serve Qwen/Qwen3-8B --tp_size 2 --max_seq_len 4096",
}
WISHES: tuple[dict[str, Scalar | None], ...] = (
    {"tensor_parallel_size": 3},
    {"tensor_parallel_size": None},
    {"max_model_len": 1_000_000},
    {"max_model_len": None, "tensor_parallel_size": 16},
)


def deployment(engine: str) -> Deployment:
    """What one of the commands starts, on 8 H100."""
    configured = read_command(arguments_of(COMMANDS[engine].split()))
    return deployment_of(shipped(), Asked(configured=configured, gpu="h100-sxm5-80gb", gpu_count=8))


@pytest.mark.parametrize("engine", COMMANDS)
@pytest.mark.parametrize("wish", WISHES, ids=str)
def test_one_rule_fires_as_all_rules_together_say(engine: str, wish: dict[str, Scalar | None]) -> None:
    knowledge, before = shipped(), deployment(engine)
    alone, whole = (Tries(knowledge, before).with_settings(wish) for _ in range(2))

    found = {finding.rule.id for finding in whole.judgement.findings}

    assert {rule.id for rule in knowledge.rulebook.couple if alone.fires(rule)} == found
    assert alone.verdict is verdict_of(whole.judgement, whole.deployment)
    assert alone.conflicts == {one.rule.id for one in whole.judgement.findings if one.verdict is CheckVerdict.CONFLICT}


@pytest.mark.parametrize("engine", COMMANDS)
def test_a_try_is_the_changed_deployment(engine: str) -> None:
    knowledge, before = shipped(), deployment(engine)
    sets: dict[str, Scalar] = {"tensor_parallel_size": 4}

    tried = Tries(knowledge, before).with_settings(sets)

    assert tried.deployment == changed(before, sets, knowledge.rulebook.vocabulary)
    assert tried.judgement.findings == judge(knowledge.rulebook, tried.deployment.facts).findings


def test_the_same_settings_are_tried_once_and_equal_values_of_other_types_are_others() -> None:
    tries = Tries(shipped(), deployment("vllm"))

    assert tries.with_settings({"max_num_seqs": 1, "pipeline_parallel_size": 2}) is tries.with_settings(
        {"pipeline_parallel_size": 2, "max_num_seqs": 1}
    )
    assert tries.with_settings({"max_num_seqs": 1}) is not tries.with_settings({"max_num_seqs": True})
