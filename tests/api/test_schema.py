import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import get_args

import pytest
from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLUnionType,
    build_schema,
    validate_schema,
)

from knockon.api import schema
from knockon.api.document import ON_DATABASE
from knockon.api.schema import breaking_changes, executable, sdl
from knockon.api.types import kinds
from knockon.catalog.place import _RULES
from knockon.curate.shapes.profile import Threshold
from knockon.curate.shapes.vocabulary import ValueType
from knockon.rules.coverage import CLASSES
from knockon.terms.citation import CitationKind

COMMITTED = Path(schema.__file__).with_name("schema.graphql")
ASKED_OF_A_REVISION = {
    "search", "locate", "breaks", "place", "check", "checks", "diagnose", "advise", "compare", "technique",
    "techniques", "axes", "cell",
    "grid", "emptyCells", "quantity", "quantities", "model", "models", "gpu", "gpus", "symptoms", "rule", "rules",
    "walls", "profile", "profiles", "vocabulary",
}  # fmt: skip


def own_types() -> list[GraphQLNamedType]:
    built_in = {"String", "Int", "Float", "Boolean", "ID", "DateTime"}
    return [one for name, one in executable().type_map.items() if not name.startswith("__") and name not in built_in]


def undescribed() -> Iterator[str]:
    for one in own_types():
        if not one.description:
            yield one.name
        if isinstance(one, GraphQLEnumType):
            yield from (f"{one.name}.{name}" for name, value in one.values.items() if not value.description)
        if isinstance(one, GraphQLObjectType | GraphQLInterfaceType | GraphQLInputObjectType):
            for name, field in one.fields.items():
                if not field.description:
                    yield f"{one.name}.{name}"
                for argument, held in getattr(field, "args", {}).items():
                    if not held.description:
                        yield f"{one.name}.{name}({argument})"


def test_schema_is_the_committed_one(golden: Callable[[Path, str], None]) -> None:
    golden(COMMITTED, sdl())


def test_committed_schema_is_valid() -> None:
    assert validate_schema(build_schema(COMMITTED.read_text())) == []


def test_everything_is_described() -> None:
    assert list(undescribed()) == []


def test_nullable_fields_say_when_they_are_null() -> None:
    silent = [
        f"{one.name}.{name}"
        for one in own_types()
        if isinstance(one, GraphQLObjectType)
        for name, field in one.fields.items()
        if not str(field.type).endswith("!") and "null" not in (field.description or "")
    ]

    assert silent == []


def test_names_are_in_camel_case_and_values_of_enums_in_capitals() -> None:
    fields = [
        name
        for one in own_types()
        if isinstance(one, GraphQLObjectType | GraphQLInterfaceType | GraphQLInputObjectType)
        for name in one.fields
    ]
    values = [name for one in own_types() if isinstance(one, GraphQLEnumType) for name in one.values]

    assert [name for name in fields if not re.fullmatch(r"[a-z][A-Za-z0-9]*", name)] == []
    assert [name for name in values if not re.fullmatch(r"[A-Z][A-Z_]*", name)] == []


def test_every_root_but_those_about_revisions_and_runs_is_asked_of_one() -> None:
    query = executable().query_type
    assert query is not None

    assert {name for name, field in query.fields.items() if "asOf" in field.args} == ASKED_OF_A_REVISION
    assert query.fields.keys() - ASKED_OF_A_REVISION == {"revision", "revisions", "history", "targets"}


def test_only_roots_that_ask_the_database_have_their_names() -> None:
    roots = [executable().query_type, executable().mutation_type]

    assert {name for root in roots if root for name in root.fields} >= ON_DATABASE
    assert [
        f"{one.name}.{name}"
        for one in own_types()
        if isinstance(one, GraphQLObjectType | GraphQLInterfaceType) and one not in roots
        for name in one.fields
        if name in ON_DATABASE
    ] == []


def test_every_typed_result_can_be_a_refusal_of_either_kind() -> None:
    members = {
        one.name: {member.name for member in one.types} for one in own_types() if isinstance(one, GraphQLUnionType)
    }

    assert [name for name, held in members.items() if not held >= {"InputProblem", "NotFound"}] == []
    assert len(members) >= 13


def test_closed_sets_of_the_domain_are_enums_with_the_same_values() -> None:
    assert {one.value for one in kinds.PlacementRule} == set(_RULES)
    assert {one.value for one in kinds.Checklist} == set(CLASSES)
    assert {one.value for one in kinds.SourceKind} == set(get_args(CitationKind))
    assert {one.value for one in kinds.ValueType} == set(get_args(ValueType))
    assert {one.value for one in kinds.Provenance} == set(get_args(Threshold.model_fields["provenance"].annotation))


@pytest.mark.parametrize(
    ("after", "found"),
    [
        pytest.param("type Query { a: Int b(c: Int): String }", (), id="the same"),
        pytest.param("type Query { a: Int! b(c: Int): String d: Int }", (), id="more"),
        pytest.param("type Query { a: Int }", ("Field Query.b was removed.",), id="less"),
        pytest.param(
            "type Query { a: Int b(c: Int!): String }",
            ("Argument Query.b(c:) has changed type from Int to Int!.",),
            id="more demanding",
        ),
    ],
)
def test_breaking_changes_are_those_a_client_would_feel(after: str, found: tuple[str, ...]) -> None:
    assert breaking_changes("type Query { a: Int b(c: Int): String }", after) == found
