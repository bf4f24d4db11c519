"""A value of `rules/symptoms.yaml`: one observation, or several at once, and what each layer has to do with it."""

from typing import Annotated, Literal

from pydantic import Field

from knockon.curate.shapes.base import NOT_EMPTY, UNIQUE, Cites, Pair, ReadingName, Sentence, Shape, Slug, Stage


class Sayings(Shape):
    """How people say it."""

    en: Annotated[list[Sentence], UNIQUE] = Field(default=[])
    zh: Annotated[list[Sentence], UNIQUE] = Field(default=[])


class Vote(Shape):
    """How far one layer can be the cause, and why."""

    judgement: Literal["likely", "possible", "unlikely", "cannot"]
    says: Pair
    inferred: bool = False
    cite: Cites


class Symptom(Shape):
    """One symptom; `of` makes it a combination of others, `measure` names the readings that confirm or refute it."""

    name: Pair
    aliases: Sayings = Sayings()
    stage: Stage | None = None
    of: Annotated[list[Slug], UNIQUE] = Field(default=[])
    measure: Annotated[list[ReadingName], UNIQUE] = Field(default=[])
    layers: Annotated[dict[str, Vote], NOT_EMPTY]
