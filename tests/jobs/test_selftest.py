"""The self-test runs everything there is, and tells what is not as it should be."""

import sys
from collections import Counter
from pathlib import Path

import pytest

from knockon.backends import BACKENDS
from knockon.cli.answers.selftest import data, page
from knockon.engines import ENGINES
from knockon.engines.base import Configured
from knockon.engines.vllm.engine import Vllm
from knockon.formats import FORMATS
from knockon.jobs.knowledge import Knowledge
from knockon.jobs.selftest.backends import backend_outcomes
from knockon.jobs.selftest.engines import engine_outcomes
from knockon.jobs.selftest.outcome import difference
from knockon.jobs.selftest.run import selftest
from knockon.manifests import MANIFESTS
from knockon.sources import SOURCES
from tests.shipped import shipped


def test_every_member_and_every_rule_is_run_and_passes() -> None:
    knowledge: Knowledge = shipped()
    outcomes = list(selftest(knowledge))

    assert [one for one in outcomes if one.problem or one.not_run] == []
    members = {(one.family, one.member) for one in outcomes if one.family != "rules"}
    families = {
        "backends": BACKENDS, "engines": ENGINES, "manifests": MANIFESTS, "sources": SOURCES, "formats": FORMATS,
    }  # fmt: skip
    assert members == {(family, member) for family, table in families.items() for member in table}
    rules = Counter(one.member for one in outcomes if one.family == "rules")
    assert rules == {str(rule.id): len(rule.examples) for rule in knowledge.rulebook.by_id.values()}


def test_member_that_reads_otherwise_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    read = Vllm.read

    def deaf(self: Vllm, *arguments: object, **options: object) -> Configured:
        return read(self, (), **{**options, "files": None})  # type: ignore[arg-type]

    monkeypatch.setattr(Vllm, "read", deaf)

    told = {one.case: one.problem for one in engine_outcomes() if one.member == "vllm"}

    assert len([case for case, problem in told.items() if problem]) > len(told) / 2
    assert told["the worked example"] == "model is None; expected 'Qwen/Qwen3-235B-A22B'"


def test_member_that_breaks_is_a_failure_not_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Vllm, *arguments: object, **options: object) -> Configured:
        raise ZeroDivisionError("a defect")

    monkeypatch.setattr(Vllm, "read", broken)

    assert "ZeroDivisionError: a defect" in {one.problem for one in engine_outcomes() if one.member == "vllm"}


def test_backend_whose_extra_is_not_installed_is_not_run_and_says_what_it_needs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # None in sys.modules is what Python itself knows as "cannot be imported".
    monkeypatch.setitem(sys.modules, "z3", None)

    outcomes = list(backend_outcomes())

    proofs = [one for one in outcomes if one.member == "z3"]
    (why,) = {one.not_run for one in proofs}
    assert why.endswith("is not installed; expected z3-solver; pip install 'knockon[analysis]'")
    assert [one for one in outcomes if one.problem or (one.not_run and one.member != "z3")] == []
    told = data(outcomes, "1")
    assert told["passed"] is True
    assert [one["member"] for one in told["not_run"]] == ["z3"]  # type: ignore[index,union-attr,call-overload]
    drawn = str(page(outcomes, "1", language="en"))
    assert f"0 failed, {len(proofs):,} not run" in drawn
    assert f"backends z3: {why}" in drawn


def test_difference_names_the_first_value_that_differs() -> None:
    assert difference({"a": 1, "b": 2}, {"a": 1, "b": 2}) == ""
    assert difference({"a": 1, "b": 2}, {"a": 1, "b": 3}) == "b is 3; expected 2"
    assert difference({"a": 1}, {"a": 1, "b": 3}) == "b is 3; expected None"


def test_every_case_file_of_the_package_belongs_to_a_member_that_is_run() -> None:
    import knockon

    package = Path(next(iter(knockon.__path__)))
    found = {(file.parent.parent.name, file.parent.name) for file in package.rglob("cases.yaml")}

    tables = {"engines": ENGINES, "manifests": MANIFESTS, "sources": SOURCES, "formats": FORMATS}
    assert found == {(family, name.replace("-", "_")) for family, table in tables.items() for name in table}
