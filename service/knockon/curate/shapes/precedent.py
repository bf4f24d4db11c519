"""A value of `rules/precedents/<topic>.yaml`: one report of a slow system whose cause was found, or stayed open."""

from typing import Annotated, Self

from pydantic import model_validator

from knockon.curate.shapes.base import (
    NOT_EMPTY,
    IsoDate,
    ReadingName,
    Sentence,
    Shape,
    Url,
    Value,
    WallId,
    refusal,
)


class Precedent(Shape):
    """One report; without a `wall` its cause was never established. `told` is what was said before anybody knew."""

    source: Url
    checked: IsoDate
    wall: WallId | None = None
    told: Sentence | None = None
    readings: Annotated[dict[ReadingName, Value], NOT_EMPTY] | None = None

    @model_validator(mode="after")
    def _tells_something(self) -> Self:
        if self.told is None and self.readings is None:
            raise refusal("missing-key", "nothing of the report is told", "`readings`, `told` or both")
        return self
