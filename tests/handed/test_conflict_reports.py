"""Public reports of settings that clash: does `check` give the right verdict, for the true cause?

Runs where the handed folder is. Reports are written as the command line and facts that conflict_reports.yaml says; what
it does not say is taken from the report as it stands.
"""

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from knockon.engines import read_command
from knockon.jobs.check import CheckAnswer, check
from knockon.jobs.deployment import Asked
from knockon.terms.argument import arguments_of
from knockon.terms.words import CheckVerdict
from tests.data import read_yaml
from tests.shipped import shipped

WRITTEN = Path(__file__).with_name("conflict_reports.yaml")
RIGHT_MIN = 0.95
_PROGRAMS = {"vllm": ["vllm", "serve"], "sglang": ["python", "-m", "sglang.launch_server", "--model-path"]}
_ENVIRONMENT = re.compile(r"[A-Z][A-Z0-9_]*=\S*")
_ALARMS = (CheckVerdict.CONFLICT, CheckVerdict.DEGRADED)


@dataclass(frozen=True, slots=True)
class Report:
    """One concrete report with what `check` says of it."""

    id: str
    wanted: str
    is_control: bool
    names: Sequence[str]
    answer: CheckAnswer

    @property
    def fired(self) -> dict[str, str]:
        return {one.finding.rule.id: one.finding.verdict.value for one in self.answer.findings}

    @property
    def is_right(self) -> bool:
        if self.wanted == "fine":
            return self.answer.verdict not in _ALARMS
        return self.answer.verdict.value == self.wanted

    @property
    def is_named(self) -> bool:
        """Whether a rule that names the true cause fires, and no milder than the report is."""
        return not self.names or any(self.fired.get(name) == self.wanted for name in self.names)


@pytest.fixture(scope="module")
def written() -> Mapping[str, Mapping[str, Any]]:
    held: Mapping[str, Mapping[str, Any]] = read_yaml(WRITTEN)
    return held


@pytest.fixture(scope="module")
def raw(shared_dir: Path) -> Sequence[Mapping[str, Any]]:
    path = shared_dir / "cases" / "conflict_reports.jsonl"
    if not path.is_file():
        pytest.skip(f"the reports are not among the handed cases: {path}")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def reports(raw: Sequence[Mapping[str, Any]], written: Mapping[str, Mapping[str, Any]]) -> Sequence[Report]:
    return [_report(one, written.get(one["id"], {})) for one in raw if "not_concrete" not in written.get(one["id"], {})]


def _report(raw: Mapping[str, Any], written: Mapping[str, Any]) -> Report:
    engine = raw["engine"].split()[0]
    environment, words = _words(written.get("words", raw["config_args"]))
    model = written.get("model", re.sub(r"\s*\(.*", "", raw["model"]).strip())
    configured = read_command(
        arguments_of([*environment, *_PROGRAMS[engine], model, *words]),
        version=written.get("version", raw["engine_version"]),
    )
    asked = Asked(configured=configured, gpu=written.get("gpu", raw["gpu"]), sets=written.get("sets", ()))
    return Report(
        raw["id"],
        raw["verdict"],
        raw["control"],
        written.get("names", ()),
        check(shipped(), asked, compares_releases=False),
    )


def _words(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """The variables and the words of a report's arguments; remarks in brackets and free text are no words."""
    environment, words = [], []
    for argument in arguments:
        said = re.sub(r"\s*\((?:[^()]*)\)$", "", argument)
        if _ENVIRONMENT.fullmatch(said):
            environment.append(said)
        elif said.startswith("-") or re.fullmatch(r"[a-z_0-9]+=\S+", said):
            words += shlex.split(said)
    return environment, words


def test_controls_raise_no_alarm(reports: Sequence[Report]) -> None:
    false = {one.id: one.fired for one in reports if one.is_control and one.answer.verdict in _ALARMS}

    assert false == {}


def test_the_verdict_is_the_reports_and_a_rule_names_the_cause(reports: Sequence[Report]) -> None:
    missed = [one for one in reports if not (one.is_right and one.is_named)]
    for one in missed:
        needs = sorted({name for each in one.answer.cannot_tell for name in each.needs})
        print(f"{one.id}: wanted {one.wanted}, got {one.answer.verdict.value} {one.fired}; open {needs[:6]}")  # noqa: T201 - read with -s
    print(f"right {len(reports) - len(missed)} of {len(reports)} concrete reports")  # noqa: T201 - read with -s

    assert 1 - len(missed) / len(reports) >= RIGHT_MIN


def test_every_report_is_written_or_is_no_deployment(
    raw: Sequence[Mapping[str, Any]], written: Mapping[str, Mapping[str, Any]]
) -> None:
    ids = {one["id"] for one in raw}

    assert set(written) - ids == set()
    alarming = {one["id"] for one in raw if one["verdict"] != "fine"}
    assert {one for one in alarming if not {"names", "not_concrete"} & written.get(one, {}).keys()} == set()
