"""A value of `rules/walls.yaml`: one thing that can limit a system."""

from typing import Annotated

from pydantic import Field

from knockon.curate.shapes.base import NOT_EMPTY, UNIQUE, Condition, Pair, Shape, Word


class Wall(Shape):
    """One wall; `parent` is the coarser wall it is part of. Where `crosses` is false, no wall below is looked at."""

    name: Pair
    layers: Annotated[list[str], NOT_EMPTY, UNIQUE]
    dimension: Word
    means: Pair
    parent: Word | None = None
    crosses: Condition | None = None
    refuted_by: list[Condition] = Field(default=[])
    relieved_by: Annotated[list[Word], UNIQUE] = Field(default=[])
    stages: Annotated[list[Word], NOT_EMPTY, UNIQUE] = Field(default=["inference"])
