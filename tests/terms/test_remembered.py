"""Functions that remember their answers by the names they read."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knockon.terms.remembered import Remembered
from knockon.terms.words import Scalar

VALUES = st.dictionaries(
    st.sampled_from(["which", "left", "right", "unread"]), st.sampled_from([0, 1, True, False, 1.0, "1", "left"])
)


def picked(values: Mapping[str, Scalar]) -> tuple[Scalar, ...]:
    """Reads one name or the other, as a third one says; tells 1 from 1.0 and from true."""
    name = "left" if values.get("which") else "right"
    return (name, repr(values[name])) if name in values else (name,)


def test_only_names_that_were_read_tell_two_mappings_apart() -> None:
    calls: list[Mapping[str, Scalar]] = []

    def answer_of(values: Mapping[str, Scalar]) -> tuple[Scalar, ...]:
        calls.append(values)
        return picked(values)

    remembered = Remembered(answer_of, most=8)

    assert remembered({"which": True, "left": 3, "unread": 1}) == ("left", "3")
    assert remembered({"which": True, "left": 3, "unread": 2, "right": 5}) == ("left", "3")
    assert len(calls) == 1
    assert remembered({"which": True, "left": 3.0}) == ("left", "3.0")
    assert remembered({"left": 3, "right": 5}) == ("right", "5")
    assert len(calls) == 3


@given(asked=st.lists(VALUES, max_size=30), most=st.integers(1, 4))
def test_answers_are_those_of_the_function_itself_however_many_are_kept(
    asked: list[dict[str, Scalar]], most: int
) -> None:
    remembered = Remembered(picked, most=most)

    assert [remembered(values) for values in asked] == [picked(values) for values in asked]


@pytest.mark.parametrize("through", [list, len, dict])
def test_what_goes_through_all_names_is_refused(through: type) -> None:
    with pytest.raises(TypeError, match="remembered"):
        Remembered(through, most=1)({"a": 1})
