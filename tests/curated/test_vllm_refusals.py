"""What vLLM refuses by its own source is told of commands as people write them, and of those commands alone."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from knockon.engines import read_command
from knockon.jobs.check import CheckAnswer, check
from knockon.jobs.deployment import Asked
from knockon.terms.argument import arguments_of
from tests.data import read_yaml
from tests.shipped import shipped

CASES: dict[str, dict[str, Any]] = read_yaml(Path(__file__).with_name("refusals_vllm.yaml"))
MODEL = "meta-llama/Llama-3.1-70B-Instruct"


@cache
def answer_of(rule: str, *, plain: bool = False) -> CheckAnswer:
    """What `check` says of the rule's command; `plain` leaves out all that makes the refusal."""
    case = CASES[rule]
    words = [] if plain else case.get("environment", "").split()
    words += ["vllm", "serve", case.get("model", MODEL)]
    words += [] if plain else case.get("flags", "").split()
    asked = Asked(
        configured=read_command(arguments_of(words)),
        gpu=case.get("gpu"),
        sets=[] if plain else case.get("sets", []),
    )
    return check(shipped(), asked, compares_releases=False)


def said(answer: CheckAnswer) -> set[str]:
    return {each.finding.rule.id for each in answer.findings}


@pytest.mark.parametrize("rule", sorted(CASES))
def test_command_is_spoken_of_by_the_rule(rule: str) -> None:
    answer = answer_of(rule)

    assert [unknown.flag for unknown in answer.deployment.unknown_flags] == []
    assert [refused.flag for refused in answer.refused] == []
    assert rule in said(answer)


@pytest.mark.parametrize("rule", sorted(CASES))
def test_command_without_it_is_not_and_lacks_nothing_for_it(rule: str) -> None:
    answer = answer_of(rule, plain=True)

    assert rule not in said(answer)
    assert rule not in {each.rule.id for each in answer.cannot_tell}


def test_no_sentence_has_a_gap() -> None:
    texts = {(rule, each.finding.says.en) for rule in CASES for each in answer_of(rule).findings}

    assert {(rule, text) for rule, text in texts if "{" in text or "unknown" in text} == set()
