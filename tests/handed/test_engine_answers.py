"""vLLM's own answers to random command lines: does `check` refuse what it refused, and tell what it then ran?

Runs where the handed folder is. What is not agreed on is explained in disagreements.yaml, one line for each case.
"""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from knockon.terms.words import CheckVerdict
from tests.answered import Answered, answered_by_vllm
from tests.data import read_yaml

REASONS = Path(__file__).with_name("disagreements.yaml")
AGREED_ON_REFUSAL_MIN = 0.97
AGREED_ON_VALUES_MIN = 0.95
# vLLM counts its compilation modes; people write their names.
_MODES = ("NONE", "STOCK_TORCH_COMPILE", "DYNAMO_TRACE_ONCE", "VLLM_COMPILE")
# Told in the engine's words, but no part of its configuration objects.
_NOT_IN_THE_ANSWERS = frozenset({"get_ep_group().world_size"})


@pytest.fixture(scope="module")
def cases(shared_dir: Path) -> tuple[Answered, ...]:
    return answered_by_vllm(shared_dir)


def _is_accepted(case: Answered) -> bool:
    return case.answer is not None and case.answer.verdict is not CheckVerdict.CONFLICT


def _why(case: Answered) -> str:
    if case.answer is None:
        return "the command is not read"
    rules = [one.finding.rule.id for one in case.answer.findings if one.finding.verdict is CheckVerdict.CONFLICT]
    return ", ".join([*rules, *(one.flag for one in case.answer.refused)]) or "no conflict"


def test_what_the_engine_refuses_is_a_conflict_and_what_it_accepts_is_none(cases: tuple[Answered, ...]) -> None:
    apart = {case.id: _why(case) for case in cases if case.was_accepted is not _is_accepted(case)}
    reasons = read_yaml(REASONS)["refusal"]

    for one, why in apart.items():
        print(f"{one}: {why} — {reasons.get(one, 'not explained yet')}")  # noqa: T201 - read with -s
    assert 1 - len(apart) / len(cases) >= AGREED_ON_REFUSAL_MIN
    assert set(apart) == set(reasons)


def test_what_the_engine_ran_is_what_is_told(cases: tuple[Answered, ...]) -> None:
    agreed: Counter[str] = Counter()
    apart: dict[str, list[str]] = {}
    for case in cases:
        if not case.was_accepted or case.answer is None:
            continue
        for one in case.answer.effective:
            if one.setting in _NOT_IN_THE_ANSWERS:
                continue
            if _as_told(one.setting, case.handed["answer"]["effective"][one.setting]) == one.value:
                agreed[one.setting] += 1
            else:
                apart.setdefault(one.setting, []).append(case.id)
    reasons = read_yaml(REASONS)["effective"]

    for setting in sorted({*agreed, *apart}):
        print(f"{setting:45} agreed {agreed[setting]:4} apart {', '.join(apart.get(setting, [])) or '-'}")  # noqa: T201 - read with -s
    missed = {f"{setting} {one}" for setting, ids in apart.items() for one in ids}
    assert agreed.total() / (agreed.total() + len(missed)) >= AGREED_ON_VALUES_MIN
    assert missed == set(reasons)


def test_enough_is_told(cases: tuple[Answered, ...]) -> None:
    told = [len(case.answer.effective) for case in cases if case.was_accepted and case.answer is not None]

    # All but the models whose files tell too little get most of it; silence would agree with everything.
    assert sum(count >= 25 for count in told) / len(told) >= 0.95


def _as_told(setting: str, value: Any) -> Any:
    if setting == "compilation.mode":
        return _MODES[value]
    if setting == "cache.kv_cache_dtype_skip_layers":
        return ",".join(value)
    return value.removeprefix("torch.") if isinstance(value, str) else value
