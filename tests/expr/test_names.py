from knockon.expr.names import mentions, names_in
from knockon.expr.parse import parse


def test_names_are_found_under_every_kind_of_node() -> None:
    node = parse("not a and -b + 2 > max(c, threshold.d) or e in (1, 2) or 'text' == f")

    assert names_in(node) == {"a", "b", "c", "threshold.d", "e", "f"}


def test_mentions_keep_order_and_repetition() -> None:
    assert list(mentions(parse("b > a and a > c"))) == ["b", "a", "a", "c"]


def test_constant_mentions_nothing() -> None:
    assert names_in(parse("1 < 2")) == frozenset()
