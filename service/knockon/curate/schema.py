"""JSON Schema of every kind of file, for editors that complete and check while one types."""

from typing import Any

from pydantic.json_schema import GenerateJsonSchema

from knockon.curate.layout import BY_KIND
from knockon.terms.bundle import Kind


def schema_of(kind: Kind) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a file that holds things of `kind`, as they are written in YAML."""
    room = BY_KIND[kind]
    body = room.shape.model_json_schema(by_alias=True, mode="validation")
    definitions = body.pop("$defs", {})
    plan = body
    if room.plan == "mapping":
        plan = {"type": "object", "additionalProperties": body}
    elif room.plan == "list":
        plan = {"type": "array", "items": body}
    return {**plan, "$schema": GenerateJsonSchema.schema_dialect, "title": room.files, "$defs": definitions}
