import pytest

from knockon.backends.python.compiled import PythonBackend, Rules
from knockon.backends.python.reasons import Atom, evidence
from knockon.expr.parse import parse
from knockon.expr.vocabulary import NameInfo, Vocabulary
from knockon.terms.errors import NameProblem, UnitProblem
from knockon.terms.truth import Truth
from knockon.terms.words import Scalar

VOCABULARY = Vocabulary(
    {
        info.name: info
        for info in (NameInfo("a", "fact", "int"), NameInfo("b", "fact", "number"), NameInfo("eager", "fact", "bool"))
    }
)


def compiled(*texts: str) -> Rules:
    return PythonBackend().compile([parse(text) for text in texts], VOCABULARY)


def test_condition_that_does_not_hold_is_refused_with_its_text() -> None:
    with pytest.raises(NameProblem, match="no name is called 'eagr'"):
        compiled("a > 1", "eagr")
    with pytest.raises(UnitProblem, match="not a condition"):
        compiled("a + 1")


def test_evidence_is_that_of_the_condition_at_the_index() -> None:
    rules = compiled("a > 1", "not (b < 2 or eager)")

    assert rules.evidence(1, {"b": 3, "a": 2}) == (
        Atom("b >= 2", Truth.TRUE, {"b": 3}),
        Atom("eager == False", Truth.UNKNOWN, {}),
    )


@pytest.mark.parametrize("values", [{"a": 4, "b": 0.0}, {"a": 4, "b": 2.5, "eager": True}, {}], ids=str)
def test_evidence_is_the_same_prepared_and_asked_once(values: dict[str, Scalar]) -> None:
    text = "a / b > 1 and (eager or not a > 3)"
    rules = compiled(text)

    first, second = rules.evidence(0, values), rules.evidence(0, values)

    assert first == second == evidence(parse(text), values, vocabulary=VOCABULARY)
