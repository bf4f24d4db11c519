"""What was taken of a report so far: one reading for each name and replica, and what was told of it."""

import math
from dataclasses import dataclass, field, replace

from knockon.terms.fact import Fact
from knockon.terms.reading import Reading
from knockon.terms.words import Text

# The step of what several observations or words say together: nearer to its reading than any free name.
CERTAIN = -1
# Two values nearer than this are one value, rounded twice.
_SAME = 0.02


@dataclass(slots=True)
class Found:
    """Readings, facts and notes, in the order in which they came."""

    readings: dict[tuple[str, str], Reading] = field(default_factory=dict)
    facts: dict[str, Fact] = field(default_factory=dict)
    notes: list[Text] = field(default_factory=list)
    _steps: dict[tuple[str, str], int] = field(default_factory=dict)

    def add(self, reading: Reading, *, step: int = CERTAIN) -> None:
        """Take `reading`; of two values of one reading that whose name is nearer to its own, by `step`.

        Where both names are as near, neither is taken and the reading is invalid: which one is meant cannot be told.
        """
        if isinstance(reading.value, float) and not math.isfinite(reading.value):
            reading = replace(reading, value=None, state="invalid", why="too large for a number", raw=_shown(reading))
        key = (reading.name, reading.replica)
        other = self.readings.get(key)
        if other is None or (other.state == "missing" and reading.state == "measured"):
            self.readings[key], self._steps[key] = reading, step
        elif reading.state == other.state == "measured" and not _is_same(reading, other):
            self._choose(key, other, reading, step)

    def whole_numbers(self) -> dict[str, int]:
        """The whole numbers among the facts, by name."""
        values = {name: fact.value for name, fact in self.facts.items()}
        return {name: value for name, value in values.items() if isinstance(value, int) and not isinstance(value, bool)}

    def _choose(self, key: tuple[str, str], other: Reading, reading: Reading, step: int) -> None:
        if self._steps[key] == step == CERTAIN:
            return
        what = f"{other.origin} says {key[0]} is {_shown(other)}, {reading.origin} says {_shown(reading)}"
        what_zh = f"{other.origin} 称 {key[0]} 为 {_shown(other)}，{reading.origin} 称为 {_shown(reading)}"
        if self._steps[key] == step:
            why = f"{what}: which one is meant cannot be told"
            self.readings[key] = replace(other, value=None, state="invalid", why=why, raw=_shown(other))
            return
        if step < self._steps[key]:
            self.readings[key], self._steps[key] = reading, step
        origin = self.readings[key].origin
        self.notes.append(Text(f"{what}; taken from {origin}", f"{what_zh}；取自 {origin}"))


def _is_same(one: Reading, other: Reading) -> bool:
    if isinstance(one.value, str) or isinstance(other.value, str) or one.value is None or other.value is None:
        return one.value == other.value
    return math.isclose(one.value, other.value, rel_tol=_SAME)


def _shown(reading: Reading) -> str:
    is_number = isinstance(reading.value, int | float) and not isinstance(reading.value, bool)
    return f"{reading.value:g}" if is_number else str(reading.value)
