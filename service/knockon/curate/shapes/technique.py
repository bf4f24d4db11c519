"""`catalog/techniques/<home stage>/<id>.yaml`: one technique."""

from typing import Annotated, Literal

from pydantic import Field

from knockon.curate.forms import SLUG
from knockon.curate.shapes.base import (
    NOT_EMPTY,
    UNIQUE,
    Cell,
    Cites,
    Condition,
    Formula,
    NotNegative,
    Number,
    Onto,
    Pair,
    QuantityId,
    Sentence,
    Shape,
    Slug,
    TechniqueId,
    Word,
    written_as,
)


class Aliases(Shape):
    """What people call or type for it, flags included."""

    en: Annotated[list[Sentence], UNIQUE] = Field(default=[])
    zh: Annotated[list[Sentence], UNIQUE] = Field(default=[])


class Size(Shape):
    """How much, as the source says it, and either on what it was measured or what else it rests on.

    `basis`: `arithmetic` follows from counts and widths; `stated` is set by a product, a rule or its makers' advice;
    `example` is made up by the source.
    """

    text: Pair
    factor: NotNegative | None = None
    value: Number | None = None
    unit: Sentence | None = None
    measured_on: Sentence | None = None
    basis: Literal["arithmetic", "stated", "example"] | None = None


class Shift(Shape):
    """Gains here, or pays there, through a quantity."""

    effect: Literal["gain", "cost"]
    onto: Onto
    quantity: QuantityId
    change: Literal["up", "down"]
    when: Condition | None = None
    size: Size | None = None
    says: Pair
    inferred: bool = False
    cite: Cites


class Need(Shape):
    """What the technique assumes."""

    says: Pair
    when: Condition | None = None
    inferred: bool = False
    cite: Cites


class Relation(Shape):
    """How the technique stands to another."""

    kind: Literal[
        "requires", "conflicts", "degrades", "mitigates", "amplifies", "supersedes", "contrasts", "combines", "joins"
    ]  # fmt: skip
    to: TechniqueId
    when: Condition | None = None
    says: Pair
    inferred: bool = False
    cite: Cites


class Switch(Shape):
    """How an engine turns it on, and the first version that can."""

    switch: Sentence
    since: Sentence | None = None


class Tombstone(Shape):
    """Why the technique was removed from the catalog; its id stays taken."""

    reason: Pair
    replacement: TechniqueId | None = None


class Technique(Shape):
    """One technique; the first cell is its home."""

    id: Annotated[Slug, written_as(SLUG)]
    name: Pair
    aliases: Aliases = Aliases()
    cells: Annotated[list[Cell], NOT_EMPTY, UNIQUE]
    mechanism: Annotated[Slug, written_as(SLUG)]
    goal: Pair
    adds_devices: bool | None = None
    summary: Pair
    summary_inferred: bool = False
    shifts: Annotated[list[Shift], NOT_EMPTY]
    needs: list[Need] = Field(default=[])
    relations: list[Relation] = Field(default=[])
    engines: dict[Word, Switch] = Field(default={})
    detect: Condition | None = None
    enable: dict[Word, Formula] = Field(default={})
    former_ids: Annotated[list[Slug], UNIQUE] = Field(default=[])
    tombstone: Tombstone | None = None
    cite: Cites
