"""A value of `catalog/quantities/<dimension or burden>.yaml`: one thing that rises or falls."""

from typing import Annotated, Literal

from pydantic import Field

from knockon.curate.shapes.base import UNIQUE, Cites, Condition, Onto, Pair, QuantityId, Sentence, Shape, Stage


class Influence(Shape):
    """When the quantity rises, `on` rises (`+`) or falls (`-`); `says` holds both when it rises and when it falls.

    `stages` are those of the work in which it holds; without them it holds in any. `loop` stands at one influence of
    every feedback loop, and says what ends it.
    """

    on: QuantityId
    sign: Literal["+", "-"]
    stages: Annotated[list[Stage], UNIQUE] = Field(default=[])
    when: Condition | None = None
    says: Pair
    inferred: bool = False
    loop: Pair | None = None
    cite: Cites


class Quantity(Shape):
    """One quantity; `of` is the dimension or burden its file is named after."""

    name: Pair
    of: Onto
    unit: Sentence
    better: Literal["up", "down"]
    means: Pair
    influences: list[Influence] = Field(default=[])
