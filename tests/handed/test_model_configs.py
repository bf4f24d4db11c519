"""The shapes of models in the catalog are those of the handed configs, wherever both tell them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pytest

from knockon.engines.hf_config.normalise import facts_of
from knockon.terms.errors import IntakeError
from knockon.terms.words import JsonObject
from tests.shipped import shipped

# What caches, shards and drafts are sized by.
SHAPE = (
    "num_hidden_layers", "hidden_size", "num_attention_heads", "num_key_value_heads", "head_dim", "v_head_dim",
    "kv_lora_rank", "qk_rope_head_dim", "sliding_head_dim", "sliding_v_head_dim", "sliding_num_key_value_heads",
    "sliding_window", "draft_layer_count", "num_experts", "num_experts_per_tok", "full_attention_layer_count",
)  # fmt: skip
# Of these the handed text and the model's own config.json part: a window longer than the context, and a longest length.
LONGER_THAN_CONTEXT = frozenset({"microsoft/Phi-3-mini-128k-instruct", "microsoft/Phi-3-vision-128k-instruct"})


@pytest.fixture(scope="module")
def handed(shared_dir: Path) -> Mapping[str, Any]:
    path = shared_dir / "cases" / "model_configs.json"
    if not path.is_file():
        pytest.skip(f"the configs are not among the handed cases: {path}")
    held: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return held


def test_catalog_has_the_shapes_that_are_handed(handed: Mapping[str, Any]) -> None:
    models = shipped().catalog.models
    both = {
        name: config
        for name, config in handed.items()
        # What is handed as a guess is not claimed by the catalog.
        if name in models and name not in LONGER_THAN_CONTEXT and not config.get("unverified")
    }

    parted = {
        (name, fact): (told[fact], held.get(fact))
        for name, config in both.items()
        for told, held in [(shape_of(written_out(config)), shape_of(models[name].config))]
        for fact in told
        if told[fact] != held.get(fact)
    }

    assert parted == {}
    assert len(both) > 100


def shape_of(config: JsonObject) -> Mapping[str, Any]:
    try:
        facts = facts_of(config, origin_text="test")
    except IntakeError:
        return {}
    return {name: facts[name].value for name in SHAPE if name in facts}


def written_out(config: Any) -> JsonObject:
    """The config with lists that are handed as counts and a list put back to the list."""
    return cast("JsonObject", {key: _plain(value) for key, value in config.items()})


def _plain(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return value["list"] if {"counts", "list"} <= set(value) else {key: _plain(one) for key, one in value.items()}
