"""Bytes one token takes in the KV cache of one layer on one rank, by element type and engine."""

from collections.abc import Mapping
from fractions import Fraction

from knockon.sizing.heads import LATENT_KINDS, Sharding
from knockon.sizing.worksheet import SGLANG, TRTLLM, Engine, Worksheet

_PLAIN_KINDS = frozenset({"mha", "gqa", "mqa"})
_ELEMENT_BYTES: Mapping[str, int] = {
    "float32": 4,
    "float": 4,
    "bfloat16": 2,
    "bf16": 2,
    "float16": 2,
    "fp16": 2,
    "half": 2,
    "fp8": 1,
    "fp8_e4m3": 1,
    "fp8_e5m2": 1,
    "fp8_inc": 1,
    "int8": 1,
}
# Two fp32 scales, one for the key and one for the value: vLLM 0.33 v1/kv_cache_interface.py.
_HEAD_SCALE_BYTES = 8
_PER_HEAD_BYTES: Mapping[str, int] = {"int8_per_token_head": 1, "fp8_per_token_head": 1}
_FOUR_BIT = frozenset({"nvfp4", "fp4", "fp4_mx_block16"})
# One 8-bit scale for 16 four-bit elements.
_FOUR_BIT_GROUP = 16
_MXFP8_GROUP = 32
# One fp32 scale for 128 elements of the latent: the layout of sparse MLA kernels, 656 bytes for 512 + 64.
_DS_MLA_GROUP = 128


def kv_dtype_of(sheet: Worksheet) -> str:
    """The element type of the KV cache: as asked, else as the checkpoint asks, else the model's."""
    asked = sheet.text("kv_cache_dtype").lower()
    if asked not in ("", "auto"):
        return asked
    checkpoint = sheet.text("checkpoint_kv_cache_dtype").lower()
    return checkpoint or model_dtype_of(sheet)


def model_dtype_of(sheet: Worksheet) -> str:
    """The type the model is loaded in. `auto` never loads 32-bit weights as they are (vLLM config/model.py, SGLang)."""
    asked = sheet.text("dtype").lower()
    if asked not in ("", "auto"):
        return asked
    declared = sheet.text("model_dtype").lower()
    return "bfloat16" if declared in ("", "float32", "float") else declared


def row_bytes(sheet: Worksheet, sharding: Sharding, *, engine: Engine) -> int | None:
    """Bytes per token, layer and rank; None, with the reason written down, when the layout is not known."""
    kind, dtype = sheet.text("attention_kind"), kv_dtype_of(sheet)
    if kind in _PLAIN_KINDS:
        row = _headed_row(sheet, sharding, dtype=dtype, engine=engine)
    elif kind == "mla":
        row = _latent_row(sheet, dtype=dtype, engine=engine)
    else:
        more = " beside its indexer" if kind in LATENT_KINDS else ""
        _lack(sheet, f"the KV cache of {kind} attention{more} is not reckoned here")
        return None
    return row


def element_bytes(dtype: str) -> int | None:
    """Bytes of one element of a plain type; None for a type with scales or one that is not known."""
    return _ELEMENT_BYTES.get(dtype)


def _headed_row(sheet: Worksheet, sharding: Sharding, *, dtype: str, engine: Engine) -> int | None:
    head = sheet.count("head_dim")
    if head is None:
        for name in _FIELDS:
            sheet.needs(name, "head_dim")
        return None
    value_head = sheet.count("v_head_dim") or head
    heads = sharding.heads_per_rank
    elements = heads * (head + value_head)
    shown = f"{heads} heads x ({head} + {value_head})"
    if dtype in _ELEMENT_BYTES:
        size = _ELEMENT_BYTES[dtype]
        return sheet.step(
            "kv_bytes_per_token_per_layer", f"{shown} x {size} B ({dtype})", elements * size, "byte/token"
        )
    if dtype in _PER_HEAD_BYTES:
        total = elements * _PER_HEAD_BYTES[dtype] + heads * _HEAD_SCALE_BYTES
        return sheet.step(
            "kv_bytes_per_token_per_layer", f"{shown} x 1 B + {heads} x 8 B of scales", total, "byte/token"
        )
    if dtype in _FOUR_BIT and engine is not SGLANG:
        return _whole(sheet, Fraction(elements, 2) + Fraction(elements, _FOUR_BIT_GROUP), f"{shown} x (1/2 + 1/16) B")
    if dtype == "mxfp8" and engine is SGLANG:
        return _whole(sheet, elements + Fraction(elements, _MXFP8_GROUP), f"{shown} x (1 + 1/32) B")
    _lack(sheet, f"how {engine.name} lays out a KV cache of type {dtype} is not known here")
    return None


def _latent_row(sheet: Worksheet, *, dtype: str, engine: Engine) -> int | None:
    latent, rotary = sheet.count("kv_lora_rank"), sheet.facts.get("qk_rope_head_dim")
    if latent is None or isinstance(rotary, bool) or not isinstance(rotary, int):
        for name in _FIELDS:
            sheet.needs(name, "kv_lora_rank", "qk_rope_head_dim")
        return None
    elements = latent + rotary
    shown = f"({latent} + {rotary})"
    if dtype in _ELEMENT_BYTES:
        size = _ELEMENT_BYTES[dtype]
        return sheet.step(
            "kv_bytes_per_token_per_layer", f"{shown} x {size} B ({dtype})", elements * size, "byte/token"
        )
    if dtype == "fp8_ds_mla":
        total = latent + latent // _DS_MLA_GROUP * 4 + rotary * 2
        expression = f"{latent} + {latent} / 128 x 4 + {rotary} x 2"
        return _row(sheet, expression, total)
    if dtype in _FOUR_BIT and engine in (SGLANG, TRTLLM):
        halves, scales = -(-elements // 2), elements // _FOUR_BIT_GROUP
        if engine is TRTLLM:
            scales = -(-elements // _FOUR_BIT_GROUP)
        return _row(sheet, f"{shown} x (1/2 + 1/16) B", halves + scales)
    _lack(sheet, f"how {engine.name} lays out a latent KV cache of type {dtype} is not known here")
    return None


def _row(sheet: Worksheet, expression: str, value: int) -> int:
    return sheet.step("kv_bytes_per_token_per_layer", expression, value, "byte/token")


def _whole(sheet: Worksheet, total: Fraction, expression: str) -> int | None:
    if total.denominator != 1:
        _lack(sheet, "a head does not fill whole scale blocks")
        return None
    return _row(sheet, expression, int(total))


def _lack(sheet: Worksheet, reason: str) -> None:
    for name in _FIELDS:
        sheet.lack(name, reason)


_FIELDS = (
    "kv_bytes_per_token_per_gpu",
    "kv_bytes_per_stored_token",
    "kv_cache_tokens",
    "max_concurrency",
    "needed_bytes",
    "fits",
)
