"""The model of a deployment: the catalog's entry, or the shape it shares with one that the catalog has.

People write more than a name: "DeepSeek-R1 (FP8)", "Qwen3-235B", "Qwen3.6-27B or Qwen3.8-27B (24 heads)".
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from knockon.catalog.catalog import Catalog
from knockon.catalog.kin import storage_words, telling_words
from knockon.catalog.machine import Model
from knockon.engines.hf_config.normalise import facts_of
from knockon.engines.hf_config.override import overridden
from knockon.terms.errors import NotFound
from knockon.terms.fact import Fact, Origin
from knockon.terms.words import JsonObject, Text

# Models kept with their facts, about 10 KiB each.
_NAMES_MAX = 256
# What tuning may change though it leaves the layers alone.
_TUNED = frozenset({"max_position_embeddings", "model_len_limit_tokens", "parameter_count"})

# Keys that change how many weights there are.
_SHAPE = frozenset({"num_hidden_layers", "hidden_size", "intermediate_size", "vocab_size", "text_config"})
# huggingface_hub: a repository's folder in the cache, `models--ORG--NAME/snapshots/COMMIT`.
_CACHED = re.compile(r"(?:^|[/\\])models--([\w.]+(?:-[\w.]+)*)--([\w.-]+?)(?:[/\\]|$)")


def repository_of(name: str) -> str:
    """The repository that a model is named by; a folder of the Hugging Face cache is the repository it holds."""
    held = _CACHED.search(name)
    return f"{held[1]}/{held[2]}" if held is not None else name


_REMARK = re.compile(r"\s*[(（][^()（）]*[)）]|\s+(?:on|with|using)\s.*")
_OTHERS = re.compile(r"\s+or\s+|\s+/\s+|\s*,\s+|或")
_AND_STORAGE = re.compile(r"(\S+?)\s*[\s(（]\s*([A-Za-z0-9-]+)\s*[)）]?\s*")


class ModelFacts:
    """What `catalog_facts` says of the models of one catalog, kept by name: a run names the same few over and over."""

    def __init__(self, catalog: Catalog) -> None:
        """Nothing is kept yet."""
        self._catalog = catalog
        self._held: dict[str, tuple[dict[str, Fact], Text | None]] = {}

    def __call__(
        self, name: str, overrides: JsonObject = MappingProxyType({})
    ) -> tuple[Mapping[str, Fact], Text | None]:
        """As `catalog_facts`."""
        if overrides:
            return catalog_facts(self._catalog, name, overrides=overrides)
        held = self._held.get(name)
        if held is None:
            if len(self._held) >= _NAMES_MAX:
                self._held = {}
            held = self._held[name] = catalog_facts(self._catalog, name)
        return held


@dataclass(frozen=True, slots=True)
class _Meant:
    """The models that a name may stand for."""

    models: tuple[Model, ...]
    is_same: bool = False
    """Whether only the storage of weights may differ."""
    left: str = ""
    """What of the name was not read."""


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
        stored = _with_its_storage(catalog, name)
        if stored is not None:
            return _facts(stored, overrides), Text(
                f"{name} is taken for {stored.name}", f"{name} 按 {stored.name} 处理"
            )
        meant = _meant(catalog, name)
        facts = _shared(meant.models, name, overrides, is_same=meant.is_same)
        if not facts:
            raise
    names = ", ".join(model.name for model in meant.models[:3])
    left, zh_left = (f"; {meant.left!r} is not read", f"；未读取 {meant.left!r}") if meant.left else ("", "")
    return facts, Text(
        f"{name} is not in the catalog; its shape is taken from {names}, how its weights are stored is not known{left}",
        f"目录中没有 {name}；形状取自 {names}，权重的存储格式未知{zh_left}",
    )


def _with_its_storage(catalog: Catalog, name: str) -> Model | None:
    """The model of "DeepSeek-R1 (FP8)": the one of that storage, or the one that is stored so anyway."""
    said = _AND_STORAGE.fullmatch(name)
    if said is None or not storage_words(said[2]) or telling_words(said[2]):
        return None
    try:
        return catalog.model(f"{said[1]}-{said[2]}")
    except NotFound:
        pass
    try:
        own = catalog.model(said[1])
    except NotFound:
        stored = storage_words(said[2])
        called = [one for one in catalog.models_called(said[1]) if storage_words(one.name) == stored]
        return called[0] if len(called) == 1 else None
    held = own.config.get("quantization_config")
    method = held.get("quant_method") if isinstance(held, dict) else None
    return own if method == said[2].casefold() else None


def _meant(catalog: Catalog, name: str) -> _Meant:
    """The models that a name may stand for: of its shape, without its remarks, each of several, short for one."""
    kin, is_same = catalog.kin(name)
    if kin:
        return _Meant(kin, is_same)
    said = _REMARK.sub("", name).strip()
    if said and said != name:
        try:
            found = _Meant((catalog.model(said),))
        except NotFound:
            found = _meant(catalog, said)
        return _Meant(found.models, left=name.replace(said, "", 1).strip() if said in name else found.left)
    parts = [part for part in _OTHERS.split(name) if part]
    if len(parts) > 1:
        return _one_of(catalog, parts)
    return _Meant(catalog.models_called(name))


def _one_of(catalog: Catalog, parts: list[str]) -> _Meant:
    """What "this or that" stands for: all that are known; the others are what was not read."""
    models: list[Model] = []
    left: list[str] = []
    for part in parts:
        try:
            found: tuple[Model, ...] = (catalog.model(part),)
        except NotFound:
            found = _meant(catalog, part).models
        models += found
        left += [] if found else [part]
    return _Meant(tuple(models), left=", ".join(left))


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
