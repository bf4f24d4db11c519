"""Indented JSON is what the standard library writes, with a margin where one is wanted."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knockon.formats.indented import indented
from knockon.terms.words import Json
from tests.texts import texts

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts(max_size=5), inner, max_size=4),
    max_leaves=20,
)


@given(VALUES)
def test_text_is_that_of_the_standard_library(value: Json) -> None:
    assert indented(value) == json.dumps(value, indent=2, ensure_ascii=False)


@given(VALUES, st.sampled_from(["  ", "    "]))
def test_margin_stands_before_every_line_but_the_first_and_inside_no_text(value: Json, margin: str) -> None:
    text = indented(value, margin=margin)

    assert json.loads(text) == value
    # Only a line feed ends a line here: what else Python counts as one may stand inside a text.
    assert text.replace(f"\n{margin}", "\n") == indented(value)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_a_number_that_is_not_finite_is_refused(number: float) -> None:
    with pytest.raises(ValueError, match="no JSON number"):
        indented({"a": [number]})
