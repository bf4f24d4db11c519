"""The longest sequence a config.json declares, and how its rotary positions are stretched."""

from collections.abc import Iterator, Mapping

from knockon.engines.hf_config.attention import Told
from knockon.engines.hf_config.reader import ConfigReader
from knockon.terms.words import JsonObject

# vLLM 0.33 takes the smallest of these (transformers_utils/model_arch_config_convertor.py:374-407).
_LENGTHS = (
    "max_position_embeddings",
    "n_positions",
    "max_seq_len",
    "seq_length",
    "model_max_length",
    "max_target_positions",
    "max_sequence_length",
    "max_seq_length",
    "seq_len",
)


def lengths_of(reader: ConfigReader) -> Iterator[tuple[str, Told]]:
    """The declared length and the rotary scaling; what is not said is left out."""
    longest = longest_of(reader)
    if longest is not None:
        yield "max_position_embeddings", longest
    yield from _rotary(reader)


def longest_of(reader: ConfigReader) -> Told | None:
    """The smallest length named; `model_max_length` goes before the others."""
    for key in ("model_max_length", *_LENGTHS):
        found = reader.integer(key, minimum=1)
        if found is not None and isinstance(found.value, int) and key == "model_max_length":
            return Told(found.value, found.key)
    told = [
        Told(found.value, found.key)
        for found in (reader.integer(key, minimum=1) for key in _LENGTHS)
        if found is not None and isinstance(found.value, int)
    ]
    return min(told, key=lambda each: int(each.value), default=None)


def _rotary(reader: ConfigReader) -> Iterator[tuple[str, Told]]:
    found = reader.find("rope_scaling") or reader.find("rope_parameters")
    if found is None or not isinstance(found.value, Mapping):
        return
    for scaling in _scalings(found.value):
        kind = scaling.get("rope_type") or scaling.get("type")
        if not isinstance(kind, str) or kind == "default":
            continue
        yield "rope_scaling_type", Told(kind, found.key)
        factor = scaling.get("factor")
        if isinstance(factor, (int, float)) and not isinstance(factor, bool):
            yield "rope_scaling_factor", Told(factor, found.key)
        original = scaling.get("original_max_position_embeddings")
        if isinstance(original, int) and not isinstance(original, bool) and original > 0:
            yield "rope_original_max_position_embeddings", Told(original, found.key)
        return


def _scalings(value: JsonObject) -> list[JsonObject]:
    """The scaling itself, or one for each kind of layer."""
    inner: list[JsonObject] = [each for each in value.values() if isinstance(each, Mapping)]
    return inner or [value]
