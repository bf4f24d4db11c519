"""JSON texts: every key can be pointed at; what programs disagree on is refused with its place."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knockon.terms.errors import IntakeError, LimitExceeded
from knockon.terms.jsontext import read_json
from knockon.terms.limits import INTAKE_DEPTH_MAX, INTEGER_DIGITS_MAX

KEYS = st.text('ab"\\\n{[,:é', min_size=1, max_size=3).filter(lambda key: "." not in key)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text('",:{}[] \n', max_size=4)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)),
    max_leaves=12,
)


def complaint(text: str) -> str:
    with pytest.raises(IntakeError) as caught:
        read_json(text, path="a.json")
    return str(caught.value)


def test_keys_are_found_by_their_dotted_path() -> None:
    text = '{\n  "a": {"b": [1, {"c": 2}]},\n  "d": "x, {\\"e\\": 1}"\n}'

    read = read_json(text, path="a.json")

    assert {key: (at.line, at.column) for key, at in read.places.items()} == {
        "a": (2, 3),
        "a.b": (2, 9),
        "a.b.1.c": (2, 19),
        "d": (3, 3),
    }


@given(st.dictionaries(KEYS, VALUES, max_size=4), st.sampled_from([None, 1, 2]))
def test_data_are_those_of_the_standard_library_and_every_key_has_its_place(data: Any, indent: int | None) -> None:
    text = json.dumps(data, indent=indent, ensure_ascii=False)

    read = read_json(text, path="a.json")

    assert read.data == data
    lines = text.split("\n")
    for key, at in read.places.items():
        last = json.dumps(key.rpartition(".")[2], ensure_ascii=False)
        assert lines[at.line - 1][at.column - 1 :].startswith(last)


def test_key_given_twice_is_refused_where_it_stands_again() -> None:
    assert complaint('{"a": {"x": 1,\n "y": 2, "x": 3}}') == 'a.json:2:10: key "x" is given twice; remove one'


def test_same_key_in_two_objects_is_no_repetition() -> None:
    assert read_json('[{"x": 1}, {"x": 2}]', path="a.json").data == [{"x": 1}, {"x": 2}]


@pytest.mark.parametrize("digits", [INTEGER_DIGITS_MAX + 1, 5000])
def test_integer_of_many_digits_is_refused_where_it_stands(digits: int) -> None:
    said = complaint('{"a": 1,\n "b": -' + "9" * digits + "}")

    assert said.startswith(f"a.json:2:7: an integer of {digits + 1} digits means nothing here")


def test_long_float_is_none_of_these() -> None:
    read = read_json('{"a": 0.' + "3" * 500 + "}", path="a.json")

    assert read.data == {"a": 0.3333333333333333}


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_what_is_no_number_is_refused_where_it_stands(word: str) -> None:
    assert complaint('{"a":\n  ' + word + "}").startswith(f"a.json:2:3: {word} is no number of JSON")


def test_broken_text_is_refused_where_it_breaks() -> None:
    assert complaint('{"a": 1,\n b}').startswith("a.json:2:2: not JSON: ")


@pytest.mark.parametrize("depth", [INTAKE_DEPTH_MAX + 1, 200_000])
def test_deep_nesting_is_over_the_limit(depth: int) -> None:
    with pytest.raises(LimitExceeded):
        read_json('{"a": ' + "[" * depth + "]" * depth + "}", path="a.json")
