import pytest

from knockon.expr.nodes import Number
from knockon.expr.parse import parse
from knockon.expr.show import show


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("((a)) and (b)", "a and b", id="needless-brackets"),
        pytest.param("(a or b) and c", "(a or b) and c", id="or-under-and"),
        pytest.param("a and (b and c)", "a and (b and c)", id="and-under-and"),
        pytest.param("not (a and b)", "not (a and b)", id="not-over-and"),
        pytest.param("(not a) and b", "not a and b", id="not-under-and"),
        pytest.param("(a + b) * c", "(a + b) * c", id="sum-under-product"),
        pytest.param("a - (b - c)", "a - (b - c)", id="right-difference"),
        pytest.param("(a - b) - c", "a - b - c", id="left-difference"),
        pytest.param("-(a + b)", "-(a + b)", id="minus-over-sum"),
        pytest.param("(-a) * b", "-a * b", id="minus-under-product"),
        pytest.param("(a < b) == c", "(a < b) == c", id="comparison-under-comparison"),
        pytest.param("a < b < c", "a < b and b < c", id="chain"),
        pytest.param("(a+b) in (1,)", "a + b in (1,)", id="in"),
        pytest.param("'it\\'s'", '"it\'s"', id="quotes"),
        pytest.param("x==true", "x == True", id="truth"),
        pytest.param("1e30B", "1e+30B", id="exponent-with-unit"),
        pytest.param("min(a,-1)", "min(a, -1)", id="call"),
    ],
)
def test_text_is_written_with_as_few_brackets_as_it_needs(text: str, shown: str) -> None:
    assert show(parse(text)) == shown


def test_negative_number_of_a_normal_form_stands_without_brackets() -> None:
    assert show(Number(-5)) == "-5"
