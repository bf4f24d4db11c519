import pytest

from knockon.expr.check import check, check_condition
from knockon.expr.parse import parse
from knockon.expr.vocabulary import NameInfo, Vocabulary
from knockon.terms.errors import NameProblem, UnitProblem
from knockon.terms.unit import parse_unit

VOCABULARY = Vocabulary(
    {
        info.name: info
        for info in (
            NameInfo("ranks", "fact", "int"),
            NameInfo("share_ratio", "reading", "number", minimum=0, maximum=1),
            NameInfo("pool_bytes", "fact", "int", parse_unit("byte")),
            NameInfo("bytes_per_token", "fact", "number", parse_unit("byte/token")),
            NameInfo("wait_s", "reading", "number", parse_unit("s")),
            NameInfo("eager", "fact", "bool"),
            NameInfo("attention", "fact", "text", options=("mha", "gqa")),
            NameInfo("engine_version", "fact", "version"),
            NameInfo("threshold.share_high", "threshold", "number"),
        )
    }
)


@pytest.mark.parametrize(
    ("text", "type_", "unit", "is_bare"),
    [
        pytest.param("ranks", "int", "1", False, id="name"),
        pytest.param("2", "int", "1", True, id="bare-int"),
        pytest.param("0.5", "number", "1", True, id="bare-number"),
        pytest.param("80GiB", "int", "byte", False, id="bytes"),
        pytest.param("2ms", "number", "second", False, id="part-of-a-base-unit-is-no-int"),
        pytest.param("ranks * 2 + 1", "int", "1", False, id="ints"),
        pytest.param("2 * 3", "int", "1", True, id="bare-product"),
        pytest.param("ranks / 2", "number", "1", False, id="quotient-is-a-number"),
        pytest.param("pool_bytes / bytes_per_token", "number", "token", False, id="units-cancel"),
        pytest.param("pool_bytes * 2", "int", "byte", False, id="bare-factor"),
        pytest.param("1 / wait_s", "number", "1/second", False, id="bare-over-unit"),
        pytest.param("pool_bytes + 1", "int", "byte", False, id="bare-takes-the-unit"),
        pytest.param("min(1, pool_bytes)", "int", "byte", False, id="min-takes-the-unit"),
        pytest.param("ceil(wait_s)", "int", "second", False, id="ceil-gives-an-int"),
        pytest.param("abs(-wait_s)", "number", "second", False, id="abs-keeps-the-unit"),
        pytest.param("ranks % 2", "int", "1", False, id="remainder"),
        pytest.param("ranks > 1", "bool", "1", False, id="comparison"),
        pytest.param("eager", "bool", "1", False, id="truth"),
        pytest.param("attention", "text", "1", False, id="text"),
        pytest.param("engine_version", "version", "1", False, id="version"),
    ],
)
def test_type_and_unit_of_a_value(text: str, type_: str, unit: str, is_bare: bool) -> None:
    typed = check(parse(text), VOCABULARY, text=text)

    assert (typed.type, str(typed.unit), typed.is_bare) == (type_, unit, is_bare)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(
            "pool_bytes > 2s",
            "`>` needs one unit, and the sides are in byte and second\npool_bytes > 2s\n^^^^^^^^^^^^^^^",
            id="units",
        ),
        pytest.param(
            "eager and pool_bytes + wait_s > 1",
            "`+` needs one unit, and the sides are in byte and second\n"
            "eager and pool_bytes + wait_s > 1\n          ^^^^^^^^^^^^^^^^^^^",
            id="units-of-a-sum",
        ),
        pytest.param(
            "pool_bytes > 2 * ranks",
            "`>` needs one unit, and the sides are in byte and 1; convert by a name or a literal with a unit\n"
            "pool_bytes > 2 * ranks\n^^^^^^^^^^^^^^^^^^^^^^",
            id="unit-and-none",
        ),
        pytest.param(
            "ranks",
            "`ranks` is a plain number, not a condition; expected something that is true or false; "
            "compare it with a value\nranks\n^^^^^",
            id="no-condition",
        ),
        pytest.param(
            "eager + 1 > 2",
            "`+` needs numbers, and `eager` is a truth; expected a number\neager + 1 > 2\n^^^^^",
            id="sum-of-a-truth",
        ),
        pytest.param(
            "attention > 'gqa'",
            "`>` needs an order, and a text has none; compare with `==`, `!=` or `in`\n"
            "attention > 'gqa'\n^^^^^^^^^^^^^^^^^",
            id="order-of-texts",
        ),
        pytest.param(
            "ranks == '3'",
            "a plain number is compared with a text; write numbers without quotes, texts with quotes\n"
            "ranks == '3'\n^^^^^^^^^^^^",
            id="number-in-quotes",
        ),
        pytest.param(
            "engine_version > 0.10",
            'a version is compared with a plain number; expected a version, as in "0.10.2"; '
            "write it in quotes\nengine_version > 0.10\n                 ^^^^",
            id="version-without-quotes",
        ),
        pytest.param(
            "engine_version > 'new'",
            '"new" is not a version; expected numbers and dots, as in "0.10.2"\n'
            "engine_version > 'new'\n                 ^^^^^",
            id="no-version",
        ),
        pytest.param(
            "attention in ('gqa', 'mka')",
            """attention is never "mka"; expected one of mha, gqa; did you mean 'mha'?\n"""
            "attention in ('gqa', 'mka')\n                     ^^^^^",
            id="no-option",
        ),
        pytest.param(
            "0.5 < share_ratio and share_ratio < 95",
            "share_ratio is never 95; expected a number from 0 to 1; write a share as a number between 0 and 1\n"
            "0.5 < share_ratio and share_ratio < 95\n                                    ^^",
            id="per-cent",
        ),
        pytest.param(
            "(ranks > 1) != eager",
            "`ranks > 1` is compared as a truth; expected a name; join with `and` and `or`\n"
            "(ranks > 1) != eager\n ^^^^^^^^^",
            id="comparison-of-conditions",
        ),
        pytest.param(
            "wait_s % 2 == 0",
            "`%` needs whole numbers, and the sides are a number in second and a plain number; "
            "round with `floor` first\n"
            "wait_s % 2 == 0\n^^^^^^^^^^",
            id="remainder-of-a-number",
        ),
    ],
)
def test_what_does_not_fit_is_refused_with_a_caret(text: str, said: str) -> None:
    with pytest.raises(UnitProblem) as raised:
        check_condition(parse(text), VOCABULARY, text=text)

    assert str(raised.value) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("rank > 1", "no name is called 'rank'; did you mean 'ranks'?\nrank > 1\n^^^^", id="near"),
        pytest.param(
            "zzz > 1",
            "no name is called 'zzz'; expected a name of rules/vocabulary.yaml; add it to rules/vocabulary.yaml\n"
            "zzz > 1\n^^^",
            id="far",
        ),
        pytest.param(
            "ranks > threshold.zzz",
            "no name is called 'threshold.zzz'; expected a name of a profile; add it to a profile\n"
            "ranks > threshold.zzz\n        ^^^^^^^^^^^^^",
            id="threshold",
        ),
    ],
)
def test_unknown_name_is_refused_with_the_nearest(text: str, said: str) -> None:
    with pytest.raises(NameProblem) as raised:
        check_condition(parse(text), VOCABULARY, text=text)

    assert str(raised.value) == said


def test_without_its_text_the_expression_is_written_out_for_the_caret() -> None:
    with pytest.raises(UnitProblem) as raised:
        check_condition(parse("((ranks))   > 3s"), VOCABULARY)

    assert raised.value.caret == "ranks > 3s\n^^^^^^^^^^"
