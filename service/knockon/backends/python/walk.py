"""Single questions, answered by walking down the nodes: the value of one expression, the truth of one condition.

Slower than the generated function and without its preparation: right for derivations, needs, and what is asked once.
It takes nodes in any form. Without a vocabulary the types of the values decide, and texts are ordered as versions.
"""

from collections.abc import Mapping, Sequence
from typing import assert_never

from knockon.backends.known import known
from knockon.expr.arithmetic import applied, computed, holds, in_base, settled
from knockon.expr.nodes import (
    And,
    Arithmetic,
    Bool,
    Call,
    Compare,
    CompareOperator,
    Member,
    Name,
    Negative,
    Node,
    Not,
    Number,
    Or,
    Text,
)
from knockon.expr.version import version_key
from knockon.expr.vocabulary import Vocabulary
from knockon.terms.truth import Truth
from knockon.terms.words import Scalar

# Above 2^53 a float stands for several whole numbers.
_EXACT_MAX = 2**53


def value_of(node: Node, values: Mapping[str, Scalar], *, vocabulary: Vocabulary | None = None) -> Scalar | None:
    """The value of `node`; a whole number comes as an int, a number in base units, None means UNKNOWN."""
    value = walked(node, values, vocabulary)
    if isinstance(value, float) and value.is_integer() and abs(value) <= _EXACT_MAX:
        return int(value)
    return value


def judge_one(node: Node, values: Mapping[str, Scalar], *, vocabulary: Vocabulary | None = None) -> Truth:
    """The truth of one condition; what is no condition is UNKNOWN."""
    value = walked(node, values, vocabulary)
    return Truth.of(value if isinstance(value, bool) else None)


def walked(node: Node, values: Mapping[str, Scalar], vocabulary: Vocabulary | None) -> Scalar | None:  # noqa: C901  one case for each kind of node
    """The value of `node` as it comes out of the operators, None for UNKNOWN."""
    match node:
        case Number():
            return in_base(node)
        case Text(value=text):
            return text
        case Bool(value=truth):
            return truth
        case Name(id=name):
            return known(name, values, vocabulary)
        case Negative(operand=operand):
            number = settled(walked(operand, values, vocabulary))
            return None if number is None else -number
        case Arithmetic(operator=operator, left=left, right=right):
            first = settled(walked(left, values, vocabulary))
            second = settled(walked(right, values, vocabulary))
            return None if first is None or second is None else computed(operator, first, second)
        case Call(function=function, arguments=arguments):
            numbers = [settled(walked(argument, values, vocabulary)) for argument in arguments]
            given = [number for number in numbers if number is not None]
            return applied(function, given) if len(given) == len(numbers) else None
        case Compare():
            return _compared(node, values, vocabulary)
        case Member():
            return _member(node, values, vocabulary)
        case And(items=items):
            return _joined(items, values, vocabulary, winner=False)
        case Or(items=items):
            return _joined(items, values, vocabulary, winner=True)
        case Not(item=item):
            truth_of_item = walked(item, values, vocabulary)
            return not truth_of_item if isinstance(truth_of_item, bool) else None
        case _:
            assert_never(node)


def _joined(
    items: Sequence[Node], values: Mapping[str, Scalar], vocabulary: Vocabulary | None, *, winner: bool
) -> bool | None:
    """Kleene's and (`winner` False) or or (`winner` True); stops at the first item that decides."""
    is_known = True
    for item in items:
        value = walked(item, values, vocabulary)
        if value is winner:
            return winner
        is_known = is_known and value is (not winner)
    return not winner if is_known else None


def _any_hit(hits: Sequence[bool | None]) -> bool | None:
    if True in hits:
        return True
    return None if None in hits else False


def _compared(node: Compare, values: Mapping[str, Scalar], vocabulary: Vocabulary | None) -> bool | None:
    left, right = walked(node.left, values, vocabulary), walked(node.right, values, vocabulary)
    sign = node.operator
    if isinstance(left, bool) and isinstance(right, bool):
        return (left is right) == (sign == "==") if sign in ("==", "!=") else None
    if isinstance(left, str) and isinstance(right, str):
        if sign not in ("==", "!=") or _is_version(node.left, vocabulary) or _is_version(node.right, vocabulary):
            return _compared_versions(sign, left, right)
        return (left == right) == (sign == "==")
    first, second = settled(left), settled(right)
    return None if first is None or second is None else holds(sign, first, second)


def _compared_versions(sign: CompareOperator, left: str, right: str) -> bool | None:
    first, second = version_key(left), version_key(right)
    if first is None or second is None:
        return None
    return holds(sign, (first > second) - (first < second), 0)


def _is_version(node: Node, vocabulary: Vocabulary | None) -> bool:
    info = vocabulary.get(node.id) if vocabulary is not None and isinstance(node, Name) else None
    return info is not None and info.type == "version"


def _member(node: Member, values: Mapping[str, Scalar], vocabulary: Vocabulary | None) -> bool | None:
    """Member is the same as one `==` for each option, joined by `or`."""
    value = walked(node.left, values, vocabulary)
    if value is None:
        return None
    if isinstance(value, str) and not _is_version(node.left, vocabulary):
        # The commonest case by far; options of another type than text never get past the check.
        return any(value == option.value for option in node.options) != node.negated
    hits = [_compared(Compare("==", node.left, option), values, vocabulary) for option in node.options]
    hit = _any_hit(list(hits))
    return hit if hit is None else hit != node.negated
