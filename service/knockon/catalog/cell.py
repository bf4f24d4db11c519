"""Coordinates: stage × layer × dimension, the axes they come from, and the state of empty cells."""

from collections.abc import Mapping
from dataclasses import dataclass

from knockon.terms.citation import Cite
from knockon.terms.words import Text


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """One (stage, layer, dimension), by axis ids: `Cell("inference", "L5", "storage")`."""

    stage: str
    layer: str
    dimension: str

    def __str__(self) -> str:
        return f"{self.stage} × {self.layer} × {self.dimension}"


@dataclass(frozen=True, slots=True)
class AxisValue:
    """One value of an axis, for example layer L5 or the burden `quality`."""

    id: str
    name: Text
    means: Text
    is_carried: bool = False
    """Whether a burden goes with what is made from stage to stage, as what a model is worth does."""


@dataclass(frozen=True, slots=True)
class Axes:
    """The axes in force, in their shipped order."""

    stages: Mapping[str, AxisValue]
    layers: Mapping[str, AxisValue]
    dimensions: Mapping[str, AxisValue]
    burdens: Mapping[str, AxisValue]


@dataclass(frozen=True, slots=True)
class CellNote:
    """What curators know of an empty cell: "known_empty" or "impossible", with the reason. Others are unexplored.

    A stage, layer or dimension of None matches any.
    """

    stage: str | None
    layer: str | None
    dimension: str | None
    state: str
    why: Text
    cite: tuple[Cite, ...]
