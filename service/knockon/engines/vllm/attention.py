"""What vLLM makes of a deployment's attention: head size of the kernels, KV type in use, the longest length."""

from collections.abc import Mapping

from knockon.engines.vllm.earlier import yarn_length
from knockon.terms.fact import Fact, Origin
from knockon.terms.words import Scalar

# Lengths already count these kinds of scaling (vllm/config/model.py:2613-2623 of 0.33.0).
_SCALED_ALREADY = frozenset({"su", "longrope", "llama3", "yarn", "deepseek_yarn", "deepseek_llama_scaling"})
# What a checkpoint may ask of the KV cache → what vLLM calls it (utils/torch_utils.py, modelopt's names).
_CHECKPOINT_TYPES = {"fp8": "fp8_e4m3", "nvfp4": "nvfp4"}
# Attention layers made without the cache's settings: model_executor/models/falcon.py:173-197 of 0.33.0.
_OWN_KV_TYPE = frozenset({"falcon", "RefinedWeb", "RefinedWebModel"})

NAMES = (
    "kv_block_size_asked_tokens",
    "uses_latent_attention",
    "attention_head_dim",
    "kv_cache_dtype_in_use",
    "uses_bidirectional_images",
    "model_len_limit_tokens",
    "model_len_wanted_tokens",
    "attention_backend_asked",
    "kv_skips_sliding_window",
    "hybrid_kv_manager_off",
    "disable_hybrid_kv_cache_manager_given",
)
# Connectors of vLLM 0.33.0 whose classes do not implement SupportsHMA (distributed/kv_transfer/kv_connector/v1).
_WITHOUT_HYBRID = frozenset({
    "ExampleConnector", "FlexKVConnectorV1", "HF3FSKVConnector", "LMCacheConnectorV1",
})  # fmt: skip


def attention_facts(facts: Mapping[str, Fact]) -> dict[str, Fact]:
    """Facts that follow from flags and model together, for vLLM; none for another engine, none on a guess.

    Args:
        facts: all that is known, with origins: what was asked is told from what is a default.
    """
    if _value(facts, "engine") != "vllm":
        return {}
    told: dict[str, tuple[Scalar | None, str]] = {
        "kv_block_size_asked_tokens": _block_asked(facts),
        "uses_latent_attention": _latent(facts),
        "attention_head_dim": _head(facts),
        "kv_cache_dtype_in_use": _kv_type(facts),
        "uses_bidirectional_images": _images(facts),
        "model_len_limit_tokens": _limit(facts),
        "model_len_wanted_tokens": _wanted(facts),
        "attention_backend_asked": _backend(facts),
        "kv_skips_sliding_window": _skips_windows(facts),
        "hybrid_kv_manager_off": _hybrid_off(facts),
        "disable_hybrid_kv_cache_manager_given": (
            _is_asked(facts.get("disable_hybrid_kv_cache_manager")),
            "whether the command says",
        ),
    }
    return {name: Fact(name, value, Origin("derived", why)) for name, (value, why) in told.items() if value is not None}


def _block_asked(facts: Mapping[str, Fact]) -> tuple[Scalar | None, str]:
    given = facts.get("kv_block_size_tokens")
    if given is None or not _is_asked(given):
        return 0, "no block size was asked for"
    return given.value, f"{given.origin.text}"


def _is_asked(fact: Fact | None) -> bool:
    return fact is not None and fact.origin.kind not in ("engine-default", "derived")


def _backend(facts: Mapping[str, Fact]) -> tuple[Scalar | None, str]:
    asked = _value(facts, "attention_backend")
    return "" if asked in (None, "AUTO") else asked, "as asked; empty lets the engine choose"


def _latent(facts: Mapping[str, Fact]) -> tuple[Scalar | None, str]:
    if _value(facts, "vllm_mla_disable") is True:
        return False, "VLLM_MLA_DISABLE"
    return _value(facts, "is_latent_attention"), "the model's family and its latent"


def _head(facts: Mapping[str, Fact]) -> tuple[Scalar | None, str]:
    latent, rotary = _value(facts, "kv_lora_rank"), _value(facts, "qk_rope_head_dim")
    if _latent(facts)[0] is True and isinstance(latent, int) and isinstance(rotary, int):
        return latent + rotary, "kv_lora_rank + qk_rope_head_dim"
    if _latent(facts)[0] is None:
        return None, ""
    return _value(facts, "head_dim"), "head_dim"


def _kv_type(facts: Mapping[str, Fact]) -> tuple[Scalar | None, str]:
    asked = _value(facts, "kv_cache_dtype")
    if _value(facts, "model_type") in _OWN_KV_TYPE:
        return "auto", "vLLM's implementation of this family does not pass kv_cache_dtype on"
    if isinstance(asked, str) and asked != "auto":
        return asked, "kv_cache_dtype as asked"
    # A checkpoint whose name speaks of a quantization that its config.json leaves to another file may ask for more.
    if asked != "auto" or "model_type" not in facts or _value(facts, "checkpoint_quantization_hidden") is True:
        return None, ""
    checkpoint = _value(facts, "checkpoint_kv_cache_dtype")
    if checkpoint is None:
        return "auto", "auto, and the checkpoint asks for nothing"
    return _CHECKPOINT_TYPES.get(str(checkpoint)), "as the checkpoint asks"


def _images(facts: Mapping[str, Fact]) -> tuple[Scalar | None, str]:
    if _value(facts, "has_bidirectional_images") is not True:
        return _value(facts, "has_bidirectional_images"), "the model's family"
    if _value(facts, "language_model_only") is True:
        return False, "language_model_only"
    # vLLM leaves the prefix out where no images may come at all; which limits do that is not reckoned here.
    if "mm_images_per_prompt_max" in facts:
        return None, ""
    return True, "the model's family"


def _skips_windows(facts: Mapping[str, Fact]) -> tuple[Scalar | None, str]:
    skipped = str(_value(facts, "kv_cache_dtype_skip_layers") or "").split(",")
    return "sliding_window" in skipped, "kv_cache_dtype_skip_layers"


def _hybrid_off(facts: Mapping[str, Fact]) -> tuple[Scalar | None, str]:
    asked = facts.get("disable_hybrid_kv_cache_manager")
    if asked is not None and _is_asked(asked):
        return asked.value, "disable_hybrid_kv_cache_manager as asked"
    # vllm/config/vllm.py:2228-2294 of 0.33.0.
    chunked = _chunked_off(facts) if "attention_chunk_tokens" in facts else (False, "")
    if chunked[0] is not False:
        return chunked
    connector = _value(facts, "kv_connector")
    if connector in _WITHOUT_HYBRID:
        return True, f"{connector} cannot work with it"
    # Not known here: what MultiConnector holds, whose LMCacheMPConnector is installed, what another connector can do.
    known = connector in (None, "none") or str(connector).startswith(_KNOWN_CONNECTORS)
    return (False, "on by default") if known else (None, "")


def _chunked_off(facts: Mapping[str, Fact]) -> tuple[Scalar | None, str]:
    if _value(facts, "speculative_method_in_use") in _READ_HIDDEN_STATES:
        return True, "vLLM turns it off for chunked attention with drafts from hidden states"
    apart = _value(facts, "manages_chunked_attention_apart")
    return (None if apart is None else apart is False), "vLLM turns it off for chunked attention"


# vllm/config/speculative.py:2116-2120 of 0.33.0.
_READ_HIDDEN_STATES = frozenset({"eagle", "eagle3", "mtp", "dflash", "dspark"})
_KNOWN_CONNECTORS = (
    "DecodeBench", "ExampleHidden", "HiSparse", "MoRIIO", "Mooncake", "Nixl", "OffloadingConnector", "SimpleCPU",
    "UMBP",
)  # fmt: skip


def _wanted(facts: Mapping[str, Fact]) -> tuple[Scalar | None, str]:
    asked = facts.get("max_model_len")
    if asked is not None and _is_asked(asked):
        return asked.value, asked.origin.text
    return (None, "") if _value(facts, "max_model_len_fitted") is True else _limit(facts)


def _limit(facts: Mapping[str, Fact]) -> tuple[Scalar | None, str]:
    declared = facts.get("max_position_embeddings")
    if declared is None or not isinstance(declared.value, int):
        return None, ""
    limit, why = declared.value, declared.origin.text
    window = _value(facts, "sliding_window")
    if _value(facts, "disable_sliding_window") is True and isinstance(window, int) and window < limit:
        limit, why = window, "sliding_window, as --disable-sliding-window caps the length to it"
    if (stretched := yarn_length(facts)) is not None:
        return stretched
    kind, factor = _value(facts, "rope_scaling_type"), _value(facts, "rope_scaling_factor")
    family = str(_value(facts, "model_type") or "")
    if isinstance(factor, (int, float)) and kind not in _SCALED_ALREADY and "gemma3" not in family:
        return int(limit * factor), f"{why} x {factor:g} of {kind} scaling"
    return limit, why


def _value(facts: Mapping[str, Fact], name: str) -> Scalar | None:
    fact = facts.get(name)
    return None if fact is None else fact.value
