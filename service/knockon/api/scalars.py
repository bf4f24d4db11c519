"""Scalars that GraphQL does not have: whole numbers beyond 32 bits, values of the language, plain JSON."""

import math
from typing import NewType

import strawberry
from strawberry.types.scalar import ScalarDefinition

from knockon.terms.words import Json as AnyJson
from knockon.terms.words import Scalar

BigInt = NewType("BigInt", int)
Value = NewType("Value", object)
UpperWord = NewType("UpperWord", str)
Json = NewType("Json", object)


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"BigInt cannot be {value!r}: expected a whole number")
    return value


def _shown_value(value: object) -> Scalar | None:
    """A value as JSON can hold it; a number that is not finite is null."""
    assert isinstance(value, bool | int | float | str), value
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _given_value(value: object) -> Scalar:
    if not isinstance(value, bool | int | float | str):
        raise TypeError(f"Value cannot be {type(value).__name__}: expected a number, text, true or false")
    return value


def _upper(value: object) -> str:
    assert isinstance(value, str), value
    return value.upper().replace("-", "_")


def _any(value: AnyJson) -> AnyJson:
    return value


SCALARS: dict[object, ScalarDefinition] = {
    BigInt: strawberry.scalar(
        name="BigInt",
        description="A whole number that may be larger than 32 bits; clients must not read it as a 32-bit integer.",
        serialize=_whole,
        parse_value=_whole,
    ),
    Value: strawberry.scalar(
        name="Value",
        description='A number, text, true or false. As input also a number with its unit as text: "80GiB", "2s".',
        serialize=_shown_value,
        parse_value=_given_value,
    ),
    UpperWord: strawberry.scalar(
        name="UpperWord",
        description="A word of a set that curators may add to, and so no enum: written like the value of an enum, "
        "in capitals, with `_` where its id has `-`.",
        serialize=_upper,
        parse_value=_upper,
    ),
    Json: strawberry.scalar(
        name="JSON",
        description="Any JSON value.",
        serialize=_any,
        parse_value=_any,
    ),
}
