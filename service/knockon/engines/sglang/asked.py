"""What was asked of SGLang and what was left to it: kernels by phase, and limits that it sets itself when unsaid."""

from collections.abc import Mapping

from knockon.terms.fact import Fact, Origin
from knockon.terms.words import Scalar

NAMES = (
    "attention_backend_asked",
    "prefill_attention_backend_asked",
    "decode_attention_backend_asked",
    "max_num_seqs_given",
    "mem_fraction_static_given",
    "speculative_steps_given",
    "speculative_topk_given",
    "speculative_draft_tokens_given",
    "draft_model_given",
    "max_lora_rank_given",
    "mamba_ssm_dtype_given",
    "linear_attention_decode_given",
    "kv_block_size_asked_tokens",
    "kv_cache_dtype_in_use",
)
# What is a fact by itself where it was asked for, by the name that says whether it was.
_GIVEN = {
    "max_num_seqs_given": "max_num_seqs",
    "mem_fraction_static_given": "mem_fraction_static_ratio",
    "speculative_steps_given": "speculative_steps_count",
    "speculative_topk_given": "speculative_eagle_topk",
    "speculative_draft_tokens_given": "speculative_draft_tokens_count",
    "draft_model_given": "draft_model",
    "max_lora_rank_given": "max_lora_rank",
    "mamba_ssm_dtype_given": "mamba_ssm_cache_dtype",
    "linear_attention_decode_given": "linear_attention_decode_backend",
}
# Families whose KV type SGLang chooses by the GPU where nobody asks (flags.yaml, the note of the default).
_CHOSEN_BY_GPU = ("mla_sparse", "sparse", "compressed")
_LEFT = (None, "auto")


def sglang_facts(facts: Mapping[str, Fact]) -> dict[str, Fact]:
    """Facts that tell what was asked from what was left open, for SGLang; none for another engine.

    Args:
        facts: all that is known, with origins: what was asked is told from what is a default.
    """
    if _value(facts, "engine") != "sglang":
        return {}
    page = _value(facts, "kv_block_size_tokens")
    both = _backend(facts, "attention_backend")
    # A phase without kernels of its own takes those of both (sglang/srt/arg_groups/model_override_base.py:138).
    prefill = _backend(facts, "prefill_attention_backend", otherwise=both)
    decode = _backend(facts, "decode_attention_backend", otherwise=both)
    kv_type = _kv_type(facts)
    told: dict[str, Scalar] = {
        # Equal kernels for both phases stand for the base (sglang/srt/arg_groups/overrides.py:1128).
        "attention_backend_asked": both or (prefill if prefill == decode else ""),
        "prefill_attention_backend_asked": prefill,
        "decode_attention_backend_asked": decode,
        "kv_block_size_asked_tokens": page if isinstance(page, int) and _is_given(facts["kv_block_size_tokens"]) else 0,
        **{name: _is_given(facts.get(asked)) for name, asked in _GIVEN.items()},
    }
    if kv_type is not None:
        told["kv_cache_dtype_in_use"] = kv_type
    origin = Origin("derived", "as asked; empty lets SGLang choose")
    return {name: Fact(name, value, origin) for name, value in told.items()}


def _backend(facts: Mapping[str, Fact], name: str, *, otherwise: str = "") -> str:
    if name not in facts:
        return otherwise
    asked = facts[name].value
    return "" if asked in _LEFT else str(asked)


def _kv_type(facts: Mapping[str, Fact]) -> str | None:
    """The KV type as asked, else what the checkpoint asks for, else "auto", the model's; None on a guess."""
    asked = _value(facts, "kv_cache_dtype")
    if isinstance(asked, str) and asked != "auto":
        return asked
    # sglang/srt/mem_cache/kv_cache_dtype.py of 0.5.23: of a checkpoint only its FP8 counts.
    hidden, kind = _value(facts, "checkpoint_quantization_hidden"), _value(facts, "attention_kind")
    if asked != "auto" or kind is None or kind in _CHOSEN_BY_GPU or hidden is True:
        return None
    checkpoint = _value(facts, "checkpoint_kv_cache_dtype")
    if checkpoint is None:
        return "auto"
    return "fp8_e4m3" if checkpoint == "fp8" else None


def _is_given(fact: Fact | None) -> bool:
    return fact is not None and fact.origin.kind not in ("engine-default", "derived")


def _value(facts: Mapping[str, Fact], name: str) -> Scalar | None:
    return facts[name].value if name in facts else None
