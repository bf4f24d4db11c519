"""Names replaced by what they stand for."""

from collections.abc import Mapping
from dataclasses import replace
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


def replaced(node: Node, by: Mapping[str, Node]) -> Node:
    """`node` with every name of `by` replaced by its node; what stands in for a name is not looked into again."""
    match node:
        case Name(id=name):
            return by.get(name, node)
        case Number() | Text() | Bool():
            return node
        case Negative(operand=operand):
            return replace(node, operand=replaced(operand, by))
        case Arithmetic(left=left, right=right) | Compare(left=left, right=right):
            return replace(node, left=replaced(left, by), right=replaced(right, by))
        case Call(arguments=arguments):
            return replace(node, arguments=tuple(replaced(one, by) for one in arguments))
        case Member(left=left):
            return replace(node, left=replaced(left, by))
        case And(items=items) | Or(items=items):
            return replace(node, items=tuple(replaced(one, by) for one in items))
        case Not(item=item):
            return replace(node, item=replaced(item, by))
        case _:
            assert_never(node)
