"""A number as a result carries it: what stands for "not measured" never becomes one."""

import math
import re
from dataclasses import dataclass

from knockon.sources.amount import is_missing, shown, unit_called
from knockon.terms.unit import ONE, Unit
from knockon.terms.words import Json

# 12 digits hold every figure of a result; a placeholder of a template has x where digits belong.
_PLACEHOLDER = re.compile(r"N|x+(?:\.x+)?", re.IGNORECASE)
_NUMBER = re.compile(r"[-+]?(?:\d[\d,]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?", re.ASCII)
_INFINITE = re.compile(r"[-+]?inf(?:inity)?", re.IGNORECASE)
_CHARACTERS_MAX = 60
# Units as the tools write them.
_WORDS = {
    "requests/sec": "req/s",
    "tokens/sec": "tok/s",
    "sec": "s",
    "requests/s": "req/s",
    "tokens/s": "tok/s",
    "req/min": "request/min",
}
_PER_MINUTE = "request/min"


@dataclass(frozen=True, slots=True)
class Number:
    """A number in base units, or why there is none: exactly one of `value` and `why` says something."""

    value: float | None
    why: str = ""
    converted: str = ""
    """For people, where it was written in another unit: "120 ms = 0.12 second"."""
    is_infinite: bool = False
    """It is written as infinite: where it is a rate that was asked for, as fast as possible."""


def number_of(raw: Json, written_in: str, unit: Unit) -> Number:
    """Read `raw` as a number of `unit`; `written_in` is the tool's word for its unit, or nothing for base units."""
    if raw is None:
        return Number(None, "the result says null")
    if isinstance(raw, bool | list | dict):
        return Number(None, "the result has no number there")
    number = _plain(raw)
    if isinstance(number, Number):
        return number
    if math.isnan(number):
        return Number(None, "the result says NaN")
    if math.isinf(number):
        return Number(None, "the result says it is infinite", is_infinite=True)
    return _in_base(number, _WORDS.get(written_in, written_in), unit)


def _plain(raw: int | float | str) -> float | Number:
    if not isinstance(raw, str):
        try:
            return float(raw)
        except OverflowError:
            return Number(None, "too large for a number")
    text = raw.strip()
    if len(text) > _CHARACTERS_MAX:
        return Number(None, f"the result says {shown(text)}")
    if _INFINITE.fullmatch(text):
        return math.inf
    if is_missing(text) or _PLACEHOLDER.fullmatch(text) or not _NUMBER.fullmatch(text):
        return Number(None, f"the result says {shown(text)}")
    return float(text.replace(",", ""))


def _in_base(number: float, word: str, unit: Unit) -> Number:
    if not word:
        return Number(number)
    if word == _PER_MINUTE:
        return Number(number / 60, converted=f"{number:.12g} a minute = {number / 60:.12g} {unit}")
    try:
        literal = unit_called(word)
    except ValueError as error:
        return Number(None, str(error))
    if literal.unit != unit:
        return Number(None, f"the result gives it in {shown(word)}, which is no unit of {unit}")
    value = float(literal.in_base(number))
    if literal.times == literal.per:
        return Number(value)
    base = "" if unit == ONE else f" {unit}"
    return Number(value, converted=f"{number:.12g} {word} = {value:.12g}{base}")
