"""What vLLM makes of the model: runner, element type, length, quantization."""

import re

from knockon.engines.vllm.architectures import by_name_of
from knockon.engines.vllm.derive.seen import FAMILIES, MODEL, Seen
from knockon.terms.words import Text

# Names of models whose repository may hold a sentence-transformers pooling that their config.json does not speak of.
_MAY_POOL = re.compile(r"(?i)embed|rerank|reward|retriev|colbert|bge|gte|(?<![a-z])e5(?![a-z])|sentence|guard|classif")
# Types that are known to overflow in these families (vllm/config/model.py:2392-2397).
_NO_FLOAT16 = frozenset({"gemma2", "gemma3", "gemma3_text", "glm4"})
_ENCODER_DECODERS = frozenset({"whisper"})
_STATES_ONLY_LENGTH = 2048
_EMBEDDING_GEMMA_LENGTH = 8192
_AS_CHECKPOINT = frozenset(
    {"fp8", "compressed-tensors", "quark", "experts_int8", "torchao", "mxfp4", "mxfp8", "humming"}
)
_SAME_FAMILY = {
    "gptq": ("auto_gptq", frozenset({"gptq", "gptq_marlin", "auto_gptq", "marlin"})),
    "awq": ("auto_awq", frozenset({"awq", "awq_marlin", "auto_awq", "marlin"})),
}


def derive(seen: Seen) -> None:
    """Tell what follows from the model's config and the flags about the model."""
    _runner(seen)
    _convert(seen)
    _dtype(seen)
    _length(seen)
    _quantization(seen)
    _memory(seen)
    _encoder(seen)


def is_pooled(seen: Seen) -> bool | None:
    """Whether a pooler is configured; None when it cannot be told."""
    if "pooling_type" in seen.facts:
        return True
    runner = seen.derived("runner")
    return None if runner is None else runner == "pooling"


def is_encoder_decoder(seen: Seen) -> bool | None:
    """Whether an encoder feeds the decoder; None when it cannot be told."""
    said = seen.value("is_encoder_decoder")
    if isinstance(said, bool):
        return said
    family = seen.text("model_type")
    if family is None or seen.traits is None:
        return None
    return family in _ENCODER_DECODERS


def is_hybrid(seen: Seen) -> bool | None:
    """Whether some layers keep states; None when it cannot be told (vllm/config/model.py:2041-2049)."""
    trait = seen.has("hybrid")
    pattern = seen.text("layer_pattern")
    if trait and pattern is not None and not set(pattern) & set("mbx"):
        return False
    return trait


def _runner(seen: Seen) -> None:
    asked, convert = seen.asked("runner"), seen.asked("convert")
    where = (MODEL, "lines 1283-1329")
    if asked not in (None, "auto"):
        seen.tell("runner", "model.runner_type", asked, Text("as asked", "按指定"), cite=where)
    elif convert not in (None, "auto", "none"):
        why = Text(f"--convert {convert} makes a pooling model of it", f"--convert {convert} 将其作为池化模型")
        seen.tell("runner", "model.runner_type", "pooling", why, cite=where)
    elif seen.has("pooling"):
        why = Text(f"{seen.architecture} is a pooling model", f"{seen.architecture} 是池化模型")
        seen.tell("runner", "model.runner_type", "pooling", why, cite=where)
    elif seen.architecture and not _MAY_POOL.search(seen.model or ""):
        found = by_name_of(seen.architecture)
        value = "generate" if found is None else found[0]
        why = Text(f"by the end of the name {seen.architecture}", f"依架构名 {seen.architecture} 的结尾")
        seen.tell("runner", "model.runner_type", value, why, cite=where)


def _convert(seen: Seen) -> None:
    asked, runner = seen.asked("convert"), seen.derived("runner")
    where = (MODEL, "lines 1331-1381")
    if asked not in (None, "auto"):
        seen.tell("convert", "model.convert_type", asked, Text("as asked", "按指定"), cite=where)
    elif isinstance(runner, str) and seen.architecture:
        found = by_name_of(seen.architecture, runner=runner)
        fallback = "embed" if runner == "pooling" else "none"
        value = "none" if runner == "pooling" and seen.has("pooling") else found[1] if found else fallback
        why = Text(f"for the {runner} runner", f"对应 {runner} 运行方式")
        seen.tell("convert", "model.convert_type", value, why, cite=where)


def _dtype(seen: Seen) -> None:
    asked = seen.asked("dtype")
    where = (MODEL, "lines 2423-2514")
    if asked not in (None, "auto"):
        seen.tell("dtype", "model.dtype", asked, Text("as asked", "按指定"), cite=where)
        return
    declared, capability, pooled = seen.text("model_dtype"), seen.capability, seen.derived("runner") == "pooling"
    if declared not in ("bfloat16", "float16", "float32") or capability is None or "runner" not in seen.told:
        return
    usable = ["bfloat16", "float16", "float32"] if capability >= (8, 0) else ["float16", "float32"]
    if seen.text("model_type") in _NO_FLOAT16:
        usable.remove("float16")
    preferred = "float16" if pooled and "float16" in usable else usable[0]
    wanted = preferred if declared == "float32" else declared
    value = wanted if wanted in usable else preferred
    if value == declared:
        why = Text("as the model's config.json declares", "同模型 config.json 的声明")
    elif declared == "float32":
        why = Text(f"vLLM runs float32 checkpoints in {value}", f"vLLM 以 {value} 运行 float32 权重")
    else:
        why = Text(f"the GPU cannot compute in {declared}", f"该 GPU 不支持 {declared} 计算")
    seen.tell("dtype", "model.dtype", value, why, cite=where)


def _length(seen: Seen) -> None:
    asked, limit = seen.asked("max_model_len"), seen.facts.get("model_len_limit_tokens")
    name, setting, where = "max_model_len", "model.max_model_len", (MODEL, "lines 2545-2684")
    if asked is not None:
        seen.tell(name, setting, asked, Text("as asked", "按指定"), cite=where)
    elif seen.is_on("max_model_len_fitted"):
        return
    elif limit is None and seen.has("attention_free"):
        why = Text("the config.json names no length", "config.json 未声明长度")
        seen.tell(name, setting, _STATES_ONLY_LENGTH, why, cite=where)
    elif seen.text("rope_scaling_type") == "longrope":
        why = Text(
            "the length before LongRoPE stretches it; ask for more to use the scaling",
            "LongRoPE 扩展前的长度；需显式指定才会使用扩展",
        )
        seen.tell(name, setting, seen.number("rope_original_max_position_embeddings"), why, cite=where)
    elif limit is not None and isinstance(limit.value, int):
        why, longest = Text(limit.origin.text, limit.origin.text), limit.value
        if seen.architecture == "EmbeddingGemma2Model" and longest > _EMBEDDING_GEMMA_LENGTH:
            why, longest = (
                Text("this model is capped unless asked for more", "该模型默认有上限"),
                _EMBEDDING_GEMMA_LENGTH,
            )
        seen.tell(name, setting, longest, why, cite=where)


def _quantization(seen: Seen) -> None:
    asked, checkpoint = seen.text("quantization"), seen.text("checkpoint_quantization")
    where = (MODEL, "lines 1383-1486")
    if seen.is_on("checkpoint_quantization_hidden") or seen.text("model_type") is None:
        return
    if checkpoint is None:
        why = Text("as asked; the weights are quantized while they load", "按指定；加载时量化权重")
        seen.tell("quantization", "model.quantization", asked, why, cite=where)
        return
    why = Text(f"the checkpoint is {checkpoint}", f"权重为 {checkpoint} 量化")
    if checkpoint in _SAME_FAMILY:
        name, accepted = _SAME_FAMILY[checkpoint]
        value = name if asked is None or asked in accepted else None
    elif seen.text("model_type") in ("deepseek_v4", "deepseek_v41") and checkpoint == "fp8":
        value, where = "deepseek_v4_fp8", (FAMILIES, "lines 467-490")
    elif seen.text("model_type") == "gpt_oss" and checkpoint == "mxfp4":
        value, where = "gpt_oss_mxfp4", (FAMILIES, "lines 525-545")
    elif (
        checkpoint == "modelopt"
        and seen.number("checkpoint_weight_bits") == 4
        and seen.number("checkpoint_scale_group_size") == 16
    ):
        value = "modelopt_fp4"
    else:
        value = checkpoint if checkpoint in _AS_CHECKPOINT and asked in (None, checkpoint) else None
    seen.tell("quantization", "model.quantization", value, why, cite=where)


def _memory(seen: Seen) -> None:
    if seen.is_on("enable_sleep_mode"):
        why = Text("sleep mode needs it", "休眠模式需要")
        seen.tell("enable_cumem_allocator", "model.enable_cumem_allocator", True, why, cite=(MODEL, "lines 666-673"))


def _encoder(seen: Seen) -> None:
    if not seen.has("multimodal"):
        return
    where = (MODEL, "lines 831-843")
    if seen.asked("mm_encoder_tp_mode") == "data" and seen.has("encoder_tp_data"):
        seen.tell("mm_encoder_tp_mode", "model.mm_encoder_tp_mode", "data", Text("as asked", "按指定"), cite=where)
    elif seen.asked("mm_encoder_tp_mode") == "data":
        why = Text(
            f"the encoder of {seen.architecture} cannot run data-parallel",
            f"{seen.architecture} 的编码器不支持数据并行",
        )
        seen.tell("mm_encoder_tp_mode", "model.mm_encoder_tp_mode", "weights", why, cite=where)
    else:
        why = Text("the default; the encoder's weights are split by TP", "默认；编码器权重按 TP 切分")
        seen.tell("mm_encoder_tp_mode", "model.mm_encoder_tp_mode", "weights", why, cite=where)
