"""How many experts a config.json describes, and in how many of its layers."""

from knockon.engines.hf_config.attention import Told
from knockon.engines.hf_config.families import EVERY_LAYER_HAS_EXPERTS, NOT_PLAIN, PLAIN
from knockon.engines.hf_config.reader import ConfigReader, numbers_of

_EXPERTS = ("num_local_experts", "n_routed_experts", "num_experts", "moe_num_experts", "ffn_config.moe_num_experts")


def experts_of(reader: ConfigReader, *, family: str | None) -> Told | None:
    """Routed experts of one layer; 0 for a known family whose config names none; None when it cannot be told."""
    found = reader.integer(*_EXPERTS)
    if found is not None and isinstance(found.value, int):
        return Told(found.value, found.key)
    known = family in PLAIN or family in NOT_PLAIN
    if reader.has(*_EXPERTS) or not known or family in EVERY_LAYER_HAS_EXPERTS:
        return None
    return Told(0, "no experts named", read=False)


def expert_layers_of(
    reader: ConfigReader, *, family: str | None, experts: int | None, layers: int | None
) -> Told | None:
    """Layers that have routed experts; None when the config does not say."""
    if experts is None or layers is None:
        return None
    if experts == 0:
        return Told(0, "no experts", read=False)
    frequency = reader.find("moe_layer_freq")
    if frequency is not None and isinstance(frequency.value, list):
        return Told(sum(1 for one in numbers_of(frequency) if one), frequency.key, read=False)
    dense_first = reader.number("first_k_dense_replace")
    if dense_first is not None:
        step = reader.number("moe_layer_freq", minimum=1) or 1
        count = sum(1 for index in range(dense_first, layers) if index % step == 0)
        return Told(count, "num_hidden_layers - first_k_dense_replace", read=False)
    sparse_step = reader.number("decoder_sparse_step", minimum=1)
    if sparse_step is not None:
        dense = set(_dense_layers(reader))
        count = sum(1 for index in range(layers) if index not in dense and (index + 1) % sparse_step == 0)
        return Told(count, "decoder_sparse_step, mlp_only_layers", read=False)
    return Told(layers, "every layer", read=False) if family in EVERY_LAYER_HAS_EXPERTS else None


def _dense_layers(reader: ConfigReader) -> list[int]:
    found = reader.find("mlp_only_layers")
    return list(numbers_of(found)) if found else []
