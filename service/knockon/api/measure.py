"""How large a document is once its fragments are laid out: levels, fields and aliases, against terms/limits.py.

Told from the text alone, before anything is validated, so that a hostile document costs no more than reading it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
)

from knockon.terms.errors import LimitExceeded
from knockon.terms.limits import GRAPHQL_ALIASES_MAX, GRAPHQL_DEPTH_MAX, GRAPHQL_FIELDS_MAX

# Introspection is a walk over a fixed, small graph; tools ask it deeper than any question to the catalog needs to be.
_INTROSPECTION = frozenset({"__schema", "__type"})


@dataclass(frozen=True, slots=True)
class Extent:
    """The size of a part of a document."""

    depth: int = 0
    fields: int = 0
    aliases: int = 0

    def beside(self, other: "Extent") -> "Extent":
        """The size of two parts of one selection."""
        return Extent(max(self.depth, other.depth), self.fields + other.fields, self.aliases + other.aliases)


def check_extent(document: DocumentNode) -> None:
    """Refuse a document with an operation that is too large.

    Raises:
        LimitExceeded: levels, fields or aliases of an operation, fragments laid out, are over their limit.
    """
    fragments = {one.name.value: one for one in document.definitions if isinstance(one, FragmentDefinitionNode)}
    known: dict[str, Extent] = {}
    for one in document.definitions:
        if isinstance(one, OperationDefinitionNode):
            _check(_extent(one.selection_set, fragments, known))


def _check(found: Extent) -> None:
    for what, size, limit, fix in (
        ("the depth of the query", found.depth, GRAPHQL_DEPTH_MAX, "ask for fewer levels"),
        ("the number of aliases of the query", found.aliases, GRAPHQL_ALIASES_MAX, "send several requests"),
        ("the number of fields of the query", found.fields, GRAPHQL_FIELDS_MAX, "send several requests"),
    ):
        if size > limit:
            raise LimitExceeded(what, limit=limit, found=size, fix=fix)


def _extent(
    selections: SelectionSetNode | None, fragments: Mapping[str, FragmentDefinitionNode], known: dict[str, Extent]
) -> Extent:
    total = Extent()
    for one in selections.selections if selections else ():
        if isinstance(one, FieldNode):
            inner = _extent(one.selection_set, fragments, known)
            depth = 0 if one.name.value in _INTROSPECTION else inner.depth + 1
            part = Extent(depth, inner.fields + 1, inner.aliases + (one.alias is not None))
        elif isinstance(one, InlineFragmentNode):
            part = _extent(one.selection_set, fragments, known)
        else:
            assert isinstance(one, FragmentSpreadNode)
            part = _of_fragment(one.name.value, fragments, known)
        total = total.beside(part)
    return total


def _of_fragment(name: str, fragments: Mapping[str, FragmentDefinitionNode], known: dict[str, Extent]) -> Extent:
    """The size of a fragment; an unknown one and one that is in itself are empty here, validation refuses them."""
    if name not in known:
        known[name] = Extent()
        if name in fragments:
            known[name] = _extent(fragments[name].selection_set, fragments, known)
    return known[name]
