"""PromQL, run by Prometheus' own promtool, gives the verdict of every agreement case and of random conditions."""

from pathlib import Path

import pytest
from hypothesis import given, settings

from knockon.backends import BACKENDS
from knockon.backends.base import Asked
from knockon.backends.promql.written import PromqlBackend
from knockon.expr.nodes import Node
from knockon.expr.parse import parse
from knockon.expr.show import show
from knockon.jobs.promtool import judged
from knockon.terms.errors import ExpressionError, KnockonError
from knockon.terms.truth import Truth
from knockon.terms.words import Scalar
from tests.agree.cases import Case, cases, vocabulary
from tests.backends.polars.test_frames import as_floats
from tests.property.expressions import VOCABULARY, conditions, full_values, numeric_conditions, odd_numbers, values

CASES = cases()
JUDGED = [case for case in CASES if case.truth]
REFUSED = [case for case in CASES if case.error]
# Hypothesis gives few examples by default; promtool takes hundreds at a time.
RANDOM = 200

pytestmark = pytest.mark.usefixtures("promtool")


def test_verdict_of_every_case_is_that_of_the_case_or_declared_unsupported() -> None:
    told = judged([Asked(parse(case.expression), case.values) for case in JUDGED], vocabulary())

    found = {case.id: truth.name.lower() if truth else "unsupported" for case, truth in zip(JUDGED, told, strict=True)}
    assert found == {case.id: "unsupported" if "promql" in case.unsupported else case.truth for case in JUDGED}


def test_random_conditions_get_the_verdicts_of_python() -> None:
    asked: list[Asked] = []

    @settings(max_examples=RANDOM)
    @given(conditions | numeric_conditions, values | full_values | odd_numbers)
    def collect(node: Node, known: dict[str, Scalar]) -> None:
        asked.append(Asked(node, as_floats(known)))

    collect()
    told = judged(asked, VOCABULARY)

    python = [BACKENDS["python"].compile([one.condition], VOCABULARY).judge(one.values)[0] for one in asked]
    compared = [
        (show(one.condition), dict(one.values), truth, wanted)
        for one, truth, wanted in zip(asked, told, python, strict=True)
        if truth is not None
    ]
    assert {wanted for *_, wanted in compared} == set(Truth)
    assert len(compared) > RANDOM // 2
    assert [one for one in compared if one[2] is not one[3]] == []


@pytest.mark.parametrize("case", REFUSED, ids=[case.id for case in REFUSED])
def test_what_is_refused_is_never_written(case: Case) -> None:
    with pytest.raises(ExpressionError) as raised:
        PromqlBackend().write([parse(case.expression)], vocabulary(), selector=str)

    assert raised.value.code == case.error


def test_missing_promtool_is_said_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")

    with pytest.raises(KnockonError, match="install Prometheus"):
        judged([Asked(parse("heads > 3"), {})], vocabulary())


def test_refusal_of_promtool_is_no_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "promtool"
    program.write_text("#!/bin/sh\necho 'parse error' >&2\nexit 1\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")

    with pytest.raises(KnockonError, match="parse error"):
        judged([Asked(parse("heads > 3"), {"heads": 4})], vocabulary())
