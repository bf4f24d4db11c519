import pytest

from knockon.expr.nodes import Arithmetic, Bool, Name, Number
from knockon.expr.normal import normal, without_not
from knockon.expr.parse import parse
from knockon.expr.show import show
from knockon.expr.vocabulary import NameInfo, Vocabulary
from knockon.terms.errors import UnitProblem


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("not a", "a == False", id="not-of-a-name"),
        pytest.param("not not a", "a", id="double-not"),
        pytest.param("not (a and b > 1)", "a == False or b <= 1", id="not-of-and"),
        pytest.param("not (a or not b)", "a == False and b", id="not-of-or"),
        pytest.param("not a in (1, 2)", "a not in (1, 2)", id="not-of-in"),
        pytest.param("not a == 1", "a != 1", id="not-of-equal"),
        pytest.param("not 1 < a < 2", "a <= 1 or a >= 2", id="not-of-chain"),
        pytest.param("a == true", "a", id="equal-true"),
        pytest.param("false != a", "a", id="unequal-false"),
        pytest.param("a != true", "a == False", id="unequal-true"),
        pytest.param("(a > 1) == false", "a <= 1", id="comparison-equal-false"),
        pytest.param("(a > 1 and b) == false", "a <= 1 or b == False", id="and-equal-false"),
        pytest.param("80GiB < a", "a > 85899345920", id="unit-and-side"),
        pytest.param("a == 0.3ms", "a == 0.0003", id="unit-rounded-once"),
        pytest.param("a in (1KiB, -2)", "a in (1024, -2)", id="unit-of-an-option"),
        pytest.param("a > 2 * 3 - 7", "a > -1", id="arithmetic"),
        pytest.param("a > max(1, 2) / 4", "a > 0.5", id="function"),
        pytest.param("a + (1 + 2) > 0", "a + 3 > 0", id="inner-constant"),
        pytest.param("a > 1 / 0", "a > 1 / 0", id="no-value-stays"),
        pytest.param("1 < 2", "True", id="comparison"),
        pytest.param("'x' == 'y'", "False", id="texts"),
        pytest.param("3 not in (1, 2)", "True", id="member"),
        pytest.param("a and true and (b and c)", "a and b and c", id="and-flattened"),
        pytest.param("a and (b or false)", "a and b", id="one-item-left"),
        pytest.param("a or b or 1 < 2", "True", id="or-decided"),
        pytest.param("a and not true", "False", id="and-decided"),
        pytest.param("true and true", "True", id="nothing-left"),
        pytest.param("a or (b or c) and true", "a or b or c", id="or-flattened"),
    ],
)
def test_normal_form(text: str, shown: str) -> None:
    assert show(normal(parse(text))) == shown


def test_number_too_large_to_compute_stays_as_written() -> None:
    huge = Arithmetic("*", Number(10**300), Number(10**300))

    assert normal(huge) == huge


def test_not_is_pushed_without_computing_anything() -> None:
    assert show(without_not(parse("not (a > 80GiB or false)"))) == "a <= 80GiB and True"


def test_vocabulary_makes_it_refuse_what_does_not_hold() -> None:
    vocabulary = Vocabulary({"a": NameInfo("a", "fact", "bool")})

    assert normal(Name("a"), vocabulary) == Name("a")
    with pytest.raises(UnitProblem, match="a truth is compared with a plain number"):
        normal(parse("a == 1"), vocabulary)


def test_negative_constant_is_one_number() -> None:
    node = normal(parse("-(2 + 3)"))

    assert node == Number(-5)
    assert normal(parse("not true")) == Bool(False)
