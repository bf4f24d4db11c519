"""Which kind of attention a config.json describes, told apart so that a KV cache can be reckoned, or left untold."""

from collections.abc import Sequence
from dataclasses import dataclass

from knockon.engines.hf_config.families import (
    MHA_BY_DEFAULT,
    MULTI_QUERY_SWITCH,
    NOT_PLAIN,
    OWN_HEAD_DIM,
    PLAIN,
)
from knockon.engines.hf_config.reader import ConfigReader, refused, texts_of

# Encoder-decoder families of transformers answer with the encoder's.
_QUERY_HEADS = ("num_attention_heads", "n_head", "n_heads", "num_heads", "encoder_attention_heads")
_KV_HEADS = ("num_key_value_heads", "num_kv_heads", "n_head_kv", "attn_config.kv_n_heads")
_HEAD_DIM = ("head_dim", "kv_channels", "attention_head_dim", "hidden_size_per_head")
# Keys that only models with state-space or linear layers have.
_LINEAR_KEYS = (
    "full_attention_interval",
    "linear_attn_config",
    "hybrid_override_pattern",
    "layers_block_type",
    "attn_layer_period",
    "attn_type_list",
    "mamba_d_state",
    "mamba_num_heads",
    "ssm_state_size",
    "linear_num_key_heads",
    "lightning_ratio",
)
# Key/value heads that some of the layers have instead of the others' number.
_OTHER_KV_HEADS = ("swa_num_key_value_heads", "num_global_key_value_heads")
# A key that is there → the kind it tells, first match first.
_TELLING_KEYS: tuple[tuple[str, str], ...] = (
    ("cross_attention_layers", "cross"),
    ("block_configs", "per_layer"),
    ("compress_ratios", "compressed"),
    *((key, "hybrid_linear") for key in _LINEAR_KEYS),
    ("sparse_attention_config", "sparse"),
    ("blocksparse_block_size", "sparse"),
)
_FULL = frozenset({"full_attention", "attention", "global_attention", "global"})
_SLIDING = frozenset({"sliding_attention", "sliding_window_attention", "local_attention", "local", "sliding"})
_CHUNKED = frozenset({"chunked_attention"})
_LINEAR = frozenset({"linear_attention", "mamba", "mamba2", "recurrent", "conv", "gated_delta_net", "kda", "lightning"})


@dataclass(frozen=True, slots=True)
class Told:
    """A value with the key or the reckoning it comes from; `read` is False when it was reckoned."""

    value: int | float | str
    why: str
    read: bool = True


def query_heads_of(reader: ConfigReader) -> Told | None:
    """Query heads per layer; None when absent or different by layer."""
    found = reader.integer(*_QUERY_HEADS, minimum=1)
    return Told(found.value, found.key) if found and isinstance(found.value, int) else None


def kv_heads_of(reader: ConfigReader, *, family: str | None) -> Told | None:
    """Key/value heads per layer, by the key or by what the family's implementation does without it."""
    if family in MULTI_QUERY_SWITCH and not reader.boolean("new_decoder_architecture"):
        if reader.boolean("multi_query"):
            return Told(1, "multi_query")
        heads = query_heads_of(reader)
        return Told(heads.value, f"{heads.why} (multi_query is not set)", read=False) if heads else None
    if family == "chatglm" or reader.has("multi_query_group_num"):
        groups = reader.integer("multi_query_group_num", minimum=1)
        if reader.boolean("multi_query_attention") and groups and isinstance(groups.value, int):
            return Told(groups.value, groups.key)
    found = reader.integer(*_KV_HEADS, minimum=1)
    if found and isinstance(found.value, int):
        return Told(found.value, found.key)
    heads = query_heads_of(reader)
    if heads and family in MHA_BY_DEFAULT and not reader.has(*_KV_HEADS):
        return Told(heads.value, f"{heads.why} (no key/value heads named)", read=False)
    return None


def head_dim_of(reader: ConfigReader, *, family: str | None) -> Told | None:
    """Elements of one head; hidden_size / query heads where that is what the family does."""
    found = reader.integer(*_HEAD_DIM, minimum=1)
    if found and isinstance(found.value, int):
        return Told(found.value, found.key)
    if family in OWN_HEAD_DIM or reader.has("kv_lora_rank", *_HEAD_DIM):
        return None
    hidden, heads = reader.number("hidden_size", "n_embd", "d_model", minimum=1), query_heads_of(reader)
    if hidden is None or heads is None or hidden % int(heads.value):
        return None
    return Told(hidden // int(heads.value), "hidden_size / num_attention_heads", read=False)


def family_of(reader: ConfigReader) -> str | None:
    """The innermost `model_type`: the one of the language model."""
    for prefix, layer in reader.layers:
        value = layer.get("model_type")
        if value is None:
            continue
        if not isinstance(value, str):
            raise refused(f"{prefix}model_type", value, expected="text")
        return value
    return None


def attention_kind_of(reader: ConfigReader, *, kv_heads: Told | None, query_heads: Told | None) -> Told | None:
    """One of the closed kinds; None when the config does not say enough to be sure.

    A family that is not known and has a `model_type` is left untold even when its heads look plain.
    """
    special = _special_family(reader) or _special_keys(reader)
    if special is not None:
        return special
    family = family_of(reader)
    window = _window_kind(reader)
    if window is not None:
        return window
    # Without a model_type the heads speak for themselves, unless an implementation is named that is not known here.
    if family not in PLAIN and (family is not None or reader.has("architectures")):
        return None
    if kv_heads is None or query_heads is None:
        return None
    kv, query = int(kv_heads.value), int(query_heads.value)
    if query % kv:
        return None
    kind = "mha" if kv == query else "mqa" if kv == 1 else "gqa"
    return Told(kind, f"{kv} key/value heads for {query} query heads", read=False)


def full_layers_of(reader: ConfigReader, *, kind: str | None, layers: int | None) -> Told | None:
    """Layers that attend to the whole sequence; None when the config does not say."""
    if kind in ("mha", "gqa", "mqa", "mla", "mla_sparse") and layers is not None:
        return Told(layers, "every layer", read=False)
    types = layer_types_of(reader)
    if types:
        return Told(sum(one in _FULL for one in types), "layer_types", read=False)
    pattern = reader.text("hybrid_override_pattern")
    if pattern is not None:
        return Told(str(pattern.value).count("*"), pattern.key, read=False)
    interval = reader.integer("full_attention_interval", minimum=1)
    if interval and layers is not None and isinstance(interval.value, int):
        return Told(layers // interval.value, f"num_hidden_layers / {interval.key}", read=False)
    return None


def layer_types_of(reader: ConfigReader) -> Sequence[str]:
    """`layer_types` as listed; empty when absent."""
    found = reader.find("layer_types")
    return texts_of(found) if found else ()


def window_of(reader: ConfigReader) -> Told | None:
    """The sliding window in tokens, where it is in use."""
    found = reader.integer("sliding_window", minimum=0)
    if found is None or not isinstance(found.value, int) or found.value == 0:
        return None
    if reader.boolean("use_sliding_window") is False:
        return None
    return Told(found.value, found.key)


def _special_family(reader: ConfigReader) -> Told | None:
    if reader.has(*_OTHER_KV_HEADS) or reader.varies_by_layer(*_KV_HEADS) or reader.varies_by_layer(*_QUERY_HEADS):
        return Told("per_layer", "heads that differ by layer", read=False)
    for _, layer in reader.layers:
        family = layer.get("model_type")
        if isinstance(family, str) and family in NOT_PLAIN:
            return Told(NOT_PLAIN[family], f"model_type {family}", read=False)
    return None


def _special_keys(reader: ConfigReader) -> Told | None:
    if reader.boolean("is_encoder_decoder"):
        return Told("cross", "is_encoder_decoder", read=False)
    if any(one in _LINEAR for one in layer_types_of(reader)):
        return Told("hybrid_linear", "layer_types", read=False)
    for key, kind in _TELLING_KEYS:
        if reader.has(key):
            return Told(kind, key, read=False)
    if reader.integer("kv_lora_rank", minimum=1):
        if reader.has("index_topk", "index_head_dim"):
            return Told("mla_sparse", "kv_lora_rank with an indexer", read=False)
        return Told("mla", "kv_lora_rank", read=False)
    return None


def _window_kind(reader: ConfigReader) -> Told | None:
    if reader.has("attention_chunk_size") or any(one in _CHUNKED for one in layer_types_of(reader)):
        return Told("hybrid_chunked", "attention_chunk_size", read=False)
    types = layer_types_of(reader)
    if types:
        sliding = sum(one in _SLIDING for one in types)
        if sliding == 0:
            return None
        return Told("sliding" if sliding == len(types) else "hybrid_sliding", "layer_types", read=False)
    window = window_of(reader)
    longest = reader.number("max_position_embeddings")
    # A window no sequence can outgrow cuts nothing off.
    if window is None or (longest is not None and int(window.value) >= longest):
        return None
    first_windowed, layers = reader.number("max_window_layers"), reader.number("num_hidden_layers")
    if first_windowed is not None and layers is not None and reader.boolean("use_sliding_window"):
        if first_windowed >= layers:
            return None
        return Told("sliding" if first_windowed == 0 else "hybrid_sliding", "max_window_layers", read=False)
    return Told("sliding", window.why, read=False)
