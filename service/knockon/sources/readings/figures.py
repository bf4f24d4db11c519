"""Numbers as people write them: "~20 %", ">95%", "20-30 ms", "247 -> 219", "12k", "3.2x"."""

import math
import re
from dataclasses import dataclass

# A longer text is prose.
_TEXT_MAX = 60
_ONE = r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?|[-+]?\.\d+"
_UNIT = r"(?:[A-Za-z%µμ°][^\d]*?)?"
_FIGURES = re.compile(
    r"(?P<about>~|≈|about|approx\.?|approximately|around|roughly|ca\.?)?\s*"
    r"(?P<bound>>=?|≥|<=?|≤|over|above|more than|at least|under|below|less than|at most|up to)?\s*"
    rf"(?P<times>x)?(?P<first>{_ONE})\s*(?P<first_k>k(?![A-Za-z/]))?\s*(?P<first_unit>{_UNIT})\s*"
    rf"(?:(?P<between>->|→|=>|–|-|\.\.|\bto\b)\s*(?P<last>{_ONE})\s*(?P<last_k>k(?![A-Za-z/]))?\s*(?P<last_unit>{_UNIT})?)?"
)
_ABOVE = frozenset({">", ">=", "≥", "over", "above", "more than", "at least"})
_ARROWS = frozenset({"->", "→", "=>"})


@dataclass(frozen=True, slots=True)
class Figures:
    """One number, or the two ends of a range or a course."""

    numbers: tuple[float, ...]
    unit: str = ""
    """As it is written, empty where there is none."""
    is_at_least: bool = False
    is_at_most: bool = False
    is_course: bool = False
    """The first number became the last one."""
    is_plain: bool = True
    """One number that is neither about nor a bound, and its unit."""


def figures(text: str) -> Figures | None:
    """The numbers of `text`; None where it is no such text."""
    match = _FIGURES.fullmatch(text.strip()) if len(text) <= _TEXT_MAX else None
    if match is None:
        return None
    first, last = (_number(match[end], match[f"{end}_k"]) for end in ("first", "last"))
    units = {unit.strip() for unit in (match["first_unit"], match["last_unit"]) if unit and unit.strip()}
    if first is None or len(units) > 1 or not (math.isfinite(first) and math.isfinite(last or 0.0)):
        return None
    bound = match["bound"] or ""
    return Figures(
        (first,) if last is None else (first, last),
        "x" if match["times"] else next(iter(units), ""),
        is_at_least=bound in _ABOVE,
        is_at_most=bool(bound) and bound not in _ABOVE,
        is_course=match["between"] in _ARROWS,
        is_plain=last is None and not (match["about"] or bound or match["times"] or match["first_k"]),
    )


def _number(text: str | None, thousands: str | None) -> float | None:
    return None if text is None else float(text.replace(",", "")) * (1000 if thousands else 1)
