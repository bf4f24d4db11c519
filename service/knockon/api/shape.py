"""How GraphQL types are written here: a type shows a value of the domain as it is, and adds the words for its fields.

A field without a resolver is the attribute of the same Python name on the shown value. So no value is ever copied into
another shape, and a type reads like the schema that it is.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, TypeVar, dataclass_transform

import strawberry
from strawberry import UNSET

T = TypeVar("T")
E = TypeVar("E", bound=type[Enum])
Resolver = Callable[..., object]


def field(description: str, *, resolver: Resolver | None = None, name: str | None = None) -> Any:
    """A field of a GraphQL type.

    Args:
        description: What it means, in which unit, and when it is null.
        resolver: Gives the value where it is no plain attribute of the shown value.
        name: The GraphQL name, where it differs from the Python name.
    """
    if resolver is None:
        return strawberry.field(description=description, name=name)
    return strawberry.field(resolver=resolver, description=description, name=name)


def given(description: str, *, default: Any = UNSET) -> Any:
    """A field of an input type. Optional ones have the default None and need not be given."""
    if default is UNSET:
        return strawberry.field(description=description)
    return strawberry.field(description=description, default=default)


@dataclass_transform(kw_only_default=True)
def shows(value: type) -> Callable[[type[T]], type[T]]:
    """Make a class the GraphQL type of `value`: whatever is given out as this type must be an instance of it.

    Here and below the docstring of the class is the description that clients read.
    """

    def declare(declared: type[T]) -> type[T]:
        def is_type_of(shown: object, _info: object) -> bool:
            return isinstance(shown, value)

        # Strawberry looks for it under this name, on the class.
        declared.is_type_of = staticmethod(is_type_of)  # type: ignore[attr-defined]
        return strawberry.type(declared, description=_words_for(declared))

    return declare


@dataclass_transform(kw_only_default=True)
def roots(declared: type[T]) -> type[T]:
    """Make a class the GraphQL type of the roots."""
    return strawberry.type(declared, description=_words_for(declared))


@dataclass_transform(kw_only_default=True)
def interface(declared: type[T]) -> type[T]:
    """Make a class a GraphQL interface."""
    return strawberry.interface(declared, description=_words_for(declared))


@dataclass_transform(kw_only_default=True)
def accepts(declared: type[T]) -> type[T]:
    """Make a class a GraphQL input type."""
    return strawberry.input(declared, description=_words_for(declared))


def _words_for(declared: type) -> str:
    """The docstring, its lines joined."""
    assert declared.__doc__, f"{declared.__name__} says nothing about itself"
    return " ".join(declared.__doc__.split())


def enum(values: E, description: str, *, says: Mapping[str, str]) -> E:
    """Make an enumeration known to GraphQL; `says` has the words for each of its values, by name."""
    assert says.keys() == values.__members__.keys(), values
    declared = strawberry.enum(values, description=description)
    for value in declared.__strawberry_definition__.values:  # type: ignore[attr-defined]
        value.description = says[value.name]
    return declared


def nonempty(attribute: str) -> Resolver:
    """A resolver for an attribute that is empty where there is nothing to say: null then."""

    def resolver(root: Any) -> Any:
        return getattr(root, attribute) or None

    return resolver


def path(*attributes: str) -> Resolver:
    """A resolver for an attribute of an attribute; null as soon as one of them is None."""

    def resolver(root: Any) -> Any:
        for attribute in attributes:
            root = None if root is None else getattr(root, attribute)
        return root

    return resolver


def pairs(attribute: str, pair: Callable[[Any, Any], Any]) -> Resolver:
    """A resolver for a mapping, shown as a list of `pair(key, value)` in the order of the mapping."""

    def resolver(root: Any) -> Any:
        return [pair(key, value) for key, value in getattr(root, attribute).items()]

    return resolver
