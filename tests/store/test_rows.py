"""The rows a publish leaves: coordinates, edges and validity, as other programs may query them."""

import pytest
from sqlalchemy.exc import IntegrityError

from knockon.store.store import Store
from tests.store.bundles import bundle, execute, quantity, rows, technique

NODES = "SELECT key, stage, layer_min, layer_max, dimension, valid_from, valid_to FROM node ORDER BY key, valid_from"
EDGES = (
    "SELECT kind, source, target, from_dimension, onto_dimension, quantity, valid_from, valid_to FROM edge"
    " ORDER BY valid_from, kind, target"
)
SHIFT = {"onto": "storage", "quantity": "kv_cache_tokens"}


def test_nodes_carry_their_coordinates(store: Store, url: str) -> None:
    fusion = technique("fusion", cells=[["inference", "L3", "network"], ["inference", "L2", "compute"]])

    store.publish(bundle(fusion, quantity("kv_cache_tokens")), author="ada", message="")

    assert rows(url, NODES) == [
        ("fusion", "inference", 2, 3, "network", 1, None),
        ("kv_cache_tokens", None, None, None, "storage", 1, None),
    ]


def test_a_changed_node_is_closed_and_opened_and_others_stay(store: Store, url: str) -> None:
    for n, others in ((1, [technique("b")]), (2, [technique("b")]), (3, [])):
        store.publish(bundle(technique("a", n=n if n < 3 else 2), *others), author="ada", message="")

    place = ("inference", 4, 4, "compute")
    assert rows(url, NODES) == [("a", *place, 1, 2), ("a", *place, 2, None), ("b", *place, 1, 3)]


def test_edges_are_queried_by_the_dimensions_they_join(store: Store, url: str) -> None:
    requires = {"kind": "requires", "to": "b"}
    home_on_network = [["inference", "L5", "network"]]

    store.publish(
        bundle(technique("a", shifts=[SHIFT], relations=[requires]), technique("b")), author="ada", message=""
    )
    store.publish(
        bundle(technique("a", shifts=[SHIFT], relations=[requires]), technique("b", cells=home_on_network)),
        author="ada",
        message="",
    )

    assert rows(url, EDGES) == [
        ("requires", "a", "b", "compute", "compute", None, 1, 2),
        ("shift", "a", "kv_cache_tokens", "compute", "storage", "kv_cache_tokens", 1, None),
        # The edge is that of another body, but reaches another dimension now.
        ("requires", "a", "b", "compute", "network", None, 2, None),
    ]


def test_of_two_equal_edges_one_can_go(store: Store, url: str) -> None:
    store.publish(bundle(technique("a", shifts=[SHIFT, SHIFT])), author="ada", message="")

    store.publish(bundle(technique("a", shifts=[SHIFT])), author="ada", message="")

    assert sorted(rows(url, "SELECT valid_from, valid_to FROM edge"), key=repr) == [(1, 2), (1, None)]


def test_the_database_itself_refuses_a_node_that_is_open_twice(store: Store, url: str) -> None:
    for n in (1, 2):
        store.publish(bundle(technique("a", n=n)), author="ada", message="")

    with pytest.raises(IntegrityError):
        execute(url, "UPDATE node SET valid_to = NULL WHERE valid_from = 1")
