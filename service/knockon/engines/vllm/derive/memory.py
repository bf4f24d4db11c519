"""What vLLM makes of the KV cache: element type, blocks, prefix reuse, states, connectors."""

from knockon.engines.vllm.derive.model import is_encoder_decoder, is_hybrid, is_pooled
from knockon.engines.vllm.derive.seen import ARGUMENTS, FAMILIES, MODEL, WHOLE, Seen
from knockon.terms.words import Text

_MAMBA = frozenset({"MambaForCausalLM", "Mamba2ForCausalLM", "FalconMambaForCausalLM"})
_NEMOTRON = frozenset({"NemotronHForCausalLM", "NemotronHPuzzleForCausalLM", "NemotronH_Nano_VL_V2"})
_STATE_BY_CONFIG = ("Qwen3_5", "Qwen4Exp")
_POOLED_WHOLE = frozenset({"MEAN", "CLS", "STEP"})
# Kernels take the default block of 16 tokens for plain attention with heads up to this size.
_PLAIN = frozenset({"mha", "gqa", "mqa", "sliding", "hybrid_sliding", "hybrid_chunked"})
_PLAIN_HEAD_MAX = 128
_BLOCK_TOKENS = 16
_BOUNDARY_LAYERS = 2


def derive(seen: Seen) -> None:
    """Tell what follows about the KV cache, and chunked prefill with it."""
    _kv_type(seen)
    _skipped_layers(seen)
    _block(seen)
    _chunked(seen)
    _prefix(seen)
    _states(seen)
    _connector(seen)


def supports_chunks(seen: Seen) -> bool | None:
    """Whether vLLM cuts the prompts of this model by default (config/model.py:2192-2236)."""
    if is_encoder_decoder(seen) is not False:
        return None if is_encoder_decoder(seen) is None else False
    return _pooled_whole(seen)


def supports_prefixes(seen: Seen) -> bool | None:
    """Whether vLLM reuses prefixes of this model by default (config/model.py:2238-2291)."""
    if is_encoder_decoder(seen) is not False:
        return None if is_encoder_decoder(seen) is None else False
    if is_pooled(seen) is False and seen.has("attention_free"):
        return False
    return _pooled_whole(seen)


def _pooled_whole(seen: Seen) -> bool | None:
    """False where a pooler needs the whole sequence at once; None where it cannot be told."""
    pooled = is_pooled(seen)
    if pooled is None or seen.traits is None:
        return None
    if not pooled:
        return True
    if seen.has("cls") or seen.has("encoder_only"):
        return False
    asked = seen.text("pooling_type")
    if "Bidirectional" in seen.architecture or (asked is None and seen.has("pooling")):
        return None
    return (asked or "LAST").upper() not in _POOLED_WHOLE


def _kv_type(seen: Seen) -> None:
    asked, used = seen.text("kv_cache_dtype"), seen.text("kv_cache_dtype_in_use")
    name, setting = "kv_cache_dtype", "cache.cache_dtype"
    capability = seen.capability
    if seen.architecture == "DeepseekV32ForCausalLM" and asked == "bfloat16":
        why = Text("for this model vLLM turns bfloat16 into auto", "该模型上 vLLM 将 bfloat16 改为 auto")
        seen.tell(name, setting, "auto", why, cite=(FAMILIES, "lines 74-86"))
    elif (
        seen.architecture == "GlmMoeDsaForCausalLM"
        and used == "auto"
        and capability is not None
        and capability[0] == 10
    ):
        why = Text("this model's KV cache is fp8 on this GPU", "该模型在此 GPU 上使用 fp8 KV 缓存")
        seen.tell(name, setting, "fp8_e4m3", why, cite=(FAMILIES, "lines 89-108"))
    elif seen.architecture.startswith("Glm5Next") or (
        seen.architecture == "GlmMoeDsaForCausalLM" and used == "auto" and capability is None
    ):
        return
    elif asked not in (None, "auto"):
        seen.tell(name, setting, asked, Text("as asked", "按指定"), cite=(ARGUMENTS, "lines 2296-2299"))
    elif used == "auto":
        why = Text("the type the model is computed in", "与模型计算类型相同")
        seen.tell(name, setting, "auto", why, cite=(ARGUMENTS, "lines 2296-2299"))
    elif used is not None and (seen.text("checkpoint_quantization") or "").startswith("modelopt"):
        why = Text("as the checkpoint asks", "按权重文件的要求")
        seen.tell(name, setting, used, why, cite=(ARGUMENTS, "lines 2296-2299"))


def _skipped_layers(seen: Seen) -> None:
    used, layers = str(seen.value("kv_cache_dtype") or ""), seen.number("num_hidden_layers")
    packed = used.startswith("turboquant_") or used == "ultraquant_4bit"
    if not packed or layers is None or is_hybrid(seen) is not False:
        return
    asked = {part for part in str(seen.asked("kv_cache_dtype_skip_layers") or "").split(",") if part}
    edge = min(_BOUNDARY_LAYERS, layers // 2)
    kept = asked | {str(index) for index in (*range(edge), *range(layers - edge, layers))}
    why = Text("the first and last layers keep the model's type", "首尾各层保持模型类型")
    name, setting = "kv_cache_dtype_skip_layers", "cache.kv_cache_dtype_skip_layers"
    seen.tell(name, setting, ",".join(sorted(kept)), why, cite=(ARGUMENTS, "lines 2334-2352"))


def _block(seen: Seen) -> None:
    asked = seen.asked("kv_block_size_tokens")
    where = ("vllm-0.33-platform-interface", "lines 749-794")
    if is_hybrid(seen) is not False or seen.value("kv_cache_dtype_skip_layers"):
        return
    if asked is not None:
        why = Text("as asked; kernels take it or refuse to start", "按指定；内核不支持则拒绝启动")
        seen.tell("kv_block_size_tokens", "cache.block_size", asked, why, cite=where)
    elif (
        seen.value("attention_kind") in _PLAIN
        and (seen.number("head_dim") or _PLAIN_HEAD_MAX + 1) <= _PLAIN_HEAD_MAX
        and seen.value("kv_cache_dtype") == "auto"
        and seen.asked("attention_backend") is None
    ):
        why = Text("the default, which the attention kernels for this model take", "默认值，该模型的注意力内核支持")
        seen.tell("kv_block_size_tokens", "cache.block_size", _BLOCK_TOKENS, why, cite=where)


def _chunked(seen: Seen) -> None:
    asked, supported = seen.asked("enable_chunked_prefill"), supports_chunks(seen)
    name, setting = "enable_chunked_prefill", "scheduler.enable_chunked_prefill"
    if is_encoder_decoder(seen):
        why = Text("encoder-decoder models cannot cut prompts", "编码器-解码器模型不支持分块预填充")
        seen.tell(name, setting, False, why, cite=("vllm-0.33-scheduler-config", "lines 295-304"))
    elif asked is not None:
        seen.tell(name, setting, asked, Text("as asked", "按指定"), cite=(ARGUMENTS, "lines 3041-3080"))
    elif supported is not None:
        why = (
            Text("the default where the model allows it", "模型支持时的默认值")
            if supported
            else Text("the pooler needs the whole sequence at once", "池化需要完整序列")
        )
        seen.tell(name, setting, supported, why, cite=(MODEL, "lines 2192-2236"))


def _prefix(seen: Seen) -> None:
    asked, supported = seen.asked("enable_prefix_caching"), supports_prefixes(seen)
    name, setting = "enable_prefix_caching", "cache.enable_prefix_caching"
    if seen.is_on("mm_encoder_only"):
        why = Text("an encoder alone keeps no KV cache", "仅编码器时没有 KV 缓存")
        seen.tell(name, setting, False, why, cite=(WHOLE, "lines 1521-1536"))
    elif seen.architecture == "UnlimitedOCRForCausalLM":
        why = Text("this model's windows over generated tokens cannot be reused", "该模型的生成窗口无法复用")
        seen.tell(name, setting, False, why, cite=(FAMILIES, "lines 261-275"))
    elif is_encoder_decoder(seen):
        why = Text("encoder-decoder models reuse no prefixes", "编码器-解码器模型不复用前缀")
        seen.tell(name, setting, False, why, cite=("vllm-0.33-scheduler-config", "lines 295-304"))
    elif asked is not None:
        seen.tell(name, setting, asked, Text("as asked", "按指定"), cite=(ARGUMENTS, "lines 3082-3104"))
    elif supported is not None:
        why = (
            Text("the default where the model allows it", "模型支持时的默认值")
            if supported
            else Text("vLLM does not reuse prefixes of this kind of model by default", "vLLM 默认不对此类模型复用前缀")
        )
        seen.tell(name, setting, supported, why, cite=(MODEL, "lines 2238-2291"))


def _states(seen: Seen) -> None:
    hybrid, prefix = is_hybrid(seen), seen.derived("enable_prefix_caching")
    if not (hybrid or seen.architecture in _MAMBA):
        return
    where = (FAMILIES, "lines 750-787")
    asked = seen.asked("mamba_block_size_tokens")
    if prefix is True:
        why = Text("prefix reuse keeps states at block ends", "前缀复用在块边界保存状态")
        seen.tell("mamba_cache_mode", "cache.mamba_cache_mode", "align", why, cite=where)
        seen.tell("mamba_block_size_tokens", "cache.mamba_block_size", asked, Text("as asked", "按指定"), cite=where)
    elif prefix is False:
        why = Text("without prefix reuse one state per request is kept", "无前缀复用时每个请求只保留一个状态")
        seen.tell("mamba_cache_mode", "cache.mamba_cache_mode", "none", why, cite=where)
        value = asked if asked is not None else seen.derived("max_model_len")
        seen.tell("mamba_block_size_tokens", "cache.mamba_block_size", value, why, cite=where)
    _state_type(seen)


def _state_type(seen: Seen) -> None:
    asked, declared = seen.asked("mamba_ssm_cache_dtype"), seen.text("linear_state_dtype")
    name, setting = "mamba_ssm_cache_dtype", "cache.mamba_ssm_cache_dtype"
    by_config = seen.architecture in _NEMOTRON or seen.architecture.startswith(_STATE_BY_CONFIG)
    if asked not in (None, "auto"):
        seen.tell(name, setting, asked, Text("as asked", "按指定"), cite=(FAMILIES, "lines 812-839"))
    elif by_config and declared is not None:
        why = Text("as the model's config.json says, else its family's default", "按模型 config.json，否则按模型族默认")
        seen.tell(name, setting, declared, why, cite=(FAMILIES, "lines 812-839 and 953-977"))
    elif not by_config and seen.traits is not None:
        seen.tell(name, setting, "auto", Text("the default", "默认"), cite=(ARGUMENTS, "mamba_ssm_cache_dtype"))


def _connector(seen: Seen) -> None:
    where = (WHOLE, "lines 1151-1185")
    if not seen.came_by("kv_offloading_bytes", "kv-offloading-size"):
        connector = seen.asked("kv_connector")
        seen.tell("kv_connector", "kv_transfer.kv_connector", connector, Text("as asked", "按指定"), cite=where)
        role = seen.asked("kv_role") if connector is not None else None
        seen.tell("kv_role", "kv_transfer.kv_role", role, Text("as asked", "按指定"), cite=where)
        return
    backend = seen.value("kv_offloading_backend") or "native"
    why = Text(
        f"--kv-offloading-size brings its own connector for {backend}", f"--kv-offloading-size 使用 {backend} 的连接器"
    )
    value = "LMCacheMPConnector" if backend == "lmcache" else "OffloadingConnector"
    seen.tell("kv_connector", "kv_transfer.kv_connector", value, why, cite=where)
    seen.tell("kv_role", "kv_transfer.kv_role", "kv_both", why, cite=where)
