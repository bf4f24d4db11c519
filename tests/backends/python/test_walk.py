import pytest

from knockon.backends.python.walk import judge_one, value_of
from knockon.expr.nodes import Node
from knockon.expr.parse import parse
from knockon.expr.vocabulary import NameInfo, Vocabulary
from knockon.terms.truth import Truth
from knockon.terms.words import Scalar


@pytest.mark.parametrize(
    ("text", "values", "value"),
    [
        pytest.param("tp / h", {"tp": 8, "h": 4}, 2, id="whole-quotient-is-an-int"),
        pytest.param("tp / h", {"tp": 6, "h": 4}, 1.5, id="quotient"),
        pytest.param("dcp / (tp / h)", {"tp": 8, "h": 4, "dcp": 1}, 0.5, id="nested"),
        pytest.param("2 * 40GiB", {}, 85899345920, id="literal-in-base-units"),
        pytest.param("max(1, tp % 3)", {"tp": 8}, 2, id="function"),
        pytest.param("-floor(tp / 3)", {"tp": 8}, -2, id="floor"),
        pytest.param("tp / h", {"tp": 8, "h": 0}, None, id="division-by-zero"),
        pytest.param("tp / h", {"tp": 8}, None, id="absent"),
        pytest.param("tp * 1e308", {"tp": 8}, None, id="overflow"),
        pytest.param("tp + 1", {"tp": True}, None, id="truth-is-no-number"),
        pytest.param("name", {"name": "gqa"}, "gqa", id="text"),
        pytest.param("tp > 4", {"tp": 8}, True, id="condition"),
        pytest.param("tp > 4", {}, None, id="unknown-condition"),
        pytest.param("tp * 1e300", {"tp": 8}, 8e300, id="no-hundreds-of-digits"),
        pytest.param("big * 2", {"big": 2**60}, 2**61, id="exact-beyond-floats"),
    ],
)
def test_value_of_an_expression(text: str, values: dict[str, Scalar], value: Scalar | None) -> None:
    found = value_of(parse(text), values)

    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("node", "values", "truth"),
    [
        pytest.param(parse("v >= '0.10'"), {"v": "0.9"}, Truth.FALSE, id="ordered-texts-are-versions"),
        pytest.param(parse("v == '0.10.0'"), {"v": "0.10"}, Truth.FALSE, id="equal-texts-are-texts"),
        pytest.param(parse("v > 'x'"), {"v": "0.10"}, Truth.UNKNOWN, id="no-version"),
        pytest.param(parse("v"), {"v": 1}, Truth.UNKNOWN, id="number-is-no-condition"),
        pytest.param(parse("v"), {"v": True}, Truth.TRUE, id="truth"),
        pytest.param(parse("v < w"), {"v": True, "w": False}, Truth.UNKNOWN, id="order-of-truths"),
        pytest.param(parse("v == w"), {"v": 1, "w": "1"}, Truth.UNKNOWN, id="mixed-types"),
    ],
)
def test_without_a_vocabulary_the_types_of_the_values_decide(
    node: Node, values: dict[str, Scalar], truth: Truth
) -> None:
    assert judge_one(node, values) is truth


def test_vocabulary_makes_equal_versions_equal() -> None:
    vocabulary = Vocabulary({"v": NameInfo("v", "fact", "version")})

    assert judge_one(parse("v == '0.10.0'"), {"v": "0.10"}, vocabulary=vocabulary) is Truth.TRUE
