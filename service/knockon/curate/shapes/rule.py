"""`rules/couple/K001-<slug>.yaml` and `rules/diagnose/D001-<slug>.yaml`: one rule."""

from typing import Annotated, Literal

from pydantic import Field

from knockon.curate.shapes.base import (
    NOT_EMPTY,
    UNIQUE,
    Cites,
    Condition,
    CoupleId,
    DiagnoseId,
    Dimension,
    FactOrReading,
    Formula,
    IsoDate,
    Layer,
    Onto,
    Pair,
    QuantityId,
    ReadingName,
    Sentence,
    Shape,
    Slug,
    TechniqueId,
    Value,
    WallId,
    Word,
)


class Example(Shape):
    """A case: these values, and what the rule then does."""

    name: Sentence
    given: dict[str, Value]
    expect: Literal["fires", "silent", "unknown"]


class Step(Shape):
    """One step of the derivation."""

    name: Word
    value: Formula
    unit: Sentence = "1"
    says: Pair


class RuleShift(Shape):
    """Where the cost lands when the rule fires."""

    gains: Onto
    onto: Onto
    quantity: QuantityId
    factor: Formula | None = None


class Fix(Shape):
    """A change that takes the finding away, with its own price."""

    says: Pair
    technique: TechniqueId | None = None
    set: dict[Word, Formula] = Field(default={})
    range: Annotated[list[Formula], Field(min_length=2, max_length=2)] | None = None
    when: Condition | None = None
    knock_on: list[Pair] = Field(default=[])


class Couple(Shape):
    """A rule about techniques together, judged on facts."""

    id: CoupleId
    name: Pair
    verdict: Literal["conflict", "degraded", "note"]
    when: Condition
    because: Annotated[list[TechniqueId], NOT_EMPTY, UNIQUE]
    says: Pair
    derive: list[Step] = Field(default=[])
    shifts: list[RuleShift] = Field(default=[])
    fixes: list[Fix] = Field(default=[])
    remarks: list[Pair] = Field(default=[])
    asked_with: Annotated[list[Word], UNIQUE] = Field(default=[])
    read_in: Sentence | None = None
    cite: Cites
    checked: IsoDate
    examples: list[Example]


class Diagnose(Shape):
    """A rule about one wall, judged on readings and thresholds."""

    id: DiagnoseId
    name: Pair
    kind: Slug
    wall: WallId
    layer: Layer
    dimension: Dimension
    when: Condition
    says: Pair
    observes: Annotated[list[FactOrReading], Field(min_length=2), UNIQUE]
    supports: list[Condition] = Field(default=[])
    against: list[Condition] = Field(default=[])
    outranks: Annotated[list[DiagnoseId], UNIQUE] = Field(default=[])
    confidence: Annotated[float, Field(gt=0, le=1)]
    confirm: Pair
    refute: Pair | None = None
    invalidates: Annotated[list[ReadingName], UNIQUE] = Field(default=[])
    told_apart_by: Annotated[list[FactOrReading], UNIQUE] = Field(default=[])
    gives_way: bool = False
    asked_with: Annotated[list[Word], UNIQUE] = Field(default=[])
    leave: Condition | None = None
    for_s: Annotated[float, Field(gt=0)] | None = None
    keep_firing_for_s: Annotated[float, Field(gt=0)] | None = None
    advice: list[Pair] = Field(default=[])
    cite: Cites
    checked: IsoDate
    examples: list[Example]
