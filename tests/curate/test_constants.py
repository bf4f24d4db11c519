"""What is said to hold always or never does so, whatever is known."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knockon.backends.python.walk import judge_one
from knockon.curate.checks.constants import constant_of
from knockon.expr.nodes import And, Node, Or
from knockon.expr.parse import parse
from knockon.expr.vocabulary import NameInfo, Vocabulary
from knockon.terms.truth import Truth
from knockon.terms.words import Scalar
from tests.property.expressions import VOCABULARY, conditions, values

SAID = re.compile(r"`(.*)` (?:names nothing and |compares a thing with itself and )?(always|never) holds", re.DOTALL)
KNOWN = Vocabulary(
    {
        "x": NameInfo("x", "fact", "number"),
        "y": NameInfo("y", "fact", "number"),
        "flag": NameInfo("flag", "fact", "bool"),
        "engine": NameInfo("engine", "fact", "text"),
        "version": NameInfo("version", "fact", "version"),
    }
)


def opposites(node: Node) -> st.SearchStrategy[Node]:
    """The condition beside parts of its like, where an opposite is likelier than by chance."""
    return st.lists(conditions, min_size=1, max_size=3).flatmap(
        lambda more: st.sampled_from([And((node, *more)), Or((node, *more)), node])
    )


@given(conditions.flatmap(opposites), st.lists(values, min_size=3, max_size=3))
def test_what_is_said_to_be_constant_is(node: Node, cases: list[dict[str, Scalar]]) -> None:
    found = constant_of(node, VOCABULARY)
    said = SAID.match(found[0]) if found else None

    if said is not None:
        denied = Truth.FALSE if said[2] == "always" else Truth.TRUE
        part = parse(said[1])
        assert denied not in {judge_one(part, known, vocabulary=VOCABULARY) for known in cases}


@pytest.mark.parametrize(
    "text",
    [
        "x >= 3 and x <= 3",
        "x > 1 and x != 2",
        "x > 0 or x < 0",
        "x > 1 or x > 2",
        "not (x > 1 and x > 2)",
        "x > y or y > x",
        'engine in ("a", "b") and engine != "a"',
        'version == "1.2" and version == "1.2.0"',
        'version >= "1.2" and version < "1.10"',
        "flag or x > 1",
        "x / y > 1 / 3",
    ],
)
def test_condition_that_decides_something_is_no_constant(text: str) -> None:
    assert constant_of(parse(text), KNOWN) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x == 2 and x != 2", "`x == 2 and x != 2` never holds: its parts exclude one another"),
        ("x == 4 and x > 4", "`x == 4 and x > 4` never holds: its parts exclude one another"),
        ("x > 3 and x <= 3", "`x > 3 and x <= 3` never holds: its parts exclude one another"),
        ("flag == true or flag == false", "`flag or flag == False` always holds: one of its parts does"),
        ('engine in ("a",) and engine == "b"', '`engine in ("a",) and engine == "b"` never holds: its parts exclude'),
        ("x * y < x * y", "`x * y < x * y` compares a thing with itself and never holds"),
        ("1e308 * 10 > x", "`1e+308 * 10` is too large for a number and never has a value"),
        ("x > -(1 / 0)", "`1 / 0` divides by zero and never has a value"),
        ("min(1, 2) > 3", "`min(1, 2) > 3` names nothing and never holds"),
        ("x > 1 and 2 < 1", "the condition never holds"),
    ],
)
def test_constant_condition_says_why(text: str, said: str) -> None:
    found = constant_of(parse(text), KNOWN)

    assert found is not None
    assert found[0].startswith(said)
