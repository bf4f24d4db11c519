"""The normal form that every back-end gets: no `not`, no units, no constants that could have been computed.

The verdict on any values is the same before and after, UNKNOWN included; normalising twice changes nothing.
In normal form

- there is no Not: it went down into the comparisons; `not flag` is `flag == False`,
- a Number is in base units without a unit, may be negative, and stands right in a comparison with something else,
- And and Or hold at least two items, none of their own kind and no Bool.

Units are gone, so an expression is checked before it is normalised, never after.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import assert_never

from knockon.expr.arithmetic import Numeric, applied, computed, holds, in_base
from knockon.expr.check import check
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
from knockon.expr.vocabulary import Vocabulary
from knockon.terms.place import Span

COMPLEMENT: Mapping[CompareOperator, CompareOperator] = {
    "<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "==",
}  # fmt: skip
_MIRRORED: Mapping[CompareOperator, CompareOperator] = {
    "<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!=",
}  # fmt: skip


def normal(node: Node, vocabulary: Vocabulary | None = None) -> Node:
    """Give the normal form of `node`; with a vocabulary, of a node that holds against it.

    Raises:
        NameProblem, UnitProblem: there is a vocabulary, and `node` does not hold against it.
    """
    if vocabulary is not None:
        check(node, vocabulary)
    return _folded(without_not(node))


def without_not(node: Node) -> Node:
    """Push every `not` down into the comparisons, and change nothing else."""
    return _pushed(node, negate=False)


def leaves(node: Node) -> Iterator[Node]:
    """The comparisons of a condition without `not`, and its truths by name, left to right."""
    if isinstance(node, And | Or):
        for item in node.items:
            yield from leaves(item)
    else:
        yield node


def _pushed(node: Node, *, negate: bool) -> Node:
    match node:
        case Not(item=item):
            return _pushed(item, negate=not negate)
        case And(items=items, span=span) | Or(items=items, span=span):
            pushed = tuple(_pushed(item, negate=negate) for item in items)
            return Or(pushed, span) if isinstance(node, Or) != negate else And(pushed, span)
        case Compare(operator=sign, left=left, right=right, span=span):
            # A side may be a condition itself; a `not` in it is its own affair.
            sides = _pushed(left, negate=False), _pushed(right, negate=False)
            return Compare(COMPLEMENT[sign] if negate else sign, *sides, span)
        case Member(left=left, options=options, negated=negated, span=span):
            return Member(_pushed(left, negate=False), options, negated != negate, span)
        case Bool(value=value, span=span):
            return Bool(value != negate, span)
        case _:
            return Compare("==", node, Bool(False), node.span) if negate else node


def _folded(node: Node) -> Node:
    match node:
        case Number():
            value = in_base(node)
            return node if value is None else Number(value, "", node.span)
        case Text() | Bool() | Name():
            return node
        case Negative() | Arithmetic() | Call():
            return _folded_term(node)
        case Compare():
            return _folded_compare(node)
        case Member():
            return _folded_member(node)
        case And(items=items, span=span):
            return _folded_items(items, span, And, winner=False)
        case Or(items=items, span=span):
            return _folded_items(items, span, Or, winner=True)
        case Not():
            # Only inside a term, where a condition has no business; the checker refuses that.
            return _folded(without_not(node))
        case _:
            assert_never(node)


def _folded_term(node: Negative | Arithmetic | Call) -> Node:
    match node:
        case Negative(operand=operand, span=span):
            inner = _folded(operand)
            return Number(-inner.value, "", span) if isinstance(inner, Number) else Negative(inner, span)
        case Arithmetic(operator=operator, left=left, right=right, span=span):
            first, second = _folded(left), _folded(right)
            whole = Arithmetic(operator, first, second, span)
            numbers = _numbers((first, second))
            return whole if numbers is None else _settled(computed(operator, *numbers), whole)
        case Call(function=function, arguments=arguments, span=span):
            folded = tuple(_folded(argument) for argument in arguments)
            called = Call(function, folded, span)
            numbers = _numbers(folded)
            return called if numbers is None else _settled(applied(function, numbers), called)


def _numbers(nodes: Sequence[Node]) -> list[Numeric] | None:
    """The values when all `nodes` are numbers, else None."""
    values = [node.value for node in nodes if isinstance(node, Number) and not node.unit]
    return values if len(values) == len(nodes) else None


def _settled(value: Numeric | None, node: Node) -> Node:
    """A number in place of `node`, or `node` itself when it has no value."""
    return node if value is None else Number(value, "", node.span)


def _folded_compare(node: Compare) -> Node:
    sign, left, right = node.operator, _folded(node.left), _folded(node.right)
    if isinstance(left, Number | Text | Bool) and not isinstance(right, Number | Text | Bool):
        sign, left, right = _MIRRORED[sign], right, left
    match left, right:
        case Number(value=first, unit=""), Number(value=second, unit=""):
            return Bool(holds(sign, first, second), node.span)
        case (Text(value=a), Text(value=b)) | (Bool(value=a), Bool(value=b)) if sign in ("==", "!="):
            return Bool((a == b) == (sign == "=="), node.span)
        case _, Bool(value=value) if sign in ("==", "!=") and _is_condition(left):
            if value == (sign == "=="):
                return left
            return (
                Compare("==", left, Bool(False), node.span) if isinstance(left, Name) else normal(Not(left, node.span))
            )
        case _:
            return Compare(sign, left, right, node.span)


def _is_condition(node: Node) -> bool:
    return isinstance(node, Name | Compare | Member | And | Or | Not)


def _folded_member(node: Member) -> Node:
    left = _folded(node.left)
    options = tuple(_folded_option(option) for option in node.options)
    if isinstance(left, Number | Text | Bool) and not (isinstance(left, Number) and left.unit):
        alike = [option for option in options if type(option) is type(left)]
        return Bool(any(option.value == left.value for option in alike) != node.negated, node.span)
    return Member(left, options, node.negated, node.span)


def _folded_option(option: Number | Text | Bool) -> Number | Text | Bool:
    if not isinstance(option, Number):
        return option
    value = in_base(option)
    return option if value is None else Number(value, "", option.span)


def _folded_items(
    items: tuple[Node, ...], span: Span, join: Callable[[tuple[Node, ...], Span], And | Or], *, winner: bool
) -> Node:
    """The items of an And (`winner` False) or an Or (`winner` True), flattened and without constants."""
    kept: list[Node] = []
    for item in items:
        folded = _folded(item)
        if isinstance(folded, Bool):
            if folded.value == winner:
                return Bool(winner, span)
        elif isinstance(folded, And | Or) and isinstance(folded, Or) == winner:
            kept.extend(folded.items)
        else:
            kept.append(folded)
    if not kept:
        return Bool(not winner, span)
    return kept[0] if len(kept) == 1 else join(tuple(kept), span)
