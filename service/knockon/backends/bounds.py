"""How large a term can get, so that a back-end guards against infinity only where it can come up."""

from math import inf
from typing import assert_never

from knockon.expr.arithmetic import LARGEST
from knockon.expr.nodes import And, Arithmetic, Bool, Call, Compare, Member, Name, Negative, Node, Not, Number, Or, Text
from knockon.expr.vocabulary import Vocabulary


def is_always_finite(node: Arithmetic, vocabulary: Vocabulary) -> bool:
    """Whether the term, its operands finite, is finite too, as the vocabulary bounds its names.

    Never of a division: nothing bounds a divisor away from zero.
    """
    return _magnitude(node, vocabulary) <= LARGEST


def _magnitude(node: Node, vocabulary: Vocabulary) -> float:
    """The largest distance from zero, infinite where nothing bounds it."""
    match node:
        case Number(value=value):
            return _as_float(abs(value))
        case Name(id=name):
            info = vocabulary.info(name)
            if info.minimum is None or info.maximum is None:
                return inf
            return max(abs(info.minimum), abs(info.maximum))
        case Negative(operand=operand):
            return _magnitude(operand, vocabulary)
        case Call(arguments=arguments):
            # `ceil` and `floor` may go one further from zero.
            return max(_magnitude(argument, vocabulary) for argument in arguments) + 1
        case Arithmetic(operator="+" | "-", left=left, right=right):
            return _magnitude(left, vocabulary) + _magnitude(right, vocabulary)
        case Arithmetic(operator="*", left=left, right=right):
            first, second = _magnitude(left, vocabulary), _magnitude(right, vocabulary)
            return first * second if first and second else 0.0
        case Arithmetic():
            return inf
        case Text() | Bool() | Compare() | Member() | And() | Or() | Not():
            return inf
        case _:
            assert_never(node)


def _as_float(value: float) -> float:
    return float(value) if value <= LARGEST else inf
