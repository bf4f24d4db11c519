"""Conditions with some of their names known beforehand: the names become literals, and what follows is computed."""

from collections.abc import Mapping

from knockon.expr.arithmetic import holds
from knockon.expr.nodes import And, Arithmetic, Bool, Call, Compare, Member, Name, Negative, Node, Number, Or, Text
from knockon.expr.normal import normal
from knockon.expr.version import VersionKey, version_key
from knockon.expr.vocabulary import Vocabulary
from knockon.terms.words import Scalar


def with_given(node: Node, values: Mapping[str, Scalar], vocabulary: Vocabulary) -> Node:
    """The condition `node`, which is in normal form, with `values` in place of their names; in normal form again.

    Values are in base units and of the type that the vocabulary says.
    """
    return normal(_replaced(node, values, vocabulary))


def _replaced(node: Node, values: Mapping[str, Scalar], vocabulary: Vocabulary) -> Node:  # noqa: C901  one case for each kind of node
    def replaced(inner: Node) -> Node:
        return _replaced(inner, values, vocabulary)

    match node:
        case Name(id=name) if name in values:
            return _literal(values[name])
        case And(items=items):
            return And(tuple(map(replaced, items)))
        case Or(items=items):
            return Or(tuple(map(replaced, items)))
        case Compare(operator=operator, left=left, right=right):
            if _is_version(left, vocabulary) or _is_version(right, vocabulary):
                first, second = _key(left, values), _key(right, values)
                return node if first is None or second is None else Bool(holds(operator, _order(first, second), 0))
            return Compare(operator, replaced(left), replaced(right))
        case Member(left=left, options=options, negated=negated):
            if _is_version(left, vocabulary):
                key = _key(left, values)
                return node if key is None else Bool((key in [_key(each, values) for each in options]) != negated)
            return Member(replaced(left), options, negated)
        case Negative(operand=operand):
            return Negative(replaced(operand))
        case Arithmetic(operator=sign, left=left, right=right):
            return Arithmetic(sign, replaced(left), replaced(right))
        case Call(function=function, arguments=arguments):
            return Call(function, tuple(map(replaced, arguments)))
        case _:
            return node


def _literal(value: Scalar) -> Node:
    if isinstance(value, bool):
        return Bool(value)
    return Text(value) if isinstance(value, str) else Number(value)


def _is_version(node: Node, vocabulary: Vocabulary) -> bool:
    return isinstance(node, Name) and vocabulary.info(node.id).type == "version"


def _key(node: Node, values: Mapping[str, Scalar]) -> VersionKey | None:
    text = node.value if isinstance(node, Text) else values.get(node.id) if isinstance(node, Name) else None
    return version_key(text) if isinstance(text, str) else None


def _order(first: VersionKey, second: VersionKey) -> int:
    return (first > second) - (first < second)
