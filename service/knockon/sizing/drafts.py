"""Layers that draft tokens beside the model's own: what they add to the KV pool of vLLM."""

from dataclasses import dataclass

from knockon.sizing.row import headed_bytes
from knockon.sizing.worksheet import VLLM, Engine, Worksheet

# Methods that draft from the prompt or from what was generated before: no layers, no cache.
_WITHOUT_LAYERS = frozenset({"ngram", "ngram_gpu", "suffix"})
_POOL_FIELDS = ("kv_cache_tokens", "max_concurrency", "needed_bytes", "fits")


@dataclass(frozen=True, slots=True)
class Drafts:
    """What drafting adds: layers like the model's own, or bytes a token of a model of its own."""

    own_layers: int = 0
    """Layers of the checkpoint that predict further tokens; each caches as a full layer does."""
    other_bytes: int = 0
    """KV bytes one token takes in a draft model, on one rank."""


_NONE = Drafts()


def is_drafting(sheet: Worksheet) -> bool:
    """Whether layers draft tokens, so that weights and caches beside the model's own are loaded."""
    return sheet.is_on("enable_speculative_decoding") and _method(sheet) not in _WITHOUT_LAYERS


def drafts_of(sheet: Worksheet, *, engine: Engine) -> Drafts | None:
    """What drafting adds; None, with the reason written down, when the draft's shape is not in the facts."""
    if engine is not VLLM or not is_drafting(sheet):
        return _NONE
    method = _method(sheet)
    if method == "mtp" or method.endswith("_mtp"):
        layers = sheet.count("draft_layer_count")
        if layers is not None:
            return Drafts(own_layers=sheet.step("draft_layers", "layers that predict further tokens", layers))
        _lack(sheet, "draft_layer_count")
        return None
    layers, heads = sheet.count("draft_num_hidden_layers"), sheet.count("draft_num_key_value_heads")
    head = sheet.count("draft_head_dim")
    if layers is None or heads is None or head is None:
        _lack(sheet, "draft_num_hidden_layers", "draft_num_key_value_heads", "draft_head_dim")
        return None
    ranks = sheet.count("draft_tensor_parallel_size") or sheet.size("tensor_parallel_size")
    row = headed_bytes(sheet, heads=max(1, heads // ranks), head=head, value_head=head, engine=engine)
    if row is None:
        return None
    said = f"{row} x {layers} layers of the draft model"
    return Drafts(other_bytes=sheet.step("draft_kv_bytes_per_token", said, row * layers, "byte/token"))


def _method(sheet: Worksheet) -> str:
    return sheet.text("speculative_method_in_use") or sheet.text("speculative_method")


def _lack(sheet: Worksheet, *names: str) -> None:
    for field in _POOL_FIELDS:
        sheet.needs(field, *names)
