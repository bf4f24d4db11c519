"""`$((…))`: whole numbers only, and only those that are known."""

import ast
import re
from collections.abc import Callable

_VARIABLE = re.compile(r"\$?\{?([A-Za-z_][A-Za-z0-9_]*)\}?")
# A count of cards or tokens; longer sums are not written into launch scripts.
_TEXT_MAX = 200
_NUMBER_MAX = 10**15


def number_of(text: str, value: Callable[[str], str | None]) -> int | None:
    """The number that an arithmetic expression gives; None when it is not known.

    Args:
        text: what stands between the brackets.
        value: the text that a variable holds; None when it is not known.
    """
    if len(text) > _TEXT_MAX:
        return None
    unknown: list[str] = []

    def put_in(match: re.Match[str]) -> str:
        held = value(match[1])
        if held is None or not (held.isascii() and held.isdigit()):
            unknown.append(match[1])
            return "0"
        return str(int(held))

    numbers = _VARIABLE.sub(put_in, text)
    if unknown:
        return None
    try:
        return _number(ast.parse(numbers.strip(), mode="eval").body)
    except (SyntaxError, ValueError, ZeroDivisionError, RecursionError, MemoryError):
        return None


def _number(node: ast.expr) -> int | None:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if not isinstance(node, ast.BinOp):
        return None
    left, right = _number(node.left), _number(node.right)
    if left is None or right is None or max(abs(left), abs(right)) > _NUMBER_MAX:
        return None
    match node.op:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        # A shell cuts off what is behind the point.
        case ast.Div():
            return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        case ast.Mod():
            return left % right if left >= 0 < right else None
        case _:
            return None
