"""Roots that look into the catalog: techniques, cells, quantities, models, GPUs, symptoms."""

# ruff: noqa: A002 - arguments are named as clients write them
from typing import Annotated, Any

import strawberry

from knockon.api.context import Info, ask_of
from knockon.api.inputs import TechniqueFilter, wanted
from knockon.api.page import Asked, Page, page_of
from knockon.api.roots.arguments import AsOf, answered
from knockon.catalog.cell import Axes, Cell
from knockon.catalog.grid import CellState, cell_named, empty_cells
from knockon.catalog.grid import grid as cells_of
from knockon.catalog.machine import Gpu, Model
from knockon.catalog.quantity import Quantity
from knockon.catalog.search import find
from knockon.catalog.symptom import Symptom
from knockon.catalog.technique import Technique

Stage = Annotated[str, strawberry.argument(description="A stage by id or name, in either language.")]
Layer = Annotated[str, strawberry.argument(description="A layer by id or name.")]
Dimension = Annotated[str, strawberry.argument(description="A dimension by id or name.")]
OneStage = Annotated[str | None, strawberry.argument(description="Only of that stage, by id or name.")]
OneLayer = Annotated[str | None, strawberry.argument(description="Only of that layer, by id or name.")]
OneDimension = Annotated[str | None, strawberry.argument(description="Only of that dimension, by id or name.")]
State = Annotated[CellState | None, strawberry.argument(description="Only those in that state.")]
Filter = Annotated[TechniqueFilter | None, strawberry.argument(description="Which techniques; all when not given.")]
TechniqueName = Annotated[
    strawberry.ID, strawberry.argument(description="An id, an alias in any language, a flag, or a former id.")
]
Name = Annotated[strawberry.ID, strawberry.argument(description="An id or another name of it.")]
First = Annotated[int | None, strawberry.argument(description="Size of the page, 0 to 100; 20 when not given.")]
After = Annotated[str | None, strawberry.argument(description="Cursor to start after.")]
Last = Annotated[
    int | None, strawberry.argument(description="Size of the page, counted from its end; instead of first.")
]
Before = Annotated[str | None, strawberry.argument(description="Cursor to end before.")]


def technique(info: Info, id: TechniqueName, as_of: AsOf = None) -> Any:
    """One technique by any of its names."""
    return answered(lambda: ask_of(info, as_of).catalog.technique(id))


def techniques(
    info: Info,
    filter: Filter = None,
    first: First = None,
    after: After = None,
    last: Last = None,
    before: Before = None,
    as_of: AsOf = None,
) -> Page[Technique]:
    """Live techniques that fit, in pages by id."""
    found = find(ask_of(info, as_of).catalog, wanted(filter))
    return page_of(found, Asked(first, after, last, before), key=lambda one: one.id)


def axes(info: Info, as_of: AsOf = None) -> Axes:
    """The coordinates."""
    return ask_of(info, as_of).catalog.axes


def cell(info: Info, stage: Stage, layer: Layer, dimension: Dimension, as_of: AsOf = None) -> Any:
    """One cell by its coordinates."""
    return answered(lambda: cell_named(ask_of(info, as_of).catalog, stage, layer, dimension))


def grid(info: Info, stage: OneStage = None, as_of: AsOf = None) -> list[Cell]:
    """Every cell, of one stage or of all."""
    return [one.cell for one in cells_of(ask_of(info, as_of).catalog, stage)]


def empty(
    info: Info,
    stage: OneStage = None,
    layer: OneLayer = None,
    dimension: OneDimension = None,
    state: State = None,
    as_of: AsOf = None,
) -> list[Cell]:
    """The cells without a technique."""
    catalog = ask_of(info, as_of).catalog
    return [one.cell for one in empty_cells(catalog, stage=stage, layer=layer, dimension=dimension, state=state)]


def quantity(info: Info, id: Name, as_of: AsOf = None) -> Any:
    """One quantity by its id."""
    return answered(lambda: ask_of(info, as_of).catalog.quantity(id))


def quantities(info: Info, as_of: AsOf = None) -> list[Quantity]:
    """Every quantity, by id."""
    return list(ask_of(info, as_of).catalog.quantities.values())


def model(info: Info, name: Name, as_of: AsOf = None) -> Any:
    """One model by any of its names."""
    return answered(lambda: ask_of(info, as_of).catalog.model(name))


def models(info: Info, as_of: AsOf = None) -> list[Model]:
    """Every model, by name."""
    return list(ask_of(info, as_of).catalog.models.values())


def gpu(info: Info, name: Name, as_of: AsOf = None) -> Any:
    """One GPU by any of its names."""
    return answered(lambda: ask_of(info, as_of).catalog.gpu(name))


def gpus(info: Info, as_of: AsOf = None) -> list[Gpu]:
    """Every GPU, by id."""
    return list(ask_of(info, as_of).catalog.gpus.values())


def symptoms(info: Info, as_of: AsOf = None) -> list[Symptom]:
    """Every symptom that `locate` understands."""
    return list(ask_of(info, as_of).catalog.symptoms.values())
