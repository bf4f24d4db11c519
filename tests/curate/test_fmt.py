from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from knockon.curate.document import read_bytes
from knockon.curate.files import yaml_files
from knockon.curate.fmt import formatted
from knockon.jobs.fmt import fmt
from knockon.terms.errors import CurationError, IntakeError
from tests.curate.trees import TREE, written

TECHNIQUE = next(path for path in TREE if path.startswith("catalog/techniques/"))
WORDS = st.text("abcXYZ 0123 .,:'-{}[]#?é中文", min_size=0, max_size=20)
BODIES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**6), 10**6) | WORDS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.from_regex(r"[a-z][a-z_]{0,8}", fullmatch=True), inner, max_size=4)
    ),
    max_leaves=12,
)


@pytest.mark.parametrize("path", TREE)
def test_formatting_twice_changes_nothing_more_and_says_the_same(path: str) -> None:
    once = formatted(TREE[path], path=path, room=path)

    assert formatted(once, path=path, room=path) == once
    assert read_bytes(once.encode(), path).data == read_bytes(TREE[path].encode(), path).data


@given(BODIES)
def test_any_content_survives(body: object) -> None:
    import json

    text = json.dumps({"top": body}, ensure_ascii=False, indent=1)

    once = formatted(text, path="x.yaml", room="x.yaml")

    assert read_bytes(once.encode(), "x.yaml").data == {"top": body}
    assert formatted(once, path="x.yaml", room="x.yaml") == once


def test_blanks_order_and_line_end_are_settled_and_comments_stay() -> None:
    text = "# of cells\ncell:   [a,b ,  c]\nstate: known_empty   \nwhy:\n    en: x\n    zh: y\n\n\n"

    assert formatted(text, path="x.yaml", room="x.yaml") == (
        "# of cells\ncell: [a, b, c]\nstate: known_empty\nwhy:\n  en: x\n  zh: y\n"
    )


def fmt_of(text: str) -> str:
    once = formatted(text, path="x.yaml", room="x.yaml")
    assert formatted(once, path="x.yaml", room="x.yaml") == once
    return once


def test_list_of_a_whole_file_stays_at_the_margin() -> None:
    text = "# Cells\n- cell: [a]\n  why: {en: x, zh: y}\n\n# More\n- cell: [b]\n  lines:\n    - c\n"

    assert fmt_of(text) == text


def test_brackets_over_several_lines_are_joined_where_a_line_holds_them() -> None:
    assert fmt_of("a: {en: one,\n    zh: two}\nb: [\n  1, 2,\n  3\n]\n") == "a: {en: one, zh: two}\nb: [1, 2, 3]\n"


def test_wide_mapping_over_several_lines_becomes_a_block() -> None:
    long = "word " * 20 + "end"

    assert fmt_of(f"a: {{en: {long},\n    zh: {long}}}\n") == f"a:\n  en: {long}\n  zh: {long}\n"


def test_wide_list_over_several_lines_is_wrapped_item_by_item() -> None:
    items = [f"layer_{number:02}" for number in range(13)]
    text = f"top:\n  types: [\n    {', '.join(items[:3])},\n    {', '.join(items[3:])}]\n"

    assert fmt_of(text) == f"top:\n  types: [\n    {', '.join(items[:11])},\n    {', '.join(items[11:])}\n  ]\n"


def test_quoted_item_of_a_wide_list_is_not_broken_inside() -> None:
    items = [f'"one item {number:03}"' for number in range(9)]

    written = fmt_of(f"types: [{', '.join(items[:4])},\n  {', '.join(items[4:])}]\n")

    assert [line.strip().rstrip(",") for line in written.split("\n")[1:-2]] == [
        ", ".join(items[:7]),
        ", ".join(items[7:]),
    ]


def test_question_in_brackets_is_quoted() -> None:
    assert fmt_of("a: {b: Why that?, c: [why, why?]}\nd: Why?\n") == 'a: {b: "Why that?", c: [why, "why?"]}\nd: Why?\n'


def test_long_line_is_left_to_the_writer() -> None:
    line = f"a: [{', '.join(['word'] * 40)}]\n"

    assert fmt_of(line) == line


def test_comment_that_would_get_lost_is_refused_with_its_line() -> None:
    with pytest.raises(IntakeError, match=r"x\.yaml:3:1: '# why' would get lost; .*; move it out of the brackets"):
        formatted("a: [\n  one,\n  two,  # why\n  three\n]\n", path="x.yaml", room="x.yaml")


def test_number_sign_in_a_sentence_is_no_comment() -> None:
    text = "# all\na: 'one # two'  # three\nb: C# and F#\nc: >-\n  folded # text\n  goes on\n"

    assert fmt_of(text) == text


def test_keys_stand_in_the_order_of_the_shape() -> None:
    lines = TREE[TECHNIQUE].splitlines(keepends=True)
    moved = "".join(
        [*(line for line in lines if not line.startswith("id: ")), *(line for line in lines if line.startswith("id: "))]
    )

    assert formatted(moved, path=TECHNIQUE, room=TECHNIQUE).startswith("id: ")


@st.composite
def shuffled(draw: st.DrawFn, value: object) -> object:
    """The same data with the keys of every mapping that a shape knows in another order."""
    if isinstance(value, dict):
        keys = draw(st.permutations(list(value)))
        return {key: draw(shuffled(value[key])) for key in keys}
    return [draw(shuffled(item)) for item in value] if isinstance(value, list) else value


# What a mapping by id or name holds, and what an engine calls its own, has no order of its own.
ORDERED = tuple(path for path in TREE if path.startswith(("catalog/techniques/", "catalog/cells", "rules/couple/")))


@given(st.data(), st.sampled_from(ORDERED), st.sampled_from([None, False]))
def test_order_in_which_keys_were_typed_leaves_no_trace(data: st.DataObject, path: str, flow: bool | None) -> None:
    said = read_bytes(TREE[path].encode(), path).data
    texts = [
        yaml.safe_dump(body, sort_keys=False, default_flow_style=flow, allow_unicode=True, width=1000)
        for body in (said, _but_free(said, data.draw(shuffled(said))))
    ]

    once, other = (formatted(text, path=path, room=path) for text in texts)

    assert once == other
    assert formatted(once, path=path, room=path) == once


def _but_free(said: Any, moved: Any) -> Any:
    """`moved` with the keys of mappings without an order, such as the facts of an example, as in `said`."""
    if isinstance(said, dict):
        return {
            key: said[key] if key in ("given", "set", "engines") else _but_free(said[key], item)
            for key, item in moved.items()
        }
    return [_but_free(*pair) for pair in zip(said, moved, strict=True)] if isinstance(said, list) else moved


COMMENTED = """\
# yaml-language-server: $schema=technique.schema.json
goal: {zh: y, en: x}  # what for
# not the file's name

# of names
name:
  # the Chinese one
  zh: b
  # the English one
  en: a  # short
  # nobody knows more
# of its id
id: k
shifts:
  # a gain
  - says: {zh: "b #1", en: "a #1"}
    # where
    onto: network
    # what it does
    effect: gain
  # a cost
  - effect: cost
    cite: [{where: w, ref: r}, s]
    # not read
    inferred: true
# the end
"""


def test_comments_go_with_the_key_below_them() -> None:
    path = "catalog/techniques/inference/k.yaml"

    once = formatted(COMMENTED, path=path, room=path)

    assert formatted(once, path=path, room=path) == once
    assert (
        once
        == """\
# yaml-language-server: $schema=technique.schema.json
# of its id
id: k
# not the file's name

# of names
name:
  # the English one
  en: a  # short
  # the Chinese one
  zh: b
  # nobody knows more
goal: {en: x, zh: y}  # what for
shifts:
  # a gain
  # what it does
  - effect: gain
    # where
    onto: network
    says: {en: "a #1", zh: "b #1"}
  # a cost
  - effect: cost
    # not read
    inferred: true
    cite: [{ref: r, where: w}, s]
# the end
"""
    )


@pytest.mark.parametrize(
    ("typed", "path", "expected"),
    [
        ("b:\n  unit: u\n  of: o\n  influences:\n  - sign: '+'\n    on: x\n", "catalog/quantities/a.yaml",
         "b:\n  of: o\n  unit: u\n  influences:\n    - on: x\n      sign: '+'\n"),
        ("b: {checked: 2026-01-01, title: t}\n", "catalog/citations/a.yaml", "b: {title: t, checked: 2026-01-01}\n"),
        ("b: {cite: [c], config: {z: 1, a: 2}}\n", "catalog/models/a.yaml", "b: {config: {z: 1, a: 2}, cite: [c]}\n"),
        ("thresholds:\n  b: {unit: s, value: 1}\nfor: {load: x, engine: v}\n", "rules/profiles/a.yaml",
         "for: {engine: v, load: x}\nthresholds:\n  b: {value: 1, unit: s}\n"),
        ("- {why: {zh: b, en: a}, cell: [x]}\n", "catalog/cells.yaml", "- {cell: [x], why: {en: a, zh: b}}\n"),
        ("-\n  why: a\n  cell: [x]\n", "catalog/cells.yaml", "- cell: [x]\n  why: a\n"),
        ("b:\n  says: |+\n    # no comment\n\n\n  mine: 1\n  of: o\n", "catalog/quantities/a.yaml",
         "b:\n  of: o\n  says: |+\n    # no comment\n\n\n  mine: 1\n"),
    ],
)  # fmt: skip
def test_every_mapping_of_a_shape_is_put_in_order(typed: str, path: str, expected: str) -> None:
    assert formatted(typed, path=path, room=path) == expected
    assert formatted(expected, path=path, room=path) == expected


def test_file_that_is_no_yaml_is_refused_with_its_place() -> None:
    with pytest.raises(CurationError, match=r"x\.yaml:3:2: this is not YAML"):
        formatted("a: 1\nb: [1, 2\nc: 3\n", path="x.yaml", room="x.yaml")


def test_only_the_files_asked_for_are_looked_at(tmp_path: Path) -> None:
    catalog, rules = written(tmp_path)
    one = (tmp_path / TECHNIQUE).resolve()

    assert [each.file.resolve() for each in fmt(catalog, rules, only=frozenset({one}))] == [one]
    assert len(list(fmt(catalog, rules))) == sum(1 for folder in (catalog, rules) for _ in yaml_files(folder))


def test_bytes_that_are_no_text_are_refused_and_nothing_is_replaced(tmp_path: Path) -> None:
    catalog, rules = written(tmp_path, {TECHNIQUE: TREE[TECHNIQUE].encode() + b"# \xff\n"})

    with pytest.raises(CurationError, match="UTF-8"):
        list(fmt(catalog, rules))
