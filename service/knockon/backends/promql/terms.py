"""The small words of PromQL: numbers, guards, what never returns a sample, and what cannot be said at all."""

from knockon.expr.arithmetic import Numeric
from knockon.expr.nodes import Node
from knockon.expr.show import show
from knockon.terms.errors import Problem, Unsupported

# Returns no sample, whatever there is.
NEVER = "vector(0) == 1"
# Longer whole numbers are easier to read with an exponent.
_WHOLE_MAX = 10**15


def finite(text: str) -> str:
    """The vector without NaN and infinities: a comparison drops what it does not hold for and keeps the values."""
    return f"({text} > -Inf < +Inf)"


def within(text: str, least: Numeric | None, most: Numeric | None, *, above: Numeric | None = None) -> str:
    """The vector without what lies outside the closed range or not above `above`, NaN and infinities included."""
    lower = f">= {number(least)}" if least is not None else "> -Inf"
    if above is not None and (least is None or least <= above):
        lower = f"> {number(above)}"
    return f"{text} {lower} {'< +Inf' if most is None else f'<= {number(most)}'}"


def number(value: Numeric) -> str:
    """A literal that reads back as the same 64-bit number."""
    try:
        return f"{int(value):d}" if abs(value) < _WHOLE_MAX and value == int(value) else repr(float(value))
    except OverflowError:
        return "NaN"


def unsupported(node: Node) -> Unsupported:
    """The error for a node that PromQL has no words for."""
    what = f"`{show(node)}` cannot be written in PromQL, whose samples are numbers"
    return Unsupported(Problem("unsupported", what, fix="give the fact a value with --set"))
