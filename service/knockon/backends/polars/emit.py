"""Conditions in normal form to Polars expressions whose nulls are UNKNOWN.

Polars joins nullable truths as Kleene does and compares null to null. Its NaN, however, is larger than every number and
equal to itself, so none may come up: columns have none (columns.py), and a term that could be infinite is guarded.
"""

from collections.abc import Callable, Mapping
from functools import reduce

import polars as pl

from knockon.backends.bounds import is_always_finite
from knockon.backends.polars.columns import sort_text
from knockon.expr.arithmetic import in_base
from knockon.expr.nodes import (
    And,
    Arithmetic,
    ArithmeticOperator,
    Bool,
    Call,
    Compare,
    CompareOperator,
    Member,
    Name,
    Negative,
    Node,
    Number,
    Or,
    Text,
)
from knockon.expr.version import version_key
from knockon.expr.vocabulary import Vocabulary

_COMPARED: Mapping[CompareOperator, Callable[[pl.Expr, pl.Expr], pl.Expr]] = {
    "<": pl.Expr.lt, "<=": pl.Expr.le, ">": pl.Expr.gt, ">=": pl.Expr.ge, "==": pl.Expr.eq, "!=": pl.Expr.ne,
}  # fmt: skip
_COMPUTED: Mapping[ArithmeticOperator, Callable[[pl.Expr, pl.Expr], pl.Expr]] = {
    "+": pl.Expr.add, "-": pl.Expr.sub, "*": pl.Expr.mul, "/": pl.Expr.truediv, "%": pl.Expr.mod,
}  # fmt: skip


class Emitter:
    """Writes conditions over the columns that `called` gives the names."""

    def __init__(self, called: Mapping[str, str], vocabulary: Vocabulary) -> None:
        self._called = called
        self._vocabulary = vocabulary

    def condition(self, node: Node) -> pl.Expr:
        """The truth of `node`, null where it is UNKNOWN."""
        match node:
            case And(items=items):
                return reduce(pl.Expr.and_, map(self.condition, items))
            case Or(items=items):
                return reduce(pl.Expr.or_, map(self.condition, items))
            case Compare(operator="==", left=Name() as name, right=Bool(value=False)):
                return self._name(name).not_()
            case Compare(operator=operator, left=left, right=right):
                is_version = self._is_version(left) or self._is_version(right)
                return _COMPARED[operator](self._side(left, is_version), self._side(right, is_version))
            case Member(left=left, options=options, negated=negated):
                is_version = self._is_version(left)
                of = self._side(left, is_version)
                hits = [_COMPARED["!=" if negated else "=="](of, self._side(each, is_version)) for each in options]
                return reduce(pl.Expr.and_ if negated else pl.Expr.or_, hits)
            case Bool(value=value):
                return pl.lit(value)
            case _:
                return self._value(node)

    def _side(self, node: Node, is_version: bool) -> pl.Expr:
        if is_version and isinstance(node, Text):
            key = version_key(node.value)
            return pl.lit(None if key is None else sort_text(key), dtype=pl.String)
        return self._value(node)

    def _is_version(self, node: Node) -> bool:
        return isinstance(node, Name) and self._vocabulary.info(node.id).type == "version"

    def _name(self, node: Name) -> pl.Expr:
        return pl.col(self._called[node.id])

    def _value(self, node: Node) -> pl.Expr:
        match node:
            case Name():
                return self._name(node)
            case Number():
                value = in_base(node)
                return pl.lit(None if value is None else float(value), dtype=pl.Float64)
            case Text(value=text):
                return pl.lit(text, dtype=pl.String)
            case Bool(value=truth):
                return pl.lit(truth)
            case Negative(operand=operand):
                return self._value(operand).neg()
            case Arithmetic(operator=operator, left=left, right=right):
                term = _COMPUTED[operator](self._value(left), self._value(right))
                return term if is_always_finite(node, self._vocabulary) else pl.when(term.is_finite()).then(term)
            case Call(function=function, arguments=arguments):
                return _applied(function, [self._value(argument) for argument in arguments])
            case _:
                raise TypeError(f"{type(node).__name__} is no value; the checker lets none through")


def _applied(function: str, arguments: list[pl.Expr]) -> pl.Expr:
    match function:
        case "min":
            return reduce(lambda least, other: _first_where(least.le(other), least, other), arguments)
        case "max":
            return reduce(lambda most, other: _first_where(most.ge(other), most, other), arguments)
        case "abs":
            return arguments[0].abs()
        case "ceil":
            return arguments[0].ceil()
        case "floor":
            return arguments[0].floor()
        case _:
            raise TypeError(f"{function} is no function; the parser lets none through")


def _first_where(holds: pl.Expr, first: pl.Expr, second: pl.Expr) -> pl.Expr:
    """`first` where `holds`, else `second`, null where that cannot be told; Polars' own minimum passes over nulls."""
    return pl.when(holds).then(first).when(holds.not_()).then(second)
