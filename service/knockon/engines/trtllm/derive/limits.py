"""Batch, token budget and longest sequence as TensorRT-LLM runs them."""

import math

from knockon.engines.seen import AS_ASKED, DEFAULT
from knockon.engines.trtllm.derive.seen import ARGUMENTS, ENGINE, MODELS, Seen
from knockon.terms.words import Text

# What stretches positions by itself, so that the length in the config stands (modeling_utils.py, infer_max_seq_len).
_STRETCHED = frozenset({"su", "longrope", "llama3", "yarn"})


def derive(seen: Seen) -> None:
    """Tell the limits of one step and of one request."""
    where = (ARGUMENTS, "BaseLlmArgs, max_batch_size and max_num_tokens")
    for name, setting in (("max_num_seqs", "max_batch_size"), ("max_num_batched_tokens", "max_num_tokens")):
        why = AS_ASKED if seen.asked(name) is not None else DEFAULT
        seen.tell(name, setting, seen.number(name), why, cite=where)
    _length(seen)


def _length(seen: Seen) -> None:
    longest = longest_of(seen)
    asked = seen.asked("max_model_len")
    if longest is None or seen.is_on("mm_encoder_only"):
        return
    if not isinstance(asked, int):
        why = Text("what the model's config allows", "模型配置允许的长度")
        seen.tell("max_model_len", "max_seq_len", longest, why, cite=(MODELS, "infer_max_seq_len"))
    elif asked > longest:
        why = Text("no longer than the model's config allows", "不超过模型配置允许的长度")
        seen.tell("max_model_len", "max_seq_len", longest, why, cite=(ENGINE, "_init_max_seq_len"))
    else:
        seen.tell("max_model_len", "max_seq_len", asked, AS_ASKED, cite=(ENGINE, "_init_max_seq_len"))


def longest_of(seen: Seen) -> int | None:
    """Tokens of the longest sequence that the model's config allows; None where it is silent."""
    declared = seen.number("max_position_embeddings")
    if declared is None:
        return None
    stretched, factor = seen.text("rope_scaling_type"), seen.value("rope_scaling_factor")
    if stretched is None or stretched in _STRETCHED or not isinstance(factor, (int, float)) or factor == 1:
        return declared
    return math.ceil(declared * factor)
