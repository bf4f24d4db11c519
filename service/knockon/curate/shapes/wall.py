"""A value of `rules/walls.yaml`: one thing that can limit a system."""

from typing import Annotated

from pydantic import Field

from knockon.curate.shapes.base import (
    NOT_EMPTY,
    UNIQUE,
    Condition,
    Dimension,
    Layer,
    Pair,
    QuantityId,
    Shape,
    Stage,
    WallId,
)


class Wall(Shape):
    """One wall; `parent` is the coarser wall it is part of. Where `crosses` is false, no wall below is looked at."""

    name: Pair
    layers: Annotated[list[Layer], NOT_EMPTY, UNIQUE]
    dimension: Dimension
    parent: WallId | None = None
    means: Pair
    relieved_by: Annotated[list[QuantityId], UNIQUE] = Field(default=[])
    stages: Annotated[list[Stage], NOT_EMPTY, UNIQUE] = Field(default=["inference"])
    crosses: Condition | None = None
    refuted_by: list[Condition] = Field(default=[])
