"""`rules/vocabulary.yaml`: every name a condition may use, thresholds aside."""

from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from knockon.curate.shapes.base import NOT_EMPTY, UNIQUE, Number, Pair, Sentence, Shape, Word, refusal

ValueType = Literal["int", "number", "bool", "text", "version"]


class _Named(Shape):
    type: ValueType
    unit: Sentence = "1"
    min: Number | None = None
    max: Number | None = None
    options: Annotated[list[Sentence], UNIQUE] = Field(default=[])

    @model_validator(mode="after")
    def _bounds_fit(self) -> Self:
        if (self.min is not None or self.max is not None) and self.type not in ("int", "number"):
            raise refusal("bad-range", f"type {self.type} has no min and max", "min and max of an int or a number only")
        if self.min is not None and self.max is not None and self.min > self.max:
            raise refusal("bad-range", f"min {self.min!r} is above max {self.max!r}", "min below max")
        if self.options and self.type != "text":
            raise refusal("bad-range", f"type {self.type} has no options", "options of a text only")
        return self


def _by_engine(how: object) -> object:
    return {"any": how} if isinstance(how, str) else how


How = Annotated[dict[Word, Sentence], BeforeValidator(_by_engine, json_schema_input_type=str | dict[str, str])]


class FactName(_Named):
    """A fact: a value that describes one deployment."""

    group: Word
    means: Pair
    how: How = Field(default={})
    """By engine; a bare text holds for any engine."""


class Quantile(Shape):
    """Which quantile of which distribution a reading is. Of one distribution a higher share is never less."""

    of: Word
    share: Annotated[Number, Field(gt=0, lt=1)]


class ReadingName(_Named):
    """A reading: a measurement of a running system."""

    above: Number | None = None
    """A bound that is itself impossible, beside `min`: a power limit of 0 W is none."""
    quantile: Quantile | None = None
    checklist: Literal["kpi", "resource", "context"] = Field(alias="class")
    item: Word | None = None
    over_replicas: Literal["mean", "max", "min", "sum", "any"] = "mean"
    means: Pair
    how: Annotated[dict[Word, Sentence], NOT_EMPTY]


class Vocabulary(Shape):
    """All facts and readings by name."""

    facts: dict[Word, FactName]
    readings: dict[Word, ReadingName]
