"""Holds every fact to its name in the vocabulary: type and range, whoever stated it."""

import math
from collections.abc import Callable, Iterable

from knockon.expr.vocabulary import NameInfo, Vocabulary
from knockon.terms.errors import IntakeError, Problem
from knockon.terms.fact import Fact
from knockon.terms.place import Position
from knockon.terms.unit import ONE
from knockon.terms.words import Scalar

# Answers go to programs whose integers have 64 bits.
WHOLE_MAX = 2**63 - 1

_KINDS = {"bool": "true or false", "text": "a text", "version": "a version such as 0.33.0"}


def is_possible(info: NameInfo, value: Scalar) -> bool:
    """Whether a value is of the name's type and inside its range; any text will do for a text or a version."""
    match info.type:
        case "bool":
            return isinstance(value, bool)
        case "text" | "version":
            return isinstance(value, str)
        case _:
            return not isinstance(value, (bool, str)) and _is_inside(info, value)


def wanted(info: NameInfo) -> str:
    """What a value of the name may be, for people: "a whole number from 1 to 4096"."""
    if not info.is_numeric:
        return _KINDS[info.type]
    kind = "a whole number" if info.type == "int" else "a number"
    unit = "" if info.unit == ONE else f" of {info.unit}"
    if info.minimum is None or info.maximum is None:
        return f"{kind}{unit}"
    if info.above is not None and info.above >= info.minimum:
        return f"{kind}{unit} over {_shown(info.above)}, at most {_shown(info.maximum)}"
    return f"{kind}{unit} from {_shown(info.minimum)} to {_shown(info.maximum)}"


def hold(
    facts: Iterable[Fact], vocabulary: Vocabulary, *, place: Callable[[Fact], Position | None] | None = None
) -> None:
    """Refuse the first fact that is outside its name's type or range.

    Args:
        facts: what was stated. Names that no condition may use are not looked at.
        vocabulary: the names.
        place: where a fact of a file stands that does not carry its place.

    Raises:
        IntakeError: with where it was stated.
    """
    for fact in facts:
        info = vocabulary.get(fact.name)
        if info is not None and not is_possible(info, fact.value):
            raise _outside(info, fact, place(fact) if place else None)


def _is_inside(info: NameInfo, value: int | float) -> bool:
    if info.type == "int" and not isinstance(value, int):
        return False
    if isinstance(value, float) and not math.isfinite(value):
        return False
    if isinstance(value, int) and abs(value) > WHOLE_MAX:
        return False
    if info.above is not None and value <= info.above:
        return False
    return (info.minimum is None or value >= info.minimum) and (info.maximum is None or value <= info.maximum)


def _outside(info: NameInfo, fact: Fact, place: Position | None) -> IntakeError:
    shown = repr(fact.value)
    shown = shown if len(shown) <= 40 else f"{shown[:37]}..."
    said = fact.origin.text
    what = f"{info.name} cannot be {shown}" + ("" if shown in said and info.name in said else f" ({said})")
    return IntakeError(
        Problem("out-of-range", what, expected=wanted(info), fix=info.means.en, at=fact.origin.at or place)
    )


def _shown(bound: float) -> str:
    return str(bound) if isinstance(bound, int) else f"{bound:g}"
