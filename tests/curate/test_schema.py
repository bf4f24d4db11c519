"""Editors get a JSON Schema that accepts what curation accepts."""

import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from knockon.curate.document import read_bytes
from knockon.curate.layout import ROOMS, Room
from knockon.curate.schema import schema_of
from knockon.jobs.naming import names_in
from tests.curate.trees import COUPLE, TECHNIQUE, TREE, changed
from tests.shipped import shipped

CHECKOUT = Path(__file__).parents[2]
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


NAMES = names_in(shipped())
BY_KIND = {room.kind: room for room in ROOMS}


@pytest.mark.parametrize("kind", ["technique", "quantity", "couple", "diagnose", "wall", "symptom", "cell", "citation"])
def test_shipped_files_are_accepted_with_all_names_known(kind: Any) -> None:
    files = sorted(CHECKOUT.glob(re.sub("<[^>]*>", "*", BY_KIND[kind].files)))
    validator = jsonschema.Draft202012Validator(schema_of(kind, NAMES))

    wrong = [
        f"{file.name}: {next(validator.iter_errors(data)).message}"
        for file in files[:: max(1, len(files) // 25)]
        if not validator.is_valid(data := data_of(file.read_text("utf-8")))
    ]

    assert files
    assert wrong == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[inference, L4, network]", "[inferense, L4, network]", "'inferense' is not one of"),
        ("[inference, L4, network]", "[inference, L4]", "is too short"),
        ("onto: storage", "onto: storag", "'storag' is not one of"),
        ("quantity: cache_tokens", "quantity: kv_cache_token", "'kv_cache_token' is not one of"),
        ("id: sharding", "id: Sharding", "'Sharding' does not match"),
    ],
)
def test_a_misspelled_id_is_found_where_the_names_are_known(old: str, new: str, said: str) -> None:
    text = changed(TECHNIQUE, old, new)[TECHNIQUE]
    names = {**NAMES, "quantity": ["cache_tokens", "link_bytes", "other_tokens"]}

    found = [
        error.message
        for error in jsonschema.Draft202012Validator(schema_of("technique", names)).iter_errors(data_of(text))
    ]

    assert any(said in one for one in found), found


def test_a_technique_that_is_not_written_yet_is_completed_and_not_refused() -> None:
    schema = schema_of("technique", NAMES)

    ways = schema["$defs"]["Relation"]["properties"]["to"]["anyOf"]
    assert "tensor-parallelism" in ways[0]["enum"]
    assert ways[1]["pattern"] == "^[a-z0-9]+(-[a-z0-9]+)*$"
