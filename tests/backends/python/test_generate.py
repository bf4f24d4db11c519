from types import MappingProxyType

import pytest

from knockon.backends.base import Backend, Compiled
from knockon.backends.python.compiled import PythonBackend
from knockon.expr.parse import parse
from knockon.expr.vocabulary import NameInfo, Vocabulary
from knockon.terms.truth import Truth
from knockon.terms.words import Scalar

VOCABULARY = Vocabulary(
    {
        info.name: info
        for info in (
            NameInfo("a", "fact", "int"),
            NameInfo("b", "fact", "number"),
            NameInfo("threshold.a", "threshold", "number"),
            NameInfo("threshold_a", "fact", "number"),
            NameInfo("eager", "fact", "bool"),
        )
    }
)
TRUE, FALSE, UNKNOWN = Truth.TRUE, Truth.FALSE, Truth.UNKNOWN


def compiled(*texts: str) -> Compiled:
    backend: Backend = PythonBackend()
    return backend.compile([parse(text) for text in texts], VOCABULARY)


@pytest.mark.parametrize(
    ("values", "truths"),
    [
        pytest.param({"a": 4, "b": 2.0, "eager": True}, [TRUE, TRUE, FALSE], id="all-known"),
        pytest.param({"a": 4, "b": 0.0, "eager": True}, [UNKNOWN, TRUE, FALSE], id="division-by-zero"),
        pytest.param({"a": 4, "b": 1e-307, "eager": False}, [TRUE, FALSE, FALSE], id="large-but-finite"),
        pytest.param({"a": 4, "b": 5e-324, "eager": False}, [UNKNOWN, FALSE, FALSE], id="quotient-overflows"),
        pytest.param({"a": 4, "eager": True}, [UNKNOWN, TRUE, UNKNOWN], id="one-absent"),
        pytest.param({"a": 10**400, "b": 2.0, "eager": True}, [UNKNOWN, UNKNOWN, UNKNOWN], id="int-no-float-can-hold"),
        pytest.param({}, [UNKNOWN, UNKNOWN, UNKNOWN], id="nothing-known"),
    ],
)
def test_verdicts_of_several_conditions_come_in_their_order(values: dict[str, Scalar], truths: list[Truth]) -> None:
    rules = compiled("a / b > 1", "a > 3 and eager", "a + b < 0")

    assert rules.judge(values) == truths


def test_no_conditions_give_no_verdicts() -> None:
    assert compiled().judge({"a": 1}) == []


def test_single_name_is_taken_like_several() -> None:
    rules = compiled("a > 3")

    assert [rules.judge({"a": value}) for value in (4, 3, float("nan"))] == [[TRUE], [FALSE], [UNKNOWN]]


def test_threshold_and_name_that_look_alike_stay_apart() -> None:
    assert compiled("threshold.a > threshold_a").judge({"threshold.a": 2, "threshold_a": 1}) == [TRUE]


def test_constant_conditions_are_judged_without_values() -> None:
    assert compiled("true", "1 > 2", "1 / 0 > 2").judge({}) == [TRUE, FALSE, UNKNOWN]


def test_any_mapping_and_names_of_no_concern_are_taken() -> None:
    values = MappingProxyType({"a": 4, "unheard_of": "x"})

    assert compiled("a > 3").judge(values) == [TRUE]


def test_judging_leaves_the_values_alone() -> None:
    values: dict[str, Scalar] = {"a": 4, "b": float("inf")}

    compiled("a / b > 1").judge(values)

    assert values == {"a": 4, "b": float("inf")}


def test_each_distinct_term_is_computed_once() -> None:
    source = PythonBackend().compile([parse("a / b > 1"), parse("a / b < 9 or a / b == 3")], VOCABULARY).function.source

    two_valued, three_valued = source.split("except", 1)
    assert (two_valued.count("/"), three_valued.count("/")) == (1, 1)
