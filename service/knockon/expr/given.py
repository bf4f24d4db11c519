"""Conditions with some of their names known beforehand: the names become literals, and what follows is computed."""

from collections.abc import Mapping
from dataclasses import replace

from knockon.expr.arithmetic import holds
from knockon.expr.nodes import And, Bool, Compare, Member, Name, Node, Number, Or, Text
from knockon.expr.normal import normal
from knockon.expr.replace import replaced
from knockon.expr.version import VersionKey, version_key
from knockon.expr.vocabulary import Vocabulary
from knockon.terms.words import Scalar


def with_given(node: Node, values: Mapping[str, Scalar], vocabulary: Vocabulary) -> Node:
    """The condition `node`, which is in normal form, with `values` in place of their names; in normal form again.

    Values are in base units and of the type that the vocabulary says.
    """
    by = {name: _literal(value) for name, value in values.items()}
    return normal(replaced(_versions_decided(node, values, vocabulary), by))


def _versions_decided(node: Node, values: Mapping[str, Scalar], vocabulary: Vocabulary) -> Node:
    """Comparisons of known versions as their outcome: a version that became a text would be compared as a text."""
    match node:
        case And(items=items) | Or(items=items):
            return replace(node, items=tuple(_versions_decided(one, values, vocabulary) for one in items))
        case Compare(operator=operator, left=left, right=right):
            if not (_is_version(left, vocabulary) or _is_version(right, vocabulary)):
                first_side, second_side = (_versions_decided(side, values, vocabulary) for side in (left, right))
                return replace(node, left=first_side, right=second_side)
            first, second = _key(left, values), _key(right, values)
            return node if first is None or second is None else Bool(holds(operator, _order(first, second), 0))
        case Member(left=left, options=options, negated=negated) if _is_version(left, vocabulary):
            key = _key(left, values)
            return node if key is None else Bool((key in [_key(each, values) for each in options]) != negated)
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
