"""The names an expression mentions."""

from collections.abc import Iterator
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


def names_in(node: Node) -> frozenset[str]:
    """All names of `node`, `threshold.x` included."""
    return frozenset(mentions(node))


def mentions(node: Node) -> Iterator[str]:
    """The names of `node` as they come, left to right, repeated where repeated."""
    match node:
        case Name(id=name):
            yield name
        case Number() | Text() | Bool():
            pass
        case _:
            for part in parts(node):
                yield from mentions(part)


def parts(node: Node) -> tuple[Node, ...]:
    """The nodes directly under `node`, left to right; options of `in` are not counted."""
    match node:
        case Number() | Text() | Bool() | Name():
            return ()
        case Negative(operand=operand):
            return (operand,)
        case Not(item=item):
            return (item,)
        case Member(left=left):
            return (left,)
        case Arithmetic(left=left, right=right) | Compare(left=left, right=right):
            return (left, right)
        case Call(arguments=nodes) | And(items=nodes) | Or(items=nodes):
            return nodes
        case _:
            assert_never(node)
