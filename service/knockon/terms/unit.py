"""Units as exponents over a few base units. Units are compared, never silently converted.

Names of the vocabulary are always in base units (`_s`, `_bytes`); only literals (`80GiB`, `0.5ms`) carry a factor.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from knockon.terms.errors import Problem, UnitProblem
from knockon.terms.place import Span


@dataclass(frozen=True, slots=True)
class Unit:
    """A product of powers of base units; `powers` is sorted by name and holds no zero."""

    powers: tuple[tuple[str, int], ...] = ()

    def __str__(self) -> str:
        over = [_power(name, power) for name, power in self.powers if power > 0]
        under = [_power(name, -power) for name, power in self.powers if power < 0]
        return "/".join(["*".join(over) or "1", *under])


ONE = Unit()
"""No unit: counts, ratios."""


def _of(**powers: int) -> Unit:
    return Unit(tuple(sorted((name, power) for name, power in powers.items() if power)))


def _power(name: str, power: int) -> str:
    return name if power == 1 else f"{name}^{power}"


_BYTE, _TOKEN, _SECOND, _REQUEST, _WATT, _FLOP = (
    _of(byte=1), _of(token=1), _of(second=1), _of(request=1), _of(watt=1), _of(flop=1),
)  # fmt: skip

# What a unit may be called in YAML. One base unit has several spellings, so that `bytes/token` and `token/s` read well.
_WORDS: Mapping[str, Unit] = {
    "1": ONE,
    "byte": _BYTE, "bytes": _BYTE, "B": _BYTE,
    "token": _TOKEN, "tokens": _TOKEN,
    "second": _SECOND, "seconds": _SECOND, "s": _SECOND,
    "request": _REQUEST, "requests": _REQUEST,
    "watt": _WATT, "watts": _WATT, "W": _WATT,
    "flop": _FLOP, "flops": _FLOP, "FLOP": _FLOP,
    "sample": _of(sample=1), "samples": _of(sample=1),
    "step": _of(step=1), "steps": _of(step=1),
    "device": _of(device=1), "devices": _of(device=1),
    "dollar": _of(dollar=1), "dollars": _of(dollar=1), "USD": _of(dollar=1),
    "celsius": _of(celsius=1),
    "joule": _of(watt=1, second=1), "joules": _of(watt=1, second=1), "J": _of(watt=1, second=1),
    "hertz": _of(second=-1), "Hz": _of(second=-1),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class LiteralUnit:
    """A unit as it may stand behind a number: `times / per` of the base unit."""

    unit: Unit
    times: int = 1
    per: int = 1

    def in_base(self, value: float) -> int | float:
        """`value` of this unit in the base unit; an int stays an int where it can, else it is rounded once."""
        return value * self.times if self.per == 1 else value * self.times / self.per


# What may stand behind a number in an expression. Decimal prefixes are SI, binary ones IEC 80000-13.
LITERAL_UNITS: Mapping[str, LiteralUnit] = {
    "B": LiteralUnit(_BYTE),
    "KB": LiteralUnit(_BYTE, 10**3),
    "MB": LiteralUnit(_BYTE, 10**6),
    "GB": LiteralUnit(_BYTE, 10**9),
    "TB": LiteralUnit(_BYTE, 10**12),
    "KiB": LiteralUnit(_BYTE, 2**10),
    "MiB": LiteralUnit(_BYTE, 2**20),
    "GiB": LiteralUnit(_BYTE, 2**30),
    "TiB": LiteralUnit(_BYTE, 2**40),
    "us": LiteralUnit(_SECOND, per=10**6),
    "ms": LiteralUnit(_SECOND, per=10**3),
    "s": LiteralUnit(_SECOND),
    "min": LiteralUnit(_SECOND, 60),
    "h": LiteralUnit(_SECOND, 3_600),
    "d": LiteralUnit(_SECOND, 86_400),
    "W": LiteralUnit(_WATT),
    "kW": LiteralUnit(_WATT, 10**3),
    "MW": LiteralUnit(_WATT, 10**6),
    "FLOP": LiteralUnit(_FLOP),
    "GFLOP": LiteralUnit(_FLOP, 10**9),
    "TFLOP": LiteralUnit(_FLOP, 10**12),
    "PFLOP": LiteralUnit(_FLOP, 10**15),
    "token": LiteralUnit(_TOKEN),
    "request": LiteralUnit(_REQUEST),
}

_PIECE = re.compile(r"\s*(?P<sign>[*/]?)\s*(?P<word>[A-Za-z]+|1)(?:\^(?P<power>[1-9]))?\s*")


def parse_unit(text: str) -> Unit:
    """Read a unit as YAML writes it: `1`, `byte`, `bytes/token`, `byte/token/request`, `watt*second`, `byte^2`.

    Each `/` divides by the one word behind it. The empty text means `1`.

    Raises:
        UnitProblem: a word that is no base unit, or a sign out of place; the caret stands under it.
    """
    unit, at = ONE, 0
    while at < len(text):
        match = _PIECE.match(text, at)
        if match is None or bool(match["sign"]) != bool(at):
            raise _refusal(text, Span(at, len(text)), "the unit cannot be read", expected="words joined by `*` and `/`")
        word, power = match["word"], int(match["power"] or 1)
        if word not in _WORDS:
            scaled = LITERAL_UNITS.get(word)
            fix = f"give values in {scaled.unit}" if scaled else ""
            span = Span(match.start("word"), match.end("word"))
            raise _refusal(text, span, f"`{word}` is not a base unit", expected=f"one of {', '.join(_WORDS)}", fix=fix)
        for _ in range(power):
            unit = divide(unit, _WORDS[word]) if match["sign"] == "/" else multiply(unit, _WORDS[word])
        at = match.end()
    return unit


def multiply(left: Unit, right: Unit) -> Unit:
    """The unit of a product."""
    powers = dict(left.powers)
    for name, power in right.powers:
        powers[name] = powers.get(name, 0) + power
    return _of(**powers)


def divide(left: Unit, right: Unit) -> Unit:
    """The unit of a quotient."""
    return multiply(left, Unit(tuple((name, -power) for name, power in right.powers)))


def _refusal(text: str, span: Span, what: str, *, expected: str, fix: str = "") -> UnitProblem:
    return UnitProblem(Problem(code="unknown-unit", what=what, expected=expected, fix=fix), text=text, span=span)
