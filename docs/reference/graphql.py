"""The page of the GraphQL schema: every type and field, and the file that makes it."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLScalarType,
    GraphQLUnionType,
    build_schema,
    is_specified_scalar_type,
)

import knockon
from docs.reference.markdown import code, page, table
from knockon.api.schema import sdl

_PACKAGE = Path(knockon.__file__).parent
_API = _PACKAGE / "api"


def graphql_page() -> str:
    """The roots first, then every type by name."""
    schema = build_schema(sdl())
    # The words of an enum are the core's own.
    made_in = {**dict(_enums(_PACKAGE)), **dict(_definitions(_API))}
    resolvers = dict(_resolvers())
    query = schema.query_type
    assert query is not None
    roots = (
        [f"`{name}`", *_signature(field), code(made_in.get(resolvers[_snake(name)], ""))]
        for name, field in query.fields.items()
    )
    types = [
        held
        for name, held in sorted(schema.type_map.items())
        if held is not query and not name.startswith("__") and not is_specified_scalar_type(held)
    ]
    return page(
        "GraphQL",
        "The schema of `/graphql`. `!` is never null; every other field says when it is null. `knockon schema` prints "
        "the schema itself.",
        "service/knockon/api/",
        "## Questions",
        table(["field", "gives", "says", "made in"], roots),
        "## Types",
        *(part for held in types for part in _type(held, made_in)),
    )


def _type(held: GraphQLNamedType, made_in: dict[str, str]) -> Iterator[str]:
    place = made_in.get(held.name)
    yield f"### {held.name}"
    yield " ".join(filter(None, [_flat(held.description), f"Made in {code(place)}." if place else ""]))
    match held:
        case GraphQLObjectType(fields=fields) | GraphQLInterfaceType(fields=fields):
            yield table(
                ["field", "gives", "says"], ([f"`{name}`", *_signature(field)] for name, field in fields.items())
            )
        case GraphQLInputObjectType(fields=fields):
            rows = ([f"`{name}`", f"`{field.type}`", _flat(field.description)] for name, field in fields.items())
            yield table(["field", "takes", "says"], rows)
        case GraphQLEnumType(values=values):
            yield table(["value", "says"], ([f"`{name}`", _flat(value.description)] for name, value in values.items()))
        case GraphQLUnionType(types=types):
            yield f"One of {', '.join(f'`{member.name}`' for member in types)}."
        case GraphQLScalarType():
            pass


def _signature(field: object) -> tuple[str, str]:
    """What a field gives, and what it says of itself and its arguments."""
    arguments = getattr(field, "args", {})
    told = [f"`{name}: {argument.type}` {_flat(argument.description)}".strip() for name, argument in arguments.items()]
    says = _flat(getattr(field, "description", None))
    return f"`{getattr(field, 'type', '')}`", " ".join(filter(None, [says, "; ".join(told)]))


def _definitions(folder: Path) -> Iterable[tuple[str, str]]:
    """(name, file) of every class, function and module's own name of the schema."""
    for path in sorted(folder.rglob("*.py")):
        place = str(path.relative_to(_PACKAGE))
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            match node:
                case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                    yield name, place
                case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                    yield name, place


def _enums(folder: Path) -> Iterator[tuple[str, str]]:
    """(name, file) of every enum."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and {"Enum", "StrEnum"} & {ast.unparse(base) for base in node.bases}:
                yield node.name, str(path.relative_to(_PACKAGE))


def _resolvers() -> Iterator[tuple[str, str]]:
    """(field, function) of every root, as api/schema.py states them."""
    for node in ast.walk(ast.parse((_API / "schema.py").read_text(encoding="utf-8"))):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and isinstance(node.value, ast.Call):
            for word in node.value.keywords:
                if word.arg == "resolver" and isinstance(word.value, ast.Attribute):
                    yield node.target.id, word.value.attr


def _snake(name: str) -> str:
    return re.sub(r"(?=[A-Z])", "_", name).lower()


def _flat(text: str | None) -> str:
    return " ".join((text or "").split())
