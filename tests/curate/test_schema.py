"""Editors get a JSON Schema that accepts what curation accepts."""

from pathlib import Path
from typing import Any

import jsonschema
import pytest

from knockon.curate.document import read_bytes
from knockon.curate.layout import ROOMS, Room
from knockon.curate.schema import schema_of
from tests.curate.trees import COUPLE, TECHNIQUE, TREE, changed

FILES = [(room, name) for name in TREE for room in ROOMS if room.pattern.fullmatch(name)]


def data_of(text: str) -> Any:
    return read_bytes(text.encode(), "f.yaml").data


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.kind)
def test_schema_is_one_and_is_named_after_its_files(room: Room) -> None:
    schema = schema_of(room.kind)

    jsonschema.Draft202012Validator.check_schema(schema)
    assert (schema["$schema"], schema["title"]) == ("https://json-schema.org/draft/2020-12/schema", room.files)


@pytest.mark.parametrize(("room", "name"), FILES, ids=[Path(name).name for _, name in FILES])
def test_file_of_the_small_tree_is_accepted(room: Room, name: str) -> None:
    jsonschema.validate(data_of(TREE[name]), schema_of(room.kind))


def test_every_file_of_the_small_tree_was_tried() -> None:
    assert sorted(name for _, name in FILES) == sorted(TREE)


@pytest.mark.parametrize(
    ("kind", "name", "old", "new", "said"),
    [
        ("technique", TECHNIQUE, "effect: gain", "effect: win", "'win' is not one of ['gain', 'cost']"),
        (
            "technique",
            TECHNIQUE,
            "name: {en: Sharding, zh: 切分}",
            "name: {en: Sharding}",
            "'zh' is a required property",
        ),
        ("technique", TECHNIQUE, "adds_devices", "add_devices", "('add_devices' was unexpected)"),
        ("couple", COUPLE, "given: {}", "given: {engine: [vllm]}", "['vllm'] is not of type"),
    ],
)
def test_wrong_file_is_refused(kind: Any, name: str, old: str, new: str, said: str) -> None:
    with pytest.raises(jsonschema.ValidationError) as caught:
        jsonschema.validate(data_of(changed(name, old, new)[name]), schema_of(kind))

    assert said in caught.value.message
