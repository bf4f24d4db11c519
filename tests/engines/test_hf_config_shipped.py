"""The normaliser over every model that is handed or shipped."""

import json
from pathlib import Path

from knockon.engines.hf_config.normalise import facts_of
from knockon.terms.fact import values_of
from knockon.terms.words import Json, Scalar
from tests.data import read_yaml


def values(config: dict[str, Json]) -> dict[str, Scalar]:
    """The facts of one config, by name."""
    return values_of(facts_of(config, origin_text="test"))


def test_handed_configs_are_all_read(shared_dir: Path) -> None:
    configs = json.loads((shared_dir / "cases" / "model_configs.json").read_text(encoding="utf-8"))
    plain = 0
    for name, config in configs.items():
        if isinstance(config.get("layer_types"), dict):
            config["layer_types"] = config["layer_types"]["list"]
        told = facts_of(config, origin_text=name)
        plain += "attention_kind" in told and told["attention_kind"].value in ("mha", "gqa", "mqa", "mla")

    assert len(configs) == 163
    assert plain == 92


CATALOG = Path(__file__).resolve().parents[2] / "catalog" / "models"


def shipped() -> dict[str, dict[str, Json]]:
    return {name: model["config"] for path in sorted(CATALOG.glob("*.yaml")) for name, model in read_yaml(path).items()}


def test_every_shipped_model_tells_its_attention() -> None:
    kinds = {name: values(config).get("attention_kind") for name, config in shipped().items()}

    # Of these two the sources tell some heads and no more.
    assert {name for name, kind in kinds.items() if kind is None} == {
        "OpenGVLab/InternVL2-26B",
        "Qwen/Qwen3.8-2.4T-A95B",
    }
    assert sum(kind in ("mha", "gqa", "mqa", "mla") for kind in kinds.values()) >= 200


def test_shipped_falcon_has_one_key_value_head_as_vllm_reads_it() -> None:
    told = values(shipped()["tiiuae/falcon-7b"])

    assert told["num_key_value_heads"] == 1
    assert told["head_dim"] == 64
    assert told["attention_kind"] == "mqa"


def test_shipped_quantization_is_kept() -> None:
    told = values(shipped()["Qwen/Qwen3-235B-A22B-FP8"])

    assert told["checkpoint_quantization"] == "fp8"
    assert told["checkpoint_weight_bits"] == 8
    assert told["checkpoint_scale_group_size"] == 16384
