"""Two techniques side by side."""

from typing import Any

from knockon.api.context import Info
from knockon.api.shape import field, shows
from knockon.api.types.cell import Cell
from knockon.api.types.source import Source
from knockon.api.types.technique import Need, Relation, Shift, Technique, technique_named
from knockon.api.types.words import Text
from knockon.catalog import contrast


def _technique(root: contrast.Side, info: Info) -> Any:
    return technique_named(info, root.technique)


@shows(contrast.Side)
class Side:
    """One side of a comparison."""

    technique: Technique = field("The technique.", resolver=_technique)
    goal: Text = field("What people use it for.")
    adds_devices: bool | None = field("Whether it takes more devices; null where the catalog does not say.")
    mechanism: str = field("How it works.")
    gains: list[Shift] = field("What it gains.")
    costs: list[Shift] = field("What it costs.")
    needs: list[Need] = field("What it assumes.")
    sources: list[Source] = field("Who describes it.")


@shows(contrast.Contrast)
class Contrast:
    """A comparison of two techniques, all of it as the catalog states it."""

    left: Side = field("The technique that was asked about.")
    right: Side = field("The other one.")
    relations: list[Relation] = field("What the catalog says of the pair; the left one's relations first.")
    sources: list[Source] = field("Who says so.")
    shared_cells: list[Cell] = field("Cells that both occupy.")
