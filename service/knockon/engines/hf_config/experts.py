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
    pattern = mlp_pattern_of(reader, family=family, experts=experts, layers=layers)
    return None if pattern is None else Told(str(pattern.value).count("e"), pattern.why, read=False)


def _dense_layers(reader: ConfigReader) -> list[int]:
    found = reader.find("mlp_only_layers")
    return list(numbers_of(found)) if found else []


# Letters of Nemotron's pattern that have an MLP of their own.
_NEMOTRON = {"-": "d", "E": "e", "M": "-", "*": "-"}


def mlp_pattern_of(reader: ConfigReader, *, family: str | None, experts: int | None, layers: int | None) -> Told | None:
    """One letter for each layer: d a dense MLP, e routed experts, - none; None when the config does not say."""
    if layers is None:
        return None
    pattern = reader.text("hybrid_override_pattern")
    if pattern is not None:
        letters = "".join(_NEMOTRON.get(letter, "?") for letter in str(pattern.value))
        return Told(letters, pattern.key, read=False) if "?" not in letters and len(letters) == layers else None
    if family in _NO_MLP:
        return Told("-" * layers, f"{family} has no MLP", read=False)
    if experts is None:
        return None
    if experts == 0:
        return Told("d" * layers, "no experts", read=False)
    places = _expert_places(reader, family=family, layers=layers)
    if places is None:
        return None
    return Told("".join("e" if index in places else "d" for index in range(layers)), "layers with experts", read=False)


_NO_MLP = frozenset({"mamba", "mamba2", "falcon_mamba"})


def _expert_places(reader: ConfigReader, *, family: str | None, layers: int) -> set[int] | None:
    frequency = reader.find("moe_layer_freq")
    if frequency is not None and isinstance(frequency.value, list):
        return {index for index, one in enumerate(numbers_of(frequency)) if one}
    kinds = reader.find("mlp_layer_types")
    if kinds is not None and isinstance(kinds.value, list):
        return {index for index, one in enumerate(kinds.value) if one == "sparse"}
    period, offset = reader.number("expert_layer_period", minimum=1), reader.number("expert_layer_offset")
    if period is not None and offset is not None:
        return {index for index in range(layers) if index % period == offset}
    step = reader.number("interleave_moe_layer_step", minimum=1)
    if step is not None:
        return {index for index in range(layers) if (index + 1) % step == 0}
    dense_first = reader.number("first_k_dense_replace")
    if dense_first is not None:
        every = reader.number("moe_layer_freq", minimum=1) or 1
        return {index for index in range(dense_first, layers) if index % every == 0}
    sparse_step = reader.number("decoder_sparse_step", minimum=1)
    if sparse_step is not None:
        dense = set(_dense_layers(reader))
        return {index for index in range(layers) if index not in dense and (index + 1) % sparse_step == 0}
    return set(range(layers)) if family in EVERY_LAYER_HAS_EXPERTS else None
