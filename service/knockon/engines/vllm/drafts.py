"""What vLLM makes of a speculative configuration: the method in use, and what of it is missing.

Read in vLLM 0.33.0: vllm/config/speculative.py:710-1130 (families with prediction layers of their own), 1228-1620.
"""

from collections.abc import Mapping

from knockon.terms.fact import Fact, Origin
from knockon.terms.words import Scalar

NAMES = (
    "speculative_method_in_use",
    "speculation_lacks_model",
    "speculation_lacks_count",
    "speculation_draft_is_target",
    "has_prediction_layers",
    "mamba_ssm_cache_dtype_in_use",
)

# Families whose checkpoints carry layers that predict further tokens, by model_type of the whole config.
_PREDICTS = frozenset(
    {
        "bailing_hybrid",
        "deepseek_mtp",
        "deepseek_v3",
        "deepseek_v32",
        "deepseek_v4",
        "dots3_note",
        "ernie4_5_moe",
        "exaone4_5",
        "exaone_moe",
        "gemma4_assistant",
        "gemma4_unified_assistant",
        "glm4_moe",
        "glm4_moe_lite",
        "glm5_next",
        "glm_moe_dsa",
        "glm_ocr",
        "hy_v3",
        "hy_v4",
        "kimi_k3",
        "longcat_flash",
        "mimo",
        "mimo_v2",
        "mimo_v2_flash",
        "minimax_m3_vl",
        "pangu_ultra_moe",
        "qwen3_5",
        "qwen3_5_moe",
        "qwen3_5_moe_text",
        "qwen3_5_text",
        "qwen3_next",
        "qwen4_exp",
        "qwen4_exp_text",
        "step3p5",
        "step3p7",
        "step5",
    }
)
# Families of which this was looked up and is not so; of any other nothing is said.
_DOES_NOT = frozenset(
    {
        "cohere",
        "cohere2",
        "dbrx",
        "deepseek_v2",
        "falcon",
        "falcon_h1",
        "gemma",
        "gemma2",
        "gemma3",
        "gemma3_text",
        "gemma4",
        "glm",
        "glm4",
        "gpt_oss",
        "granite",
        "granitemoehybrid",
        "internlm2",
        "jamba",
        "kimi_linear",
        "llama",
        "llama4",
        "llava",
        "mamba",
        "mamba2",
        "minimax_m2",
        "mistral",
        "mistral3",
        "mixtral",
        "olmo2",
        "olmoe",
        "opt",
        "phi",
        "phi3",
        "phimoe",
        "qwen2",
        "qwen2_5_vl",
        "qwen2_moe",
        "qwen3",
        "qwen3_moe",
        "qwen3_vl",
        "qwen3_vl_moe",
        "starcoder2",
        "whisper",
    }
)
# Parts of a draft model's name that settle the method, in the order they are tried.
_BY_NAME: tuple[tuple[str, str], ...] = (
    ("eagle-", "eagle"),
    ("eagle3", "eagle3"),
    ("dflash", "dflash"),
    ("dspark", "dspark"),
)
# Methods that need no model, and those that find their layers in the target's own checkpoint.
_WITHOUT_MODEL = frozenset({"ngram", "ngram_gpu", "suffix", "extract_hidden_states"})
_IN_TARGET = frozenset({"mtp", "dspark"})
# Suffix drafts take their count from the depth of their tree; DSpark from the block its draft was trained for.
_COUNT_FOUND_ELSEWHERE = frozenset({"suffix", "dspark"})


def draft_facts(facts: Mapping[str, Fact]) -> dict[str, Fact]:
    """Facts of drafts and states for vLLM; none for another engine, none on a guess.

    Args:
        facts: what was asked, what the model's config.json says, and what is known of the draft model.
    """
    if _value(facts, "engine") != "vllm":
        return {}
    told: dict[str, tuple[Scalar | None, str]] = {
        "has_prediction_layers": (_predicts(facts), "the model's family"),
        "mamba_ssm_cache_dtype_in_use": _state_type(facts),
    }
    if _value(facts, "enable_speculative_decoding") is True:
        method = _method(facts)
        told["speculative_method_in_use"] = (method, "method and draft model of the speculative configuration")
        told["speculation_lacks_model"] = (_lacks_model(facts, method), "the speculative configuration")
        told["speculation_draft_is_target"] = ("draft_model" not in facts, "no draft model is named")
        told["speculation_lacks_count"] = (_lacks_count(facts, method), "the speculative configuration")
    return {name: Fact(name, value, Origin("derived", why)) for name, (value, why) in told.items() if value is not None}


def _method(facts: Mapping[str, Fact]) -> str | None:
    asked, model = _value(facts, "speculative_method"), _value(facts, "draft_model")
    if asked is None and isinstance(model, str):
        if model in ("ngram", "[ngram]"):
            return "ngram"
        if "/" not in model and "." in model:
            return None  # A dotted name may be a class of the user's own, or a folder.
    method = "draft_model" if asked is None else str(asked)
    if method.endswith("_mtp"):
        method = "mtp"
    if method not in ("draft_model", "mtp") or not isinstance(model, str):
        return method
    for part, named in _BY_NAME:
        if part in model.lower():
            return named
    drafter = _value(facts, "draft_model_type")
    if drafter is None:
        return None if asked is None else method
    return "mtp" if str(drafter) in _PREDICTS else method


def _lacks_model(facts: Mapping[str, Fact], method: str | None) -> bool | None:
    if method is None or "draft_model" in facts:
        return False if "draft_model" in facts else None
    return method not in _WITHOUT_MODEL | _IN_TARGET


def _lacks_count(facts: Mapping[str, Fact], method: str | None) -> bool | None:
    if "num_speculative_tokens" in facts:
        return False
    if method is None or method in _COUNT_FOUND_ELSEWHERE:
        return None
    if "draft_model" not in facts:
        return True
    # A draft model's own config may say how many tokens it predicts; a plain model's never does.
    plain = method == "draft_model" and str(_value(facts, "draft_model_type")) in _DOES_NOT
    return True if plain else None


def _predicts(facts: Mapping[str, Fact]) -> bool | None:
    family = _value(facts, "model_type")
    if family in ("nemotron_h", "nemotron_h_puzzle"):
        layers = _value(facts, "draft_layer_count")
        return isinstance(layers, int) and layers > 0
    return True if family in _PREDICTS else False if family in _DOES_NOT else None


def _state_type(facts: Mapping[str, Fact]) -> tuple[Scalar | None, str]:
    asked = _value(facts, "mamba_ssm_cache_dtype")
    if asked not in (None, "auto"):
        return asked, "mamba_ssm_cache_dtype as asked"
    family, own = str(_value(facts, "model_type") or ""), _value(facts, "linear_state_dtype")
    if family.startswith(("nemotron_h", "qwen3_5")) and own is not None:
        return own, "as the model's config.json asks"
    if not family:
        return None, ""
    # Nemotron-H falls back on 32 bits; no other family changes `auto` before it is checked.
    return ("float32" if family.startswith("nemotron_h") else "auto"), "left to the engine"


def _value(facts: Mapping[str, Fact], name: str) -> Scalar | None:
    fact = facts.get(name)
    return None if fact is None else fact.value
