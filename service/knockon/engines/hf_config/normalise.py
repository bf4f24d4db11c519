"""A Hugging Face config.json as facts: one name per idea, whatever a family calls it. What is not said stays absent."""

import re
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
from knockon.engines.hf_config.experts import expert_layers_of, experts_of, mlp_pattern_of
from knockon.engines.hf_config.families import (
    BIDIRECTIONAL_IMAGES,
    LATENT,
    NOT_PLAIN,
    PLAIN,
    SINKS,
    SINKS_BY_LAYERS,
    TIED_BY_DEFAULT,
)
from knockon.engines.hf_config.layers import layer_pattern_of
from knockon.engines.hf_config.lengths import lengths_of
from knockon.engines.hf_config.quantization import quantization_of
from knockon.engines.hf_config.reader import ConfigReader, refused, texts_of
from knockon.engines.hf_config.states import states_of
from knockon.terms.fact import Fact, Origin
from knockon.terms.words import JsonObject, Scalar

# Parts of names that publishers give quantized models; some keep the details in hf_quant_config.json.
_QUANTIZED_NAME = re.compile(
    r"(?i)(?<![a-z0-9])(n?v?fp[48]|mxfp[48]|int[48]|awq|gptq|w[48]a(?:4|8|16)|[48]bit|gguf|bnb|exl[23]|auto-?round|modelopt|quant(?:ized)?)(?![a-z0-9])"
)
# A repository's name on the Hub: owner and name, where a folder's path would begin or go on otherwise.
_REPOSITORY = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")

# The vocabulary's own limit; what follows from the layers is told layer by layer.
LAYERS_MAX = 2000
# Fact name → the keys it goes by, and the smallest value that makes sense.
_NUMBERS: tuple[tuple[str, tuple[str, ...], int], ...] = (
    ("num_hidden_layers", ("num_hidden_layers", "n_layer", "n_layers", "num_layers", "decoder_layers"), 1),
    ("hidden_size", ("hidden_size", "n_embd", "d_model"), 1),
    ("kv_lora_rank", ("kv_lora_rank",), 1),
    ("q_lora_rank", ("q_lora_rank",), 1),
    ("qk_rope_head_dim", ("qk_rope_head_dim",), 0),
    ("qk_nope_head_dim", ("qk_nope_head_dim",), 0),
    ("v_head_dim", ("v_head_dim",), 1),
    ("index_head_dim", ("index_head_dim",), 1),
    ("vocab_size", ("vocab_size", "padded_vocab_size"), 1),
    ("intermediate_size", ("intermediate_size", "ffn_hidden_size", "ffn_config.ffn_hidden_size"), 1),
    ("moe_intermediate_size", ("moe_intermediate_size",), 1),
    (
        "shared_expert_intermediate_size",
        ("shared_expert_intermediate_size", "moe_shared_expert_intermediate_size"),
        0,
    ),
    ("routed_expert_hidden_size", ("routed_expert_hidden_size", "moe_latent_size"), 1),
    ("dense_intermediate_size", ("intermediate_size_mlp",), 1),
    ("vision_num_attention_heads", ("vision_config.num_heads", "vision_config.num_attention_heads"), 1),
    ("mamba_dt_rank", ("mamba_dt_rank", "time_step_rank"), 1),
    ("num_experts_per_tok", ("num_experts_per_tok", "num_experts_per_token", "moe_top_k", "ffn_config.moe_top_k"), 1),
    ("n_shared_experts", ("n_shared_experts", "num_shared_experts"), 0),
    ("first_k_dense_replace", ("first_k_dense_replace",), 0),
    ("draft_layer_count", ("num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_modules"), 0),
)


def facts_of(config: JsonObject, *, origin_text: str, name: str | None = None) -> dict[str, Fact]:
    """The facts a config.json states or implies, by name; what it does not say is absent, never guessed.

    Args:
        config: the parsed config.json; the language part of a multimodal config is found inside it.
        origin_text: what to call the config in an origin, for example "config.json of Qwen/Qwen3-235B-A22B".
        name: what the model is called; it may speak of a quantization that another file of the model describes.

    Returns:
        Facts of origin "model" for what was read, "derived" for what follows from it.

    Raises:
        IntakeError: a key has the wrong type or an impossible value; the message names the key.
    """
    reader = ConfigReader.of(config)
    facts: dict[str, Fact] = {}
    for known, told in _told(reader):
        origin = Origin("model" if told.read else "derived", f"{told.why} in {origin_text}")
        facts[known] = Fact(known, told.value, origin)
    for switch, value, key in _switches(reader):
        facts[switch] = Fact(switch, value, Origin("model", f"{key} in {origin_text}"))
    hidden = _speaks_of_quantization(name)
    if "checkpoint_quantization" not in facts and hidden is not None:
        why = f"the name {name}; its config.json is silent"
        facts["checkpoint_quantization_hidden"] = Fact("checkpoint_quantization_hidden", hidden, Origin("derived", why))
    return facts


def _speaks_of_quantization(name: str | None) -> bool | None:
    """None where the name tells nothing: a folder may be called anything."""
    if name is not None and _QUANTIZED_NAME.search(name):
        return True
    return False if name is not None and _REPOSITORY.fullmatch(name) else None


def _told(reader: ConfigReader) -> Iterator[tuple[str, Told]]:
    numbers = dict(_numbers(reader))
    yield from numbers.items()
    yield from lengths_of(reader)
    yield from _names(reader)
    yield from _attention(reader, layers=_value(numbers.get("num_hidden_layers")))
    yield from _experts(reader, layers=_value(numbers.get("num_hidden_layers")))
    yield from _quantization(reader)


def _numbers(reader: ConfigReader) -> Iterator[tuple[str, Told]]:
    for name, keys, minimum in _NUMBERS:
        found = reader.integer(*keys, minimum=minimum)
        if found is not None and isinstance(found.value, int):
            if name == "num_hidden_layers" and found.value > LAYERS_MAX:
                raise refused(found.key, found.value, expected=f"at most {LAYERS_MAX} layers")
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
    family = family_of(reader)
    if family is not None:
        yield "text_model_type", Told(family, "the innermost model_type", read=False)
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
    yield from _layers(reader, family=family, kind=str(kind.value) if kind else None, layers=layers)
    yield from states_of(reader, family=family)


# Layers whose heads differ from the others' have them under these names.
_OTHER_HEADS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("sliding_num_key_value_heads", ("swa_num_key_value_heads",)),
    ("sliding_head_dim", ("swa_head_dim",)),
    ("sliding_v_head_dim", ("swa_v_head_dim",)),
    ("full_num_key_value_heads", ("num_global_key_value_heads",)),
    ("full_head_dim", ("global_head_dim",)),
)


def _layers(
    reader: ConfigReader, *, family: str | None, kind: str | None, layers: int | None
) -> Iterator[tuple[str, Told]]:
    pattern = layer_pattern_of(reader, family=family, kind=kind, layers=layers)
    if pattern is not None:
        yield "layer_pattern", pattern
        full = sum(letter in "fb" for letter in str(pattern.value))
        yield "full_attention_layer_count", Told(full, pattern.why, read=False)
    for name, keys in _OTHER_HEADS:
        found = reader.integer(*keys, minimum=1)
        if found is not None and isinstance(found.value, int):
            yield name, Told(found.value, found.key)
    chunk = reader.integer("attention_chunk_size", minimum=1)
    if kind == "hybrid_chunked" and chunk is not None and isinstance(chunk.value, int):
        yield "attention_chunk_tokens", Told(chunk.value, chunk.key)


def _experts(reader: ConfigReader, *, layers: int | None) -> Iterator[tuple[str, Told]]:
    family = family_of(reader)
    experts = experts_of(reader, family=family)
    count = _value(experts)
    with_experts = expert_layers_of(reader, family=family, experts=count, layers=layers)
    if experts is not None:
        yield "num_experts", experts
    if with_experts is not None:
        yield "moe_layer_count", with_experts
    pattern = mlp_pattern_of(reader, family=family, experts=count, layers=layers)
    if pattern is not None:
        yield "mlp_pattern", pattern


def _quantization(reader: ConfigReader) -> Iterator[tuple[str, Told]]:
    quantization = quantization_of(reader)
    if quantization is None:
        return
    yield "checkpoint_quantization", Told(quantization.method, quantization.key)
    for name, value in (
        ("checkpoint_weight_bits", quantization.weight_bits),
        ("checkpoint_scale_group_size", quantization.scale_group),
        ("checkpoint_kv_cache_dtype", quantization.kv_cache),
        ("checkpoint_quantization_algorithm", quantization.algorithm),
        ("checkpoint_scheme", quantization.scheme),
        ("checkpoint_is_symmetric", quantization.symmetric),
        ("checkpoint_orders_activations", quantization.activation_order),
        ("checkpoint_ignored_layers", quantization.ignored),
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
    if family is None:
        return
    paired = reader.boolean("is_encoder_decoder")
    if paired is not None:
        yield "is_encoder_decoder", paired, "is_encoder_decoder"
    elif (family in PLAIN or family in NOT_PLAIN or family in LATENT) and NOT_PLAIN.get(family) != "cross":
        yield "is_encoder_decoder", False, f"family {family}"
    yield "is_latent_attention", family in LATENT and reader.has("kv_lora_rank", "compress_ratios"), "kv_lora_rank"
    if family in SINKS or family in SINKS_BY_LAYERS:
        yield "has_attention_sinks", _has_sinks(reader, family=family), f"family {family}"
    elif family in PLAIN or family in NOT_PLAIN or family in LATENT:
        yield "has_attention_sinks", False, f"family {family}"
    outer = reader.outermost("model_type")
    bidirectional = outer is not None and outer.value in BIDIRECTIONAL_IMAGES
    if family.startswith("gemma4"):
        told = reader.find("use_bidirectional_attention")
        bidirectional = told is not None and told.value == "vision"
    yield "has_bidirectional_images", bidirectional, f"model_type {outer.value if outer else family}"


def _has_sinks(reader: ConfigReader, *, family: str) -> bool:
    if family in SINKS_BY_LAYERS:
        said = reader.boolean("attention_sinks")
        return reader.has("layer_types") if said is None else said
    # MiMo says for which of its layers; the others always have them.
    keys = ("add_swa_attention_sink_bias", "add_full_attention_sink_bias")
    return any(reader.boolean(key) for key in keys) if reader.has(*keys) else True


def _value(told: Told | None) -> int | None:
    return told.value if told is not None and isinstance(told.value, int) else None
