"""Every back-end gives the verdict of every agreement case, and every refusal is the one the case states."""

import pytest

from knockon.backends import BACKENDS
from knockon.backends.base import Backend
from knockon.backends.python.walk import judge_one
from knockon.expr.check import check_condition
from knockon.expr.normal import normal
from knockon.expr.parse import parse
from knockon.terms.errors import ExpressionError
from knockon.terms.truth import Truth
from tests.agree.cases import Case, cases, vocabulary

VOCABULARY = vocabulary()
CASES = cases()
JUDGED = [case for case in CASES if case.truth]
REFUSED = [case for case in CASES if case.error]
TRUTHS = {"true": Truth.TRUE, "false": Truth.FALSE, "unknown": Truth.UNKNOWN}

every_backend = pytest.mark.parametrize("backend", BACKENDS.values(), ids=list(BACKENDS))
every_refused = pytest.mark.parametrize("case", REFUSED, ids=[case.id for case in REFUSED])


def test_cases_are_distinct_and_cover_every_verdict() -> None:
    ids = [case.id for case in CASES]

    assert len(ids) == len(set(ids))
    assert {case.truth for case in JUDGED} == set(TRUTHS)
    assert {case.error for case in REFUSED} == {
        "syntax",
        "unknown-name",
        "unit-mismatch",
        "type-mismatch",
        "not-a-version",
        "unknown-option",
        "out-of-range",
    }


@every_backend
def test_verdict_is_that_of_the_case(backend: Backend) -> None:
    wrong = {}
    for case in JUDGED:
        [truth] = backend.compile([parse(case.expression)], VOCABULARY).judge(case.values)
        if truth is not TRUTHS[case.truth]:
            wrong[case.id] = truth

    assert wrong == {}


@pytest.mark.parametrize(
    "backend",
    # One model of all cases takes z3 as long as the whole rest of this folder.
    [pytest.param(one, id=name, marks=[pytest.mark.proof] if name == "z3" else []) for name, one in BACKENDS.items()],
)
def test_verdicts_of_all_cases_hold_in_one_rulebook(backend: Backend) -> None:
    compiled = backend.compile([parse(case.expression) for case in JUDGED], VOCABULARY)

    for index, case in enumerate(JUDGED):
        assert compiled.judge(case.values)[index] is TRUTHS[case.truth], case.id


def test_walk_gives_the_verdict_before_and_after_normalising() -> None:
    wrong = {}
    for case in JUDGED:
        node = parse(case.expression)
        truths = [judge_one(one, case.values, vocabulary=VOCABULARY) for one in (node, normal(node))]
        if truths != [TRUTHS[case.truth]] * 2:
            wrong[case.id] = truths

    assert wrong == {}


@every_refused
def test_refusal_is_that_of_the_case(case: Case) -> None:
    with pytest.raises(ExpressionError) as raised:
        check_condition(parse(case.expression), VOCABULARY, text=case.expression)

    error = raised.value
    assert (error.code, (error.span.start, error.span.end)) == (case.error, case.at)
    assert error.text == case.expression


@every_backend
def test_no_backend_compiles_what_is_refused(backend: Backend) -> None:
    for case in REFUSED:
        with pytest.raises(ExpressionError) as raised:
            backend.compile([parse(case.expression)], VOCABULARY)

        assert raised.value.code == case.error, case.id
