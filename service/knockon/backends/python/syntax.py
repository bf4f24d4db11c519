"""Shorthands for nodes of Python's `ast`, each with the place that `compile` asks for and without needless copies."""

import ast
from collections.abc import Mapping, Sequence
from typing import Final

_LOAD: Final = ast.Load()
_STORE: Final = ast.Store()
_NOT: Final = ast.Not()
_MINUS: Final = ast.USub()
_AND: Final = ast.And()
_OR: Final = ast.Or()
_BINARY: Mapping[str, ast.operator] = {
    "+": ast.Add(), "-": ast.Sub(), "*": ast.Mult(), "/": ast.Div(), "%": ast.Mod(),
}  # fmt: skip
_COMPARISON: Mapping[str, ast.cmpop] = {
    "<": ast.Lt(), "<=": ast.LtE(), ">": ast.Gt(), ">=": ast.GtE(), "==": ast.Eq(), "!=": ast.NotEq(),
    "is": ast.Is(), "is not": ast.IsNot(), "in": ast.In(), "not in": ast.NotIn(),
}  # fmt: skip


def load(name: str) -> ast.expr:
    """`name`, read."""
    return ast.Name(name, _LOAD, lineno=1, col_offset=0)


def store(name: str) -> ast.expr:
    """`name`, written."""
    return ast.Name(name, _STORE, lineno=1, col_offset=0)


def constant(value: object) -> ast.expr:
    """A constant of any type that `compile` takes, tuples and frozensets of constants among them."""
    return ast.Constant(value, lineno=1, col_offset=0)  # type: ignore[arg-type]  # typeshed knows literals only


def attribute(of: ast.expr, name: str) -> ast.expr:
    """`of.name`."""
    return ast.Attribute(of, name, _LOAD, lineno=1, col_offset=0)


def call(function: ast.expr, *arguments: ast.expr) -> ast.expr:
    """`function(arguments…)`."""
    return ast.Call(function, list(arguments), [], lineno=1, col_offset=0)


def row(values: Sequence[ast.expr]) -> ast.expr:
    """`(values…)`."""
    return ast.Tuple(list(values), _LOAD, lineno=1, col_offset=0)


def listed(values: Sequence[ast.expr]) -> ast.expr:
    """`[values…]`."""
    return ast.List(list(values), _LOAD, lineno=1, col_offset=0)


def negative(value: ast.expr) -> ast.expr:
    """`-value`."""
    return ast.UnaryOp(_MINUS, value, lineno=1, col_offset=0)


def inverse(value: ast.expr) -> ast.expr:
    """`not value`."""
    return ast.UnaryOp(_NOT, value, lineno=1, col_offset=0)


def arithmetic(operator: str, left: ast.expr, right: ast.expr) -> ast.expr:
    """`left operator right`."""
    return ast.BinOp(left, _BINARY[operator], right, lineno=1, col_offset=0)


def compare(operator: str, left: ast.expr, right: ast.expr) -> ast.expr:
    """`left operator right`; `operator` also "is", "is not", "in", "not in"."""
    return ast.Compare(left, [_COMPARISON[operator]], [right], lineno=1, col_offset=0)


def within(operator: str, value: ast.expr) -> ast.expr:
    """`-LARGEST operator value operator LARGEST`; false for NaN."""
    signs, sides = [_COMPARISON[operator]] * 2, [value, load("LARGEST")]
    return ast.Compare(negative(load("LARGEST")), signs, sides, lineno=1, col_offset=0)


def both(*conditions: ast.expr) -> ast.expr:
    """All `conditions`, at least one, joined by `and`."""
    return conditions[0] if len(conditions) == 1 else ast.BoolOp(_AND, list(conditions), lineno=1, col_offset=0)


def either(*conditions: ast.expr) -> ast.expr:
    """All `conditions`, at least one, joined by `or`."""
    return conditions[0] if len(conditions) == 1 else ast.BoolOp(_OR, list(conditions), lineno=1, col_offset=0)


def choice(test: ast.expr, then: ast.expr, otherwise: ast.expr) -> ast.expr:
    """`then if test else otherwise`."""
    return ast.IfExp(test, then, otherwise, lineno=1, col_offset=0)


def assign(name: str, value: ast.expr) -> ast.stmt:
    """`name = value`."""
    return ast.Assign([store(name)], value, lineno=1, col_offset=0)


def unpack(names: Sequence[str], whole: str, value: ast.expr) -> ast.stmt:
    """`[names…] = whole = value`."""
    targets = ast.List([store(name) for name in names], _STORE, lineno=1, col_offset=0)
    return ast.Assign([targets, store(whole)], value, lineno=1, col_offset=0)


def when(test: ast.expr, body: Sequence[ast.stmt]) -> ast.stmt:
    """`if test: body`."""
    return ast.If(test, list(body), [], lineno=1, col_offset=0)


def give(value: ast.expr) -> ast.stmt:
    """`return value`."""
    return ast.Return(value, lineno=1, col_offset=0)


def attempt(body: Sequence[ast.stmt], *failures: str) -> ast.stmt:
    """`try: body`, with nothing done on `failures`."""
    types = row([load(failure) for failure in failures])
    handler = ast.ExceptHandler(types, None, [ast.Pass(lineno=1, col_offset=0)], lineno=1, col_offset=0)
    return ast.Try(list(body), [handler], [], [], lineno=1, col_offset=0)


def function(name: str, argument: str, body: Sequence[ast.stmt]) -> ast.Module:
    """`def name(argument): body`, alone in a module."""
    taken = [ast.arg(argument, lineno=1, col_offset=0)]
    arguments = ast.arguments(posonlyargs=[], args=taken, kwonlyargs=[], kw_defaults=[], defaults=[])
    definition = ast.FunctionDef(name, arguments, list(body), [], lineno=1, col_offset=0)
    if "type_params" in ast.FunctionDef._fields:  # since Python 3.12
        setattr(definition, "type_params", [])  # noqa: B010  the types of 3.11 do not know it
    return ast.Module([definition], [])
