"""JSON Schema of every kind of file, for editors that complete and check while one types."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic.json_schema import GenerateJsonSchema

from knockon.curate.layout import BY_KIND
from knockon.curate.shapes.base import POINTS_AT, Target
from knockon.terms.bundle import Kind
from knockon.terms.words import Json

# What grows while one writes is completed and not refused: the file that names it may come before the file that has it.
_GROWING: frozenset[Target] = frozenset(("technique", "citation"))


def schema_of(kind: Kind, names: Mapping[Target, Sequence[str]] | None = None) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a file that holds things of `kind`, as they are written in YAML.

    Args:
        kind: what the file holds.
        names: what the texts of a tree can name; with them editors complete ids and find misspelled ones.
    """
    room = BY_KIND[kind]
    body = room.shape.model_json_schema(by_alias=True, mode="validation")
    definitions = body.pop("$defs", {})
    plan = body
    if room.plan == "mapping":
        plan = {"type": "object", "additionalProperties": body}
    elif room.plan == "list":
        plan = {"type": "array", "items": body}
    schema = {**plan, "$schema": GenerateJsonSchema.schema_dialect, "title": room.files, "$defs": definitions}
    return _named(schema, names or {})  # type: ignore[return-value]


def _named(part: Json, names: Mapping[Target, Sequence[str]]) -> Json:
    """The same with the names in place of what says where they are found."""
    if isinstance(part, list):
        return [_named(one, names) for one in part]
    if not isinstance(part, dict):
        return part
    told = {key: _named(value, names) for key, value in part.items() if key != POINTS_AT}
    target: Any = part.get(POINTS_AT)
    if not (known := names.get(target)):
        return told
    if target in _GROWING:
        return {"anyOf": [{"enum": list(known)}, told]}
    return {"enum": list(known)}
