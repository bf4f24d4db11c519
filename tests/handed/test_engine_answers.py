"""vLLM's own answers to random command lines: does `check` refuse what it refused, and tell what it then ran?

Runs where the handed folder is. What is not agreed on is explained in disagreements.yaml, one line for each case.
"""

import gzip
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from knockon.engines import read_command
from knockon.jobs.check import CheckAnswer, check
from knockon.jobs.deployment import Asked
from knockon.terms.argument import arguments_of
from knockon.terms.errors import KnockonError
from knockon.terms.words import CheckVerdict
from tests.shipped import shipped

REASONS = Path(__file__).with_name("disagreements.yaml")
AGREED_ON_REFUSAL_MIN = 0.97
AGREED_ON_VALUES_MIN = 0.95
# vLLM counts its compilation modes; people write their names.
_MODES = ("NONE", "STOCK_TORCH_COMPILE", "DYNAMO_TRACE_ONCE", "VLLM_COMPILE")
# Told in the engine's words, but no part of its configuration objects.
_NOT_IN_THE_ANSWERS = frozenset({"get_ep_group().world_size"})


@dataclass(frozen=True, slots=True)
class Case:
    """One command line, what vLLM said of it and what `check` says."""

    id: str
    was_accepted: bool
    effective: Mapping[str, Any]
    answer: CheckAnswer | None
    """None when the command cannot even be read."""

    @property
    def is_accepted(self) -> bool:
        return self.answer is not None and self.answer.verdict is not CheckVerdict.CONFLICT

    @property
    def why(self) -> str:
        if self.answer is None:
            return "the command is not read"
        rules = [one.finding.rule.id for one in self.answer.findings if one.finding.verdict is CheckVerdict.CONFLICT]
        return ", ".join([*rules, *(one.flag for one in self.answer.refused)]) or "no conflict"


@pytest.fixture(scope="module")
def cases(shared_dir: Path) -> tuple[Case, ...]:
    path = shared_dir / "cases" / "engine_answers.jsonl.gz"
    if not path.is_file():
        pytest.skip(f"vLLM's answers are not among the handed cases: {path}")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return tuple(_case(json.loads(line)) for line in lines)


def _case(raw: Mapping[str, Any]) -> Case:
    gpu, said = raw["gpu"], raw["answer"]
    capability = ".".join(map(str, gpu["compute_capability"]))
    answer: CheckAnswer | None = None
    try:
        configured = read_command(arguments_of(["vllm", "serve", *raw["args"]]), version=raw["engine_version"])
        asked = Asked(
            configured=configured,
            model_config=raw["model_config"],
            gpu_count=gpu["count"],
            sets=[
                f"gpu_name={gpu['name']}",
                f"gpu_memory_bytes={gpu['memory_gib']}GiB",
                f"gpu_compute_capability={capability}",
            ],
        )
        answer = check(shipped(), asked, finds_ways_out=False, compares_releases=False)
    except KnockonError:
        pass
    return Case(raw["id"], said["status"] == "accepted", said.get("effective", {}), answer)


def test_what_the_engine_refuses_is_a_conflict_and_what_it_accepts_is_none(cases: tuple[Case, ...]) -> None:
    apart = {case.id: case.why for case in cases if case.was_accepted is not case.is_accepted}
    reasons = yaml.safe_load(REASONS.read_text(encoding="utf-8"))["refusal"]

    for one, why in apart.items():
        print(f"{one}: {why} — {reasons.get(one, 'not explained yet')}")  # noqa: T201 - read with -s
    assert 1 - len(apart) / len(cases) >= AGREED_ON_REFUSAL_MIN
    assert set(apart) == set(reasons)


def test_what_the_engine_ran_is_what_is_told(cases: tuple[Case, ...]) -> None:
    agreed: Counter[str] = Counter()
    apart: dict[str, list[str]] = {}
    for case in cases:
        if not case.was_accepted or case.answer is None:
            continue
        for one in case.answer.effective:
            if one.setting in _NOT_IN_THE_ANSWERS:
                continue
            if _as_told(one.setting, case.effective[one.setting]) == one.value:
                agreed[one.setting] += 1
            else:
                apart.setdefault(one.setting, []).append(case.id)
    reasons = yaml.safe_load(REASONS.read_text(encoding="utf-8"))["effective"]

    for setting in sorted({*agreed, *apart}):
        print(f"{setting:45} agreed {agreed[setting]:4} apart {', '.join(apart.get(setting, [])) or '-'}")  # noqa: T201 - read with -s
    missed = {f"{setting} {one}" for setting, ids in apart.items() for one in ids}
    assert agreed.total() / (agreed.total() + len(missed)) >= AGREED_ON_VALUES_MIN
    assert missed == set(reasons)


def test_enough_is_told(cases: tuple[Case, ...]) -> None:
    told = [len(case.answer.effective) for case in cases if case.was_accepted and case.answer is not None]

    # All but the models whose files tell too little get most of it; silence would agree with everything.
    assert sum(count >= 25 for count in told) / len(told) >= 0.95


def _as_told(setting: str, value: Any) -> Any:
    if setting == "compilation.mode":
        return _MODES[value]
    if setting == "cache.kv_cache_dtype_skip_layers":
        return ",".join(value)
    return value.removeprefix("torch.") if isinstance(value, str) else value
