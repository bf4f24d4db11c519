import pytest

from knockon.catalog.cell import Cell
from knockon.catalog.grid import CellState, axis_value, cell_at, cell_named, empty_cells, grid
from knockon.terms.errors import NotFound
from tests.catalog.bundles import catalog_of, cell_note, technique

CATALOG = catalog_of(
    technique("a", cells=[("inference", "L5", "storage"), ("inference", "L4", "network")]),
    technique("b", cells=[("inference", "L5", "storage")]),
    technique("c", cells=[("training", "L4", "compute"), ("inference", "L5", "storage")]),
    cell_note(("*", "L7", "network"), "known_empty"),
    cell_note(("training", "L7", "network"), "impossible"),
)


def test_grid_counts_every_cell_of_a_stage_in_the_order_of_the_axes() -> None:
    found = grid(CATALOG, "inference")

    assert len(found) == 7 * 3
    assert [cell.cell.layer for cell in found[:4]] == ["L1", "L1", "L1", "L2"]
    assert {str(cell.cell): (cell.count, cell.homes) for cell in found if cell.count} == {
        "inference × L4 × network": (1, 0),
        "inference × L5 × storage": (3, 2),
    }


def test_grid_without_a_stage_has_all_of_them() -> None:
    assert len(grid(CATALOG)) == 2 * 7 * 3


def test_empty_cell_is_unexplored_until_a_note_says_more() -> None:
    unexplored = cell_at(CATALOG, Cell("inference", "L1", "compute"))
    known = cell_at(CATALOG, Cell("inference", "L7", "network"))

    assert (unexplored.state, unexplored.why, unexplored.sources) == (CellState.UNEXPLORED, None, ())
    assert known.state is CellState.KNOWN_EMPTY
    assert known.why is not None
    assert known.why.en == "why known_empty"
    assert [source.title for source in known.sources] == ["The book"]


def test_more_exact_note_wins() -> None:
    assert cell_at(CATALOG, Cell("training", "L7", "network")).state is CellState.IMPOSSIBLE


def test_occupied_cell_keeps_no_note() -> None:
    catalog = catalog_of(technique("a"), cell_note(("*", "L5", "*"), "known_empty"))

    found = cell_at(catalog, Cell("inference", "L5", "storage"))

    assert (found.state, found.why) == (CellState.OCCUPIED, None)


@pytest.mark.parametrize(
    ("filters", "count"),
    [
        ({}, 2 * 7 * 3 - 3),
        ({"stage": "inference"}, 7 * 3 - 2),
        ({"stage": "training", "layer": "L4"}, 2),
        ({"layer": "l7", "dimension": "network"}, 2),
        ({"state": CellState.IMPOSSIBLE}, 1),
        ({"state": CellState.KNOWN_EMPTY}, 1),
        ({"state": CellState.OCCUPIED}, 0),
    ],
)
def test_empty_cells_are_filtered(filters: dict[str, object], count: int) -> None:
    assert len(empty_cells(CATALOG, **filters)) == count


@pytest.mark.parametrize("names", [("inference", "L5", "storage"), ("Inference", "l5", "name of storage（中）")])
def test_cell_is_named_by_ids_or_names_in_any_case(names: tuple[str, str, str]) -> None:
    assert cell_named(CATALOG, *names) == Cell("inference", "L5", "storage")


def test_unknown_axis_value_is_not_found_with_all_that_there_are() -> None:
    with pytest.raises(NotFound) as caught:
        axis_value("stage", "inferense", CATALOG.axes.stages)

    assert str(caught.value) == (
        "no stage is called 'inferense'; did you mean 'inference'?; one of training, inference"
    )


def test_empty_axis_value_is_not_found() -> None:
    with pytest.raises(NotFound, match="no layer is called ''; one of L1, L2"):
        axis_value("layer", "", CATALOG.axes.layers)
