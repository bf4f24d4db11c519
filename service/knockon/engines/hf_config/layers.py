"""Which kind each layer of a model is, in order: what a KV cache and its pipeline stages follow from."""

from collections.abc import Callable, Mapping

from knockon.engines.hf_config.attention import Told, layer_types_of
from knockon.engines.hf_config.reader import ConfigReader, numbers_of

# One letter a layer: f attends to the whole sequence, s to a window, c inside chunks, m keeps a state instead,
# b attends and keeps a state, x holds no cache of its own.
_LETTERS: Mapping[str, str] = {
    **dict.fromkeys(("full_attention", "attention", "global_attention", "global"), "f"),
    **dict.fromkeys(("sliding_attention", "sliding_window_attention", "local_attention", "local", "sliding"), "s"),
    "chunked_attention": "c",
    **dict.fromkeys(
        ("linear_attention", "mamba", "mamba2", "recurrent", "conv", "gated_delta_net", "kda", "lightning"), "m"
    ),
    "hybrid": "b",
    **dict.fromkeys(("mlp", "moe"), "x"),
}
_NEMOTRON = {"M": "m", "*": "f", "-": "x", "E": "x"}
_UNIFORM = {
    **dict.fromkeys(("mha", "gqa", "mqa", "mla", "mla_sparse", "sparse"), "f"),
    "sliding": "s",
    "linear": "m",
}
# Families that attend to everything in every n-th layer, where the config does not say n.
_EVERY_NTH: Mapping[str, int] = {"gemma3": 6, "gemma3_text": 6, "cohere2": 4}
# A window in the even layers, counted from 0, everything in the odd ones.
_ALTERNATE = frozenset({"gemma2", "gpt_oss"})
_BOTH = frozenset({"falcon_h1"})


def layer_pattern_of(reader: ConfigReader, *, family: str | None, kind: str | None, layers: int | None) -> Told | None:
    """One letter for each layer; None when the config does not tell every layer."""
    if layers is None or kind is None:
        return None
    found = _listed(reader) or _by_family(reader, family=family, kind=kind, layers=layers)
    if found is None or len(str(found.value)) != layers:
        return None
    return _without_shared(reader, found, layers=layers)


def _listed(reader: ConfigReader) -> Told | None:
    linear = reader.find("linear_attn_config.full_attn_layers")
    if linear is not None:
        # Counted from 1; the rest keeps states.
        full = set(numbers_of(linear))
        count = reader.number("num_hidden_layers") or 0
        return Told("".join("f" if index + 1 in full else "m" for index in range(count)), linear.key, read=False)
    pattern = reader.text("hybrid_override_pattern")
    if pattern is not None:
        letters = [_NEMOTRON.get(letter, "?") for letter in str(pattern.value)]
        return None if "?" in letters else Told("".join(letters), pattern.key, read=False)
    for key, letters_of in _NUMBERED.items():
        found = reader.find(key)
        if found is not None and isinstance(found.value, list):
            return Told("".join(letters_of(number) for number in numbers_of(found)), found.key, read=False)
    types = layer_types_of(reader) or reader.texts("layers_block_type")
    letters = [_LETTERS.get(one, "?") for one in types]
    return None if not letters or "?" in letters else Told("".join(letters), "layer_types", read=False)


# 1 marks a window in MiMo, 0 a state in MiniMax.
_NUMBERED: Mapping[str, Callable[[int], str]] = {
    "hybrid_layer_pattern": lambda number: "s" if number else "f",
    "attn_type_list": lambda number: "f" if number else "m",
}


def _by_family(reader: ConfigReader, *, family: str | None, kind: str, layers: int) -> Told | None:
    if family in _BOTH:
        return Told("b" * layers, f"every layer of {family}", read=False)
    if kind in _UNIFORM:
        return Told(_UNIFORM[kind] * layers, "every layer", read=False)
    if family in _ALTERNATE:
        return Told(_every(2, layers, others="s"), f"every second layer of {family}", read=False)
    interval = reader.number("full_attention_interval", minimum=1)
    if interval is not None:
        return Told(_every(interval, layers, others="m"), "full_attention_interval", read=False)
    period, offset = reader.number("attn_layer_period", minimum=1), reader.number("attn_layer_offset")
    if period is not None and offset is not None:
        letters = ("f" if index % period == offset else "m" for index in range(layers))
        return Told("".join(letters), "attn_layer_period, attn_layer_offset", read=False)
    if kind == "hybrid_chunked":
        return _chunked(reader, layers=layers)
    return _windowed(reader, family=family, layers=layers) if kind in ("hybrid_sliding", "per_layer") else None


def _chunked(reader: ConfigReader, *, layers: int) -> Told:
    # Llama 4 leaves rotary positions out of the layers that attend to everything, every fourth unless said.
    step = reader.number("no_rope_layer_interval", minimum=1) or 4
    listed = reader.find("no_rope_layers")
    if listed is None or not listed.value:
        return Told(_every(step, layers, others="c"), "every fourth layer attends to all", read=False)
    return Told("".join("c" if one else "f" for one in numbers_of(listed)), listed.key, read=False)


def _windowed(reader: ConfigReader, *, family: str | None, layers: int) -> Told | None:
    said = reader.number("sliding_window_pattern", "_sliding_window_pattern", minimum=1)
    nth = said or _EVERY_NTH.get(family or "")
    if nth is not None:
        return Told(_every(nth, layers, others="s"), "sliding_window_pattern", read=False)
    first = reader.number("max_window_layers")
    if first is not None and reader.boolean("use_sliding_window"):
        return Told("f" * min(first, layers) + "s" * max(0, layers - first), "max_window_layers", read=False)
    return None


def _every(step: int, layers: int, *, others: str) -> str:
    return "".join("f" if (index + 1) % step == 0 else others for index in range(layers))


def _without_shared(reader: ConfigReader, found: Told, *, layers: int) -> Told:
    # The last layers of Gemma 3n and 4 may read the cache of earlier ones.
    shared = reader.number("num_kv_shared_layers") or 0
    if not 0 < shared < layers:
        return found
    return Told(str(found.value)[: layers - shared] + "x" * shared, f"{found.why}, num_kv_shared_layers", read=False)
