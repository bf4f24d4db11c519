import pytest

from knockon.catalog.polarity import leanings
from knockon.expr.condition import condition

UP, DOWN, BOTH, NEITHER = frozenset((1,)), frozenset((-1,)), frozenset((1, -1)), frozenset[int]()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a > b", UP),
        ("a >= 3", UP),
        ("b > a", DOWN),
        ("a < 2", DOWN),
        ("a <= b", DOWN),
        ("not (a > b)", DOWN),
        ("a == 1", BOTH),
        ("a != b", BOTH),
        ("a in (1, 2)", BOTH),
        ("b > 1", NEITHER),
        ("a + b > c", UP),
        ("c - a > b", DOWN),
        ("c > b - a", UP),
        ("a * b > c", UP),
        ("b / a > c", DOWN),
        ("a % 2 > b", BOTH),
        ("-a > b", DOWN),
        ("max(a, b) > c", UP),
        ("abs(a) > c", BOTH),
        ("ceil(b / a) < c", UP),
        ("a > a", BOTH),
        ("a > 1 and b > 1", UP),
        ("a > 1 or a < 9", BOTH),
        ("b > 1 or c < 9", NEITHER),
        ("a", BOTH),
        ("not a", BOTH),
    ],
)
def test_rise_of_a_leans_the_condition(text: str, expected: frozenset[int]) -> None:
    assert leanings(condition(text), "a") == expected
