"""Nodes to text, with as few brackets as the grammar needs: `parse(show(node)) == node` for every parsed node."""

from typing import assert_never

from knockon.expr.nodes import (
    And,
    Arithmetic,
    Bool,
    Call,
    Compare,
    Member,
    Name,
    Negative,
    Node,
    Not,
    Number,
    Or,
    Text,
)

# How strongly a node binds, weakest first, as in Python's grammar.
_OR, _AND, _NOT, _COMPARE, _SUM, _PRODUCT, _SIGN, _ATOM = range(1, 9)
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"})


def show(node: Node) -> str:
    """Write `node` as text that parses to it again."""
    return _shown(node, 0)


def _shown(node: Node, least: int) -> str:
    """The text of `node`, in brackets when it binds weaker than `least`."""
    binding, text = _written(node)
    return f"({text})" if binding < least else text


def _written(node: Node) -> tuple[int, str]:  # noqa: C901  one case for each kind of node
    match node:
        case Number(value=value, unit=unit):
            return _ATOM if value >= 0 else _SIGN, f"{value!r}{unit}"
        case Text(value=value):
            return _ATOM, f'"{value.translate(_ESCAPES)}"'
        case Bool(value=value):
            return _ATOM, str(value)
        case Name(id=name):
            return _ATOM, name
        case Call(function=function, arguments=arguments):
            return _ATOM, f"{function}({', '.join(show(argument) for argument in arguments)})"
        case Negative(operand=operand):
            return _SIGN, f"-{_shown(operand, _SIGN)}"
        case Arithmetic(operator=operator, left=left, right=right):
            binding = _SUM if operator in ("+", "-") else _PRODUCT
            return binding, f"{_shown(left, binding)} {operator} {_shown(right, binding + 1)}"
        case Compare(operator=sign, left=left, right=right):
            return _COMPARE, f"{_shown(left, _SUM)} {sign} {_shown(right, _SUM)}"
        case Member(left=left, options=options, negated=negated):
            comma = "," if len(options) == 1 else ""
            listed = ", ".join(show(option) for option in options)
            return _COMPARE, f"{_shown(left, _SUM)} {'not in' if negated else 'in'} ({listed}{comma})"
        case Not(item=item):
            return _NOT, f"not {_shown(item, _NOT)}"
        case And(items=items):
            return _AND, " and ".join(_shown(item, _AND + 1) for item in items)
        case Or(items=items):
            return _OR, " or ".join(_shown(item, _OR + 1) for item in items)
        case _:
            assert_never(node)
