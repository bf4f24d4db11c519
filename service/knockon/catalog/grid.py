"""The grid of cells: how many techniques each holds, and what is known of the empty ones."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from knockon.catalog.catalog import Catalog
from knockon.catalog.cell import AxisValue, Cell, CellNote
from knockon.catalog.names import NameIndex
from knockon.catalog.source import Source
from knockon.terms.errors import NotFound
from knockon.terms.words import Text


class CellState(StrEnum):
    """What is known of a cell."""

    OCCUPIED = "occupied"
    UNEXPLORED = "unexplored"
    """Empty, and nobody has said why."""
    KNOWN_EMPTY = "known_empty"
    """Empty, and it is known why nobody does it."""
    IMPOSSIBLE = "impossible"
    """Nothing can be there."""


@dataclass(frozen=True, slots=True)
class GridCell:
    """One cell with its count."""

    cell: Cell
    count: int
    """Live techniques in it, home or not."""
    homes: int
    """Of these, those that have their home here."""
    state: CellState
    why: Text | None
    """For an empty cell that curators know something of."""
    sources: tuple[Source, ...]


def grid(catalog: Catalog, stage: str | None = None) -> tuple[GridCell, ...]:
    """Every cell, of one stage or of all, in the order of the axes (stage, layer, dimension).

    Raises:
        NotFound: there is no such stage.
    """
    return tuple(_cells(catalog, stage, None, None))


def empty_cells(
    catalog: Catalog,
    *,
    stage: str | None = None,
    layer: str | None = None,
    dimension: str | None = None,
    state: CellState | None = None,
) -> tuple[GridCell, ...]:
    """The cells without any technique, in the order of the axes; None for no filter.

    Raises:
        NotFound: an axis value is unknown.
    """
    return tuple(
        found
        for found in _cells(catalog, stage, layer, dimension)
        if not found.count and (state is None or found.state is state)
    )


def cell_at(catalog: Catalog, cell: Cell) -> GridCell:
    """One cell with its count and state. The cell's coordinates must be axis ids (see `cell_named`)."""
    held = catalog.techniques_in(cell)
    note = None if held else _note(catalog, cell)
    return GridCell(
        cell=cell,
        count=len(held),
        homes=sum(1 for technique in held if technique.cells[0] == cell),
        state=CellState.OCCUPIED if held else CellState(note.state) if note else CellState.UNEXPLORED,
        why=note.why if note else None,
        sources=catalog.sources(note.cite) if note else (),
    )


def cell_named(catalog: Catalog, stage: str, layer: str, dimension: str) -> Cell:
    """The cell whose coordinates go by these ids or names, in either language: ("推理", "l5", "storage").

    Raises:
        NotFound: an axis value is unknown; `suggestions` are the nearest names.
    """
    axes = catalog.axes
    return Cell(
        axis_value("stage", stage, axes.stages),
        axis_value("layer", layer, axes.layers),
        axis_value("dimension", dimension, axes.dimensions),
    )


def axis_value(axis: str, name: str, values: Mapping[str, AxisValue]) -> str:
    """The id of the axis value that goes by an id or a name in either language.

    Raises:
        NotFound: none does.
    """
    if name in values:
        return name
    names = NameIndex.of((key, said) for key, one in values.items() for said in (key, one.name.en, one.name.zh) if said)
    found = names.find(name)
    if len(found) == 1:
        return found[0]
    raise NotFound(
        axis, name, suggestions=names.nearest(name) if name.strip() else (), fix=f"one of {', '.join(values)}"
    )


def _cells(catalog: Catalog, stage: str | None, layer: str | None, dimension: str | None) -> Iterator[GridCell]:
    axes = catalog.axes
    stages = axes.stages if stage is None else (axis_value("stage", stage, axes.stages),)
    layers = axes.layers if layer is None else (axis_value("layer", layer, axes.layers),)
    dimensions = axes.dimensions if dimension is None else (axis_value("dimension", dimension, axes.dimensions),)
    for at_stage in stages:
        for at_layer in layers:
            for at_dimension in dimensions:
                yield cell_at(catalog, Cell(at_stage, at_layer, at_dimension))


def _note(catalog: Catalog, cell: Cell) -> CellNote | None:
    """The note on a cell; of several that match, the one that names most of its coordinates."""
    matching = [
        note
        for note in catalog.notes
        if note.stage in (None, cell.stage)
        and note.layer in (None, cell.layer)
        and note.dimension in (None, cell.dimension)
    ]
    return max(matching, key=_exactness, default=None)


def _exactness(note: CellNote) -> int:
    return sum(value is not None for value in (note.stage, note.layer, note.dimension))
