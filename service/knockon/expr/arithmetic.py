"""Numbers at run time, in one place for folding, for walking, and as the measure of every back-end.

A number is finite. What is not finite, or has no value (`1 / 0`), is None, which stands for UNKNOWN.
"""

from collections.abc import Sequence
from math import ceil, floor
from sys import float_info

from knockon.expr.nodes import ArithmeticOperator, CompareOperator, Number
from knockon.terms.unit import LITERAL_UNITS

Numeric = int | float

# No number of the language is larger, ints included: every back-end can hold it.
LARGEST = float_info.max


def settled(value: object) -> Numeric | None:
    """`value` itself when it is a finite number (bools are none), else None."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if -LARGEST <= value <= LARGEST else None


def in_base(number: Number) -> Numeric | None:
    """The value of a literal in the base unit: `80GiB` in bytes."""
    return settled(LITERAL_UNITS[number.unit].in_base(number.value) if number.unit else number.value)


def computed(operator: ArithmeticOperator, left: Numeric, right: Numeric) -> Numeric | None:
    """`left operator right`; `%` has the sign of `right`, as in Python."""
    try:
        match operator:
            case "+":
                return settled(left + right)
            case "-":
                return settled(left - right)
            case "*":
                return settled(left * right)
            case "/":
                return settled(left / right)
            case "%":
                return settled(left % right)
    except (ZeroDivisionError, OverflowError):
        return None


def applied(function: str, arguments: Sequence[Numeric]) -> Numeric | None:
    """The value of one of the functions of expr/functions.py."""
    match function:
        case "min":
            return min(arguments)
        case "max":
            return max(arguments)
        case "abs":
            return abs(arguments[0])
        case "ceil":
            return ceil(arguments[0])
        case "floor":
            return floor(arguments[0])
        case _:
            return None


def holds(operator: CompareOperator, left: Numeric, right: Numeric) -> bool:
    """Whether the comparison of two numbers is true."""
    match operator:
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case ">=":
            return left >= right
        case "==":
            return left == right
        case "!=":
            return left != right
