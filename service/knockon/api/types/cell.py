"""The axes and their cells."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from knockon.api.context import Info, count_link, knowledge_of
from knockon.api.shape import field, shows
from knockon.api.types.source import Source
from knockon.api.types.words import Text
from knockon.catalog import cell, technique
from knockon.catalog.grid import CellState, GridCell, cell_at

if TYPE_CHECKING:
    from knockon.api.types.technique import Technique

TechniqueType = Annotated["Technique", strawberry.lazy("knockon.api.types.technique")]


@shows(cell.AxisValue)
class AxisValue:
    """One value of an axis."""

    id: strawberry.ID = field(
        "Id as arguments take it: `inference`, `L5`, `storage`. Names in both languages work too."
    )
    name: Text = field("Name.")
    means: Text = field("What belongs to it.")


def _values(axis: str) -> Any:
    def resolver(root: cell.Axes) -> list[cell.AxisValue]:
        values: dict[str, cell.AxisValue] = getattr(root, axis)
        return list(values.values())

    return resolver


@shows(cell.Axes)
class Axes:
    """The coordinates of the catalog, in their order."""

    stages: list[AxisValue] = field("From data to governance.", resolver=_values("stages"))
    layers: list[AxisValue] = field("From hardware (L1) to business (L7).", resolver=_values("layers"))
    dimensions: list[AxisValue] = field("The resources a technique trades.", resolver=_values("dimensions"))
    burdens: list[AxisValue] = field("Where costs land that are no resource.", resolver=_values("burdens"))


def _looked_at(root: cell.Cell, info: Info) -> GridCell:
    return cell_at(knowledge_of(info).catalog, root)


def _count(root: cell.Cell, info: Info) -> int:
    return _looked_at(root, info).count


def _homes(root: cell.Cell, info: Info) -> int:
    return _looked_at(root, info).homes


def _state(root: cell.Cell, info: Info) -> CellState:
    return _looked_at(root, info).state


def _why(root: cell.Cell, info: Info) -> Any:
    return _looked_at(root, info).why


def _sources(root: cell.Cell, info: Info) -> Any:
    return _looked_at(root, info).sources


def _techniques(root: cell.Cell, info: Info) -> tuple[technique.Technique, ...]:
    held = knowledge_of(info).catalog.techniques_in(root)
    count_link(info, len(held))
    return held


@shows(cell.Cell)
class Cell:
    """One cell: stage × layer × dimension."""

    stage: str = field("Id of the stage.")
    layer: str = field("Id of the layer.")
    dimension: str = field("Id of the dimension.")
    count: int = field("Techniques in it, home or not.", resolver=_count)
    homes: int = field("Of these, those that have their home here.", resolver=_homes)
    state: CellState = field("What is known of it.", resolver=_state)
    why: Text | None = field("Why it is empty; null when it is occupied or nobody has said why.", resolver=_why)
    sources: list[Source] = field("Who says why it is empty; empty where `why` is null.", resolver=_sources)
    techniques: list[TechniqueType] = field(
        "The techniques in it, home or not, by id. `techniques(filter:)` gives them in pages.", resolver=_techniques
    )
