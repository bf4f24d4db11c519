"""Where conditions turn, and which values stand there."""

import pytest

from knockon.expr.parse import parse
from knockon.expr.show import show
from knockon.expr.vocabulary import NameInfo, Vocabulary
from knockon.rules.boundary import turning_points

VOCABULARY = Vocabulary(
    {
        info.name: info
        for info in (
            NameInfo("ranks", "fact", "int", minimum=1, maximum=1024),
            NameInfo("heads", "fact", "int", minimum=1),
            NameInfo("free", "fact", "int", minimum=0),
            NameInfo("share", "fact", "number", above=0, maximum=1),
            NameInfo("kind", "fact", "text"),
            NameInfo("other_kind", "fact", "text"),
            NameInfo("is_eager", "fact", "bool"),
            NameInfo("release", "fact", "version"),
        )
    }
)


@pytest.mark.parametrize(
    ("condition", "points"),
    [
        ("ranks > heads", ["ranks > heads"]),
        ("not ranks > heads", ["ranks > heads"]),
        ("1 < ranks <= heads", ["1 < ranks", "ranks <= heads"]),
        ("ranks == 4", ["ranks == 4"]),
        ("heads % ranks != 0", ["heads % ranks != 0"]),
        ("ranks * 2 > heads + 1", ["ranks * 2 > heads + 1"]),
        ("min(ranks, heads) < 2", ["min(ranks, heads) < 2"]),
        ("heads not in (64, 128)", ["heads not in (64, 128)"]),
        ('release >= "0.10.0"', ['release >= "0.10.0"']),
        ('kind == "gqa" and (is_eager or ranks > 1)', ["ranks > 1"]),
        # Words, truths, architectures.
        ('kind == "gqa" and kind != other_kind and is_eager == false and not is_eager', []),
        ('kind in ("gqa", "mqa") and release == "9.0"', []),
        # What the range of the name decides asks for presence only.
        ("free >= 0", []),
        ("not free < 0", []),
        ("ranks <= 1024", []),
        ("share > 0", []),
        ("free > 0", ["free > 0"]),
        ("ranks >= 1024", ["ranks >= 1024"]),
        ("ranks == 1", ["ranks == 1"]),
    ],
)
def test_comparisons_that_turn_are_found(condition: str, points: list[str]) -> None:
    assert [show(point.of) for point in turning_points(parse(condition), VOCABULARY)] == points


@pytest.mark.parametrize(
    ("condition", "values", "is_at"),
    [
        ("ranks > heads", {"ranks": 4, "heads": 4}, True),
        ("ranks > heads", {"ranks": 5, "heads": 4}, False),
        ("ranks > heads", {"ranks": 4}, False),
        ("heads % ranks != 0", {"heads": 32, "ranks": 8}, True),
        ("heads % ranks != 0", {"heads": 28, "ranks": 8}, False),
        ("heads not in (64, 128)", {"heads": 128}, True),
        ("heads not in (64, 128)", {"heads": 96}, False),
        ("share * 3 > 0.9", {"share": 0.3}, True),
        ('release < "0.10.0"', {"release": "0.10"}, True),
        ('release < "0.10.0"', {"release": "0.10.0rc1"}, False),
        ('release < "0.10.0"', {"release": "nightly"}, False),
    ],
)
def test_values_stand_at_the_point_where_both_sides_are_equal(
    condition: str, values: dict[str, int | float | str], *, is_at: bool
) -> None:
    (point,) = turning_points(parse(condition), VOCABULARY)

    assert point.is_at(values, VOCABULARY) is is_at


@pytest.mark.parametrize(
    ("condition", "values", "decides"),
    [
        ('ranks > heads and kind == "gqa"', {"kind": "gqa"}, True),
        ('ranks > heads and kind == "gqa"', {"kind": "mla"}, False),
        ('ranks > heads and kind == "gqa"', {}, False),
        ('ranks > heads or kind == "gqa"', {"kind": "mla"}, True),
        ('ranks > heads or kind == "gqa"', {"kind": "gqa"}, False),
        ("not (ranks > heads or is_eager)", {"is_eager": False}, True),
        ('(ranks > heads or is_eager) and kind == "gqa"', {"is_eager": False, "kind": "gqa"}, True),
        ('(ranks > heads or is_eager) and kind == "gqa"', {"is_eager": True, "kind": "gqa"}, False),
    ],
)
def test_a_comparison_decides_where_the_rest_leaves_the_outcome_to_it(
    condition: str, values: dict[str, bool | str], *, decides: bool
) -> None:
    (point,) = turning_points(parse(condition), VOCABULARY)

    assert point.decides(values, VOCABULARY) is decides
