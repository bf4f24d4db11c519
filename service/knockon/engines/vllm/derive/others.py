"""The rest of what vLLM settles by itself: adapters, attention kernels, reasoning."""

from knockon.engines.vllm.derive.seen import ARGUMENTS, FAMILIES, Seen
from knockon.terms.words import Text

_LORA = "vllm-0.33-lora-config"
_SEVERAL_HEADS = frozenset(
    {"Gemma4ForCausalLM", "Gemma4ForConditionalGeneration", "Gemma4UnifiedForConditionalGeneration"}
)
_HOPPER = 9
_HOPPER_ONLY = 3
# Major compute capabilities with FlashAttention 4 (vllm_flash_attn/flash_attn_interface.py:72-86).
_FLASH_ATTENTION_4 = (9, 10, 11)
_FLASH_ATTENTION_4_HEAD_MAX = 512


def derive(seen: Seen) -> None:
    """Tell what follows about LoRA, attention kernels and structured output."""
    if seen.is_on("enable_lora"):
        _adapters(seen)
    _attention(seen)
    if seen.architecture == "GptOssForCausalLM":
        asked = seen.asked("reasoning_parser")
        why = Text("as asked", "按指定") if asked is not None else Text("this model's own", "该模型自带")
        setting = "structured_outputs.reasoning_parser"
        seen.tell(
            "reasoning_parser",
            setting,
            asked if asked is not None else "openai_gptoss",
            why,
            cite=(FAMILIES, "lines 543-547"),
        )


def _adapters(seen: Seen) -> None:
    asked, loras = seen.asked("max_cpu_loras"), seen.number("max_loras")
    given = isinstance(asked, int) and asked > 0
    why = Text("as asked", "按指定") if given else Text("as many as run at once", "与同时运行的数量相同")
    seen.tell("max_cpu_loras", "lora.max_cpu_loras", asked if given else loras, why, cite=(_LORA, "lines 119-127"))
    dtype = seen.asked("lora_dtype")
    as_model = dtype in (None, "auto")
    why = Text("the type the model is computed in", "与模型计算类型相同") if as_model else Text("as asked", "按指定")
    value = seen.derived("dtype") if as_model else dtype
    seen.tell("lora_dtype", "lora.lora_dtype", value, why, cite=(_LORA, "lines 157-160"))


def _attention(seen: Seen) -> None:
    asked, used = seen.asked("attention_backend"), str(seen.value("kv_cache_dtype") or "")
    where = (ARGUMENTS, "lines 2726-2767")
    if asked not in (None, "AUTO"):
        seen.tell("attention_backend", "attention.backend", asked, Text("as asked", "按指定"), cite=where)
    if used.startswith("turboquant_") or used == "ultraquant_4bit":
        why = Text(
            "packed KV types do not work with FlashAttention 3 or newer", "打包 KV 类型不支持 FlashAttention 3 及以上"
        )
        seen.tell("flash_attention_version", "attention.flash_attn_version", 2, why, cite=where)
    elif seen.architecture in _SEVERAL_HEADS and seen.capability is not None:
        _several_heads(seen, used=used)
    elif seen.asked("flash_attention_version") == _HOPPER_ONLY and seen.capability is not None:
        _third_version(seen, major=seen.capability[0])


def _third_version(seen: Seen, *, major: int) -> None:
    """FlashAttention 3 is for Hopper; later GPUs take another version in its place."""
    if major > _HOPPER:
        value = 4 if major in _FLASH_ATTENTION_4 else 2
        why = Text("FlashAttention 3 does not run on this GPU", "该 GPU 不支持 FlashAttention 3")
        cite = ("vllm-0.33-fa-utils", "lines 121-127")
        seen.tell("flash_attention_version", "attention.flash_attn_version", value, why, cite=cite)


def _several_heads(seen: Seen, *, used: str) -> None:
    """Layers whose heads differ in size leave few kernels (model_executor/models/config.py:301-369)."""
    asked, capability = seen.asked("attention_backend"), seen.capability
    small, large = seen.number("head_dim"), seen.number("full_head_dim")
    if small is None or large is None or small == large or capability is None or not used:
        return
    where = (FAMILIES, "lines 301-369")
    if capability[0] in _FLASH_ATTENTION_4 and max(small, large) <= _FLASH_ATTENTION_4_HEAD_MAX:
        if seen.asked("flash_attention_version") is None and asked in (None, "AUTO", "FLASH_ATTN"):
            version = None if capability[0] == _HOPPER and used.startswith("fp8") else 4
            why = Text("one kernel for heads of several sizes", "不同大小的注意力头使用同一内核")
            seen.tell("flash_attention_version", "attention.flash_attn_version", version, why, cite=where)
    elif asked in (None, "AUTO"):
        why = Text(
            "heads of several sizes, on a GPU without FlashAttention 4",
            "注意力头大小不一，且该 GPU 不支持 FlashAttention 4",
        )
        seen.tell("attention_backend", "attention.backend", "TRITON_ATTN", why, cite=where)
