"""Which way a condition leans when a name in it rises or falls: `a >= b` is pushed to FALSE by a falling `a`.

Values are taken to be non-negative, as every quantity and nearly every fact is; a product then rises with each factor.
"""

from typing import assert_never

from knockon.expr.nodes import And, Arithmetic, Bool, Call, Compare, Member, Name, Negative, Node, Not, Number, Or, Text

_BOTH = frozenset((1, -1))
_NONE: frozenset[int] = frozenset()


def leanings(node: Node, name: str) -> frozenset[int]:
    """Which way the truth of a condition may move when `name` rises.

    Returns:
        {+1} towards TRUE, {-1} towards FALSE, both when it cannot be told, empty when `name` is not in it.
    """
    match node:
        case And(items=items) | Or(items=items):
            return _NONE.union(*(leanings(item, name) for item in items))
        case Not(item=item):
            return _turned(leanings(item, name))
        case Compare(operator=operator, left=left, right=right):
            slope = _slope(left, name) | _turned(_slope(right, name))
            if operator in ("==", "!="):
                return _BOTH if slope else _NONE
            return slope if operator in (">", ">=") else _turned(slope)
        case _:
            return _BOTH if _slope(node, name) else _NONE


def _slope(node: Node, name: str) -> frozenset[int]:
    """Which way the value of a term moves when `name` rises; both signs when it cannot be told."""
    match node:
        case Number() | Text() | Bool():
            return _NONE
        case Name(id=known):
            return frozenset((1,)) if known == name else _NONE
        case Negative(operand=operand):
            return _turned(_slope(operand, name))
        case Arithmetic(operator=operator, left=left, right=right):
            rising, falling = _slope(left, name), _slope(right, name)
            if operator == "%":
                return _BOTH if rising or falling else _NONE
            return rising | (_turned(falling) if operator in ("-", "/") else falling)
        case Call(function=function, arguments=arguments):
            slopes = _NONE.union(*(_slope(argument, name) for argument in arguments))
            return _BOTH if slopes and function == "abs" else slopes
        case Member(left=left):
            return _BOTH if _slope(left, name) else _NONE
        case Compare() | And() | Or() | Not():
            return _BOTH if leanings(node, name) else _NONE
        case _:
            assert_never(node)


def _turned(signs: frozenset[int]) -> frozenset[int]:
    return frozenset(-sign for sign in signs)
