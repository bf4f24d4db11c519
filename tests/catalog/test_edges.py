"""Coordinates and edges, as read from the bodies of a bundle."""

from collections.abc import Mapping

import pytest

from knockon.catalog.edges import EdgeRow, NodeColumns, edge_rows, node_columns
from knockon.terms.bundle import Bundle, Entry, Kind, canonical
from knockon.terms.words import Json

FUSION = {"cells": [["inference", "L3", "network"], ["inference", "L2", "compute"]]}
SHIFT = {"effect": "cost", "onto": "latency", "quantity": "ttft_s", "change": "up"}
NEEDS_GRAPHS = {"kind": "requires", "to": "cuda-graphs"}


def entry(kind: Kind, key: str, **body: Json) -> Entry:
    return Entry(kind, key, body)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param(entry("technique", "fusion", **FUSION), NodeColumns("inference", 2, 3, "network"), id="technique"),
        pytest.param(entry("technique", "lost", cells=[]), NodeColumns(), id="technique without a cell"),
        pytest.param(
            entry("cell", "x", cell=["training", "*", "energy"]),
            NodeColumns("training", None, None, "energy"),
            id="cell note for every layer",
        ),
        pytest.param(
            entry("cell", "x", cell=["*", "L6", "*"]), NodeColumns(None, 6, 6, None), id="cell note for one layer"
        ),
        pytest.param(
            entry("quantity", "ttft_s", of="latency"), NodeColumns(None, None, None, "latency"), id="quantity"
        ),
        pytest.param(
            entry("wall", "memory", layers=["L1", "L5"], dimension="storage"),
            NodeColumns(None, 1, 5, "storage"),
            id="wall",
        ),
        pytest.param(
            entry("diagnose", "D001", layer="L5", dimension="storage"), NodeColumns(None, 5, 5, "storage"), id="rule"
        ),
        pytest.param(entry("gpu", "h100", name="H100"), NodeColumns(), id="a thing without coordinates"),
    ],
)
def test_columns_say_where_a_node_stands(given: Entry, expected: NodeColumns) -> None:
    assert node_columns(given) == expected


def test_a_techniques_shifts_and_relations_become_edges_between_dimensions() -> None:
    bundle = Bundle.of(
        [
            entry("technique", "fusion", **FUSION, shifts=[SHIFT], relations=[NEEDS_GRAPHS]),
            entry("technique", "cuda-graphs", cells=[["inference", "L3", "compute"]]),
        ]
    )

    assert edge_rows(bundle) == (
        EdgeRow("shift", "fusion", "ttft_s", "network", "latency", "ttft_s", canonical(SHIFT)),
        EdgeRow("requires", "fusion", "cuda-graphs", "network", "compute", None, canonical(NEEDS_GRAPHS)),
    )


def test_an_influence_moves_the_quantity_it_reaches() -> None:
    influence: Mapping[str, Json] = {"on": "max_concurrency", "sign": "+"}
    bundle = Bundle.of(
        [
            entry("quantity", "kv_cache_tokens", of="storage", influences=[dict(influence)]),
            entry("quantity", "max_concurrency", of="scheduling"),
        ]
    )

    assert edge_rows(bundle) == (
        EdgeRow(
            "influence", "kv_cache_tokens", "max_concurrency", "storage", "scheduling", "max_concurrency",
            canonical(influence),
        ),
    )  # fmt: skip


def test_a_couple_rule_reaches_its_techniques_its_quantity_and_its_fix() -> None:
    shift: dict[str, Json] = {"gains": "compute", "onto": "storage", "quantity": "kv_cache_tokens"}
    fix: dict[str, Json] = {"technique": "dcp", "set": {"decode_context_parallel_size": 2}}
    remark: dict[str, Json] = {"says": {"en": "no technique in it", "zh": "没有技术"}}
    bundle = Bundle.of(
        [
            entry("couple", "K001", because=["tp"], shifts=[shift], fixes=[fix, remark]),
            entry("technique", "tp", cells=[["inference", "L4", "compute"]]),
        ]
    )

    assert edge_rows(bundle) == (
        EdgeRow("because", "K001", "tp", None, "compute", None, '{"because":"tp"}'),
        EdgeRow("couple", "K001", "kv_cache_tokens", "compute", "storage", "kv_cache_tokens", canonical(shift)),
        EdgeRow("fix", "K001", "dcp", None, None, None, canonical(fix)),
    )


def test_a_diagnose_rule_hits_its_wall_and_outranks_others() -> None:
    bundle = Bundle.of(
        [
            entry("diagnose", "D001", wall="compute", dimension="compute"),
            entry("diagnose", "D003", wall="memory", dimension="storage", outranks=["D001"]),
            entry("wall", "memory", layers=["L5"], dimension="storage"),
        ]
    )

    assert edge_rows(bundle) == (
        EdgeRow("hits", "D001", "compute", "compute", None, None, '{"wall":"compute"}'),
        EdgeRow("hits", "D003", "memory", "storage", "storage", None, '{"wall":"memory"}'),
        EdgeRow("outranks", "D003", "D001", "storage", "compute", None, '{"outranks":"D001"}'),
    )


def test_two_shifts_alike_but_for_their_condition_stay_two_edges() -> None:
    always, sometimes = SHIFT, SHIFT | {"when": "tensor_parallel_size > 1"}
    bundle = Bundle.of([entry("technique", "fusion", **FUSION, shifts=[always, sometimes])])

    assert [row.body for row in edge_rows(bundle)] == [canonical(always), canonical(sometimes)]


def test_a_body_without_its_lists_has_no_edges() -> None:
    bundle = Bundle.of([entry("technique", "a"), entry("quantity", "b"), entry("couple", "c"), entry("diagnose", "d")])

    assert edge_rows(bundle) == ()
