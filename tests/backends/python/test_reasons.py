import pytest

from knockon.backends.python.reasons import Atom, evidence, lacking
from knockon.expr.parse import parse
from knockon.expr.vocabulary import NameInfo, Vocabulary
from knockon.terms.truth import Truth
from knockon.terms.words import Scalar


def test_evidence_has_every_comparison_with_what_it_saw() -> None:
    node = parse("tp > h and not (pool < 80GiB or eager) and kind in ('gqa', 'mqa')")

    found = evidence(node, {"tp": 8, "h": 4, "pool": 2**40, "kind": "mha"})

    assert found == (
        Atom("tp > h", Truth.TRUE, {"tp": 8, "h": 4}),
        Atom("pool >= 80GiB", Truth.TRUE, {"pool": 2**40}),
        Atom("eager == False", Truth.UNKNOWN, {}),
        Atom('kind in ("gqa", "mqa")', Truth.FALSE, {"kind": "mha"}),
    )
    assert list(found[0].seen) == ["tp", "h"]


def test_evidence_of_a_single_truth_is_the_truth() -> None:
    assert evidence(parse("eager"), {"eager": True}) == (Atom("eager", Truth.TRUE, {"eager": True}),)


@pytest.mark.parametrize(
    ("text", "values", "names"),
    [
        pytest.param("a > 1 and b > 1", {}, ("a", "b"), id="both-absent"),
        pytest.param("a > 1 and b > 1", {"a": 0}, (), id="and-decided-by-false"),
        pytest.param("a > 1 and b > 1", {"a": 2}, ("b",), id="and-waits-for-the-other"),
        pytest.param("a > 1 or b > 1", {"a": 2}, (), id="or-decided-by-true"),
        pytest.param("a > 1 or b > 1", {"a": 0}, ("b",), id="or-waits-for-the-other"),
        pytest.param("b > 1 and (a > 1 or c > 1)", {"b": 2}, ("a", "c"), id="order-of-mention"),
        pytest.param("b > a and a > c", {}, ("b", "a", "c"), id="each-name-once"),
        pytest.param("not (a > 1 or b > 1)", {"a": 2}, (), id="not"),
        pytest.param("(a > 1 and b > 1) or c > 1", {"a": 0}, ("c",), id="decided-branch-is-left-out"),
        pytest.param("a / b > 1", {"a": 1, "b": 0}, (), id="division-by-zero-lacks-nothing"),
        pytest.param("a / b + c > 1", {"a": 1, "b": 0}, (), id="no-value-helps-a-division-by-zero"),
        pytest.param("a / b > 1 and c > 1", {"a": 1, "b": 0}, ("c",), id="other-side-may-still-be-false"),
        pytest.param("a > 1", {"a": float("nan")}, ("a",), id="nan-is-lacking"),
        pytest.param("a > 1", {"a": 2}, (), id="known"),
    ],
)
def test_lacking_names_are_those_that_still_matter(
    text: str, values: dict[str, Scalar], names: tuple[str, ...]
) -> None:
    assert lacking(parse(text), values) == names


def test_value_of_another_type_is_lacking() -> None:
    vocabulary = Vocabulary({"a": NameInfo("a", "fact", "int"), "b": NameInfo("b", "fact", "int")})

    assert lacking(parse("a > b"), {"a": "many", "b": 1}, vocabulary=vocabulary) == ("a",)
