"""An item of `catalog/cells.yaml`: what is known of cells that hold no technique."""

from typing import Literal

from knockon.curate.shapes.base import CellSteps, Cites, Pair, Shape


class CellNote(Shape):
    """Why a cell is empty; `*` stands for any value of its axis."""

    cell: CellSteps
    state: Literal["known_empty", "impossible"]
    why: Pair
    cite: Cites
