"""`rules/profiles/<name>.yaml`: a set of thresholds."""

from typing import Annotated, Literal

from pydantic import Field

from knockon.curate.shapes.base import (
    NOT_EMPTY,
    UNIQUE,
    Cites,
    Condition,
    IsoDate,
    Number,
    Pair,
    Sentence,
    Shape,
    Slug,
    Word,
)


class Threshold(Shape):
    """One value, where it comes from and when that was last checked."""

    value: Number
    unit: Sentence
    provenance: Literal["experience", "measured", "history", "datasheet"]
    checked: IsoDate
    samples: Annotated[int, Field(ge=0)] | None = None
    calibrated_by: Annotated[list[Literal["history", "sweep"]], UNIQUE] = Field(default=[])
    interval: Annotated[list[Number], Field(min_length=2, max_length=2)] | None = None
    says: Pair | None = None
    cite: Cites


class ProfileKey(Shape):
    """What the profile is for; what is left out is any."""

    hardware: Sentence | None = None
    engine: Sentence | None = None
    model: Sentence | None = None
    load: Sentence | None = None
    load_when: Condition | None = None


class Profile(Shape):
    """One profile; where it is silent the thresholds of `base` hold."""

    name: Slug
    title: Pair
    base: Slug | None = None
    for_: ProfileKey = Field(default=ProfileKey(), alias="for")
    calibrated: bool = False
    thresholds: Annotated[dict[Word, Threshold], NOT_EMPTY]
