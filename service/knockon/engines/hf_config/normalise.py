"""A Hugging Face config.json as facts: one name per idea, whatever a family calls it. What is not said stays absent."""

from collections.abc import Iterator

from knockon.engines.hf_config.attention import (
    Told,
    attention_kind_of,
    family_of,
    full_layers_of,
    head_dim_of,
    kv_heads_of,
    query_heads_of,
    window_of,
)
from knockon.engines.hf_config.experts import expert_layers_of, experts_of
from knockon.engines.hf_config.families import TIED_BY_DEFAULT
from knockon.engines.hf_config.quantization import quantization_of
from knockon.engines.hf_config.reader import ConfigReader, refused, texts_of
from knockon.terms.fact import Fact, Origin
from knockon.terms.words import JsonObject, Scalar

# Fact name → the keys it goes by, and the smallest value that makes sense.
_NUMBERS: tuple[tuple[str, tuple[str, ...], int], ...] = (
    ("num_hidden_layers", ("num_hidden_layers", "n_layer", "n_layers", "num_layers"), 1),
    ("hidden_size", ("hidden_size", "n_embd", "d_model"), 1),
    ("kv_lora_rank", ("kv_lora_rank",), 1),
    ("q_lora_rank", ("q_lora_rank",), 1),
    ("qk_rope_head_dim", ("qk_rope_head_dim",), 0),
    ("qk_nope_head_dim", ("qk_nope_head_dim",), 0),
    ("v_head_dim", ("v_head_dim",), 1),
    ("vocab_size", ("vocab_size", "padded_vocab_size"), 1),
    ("max_position_embeddings", ("max_position_embeddings", "n_positions", "max_seq_len", "seq_length"), 1),
    ("intermediate_size", ("intermediate_size", "ffn_hidden_size", "ffn_config.ffn_hidden_size"), 1),
    ("moe_intermediate_size", ("moe_intermediate_size",), 1),
    ("shared_expert_intermediate_size", ("shared_expert_intermediate_size",), 0),
    ("num_experts_per_tok", ("num_experts_per_tok", "num_experts_per_token", "moe_top_k", "ffn_config.moe_top_k"), 1),
    ("n_shared_experts", ("n_shared_experts", "num_shared_experts"), 0),
    ("first_k_dense_replace", ("first_k_dense_replace",), 0),
)


def facts_of(config: JsonObject, *, origin_text: str) -> dict[str, Fact]:
    """The facts a config.json states or implies, by name; what it does not say is absent, never guessed.

    Args:
        config: the parsed config.json; the language part of a multimodal config is found inside it.
        origin_text: what to call the config in an origin, for example "config.json of Qwen/Qwen3-235B-A22B".

    Returns:
        Facts of origin "model" for what was read, "derived" for what follows from it.

    Raises:
        IntakeError: a key has the wrong type or an impossible value; the message names the key.
    """
    reader = ConfigReader.of(config)
    facts: dict[str, Fact] = {}
    for name, told in _told(reader):
        origin = Origin("model" if told.read else "derived", f"{told.why} in {origin_text}")
        facts[name] = Fact(name, told.value, origin)
    for name, value, key in _switches(reader):
        facts[name] = Fact(name, value, Origin("model", f"{key} in {origin_text}"))
    return facts


def _told(reader: ConfigReader) -> Iterator[tuple[str, Told]]:
    numbers = dict(_numbers(reader))
    yield from numbers.items()
    yield from _names(reader)
    yield from _attention(reader, layers=_value(numbers.get("num_hidden_layers")))
    yield from _experts(reader, layers=_value(numbers.get("num_hidden_layers")))
    yield from _quantization(reader)


def _numbers(reader: ConfigReader) -> Iterator[tuple[str, Told]]:
    for name, keys, minimum in _NUMBERS:
        found = reader.integer(*keys, minimum=minimum)
        if found is not None and isinstance(found.value, int):
            yield name, Told(found.value, found.key)


def _names(reader: ConfigReader) -> Iterator[tuple[str, Told]]:
    architectures = reader.outermost("architectures")
    if architectures is not None:
        named = texts_of(architectures)
        if named:
            yield "architecture", Told(named[0], architectures.key)
    model_type = reader.outermost("model_type")
    if model_type is not None:
        if not isinstance(model_type.value, str):
            raise refused(model_type.key, model_type.value, expected="text")
        yield "model_type", Told(model_type.value, model_type.key)
    dtype = reader.text("dtype", "torch_dtype")
    if dtype is not None:
        yield "model_dtype", Told(str(dtype.value).removeprefix("torch."), dtype.key)


def _attention(reader: ConfigReader, *, layers: int | None) -> Iterator[tuple[str, Told]]:
    family = family_of(reader)
    query_heads, kv_heads = query_heads_of(reader), kv_heads_of(reader, family=family)
    if query_heads and kv_heads and int(kv_heads.value) > int(query_heads.value):
        raise refused(kv_heads.why, kv_heads.value, expected=f"no more than the {query_heads.value} query heads")
    kind = attention_kind_of(reader, kv_heads=kv_heads, query_heads=query_heads)
    told = {
        "num_attention_heads": query_heads,
        "num_key_value_heads": kv_heads,
        "head_dim": head_dim_of(reader, family=family),
        "attention_kind": kind,
        "sliding_window": window_of(reader),
        "full_attention_layer_count": full_layers_of(reader, kind=str(kind.value) if kind else None, layers=layers),
    }
    yield from ((name, each) for name, each in told.items() if each is not None)


def _experts(reader: ConfigReader, *, layers: int | None) -> Iterator[tuple[str, Told]]:
    family = family_of(reader)
    experts = experts_of(reader, family=family)
    count = _value(experts)
    with_experts = expert_layers_of(reader, family=family, experts=count, layers=layers)
    if experts is not None:
        yield "num_experts", experts
    if with_experts is not None:
        yield "moe_layer_count", with_experts


def _quantization(reader: ConfigReader) -> Iterator[tuple[str, Told]]:
    quantization = quantization_of(reader)
    if quantization is None:
        return
    yield "checkpoint_quantization", Told(quantization.method, quantization.key)
    for name, value in (
        ("checkpoint_weight_bits", quantization.weight_bits),
        ("checkpoint_scale_group_size", quantization.scale_group),
        ("checkpoint_kv_cache_dtype", quantization.kv_cache),
    ):
        if value is not None:
            yield name, Told(value, quantization.key)


def _switches(reader: ConfigReader) -> Iterator[tuple[str, Scalar, str]]:
    tied, family = reader.boolean("tie_word_embeddings"), family_of(reader)
    if tied is not None:
        yield "tie_word_embeddings", tied, "tie_word_embeddings"
    elif family is not None and family in TIED_BY_DEFAULT:
        yield "tie_word_embeddings", TIED_BY_DEFAULT[family], f"class default of {family}, not given"
    yield "has_vision_tower", reader.has("vision_config", "vision_tower", "img_processor", "visual"), "vision_config"


def _value(told: Told | None) -> int | None:
    return told.value if told is not None and isinstance(told.value, int) else None
