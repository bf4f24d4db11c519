"""Where values stand, and the characters in them: complaints point at them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knockon.curate.document import read_bytes
from knockon.terms.place import Position
from knockon.terms.words import Json

DOCUMENT = """\
# remark
name: {en: One, zh: 一个}
list:
  - first
  - key: 'it''s > 1'
    other: "tab\\t\\u4e2d\\x41 > 1"
folded: >-
  one
  two
plain: a
  b
kept: |  # as it stands
    one
    two
apart: >-
  one

  two
deeper: >
  one
    two
quoted: 'one
  two'
"""


@pytest.mark.parametrize(
    ("steps", "value", "key"),
    [
        ((), (2, 1), (2, 1)),
        (("name",), (2, 7), (2, 1)),
        (("name", "zh"), (2, 21), (2, 17)),
        (("list",), (4, 3), (3, 1)),
        (("list", 0), (4, 5), (4, 5)),
        (("list", 1, "key"), (5, 10), (5, 5)),
        (("folded",), (7, 9), (7, 1)),
        (("list", 1, "absent"), (5, 5), (5, 5)),
        (("absent", "absent"), (2, 1), (2, 1)),
    ],
)
def test_places_count_from_one(steps: tuple[str | int, ...], value: tuple[int, int], key: tuple[int, int]) -> None:
    document = read_bytes(DOCUMENT.encode(), "f.yaml")

    assert document.at(*steps) == Position("f.yaml", *value)
    assert document.key_at(*steps) == Position("f.yaml", *key)


@pytest.mark.parametrize(
    ("steps", "character", "line", "column"),
    [
        pytest.param(("name", "en"), "e", 2, 14, id="plain"),
        pytest.param(("list", 1, "key"), ">", 5, 17, id="single quotes, one doubled before it"),
        pytest.param(("list", 1, "other"), ">", 6, 29, id="double quotes, three escapes before it"),
        pytest.param(("folded",), "o", 8, 3, id="folded: its first line"),
        pytest.param(("folded",), "w", 9, 4, id="folded: another line"),
        pytest.param(("plain",), "a", 10, 8, id="plain over two lines: the first"),
        pytest.param(("plain",), "b", 11, 3, id="plain over two lines: the second"),
        pytest.param(("kept",), "w", 14, 6, id="line by line"),
        pytest.param(("apart",), "w", 15, 8, id="a blank line: the start of the scalar"),
        pytest.param(("deeper",), "w", 19, 9, id="a deeper line: the start of the scalar"),
        pytest.param(("quoted",), "w", 22, 9, id="quotes over two lines: the start of the scalar"),
    ],
)
def test_place_inside_a_scalar(steps: tuple[str | int, ...], character: str, line: int, column: int) -> None:
    document = read_bytes(DOCUMENT.encode(), "f.yaml")
    value: Json = document.data
    for step in steps:
        value = value[step]  # type: ignore[index,call-overload]

    assert document.inside(*steps, offset=str(value).index(character)) == Position("f.yaml", line, column)


lines_of_words = st.lists(st.from_regex(r"[a-z>(][a-z >.(]{0,8}[a-z)]", fullmatch=True), min_size=2, max_size=4)


@given(lines_of_words, st.sampled_from([">-", ">", "|-", "|", ""]), st.integers(1, 6))
def test_every_character_of_several_lines_is_found_where_it_stands(lines: list[str], style: str, indent: int) -> None:
    if not style:
        lines = ["a", *(line.strip("> ") or "b" for line in lines)]
    below = "".join(f"\n{' ' * indent}{line}" for line in lines)
    text = f"- {style}{below}\n" if style else f"- {below.lstrip()}\n"
    document = read_bytes(text.encode(), "f.yaml")
    [value] = document.data  # type: ignore[misc,union-attr]

    for offset, character in enumerate(str(value).rstrip("\n")):
        at = document.inside(0, offset=offset)
        written = f"{text.splitlines()[at.line - 1]} "[at.column - 1]
        assert (written, at.line > 1 or not style) == (character.replace("\n", " "), True)
