"""What calibration comes to: levels with where they come from, and thresholds that stay as they are, with why."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from knockon.rules.levels import Level, levels_of
from knockon.rules.rulebook import Rulebook
from knockon.terms.words import Text

DEFAULT = "default"
Method = Literal["history", "sweep"]

# Digits of a level that is written; what is usual is not known more closely.
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Calibrated:
    """One threshold with its new value."""

    level: Level
    old: float
    new: float
    low: float
    high: float
    """The interval that what the value stands for lies in with 95 % confidence."""
    samples: int
    worth: float
    """Independent values that the samples are worth."""
    says: Text


@dataclass(frozen=True, slots=True)
class Kept:
    """A threshold that stays as it is, and why."""

    threshold: str
    reading: str
    why: str


def candidates(rulebook: Rulebook, method: Method, only: Sequence[str] = ()) -> Iterator[tuple[str, tuple[Level, ...]]]:
    """(threshold, its levels, the most used first) of every threshold that `method` may calibrate, by key.

    Which ones may is said in the default profile (`calibrated_by`): a level that defines a word, as "full" does, is
    nothing that a healthy history knows. `only` names those that are wanted; all when empty.
    """
    by_key: dict[str, list[Level]] = {}
    for level in levels_of(rulebook):
        if level.side is not None:
            by_key.setdefault(level.threshold, []).append(level)
    known = rulebook.profiles[DEFAULT].thresholds
    for key, levels in by_key.items():
        if method in known[key].calibrated_by and (not only or key in only):
            yield key, tuple(levels)


def beyond(value: float, level: Level) -> float:
    """`value` in a few digits, rounded to the side where rules fire, so that it is itself not beyond the level."""
    if value == 0:
        return 0.0
    scale = 10.0 ** (_DIGITS - 1 - math.floor(math.log10(abs(value))))
    rounded = math.ceil(value * scale - 1e-9) if level.side == "above" else math.floor(value * scale + 1e-9)
    return rounded / scale


def why_never(value: float, level: Level, rulebook: Rulebook) -> str:
    """Why a level at `value` would decide nothing; empty where it would decide something."""
    info = rulebook.vocabulary.info(level.reading)
    end = info.maximum if level.side == "above" else info.minimum
    if end is not None and (value >= end if level.side == "above" else value <= end):
        word = "greatest" if level.side == "above" else "least"
        return f"{level.reading} comes to its {word} value, {end:g}, by itself"
    return ""


OldValues = Mapping[str, float]
"""Thresholds in force so far, by plain key."""
