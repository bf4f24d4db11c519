"""The rest of what vLLM settles by itself: adapters, attention kernels, reasoning."""

from knockon.engines.vllm.derive.seen import ARGUMENTS, FAMILIES, Seen
from knockon.terms.words import Text

_LORA = "vllm-0.33-lora-config"


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
