"""The model of a deployment: the catalog's entry, or the shape it shares with one that the catalog has."""

from types import MappingProxyType

from knockon.catalog.catalog import Catalog
from knockon.catalog.machine import Model
from knockon.engines.hf_config.normalise import facts_of
from knockon.engines.hf_config.override import overridden
from knockon.terms.errors import NotFound
from knockon.terms.fact import Fact, Origin
from knockon.terms.words import JsonObject, Text

# What tuning may change though it leaves the layers alone.
_TUNED = frozenset({"max_position_embeddings", "model_len_limit_tokens", "parameter_count"})

# Keys that change how many weights there are.
_SHAPE = frozenset({"num_hidden_layers", "hidden_size", "intermediate_size", "vocab_size", "text_config"})


def catalog_facts(
    catalog: Catalog, name: str, *, overrides: JsonObject = MappingProxyType({})
) -> tuple[dict[str, Fact], Text | None]:
    """The facts of the model that `name` names, `overrides` over its config.json; a note where they are another's.

    Raises:
        NotFound: neither it nor a model of its shape is in the catalog.
    """
    try:
        return _facts(catalog.model(name), overrides), None
    except NotFound:
        kin, is_same = catalog.kin(name)
        facts = _shared(kin, name, overrides, is_same=is_same)
        if not facts:
            raise
    names = ", ".join(model.name for model in kin[:3])
    return facts, Text(
        f"{name} is not in the catalog; its shape is taken from {names}, how its weights are stored is not known",
        f"目录中没有 {name}；形状取自 {names}，权重的存储格式未知",
    )


def _facts(model: Model, overrides: JsonObject) -> dict[str, Fact]:
    config = overridden(model.config, overrides)
    found = facts_of(config, origin_text=f"config.json of {model.name}", name=model.name)
    if model.parameters is not None and not _SHAPE.intersection(overrides):
        origin = Origin("model", f"catalog entry of {model.name}")
        found.setdefault("parameter_count", Fact("parameter_count", model.parameters, origin))
    return found


def _shared(kin: tuple[Model, ...], name: str, overrides: JsonObject, *, is_same: bool) -> dict[str, Fact]:
    """What all the models say alike, without what the storage of weights says."""
    each = []
    for model in kin:
        config = {key: value for key, value in model.config.items() if key != "quantization_config"}
        config = overridden(config, overrides)
        each.append(facts_of(config, origin_text=f"config.json of {model.name}, which has its shape", name=name))
    if not each:
        return {}
    # A name that is silent on storage may still be of a family whose own weights are quantized.
    is_open = any("quantization_config" in model.config for model in kin)
    left_out = ("checkpoint_",) if is_open and not _is_hidden(each[0]) else ("checkpoint_is_",)
    return {
        key: fact
        for key, fact in each[0].items()
        if all(key in other and other[key].value == fact.value for other in each)
        and (is_same or key not in _TUNED)
        and not key.startswith(left_out)
    }


def _is_hidden(facts: dict[str, Fact]) -> bool:
    hidden = facts.get("checkpoint_quantization_hidden")
    return hidden is not None and hidden.value is True
