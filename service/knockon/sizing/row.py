"""Bytes one token takes in the KV cache of one layer on one rank, by element type and engine."""

from collections.abc import Mapping
from fractions import Fraction

from knockon.sizing.heads import Sharding
from knockon.sizing.worksheet import SGLANG, TRTLLM, VLLM, Engine, Worksheet
from knockon.terms.words import Text

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
_PER_HEAD_BYTES: Mapping[str, Fraction] = {
    "int8_per_token_head": Fraction(1),
    "fp8_per_token_head": Fraction(1),
    "int4_per_token_head": Fraction(1, 2),
}
_FOUR_BIT = frozenset({"nvfp4", "fp4", "fp4_mx_block16"})
# One 8-bit scale for 16 four-bit elements.
_FOUR_BIT_GROUP = 16
_MXFP8_GROUP = 32
# One fp32 scale for 128 elements of the latent: the layout of sparse MLA kernels, 656 bytes for 512 + 64.
_DS_MLA_GROUP = 128


def kv_dtype_of(sheet: Worksheet) -> str:
    """The element type of the KV cache: as asked, else as the checkpoint asks, else the model's."""
    asked = sheet.text("kv_cache_dtype").lower()
    in_use = sheet.text("kv_cache_dtype_in_use").lower()
    if in_use == "auto":
        # The engine was asked already, and settled on the model's type.
        return model_dtype_of(sheet)
    if in_use or asked not in ("", "auto"):
        return in_use or asked
    checkpoint = sheet.text("checkpoint_kv_cache_dtype").lower()
    return checkpoint or model_dtype_of(sheet)


def model_dtype_of(sheet: Worksheet) -> str:
    """The type the model is loaded in. `auto` never loads 32-bit weights as they are (vLLM config/model.py, SGLang)."""
    asked = sheet.text("dtype").lower()
    if asked not in ("", "auto"):
        return asked
    declared = sheet.text("model_dtype").lower()
    taken = "bfloat16" if declared in ("", "float32", "float") else declared
    if taken in ("bfloat16", "bf16") and _is_before_ampere(sheet):
        # vLLM 0.33 config/model.py:2398-2470: no bfloat16 there, and some families overflow in float16.
        return "float32" if sheet.text("model_type") in _NOT_IN_FLOAT16 else "float16"
    return taken


_NOT_IN_FLOAT16 = frozenset({"gemma2", "gemma3", "gemma3_text", "glm4"})
_FIRST_WITH_BFLOAT16 = 8


def _is_before_ampere(sheet: Worksheet) -> bool:
    major = sheet.text("gpu_compute_capability").partition(".")[0]
    return major.isdigit() and int(major) < _FIRST_WITH_BFLOAT16


def row_bytes(sheet: Worksheet, sharding: Sharding, *, engine: Engine) -> int | None:
    """Bytes per token, layer and rank; None, with the reason written down, when the layout is not known."""
    kind = sheet.text("attention_kind")
    if kind in _PLAIN_KINDS:
        return headed_row(sheet, sharding, engine=engine)
    if kind == "mla":
        return latent_row(sheet, engine=engine)
    if kind == "mla_sparse":
        return _indexed_row(sheet, engine=engine)
    _lack(sheet, Text(f"the KV cache of {kind} attention is not reckoned here", f"此处不计算 {kind} 注意力的 KV 缓存"))
    return None


def element_bytes(dtype: str) -> int | None:
    """Bytes of one element of a plain type; None for a type with scales or one that is not known."""
    return _ELEMENT_BYTES.get(dtype)


def headed_row(
    sheet: Worksheet,
    sharding: Sharding,
    *,
    engine: Engine,
    heads: int | None = None,
    head: int | None = None,
    value_head: int | None = None,
) -> int | None:
    """Bytes of keys and values of one token; `heads`, `head` and `value_head` where a layer's differ from the rest."""
    value_head = value_head or (head if head is not None else sheet.count("v_head_dim"))
    head = head or sheet.count("head_dim")
    if head is None:
        for name in _FIELDS:
            sheet.needs(name, "head_dim")
        return None
    held = sharding.heads_per_rank if heads is None else max(1, heads // sharding.attention_ranks)
    return headed_bytes(sheet, heads=held, head=head, value_head=value_head or head, engine=engine)


def headed_bytes(sheet: Worksheet, *, heads: int, head: int, value_head: int, engine: Engine) -> int | None:
    """Bytes of one token in `heads` key and value heads of one rank, in the KV type in use."""
    dtype = kv_dtype_of(sheet)
    elements = heads * (head + value_head)
    shown = f"{heads} heads x ({head} + {value_head})"
    if dtype in _ELEMENT_BYTES:
        size = _ELEMENT_BYTES[dtype]
        return _row(sheet, f"{shown} x {size} B ({dtype})", elements * size)
    if dtype in _PER_HEAD_BYTES:
        size_in_use = _PER_HEAD_BYTES[dtype]
        total = elements * size_in_use + heads * _HEAD_SCALE_BYTES
        return _whole(sheet, total, f"{shown} x {float(size_in_use):g} B + {heads} x 8 B of scales")
    if dtype in _FOUR_BIT and engine is not SGLANG:
        return _whole(sheet, Fraction(elements, 2) + Fraction(elements, _FOUR_BIT_GROUP), f"{shown} x (1/2 + 1/16) B")
    if dtype == "mxfp8" and engine is SGLANG:
        return _whole(sheet, elements + Fraction(elements, _MXFP8_GROUP), f"{shown} x (1 + 1/32) B")
    _lack(
        sheet,
        Text(
            f"how {engine.name} lays out a KV cache of type {dtype} is not known here",
            f"此处不知道 {engine.name} 如何存放 {dtype} 类型的 KV 缓存",
        ),
    )
    return None


def latent_row(sheet: Worksheet, *, engine: Engine, dtype: str | None = None) -> int | None:
    """Bytes of one token's latent and its rotary part."""
    dtype = dtype or kv_dtype_of(sheet)
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
    if dtype == "nvfp4_ds_mla" and engine is VLLM:
        # A four-bit latent with a scale for every 16, beside an eight-bit rotary part: 352 bytes for 512 + 64.
        return _row(sheet, f"{latent} / 2 + {latent} / 16 + {rotary}", latent // 2 + latent // _FOUR_BIT_GROUP + rotary)
    if dtype in _FOUR_BIT and engine in (SGLANG, TRTLLM):
        halves, scales = -(-elements // 2), elements // _FOUR_BIT_GROUP
        if engine is TRTLLM:
            scales = -(-elements // _FOUR_BIT_GROUP)
        return _row(sheet, f"{shown} x (1/2 + 1/16) B", halves + scales)
    _lack(
        sheet,
        Text(
            f"how {engine.name} lays out a latent KV cache of type {dtype} is not known here",
            f"此处不知道 {engine.name} 如何存放 {dtype} 类型的潜在 KV 缓存",
        ),
    )
    return None


def _indexed_row(sheet: Worksheet, *, engine: Engine) -> int | None:
    """The latent beside the keys of the indexer that picks tokens: eight bits each and a scale for 128 of them."""
    index = sheet.count("index_head_dim")
    if engine is TRTLLM or index is None:
        _lack(
            sheet,
            Text(
                "the KV cache of mla_sparse attention beside its indexer is not reckoned here",
                "此处不计算 mla_sparse 注意力连同其索引器的 KV 缓存",
            ),
        )
        return None
    dtype = kv_dtype_of(sheet)
    if dtype in ("fp8", "fp8_e4m3"):
        major = sheet.text("gpu_compute_capability").partition(".")[0]
        if major not in ("9", "10"):
            _lack(
                sheet,
                Text(
                    f"how {engine.name} lays out an fp8 latent beside an indexer depends on gpu_compute_capability",
                    f"{engine.name} 在有索引器时如何存放 fp8 潜在缓存取决于 gpu_compute_capability",
                ),
            )
            return None
        # Hopper's kernels read the layout with scales inside, Blackwell's the plain one.
        dtype = "fp8_ds_mla" if major == "9" else dtype
    row = latent_row(sheet, engine=engine, dtype=dtype)
    if row is None:
        return None
    indexer = index + index // _DS_MLA_GROUP * 4
    if engine is SGLANG:
        # Every rank keeps the whole indexer cache, whatever DCP shares.
        indexer *= sheet.size("decode_context_parallel_size")
    return _row(sheet, f"{row} + {indexer} of the indexer", row + indexer)


def _row(sheet: Worksheet, expression: str, value: int) -> int:
    return sheet.step("kv_bytes_per_token_per_layer", expression, value, "byte/token")


def _whole(sheet: Worksheet, total: Fraction, expression: str) -> int | None:
    if total.denominator != 1:
        _lack(sheet, Text("a head does not fill whole scale blocks", "一个头不能填满整数个缩放块"))
        return None
    return _row(sheet, expression, int(total))


def _lack(sheet: Worksheet, reason: Text) -> None:
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
