"""Frames: every row gets what the python back-end says of it alone, whatever is in the columns."""

import math

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knockon.backends import BACKENDS
from knockon.backends.polars.columns import sort_text
from knockon.backends.polars.compiled import Frames
from knockon.expr.nodes import Node
from knockon.expr.parse import parse
from knockon.expr.version import version_key
from knockon.terms.truth import Truth
from knockon.terms.words import Scalar
from tests.agree.cases import cases, vocabulary
from tests.property.expressions import (
    VERSIONS,
    VOCABULARY,
    conditions,
    full_values,
    numeric_conditions,
    odd_numbers,
    values,
)

JUDGED = [case for case in cases() if case.truth]


def frames(*nodes: Node, of: object = VOCABULARY) -> Frames:
    compiled = BACKENDS["polars"].compile(nodes, of)  # type: ignore[arg-type]
    assert isinstance(compiled, Frames)
    return compiled


def as_floats(known: dict[str, Scalar]) -> dict[str, Scalar]:
    """Numbers as a frame holds them; what no float can hold stays, and is unusable on either side."""
    held: dict[str, Scalar] = {}
    for name, value in known.items():
        is_int = isinstance(value, int) and not isinstance(value, bool)
        held[name] = float(value) if is_int and abs(value) <= 2**1000 else value
    return held


def column(rows: list[dict[str, Scalar]], name: str, kind: str) -> pl.Series:
    """What a frame can hold of the values: one type in a column, null for the rest."""
    types = {"bool": (bool,), "text": (str,), "version": (str,)}.get(kind, (float, int))
    held = [row.get(name) for row in rows]
    fitting = [value if type(value) in types else None for value in held]
    numbers = [float(v) if (isinstance(v, int | float) and abs(v) <= 1.7e308) or v != v else None for v in fitting]
    dtype = {"bool": pl.Boolean, "text": pl.String, "version": pl.String}.get(kind)
    return pl.Series(name, fitting, dtype=dtype) if dtype else pl.Series(name, numbers, dtype=pl.Float64)


def test_all_cases_over_all_rows_of_one_frame_agree_with_python() -> None:
    nodes = [parse(case.expression) for case in JUDGED]
    names = vocabulary()
    rows = [case.values for case in JUDGED]
    frame = pl.DataFrame([column(rows, name, info.type) for name, info in names.names.items()])

    told = frames(*nodes, of=names).truths(frame)

    python = BACKENDS["python"].compile(nodes, names)
    kept = [{k: v for k, v in zip(frame.columns, row, strict=True) if v is not None} for row in frame.iter_rows()]
    assert [[Truth.of(truth) for truth in row] for row in told.rows()] == [python.judge(row) for row in kept]


@given(st.lists(conditions | numeric_conditions, min_size=1, max_size=5), values | full_values | odd_numbers)
def test_random_conditions_get_the_verdicts_of_python(nodes: list[Node], known: dict[str, Scalar]) -> None:
    held = as_floats(known)

    assert frames(*nodes).judge(held) == BACKENDS["python"].compile(nodes, VOCABULARY).judge(held)


def test_name_without_a_column_and_column_of_another_type_are_unknown() -> None:
    compiled = frames(parse("heads > 3"), parse("eager"), parse('dtype == "fp8"'), parse("ranks < 3"))
    frame = pl.DataFrame({"heads": ["4", "5"], "eager": [1, 0], "dtype": [True, False]})

    assert compiled.truths(frame).rows() == [(None, None, None, None)] * 2


def test_whole_numbers_decimals_and_categories_are_usable() -> None:
    compiled = frames(parse("heads > 3"), parse('dtype == "fp8"'))
    frame = pl.DataFrame(
        {"heads": pl.Series([4, 3, None], dtype=pl.Int8), "dtype": pl.Series(["fp8", "x", None], dtype=pl.Categorical)}
    )

    assert compiled.truths(frame).rows() == [(True, True), (False, False), (None, None)]


def test_conditions_without_names_hold_for_every_row() -> None:
    frame = pl.DataFrame({"heads": [1, 2, 3]})

    assert frames(parse("1 < 2"), parse("1 / 0 > 1")).truths(frame).rows() == [(True, None)] * 3


def test_counts_are_those_of_all_slices() -> None:
    rows = 150_000
    frame = pl.DataFrame({"load_ratio": [0.95, None, math.nan] * (rows // 3)})

    assert frames(parse("load_ratio > 0.9")).counts(frame) == [(rows // 3, 2 * rows // 3)]


@pytest.mark.parametrize("left", [*VERSIONS, "0.10", "0.10.0.1", "0.11.0.dev3", "0.11.0a1", "0.12.0.post1.dev2", "10"])
@pytest.mark.parametrize("right", [*VERSIONS, "0.10.0.1", "0.11.0.dev3", "0.12.0.post1", "9.9"])
def test_sort_text_orders_versions_as_their_keys(left: str, right: str) -> None:
    one, other = version_key(left), version_key(right)

    assert one is not None
    assert other is not None
    assert (sort_text(one) < sort_text(other), sort_text(one) == sort_text(other)) == (one < other, one == other)
