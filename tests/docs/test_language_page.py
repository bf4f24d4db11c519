"""Every example of docs/language.md, run: verdicts, refusals with their caret, normal forms, and the tables."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from knockon.backends import BACKENDS
from knockon.expr.check import check_condition
from knockon.expr.functions import FUNCTIONS
from knockon.expr.normal import normal
from knockon.expr.parse import parse
from knockon.expr.show import show
from knockon.expr.vocabulary import NameInfo, NameKind, Vocabulary
from knockon.terms.errors import ExpressionError
from knockon.terms.limits import EXPRESSION_DEPTH_MAX, EXPRESSION_NODES_MAX, EXPRESSION_TEXT_MAX
from knockon.terms.truth import Truth, all_of, any_of
from knockon.terms.unit import LITERAL_UNITS, parse_unit
from knockon.terms.words import Scalar
from tests.data import read_yaml

CHECKOUT = Path(__file__).resolve().parents[2]
PAGE = (CHECKOUT / "docs" / "language.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def rows(header: str) -> list[list[str]]:
    table = PAGE.split(header, 1)[1].split("\n\n", 1)[0].splitlines()[2:]
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in table]


def judged() -> Iterator[tuple[str, dict[str, Scalar], Truth]]:
    for block in blocks("expr"):
        expression = ""
        for line in block.splitlines():
            if not line.startswith("  "):
                expression = line
                continue
            said, _, verdict = line.strip().rpartition(":")
            pairs = [pair.split(" = ") for pair in said.split(", ")] if said else []
            words = {"true": True, "false": False}
            values = {name: words[value] if value in words else ast.literal_eval(value) for name, value in pairs}
            yield expression, values, Truth[verdict.strip()]


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    """Give the names of the shipped vocabulary and the default profile."""
    shipped = read_yaml(CHECKOUT / "rules" / "vocabulary.yaml")
    profile = read_yaml(CHECKOUT / "rules" / "profiles" / "default.yaml")
    groups: list[tuple[NameKind, str, dict[str, dict[str, object]]]] = [
        ("fact", "", shipped["facts"]),
        ("reading", "", shipped["readings"]),
        ("threshold", "threshold.", profile["thresholds"]),
    ]
    infos = [
        NameInfo(
            name=prefix + name,
            kind=kind,
            type=entry.get("type", "number"),
            unit=parse_unit(str(entry.get("unit", "1"))),
            minimum=entry.get("min"),
            maximum=entry.get("max"),
            options=tuple(entry.get("options", ())),
        )
        for kind, prefix, entries in groups
        for name, entry in entries.items()
    ]
    return Vocabulary({info.name: info for info in infos})


@pytest.mark.parametrize("backend", list(BACKENDS))
@pytest.mark.parametrize(("expression", "values", "verdict"), list(judged()))
def test_example_has_the_verdict_it_states(
    expression: str, values: dict[str, Scalar], verdict: Truth, backend: str, vocabulary: Vocabulary
) -> None:
    assert set(values) <= set(vocabulary.names)

    compiled = BACKENDS[backend].compile([parse(expression)], vocabulary)

    assert compiled.judge(values) == [verdict]


@pytest.mark.parametrize("block", blocks("refused"))
def test_refused_example_says_what_the_page_says(block: str, vocabulary: Vocabulary) -> None:
    expression, said = block.rstrip("\n").split("\n", 1)

    with pytest.raises(ExpressionError) as raised:
        check_condition(parse(expression), vocabulary, text=expression)

    assert str(raised.value) == said


@pytest.mark.parametrize("block", blocks("normal"))
def test_normal_form_is_the_one_on_the_page(block: str, vocabulary: Vocabulary) -> None:
    expression, stated = block.splitlines()

    assert show(normal(parse(expression), vocabulary)) == stated


def test_table_of_literal_units_is_complete() -> None:
    stated = dict(rows("| unit of a literal | in base units |"))

    assert stated == {
        name: f"{literal.times}/{literal.per} {literal.unit}" if literal.per > 1 else f"{literal.times} {literal.unit}"
        for name, literal in LITERAL_UNITS.items()
    }


def test_table_of_functions_is_complete() -> None:
    stated = {name: takes for name, takes, _ in rows("| function | takes | gives |")}

    assert stated == {function.name: function.takes for function in FUNCTIONS.values()}


def test_table_of_truths_is_that_of_the_connectives() -> None:
    for a, b, both, either, inverse in rows("| a | b | a and b | a or b | not a |"):
        sides = Truth[a], Truth[b]
        assert (all_of(sides), any_of(sides), ~sides[0]) == (Truth[both], Truth[either], Truth[inverse])


def test_limits_on_the_page_are_those_in_force() -> None:
    stated = (
        f"at most {EXPRESSION_TEXT_MAX:,} characters, {EXPRESSION_DEPTH_MAX} levels and {EXPRESSION_NODES_MAX} nodes"
    )

    assert stated in PAGE
