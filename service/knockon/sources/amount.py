"""Numbers as texts carry them: with a unit behind, with a percent sign, or with a word for "not available"."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from knockon.terms.errors import UnitProblem
from knockon.terms.unit import LITERAL_UNITS, ONE, LiteralUnit, Unit, parse_unit

_AMOUNT = re.compile(
    r"(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(?P<unit>(?:[a-zA-Z%µμ°]|1/).*)?", re.ASCII | re.DOTALL
)
# nvidia-smi puts its reasons in brackets: [N/A], [Not Supported], [Unknown Error], [Insufficient Permissions].
_MISSING = re.compile(r"\[.*\]|n/?a|\.?nan|none|null|not (?:available|supported)|unknown|-+|\?|", re.IGNORECASE)
# A longer whole number is read as a float; no counter comes near it.
_DIGITS_MAX = 40
# nvidia-smi's longest reason has 41 characters, a float at full precision 24.
_TEXT_MAX = 100

# What people write beside the units of expressions; `%` is the only one that changes a plain number.
_MORE_UNITS: Mapping[str, LiteralUnit] = {
    "%": LiteralUnit(ONE, per=100),
    "percent": LiteralUnit(ONE, per=100),
    "ns": LiteralUnit(LITERAL_UNITS["s"].unit, per=10**9),
    "µs": LITERAL_UNITS["us"],
    "μs": LITERAL_UNITS["us"],
    "sec": LITERAL_UNITS["s"],
    "mW": LiteralUnit(LITERAL_UNITS["W"].unit, per=10**3),
    "tok": LITERAL_UNITS["token"],
    "req": LITERAL_UNITS["request"],
    "tokens": LITERAL_UNITS["token"],
    "requests": LITERAL_UNITS["request"],
    "reqs": LITERAL_UNITS["request"],
    "secs": LITERAL_UNITS["s"],
    "seconds": LITERAL_UNITS["s"],
    "minutes": LITERAL_UNITS["min"],
    "mins": LITERAL_UNITS["min"],
    "hours": LITERAL_UNITS["h"],
    "pct": LiteralUnit(ONE, per=100),
    "C": LiteralUnit(parse_unit("celsius")),
    "°C": LiteralUnit(parse_unit("celsius")),
    "tok/s": LiteralUnit(parse_unit("token/s")),
    "tokens/s": LiteralUnit(parse_unit("token/s")),
    "tok/sec": LiteralUnit(parse_unit("token/s")),
    "tokens/sec": LiteralUnit(parse_unit("token/s")),
    "t/s": LiteralUnit(parse_unit("token/s")),
    "tps": LiteralUnit(parse_unit("token/s")),
    "requests/s": LiteralUnit(parse_unit("request/s")),
    "reqs/s": LiteralUnit(parse_unit("request/s")),
    "req/sec": LiteralUnit(parse_unit("request/s")),
    "rps": LiteralUnit(parse_unit("request/s")),
    "qps": LiteralUnit(parse_unit("request/s")),
    "req/s": LiteralUnit(parse_unit("request/s")),
}


@dataclass(frozen=True, slots=True)
class Amount:
    """A number in the base unit that was asked for."""

    value: int | float
    converted: str = ""
    """For people, where the number was written in another unit: "120 ms = 0.12 s"."""


def is_missing(text: str) -> bool:
    """Whether `text` is a word for "there is no value", such as `N/A`, `[Not Supported]`, `NaN`, `-` or nothing."""
    return len(text) <= _TEXT_MAX and _MISSING.fullmatch(text.strip()) is not None


def amount_of(text: str, unit: Unit, *, written_in: str = "") -> Amount:
    """Read "0.12", "120 ms", "93 %", "40 GiB" as a number of `unit`.

    Args:
        text: the number, with its unit or without.
        unit: the base unit wanted.
        written_in: the unit when it does not stand behind the number (a column's title, a key of its own).

    Raises:
        ValueError: no number, an unknown unit, or a unit of another kind; the message says which.
    """
    match = _AMOUNT.fullmatch(text.strip()) if len(text) <= _TEXT_MAX else None
    if match is None:
        raise ValueError(f"{shown(text)} is not a number")
    word = (match["unit"] or "").strip() or written_in.strip()
    number = _number(match["number"])
    if not word:
        return Amount(number)
    literal = unit_called(word)
    if literal.unit != unit:
        raise ValueError(f"{shown(text)} is in {shown(word)}, which is no unit of {unit}")
    value = literal.in_base(number)
    if literal.times == literal.per:
        return Amount(value)
    base = "" if unit == ONE else f" {unit}"
    return Amount(value, f"{match['number']} {word} = {value:.12g}{base}")


def unit_called(word: str) -> LiteralUnit:
    """The unit people write as `word`: "%", "ms", "MiB", "token/s"; raises ValueError for an unknown one."""
    found = LITERAL_UNITS.get(word) or _MORE_UNITS.get(word)
    if found is not None:
        return found
    try:
        return LiteralUnit(parse_unit(word))
    except UnitProblem as error:
        raise ValueError(f"no unit is called {shown(word)}") from error


def _number(text: str) -> int | float:
    is_whole = len(text) <= _DIGITS_MAX and text.lstrip("+-").isdigit()
    return int(text) if is_whole else float(text)


def shown(text: str) -> str:
    """Return the text in quotes, shortened; characters a terminal would obey are spelled out."""
    return repr(text if len(text) <= 60 else f"{text[:59]}…")
