"""Every coupling that vLLM, SGLang and TensorRT-LLM enforce is spoken of by a rule, on a command that has it."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from knockon.engines import read_command
from knockon.jobs.check import CheckAnswer, check
from knockon.jobs.deployment import Asked, changed
from knockon.rules.couple import judge
from knockon.terms.argument import arguments_of
from knockon.terms.words import CheckVerdict
from tests.data import read_yaml
from tests.shipped import shipped

LLAMA = "meta-llama/Llama-3.1-70B-Instruct"
PROGRAMS = {"vllm": "vllm serve", "sglang": "sglang serve", "trtllm": "trtllm-serve"}
OPTIONS = "options.yaml"
# Of the couplings that follow from arguments, model and GPU.
CAUGHT_MIN = 0.95


@cache
def couplings() -> dict[str, dict[str, Any]]:
    """The couplings by id: a command that has each, and the rules for it."""
    files = sorted(Path(__file__).parent.glob("couplings*.yaml"))
    parts = [read_yaml(file) for file in files]
    return {name: coupling for part in parts for name, coupling in part.items()}


CAUGHT = sorted(name for name, coupling in couplings().items() if "rules" in coupling)


@cache
def answer_of(name: str, *, plain: bool = False) -> CheckAnswer:
    """What `check` says of the coupling's command; `plain` leaves out all that makes the coupling."""
    coupling = couplings()[name]
    engine = name.partition("-")[0]
    words = coupling.get("environment", "").split() if not plain else []
    words += [*PROGRAMS[engine].split(), coupling.get("model", LLAMA)]
    files = {}
    if not plain:
        words += coupling.get("flags", "").split()
        if "options" in coupling:
            words += ["--config", OPTIONS]
            files[OPTIONS] = coupling["options"]
    asked = Asked(
        configured=read_command(arguments_of(words), version=coupling.get("version"), files=files),
        model_config=coupling.get("config"),
        gpu=coupling.get("gpu") if not plain else None,
        gpu_count=coupling.get("gpus") if not plain else None,
        sets=coupling.get("sets", []) if not plain else [],
    )
    return check(shipped(), asked, compares_releases=False)


def said(answer: CheckAnswer) -> dict[str, CheckVerdict]:
    return {each.finding.rule.id: each.finding.verdict for each in answer.findings}


@pytest.mark.parametrize("name", CAUGHT)
def test_coupling_is_spoken_of_by_its_rule(name: str) -> None:
    answer = answer_of(name)

    assert [unknown.flag for unknown in answer.deployment.unknown_flags] == []
    assert [refused.flag for refused in answer.refused] == []
    assert set(couplings()[name]["rules"]) & set(said(answer)), said(answer)


@pytest.mark.parametrize("name", CAUGHT)
def test_command_without_the_coupling_is_no_conflict(name: str) -> None:
    found = said(answer_of(name, plain=True))
    conflicts = {rule for rule, verdict in found.items() if verdict is CheckVerdict.CONFLICT}

    # One GPU or its memory may be too small for the model; that is no coupling of these.
    assert not conflicts & set(couplings()[name]["rules"])


def test_rules_of_couplings_are_shipped() -> None:
    rules = {rule.id: rule for rule in shipped().rulebook.couple}

    for name in CAUGHT:
        for rule in couplings()[name]["rules"]:
            assert rule in rules, f"{name} names {rule}"
            assert any(example.expect == "fires" for example in rules[rule].examples), rule


def test_no_sentence_of_these_findings_has_a_gap() -> None:
    texts = {
        (each.finding.rule.id, text)
        for name in CAUGHT
        for each in answer_of(name).findings
        for text in (each.finding.says.en, *(fix.offered.says.en for fix in each.fixes))
    }

    assert {(rule, text) for rule, text in texts if "unknown" in text or "{" in text} == set()


def test_fixes_take_their_conflicts_away() -> None:
    kept = [
        (name, each.finding.rule.id, dict(fix.offered.sets))
        for name in CAUGHT
        for each in answer_of(name).findings
        if each.finding.rule.id in couplings()[name]["rules"] and each.finding.verdict is CheckVerdict.CONFLICT
        for fix in each.fixes
        if fix.offered.sets and each.finding.rule.id in said_with(name, dict(fix.offered.sets))
    ]

    assert kept == []


def said_with(name: str, sets: dict[str, Any]) -> dict[str, CheckVerdict]:
    """What `check` says of the coupling's deployment with other settings."""
    knowledge = shipped()
    after = changed(answer_of(name).deployment, sets, knowledge.rulebook.vocabulary)
    return {finding.rule.id: finding.verdict for finding in judge(knowledge.rulebook, after.facts).findings}


def test_couplings_handed_are_caught(shared_dir: Path) -> None:
    lines = (shared_dir / "research" / "engines" / "conflicts.jsonl").read_text(encoding="utf-8").splitlines()
    handed = {row["id"] for row in map(json.loads, lines)}
    dependable = {name for name in handed if "outside" not in couplings().get(name, {})}

    assert handed - set(couplings()) == set()
    assert len(dependable & set(CAUGHT)) / len(dependable) >= CAUGHT_MIN
