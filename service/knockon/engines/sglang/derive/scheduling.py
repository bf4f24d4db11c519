"""What SGLang schedules: overlap with the CPU, prefix reuse, states of hybrid models, requests, the host tier."""

from knockon.engines.seen import AS_ASKED, DEFAULT
from knockon.engines.sglang.derive.attention import kernels_of
from knockon.engines.sglang.derive.seen import ATTENTION, CAPABILITIES, HOST_CACHE, OVERRIDES, PAIRS, SPECULATION, Seen
from knockon.engines.sglang.families import EXTRA_BUFFER, NO_WINDOW_POOLS, STATES_IN_TREE
from knockon.terms.words import Text

_WHISPER = "WhisperForConditionalGeneration"
# Models whose prefix tree depends on further keys of their config.
_UNTOLD = frozenset({"MiniCPMForCausalLM", "MiniCPMSALAForCausalLM", "EmbeddingGemma2Model"})
# Kernels whose deterministic runs reuse prefixes (arg_groups/choices.py:249).
_REUSED_DETERMINISTICALLY = frozenset({"ascend", "fa3", "fa4", "triton"})
_V4_REQUESTS, _DRAFTED_REQUESTS = 256, 48
_MIXED_WITH = (None, "EAGLE", "EAGLE3", "DFLASH", "DSPARK")


def derive(seen: Seen) -> None:
    """Tell what follows about scheduling and the caches it works with."""
    _prefixes(seen)
    _states(seen)
    _overlap(seen)
    _requests(seen)
    _mixed(seen)
    _windows(seen)
    if seen.is_on("enable_hierarchical_kv_cache"):
        _host_tier(seen)


def _prefixes(seen: Seen) -> None:
    name, setting = "enable_prefix_caching", "not disable_radix_cache"
    if seen.is_on("is_embedding") or seen.architecture in _UNTOLD or not seen.architecture:
        return
    off = _prefixes_off(seen)
    if off is not None:
        why, where = off
        seen.tell(name, setting, False, why, cite=where)
    elif seen.role == "decode":
        why = Text("asked for on this decode server", "该解码服务器已指定启用")
        seen.tell(name, setting, True, why, cite=(PAIRS, "lines 107-130"))
    elif not seen.is_on("enable_deterministic_inference") or kernels_of(seen) is not None:
        asked = seen.asked(name)
        why = AS_ASKED if asked is not None else DEFAULT
        where = ("sglang-0.5.23-kv-cache-hook", "handle_cache_compatibility")
        seen.tell(name, setting, asked is not False, why, cite=where)


def _prefixes_off(seen: Seen) -> tuple[Text, tuple[str, str]] | None:
    if seen.role == "decode" and not seen.is_on("disaggregation_decode_enable_prefix_caching"):
        return Text("decode servers keep none", "解码服务器不保留前缀"), (PAIRS, "lines 131-137")
    if seen.architecture == _WHISPER:
        return Text("encoder padding excludes it", "与编码器填充冲突"), (ATTENTION, "lines 165-178")
    if seen.architecture == "HrmTextForCausalLM":
        return Text("its prompts see both ways", "提示为双向注意力"), (CAPABILITIES, "lines 775-786")
    if seen.is_on("enable_multi_item_scoring"):
        return Text("scoring several items excludes it", "多项打分不支持"), (ATTENTION, "lines 556-562")
    base = seen.derived("attention_backend")
    if seen.is_on("enable_deterministic_inference") and base is not None and base not in _REUSED_DETERMINISTICALLY:
        why = Text(f"{base} reuses none deterministically", f"{base} 无法确定性地复用前缀")
        return why, (ATTENTION, "lines 656-665")
    return None


def _states(seen: Seen) -> None:
    asked, name, setting = seen.text("mamba_cache_mode"), "mamba_cache_mode", "mamba_radix_cache_strategy"
    # At this point of its resolution SGLang has turned the tree off for decode servers only.
    has_tree = seen.asked("enable_prefix_caching") is not False and (
        seen.role != "decode" or seen.is_on("disaggregation_decode_enable_prefix_caching")
    )
    if seen.architecture not in STATES_IN_TREE or not has_tree or asked is None:
        return
    where = (OVERRIDES, "_mamba_radix_cache_resolution, lines 453-487")
    if asked != "auto":
        seen.tell(name, setting, asked, AS_ASKED, cite=where)
        return
    page = seen.asked("kv_block_size_tokens")
    wants = seen.asked("enable_async_scheduling") is not False or (isinstance(page, int) and page > 1)
    if wants and seen.architecture in EXTRA_BUFFER and seen.value("linear_attention_backend") == "triton":
        why = Text("overlapped scheduling needs a spare copy of states", "重叠调度需要额外的状态副本")
        seen.tell(name, setting, "extra_buffer", why, cite=where)
    else:
        why = Text("this model keeps no spare copy of states", "该模型不保留额外的状态副本")
        seen.tell(name, setting, "no_buffer", why, cite=where)


def _overlap(seen: Seen) -> None:
    name, setting = "enable_async_scheduling", "not disable_overlap_schedule"
    asked = seen.asked(name)
    stages = seen.number("pipeline_parallel_size")
    if stages is None or seen.is_on("is_embedding"):
        return
    if stages > 1:
        why = Text("pipeline stages exclude it", "流水线并行不支持")
        seen.tell(name, setting, False, why, cite=(OVERRIDES, "_pipeline_parallel_overlap_disable, lines 1623-1628"))
    elif seen.asked("dllm_algorithm") is not None:
        why = Text("diffusion models exclude it", "扩散语言模型不支持")
        seen.tell(name, setting, False, why, cite=(OVERRIDES, "_dllm_overlap_disable, lines 1718-1727"))
    elif seen.derived("mamba_cache_mode") == "no_buffer" and seen.asked("mamba_cache_mode") in (None, "auto"):
        why = Text("states without a spare copy exclude it", "无额外状态副本时不支持")
        seen.tell(name, setting, False, why, cite=(OVERRIDES, "_mamba_radix_cache_resolution, lines 484-486"))
    else:
        why = AS_ASKED if asked is not None else DEFAULT
        where = ("sglang-0.5.23-schedule-fields", "disable_overlap_schedule")
        seen.tell(name, setting, asked is not False, why, cite=where)


def _requests(seen: Seen) -> None:
    name, setting = "max_num_seqs", "schedule.max_running_requests"
    asked = seen.asked(name)
    if asked is not None:
        seen.tell(name, setting, asked, AS_ASKED, cite=("sglang-0.5.23-schedule-fields", "max_running_requests"))
    elif seen.architecture == "DeepseekV4ForCausalLM":
        why = Text("this model's default", "该模型的默认值")
        where = ("sglang-0.5.23-deepseek-v4-hook", "apply_deepseek_v4_defaults")
        seen.tell(name, setting, _V4_REQUESTS, why, cite=where)
    elif seen.drafts not in (None, "UNO"):
        why = Text("speculative decoding", "投机解码")
        where = (SPECULATION, "lines 438-446, 852-860, 1086-1094 and 1294-1302")
        seen.tell(name, setting, _DRAFTED_REQUESTS, why, cite=where)


def _mixed(seen: Seen) -> None:
    name, setting, drafts = "enable_mixed_chunk", "schedule.enable_mixed_chunk", seen.drafts
    if seen.is_on(name) and drafts not in _MIXED_WITH:
        why = Text(f"not with {drafts}", f"{drafts} 不支持")
        seen.tell(name, setting, False, why, cite=(SPECULATION, "lines 596-604, 1002-1011, 1107-1118 and 1304-1308"))


def _windows(seen: Seen) -> None:
    if seen.architecture in NO_WINDOW_POOLS:
        why = Text("this model's windows get whole pools", "该模型的窗口层使用完整 KV 池")
        where = ("sglang-0.5.23-model-overrides", "gemma2_gemma3.py and olmo2.py")
        name, setting = "disable_hybrid_kv_cache_manager", "schedule.disable_hybrid_swa_memory"
        seen.tell(name, setting, True, why, cite=where)


def _host_tier(seen: Seen) -> None:
    is_buffer = seen.text("hierarchical_kv_cache_host_mode") == "buffer_only"
    if seen.asked("hierarchical_kv_cache_ratio") is None and seen.role != "decode":
        why = Text("for a buffer", "作为缓冲区") if is_buffer else DEFAULT
        where = (HOST_CACHE, "handle_hicache_ratio_default")
        seen.tell("hierarchical_kv_cache_ratio", "memory.hicache_ratio", 1.2 if is_buffer else 2.0, why, cite=where)
    if is_buffer and seen.text("hierarchical_kv_cache_write_policy") == "write_back":
        why = Text("a buffer has nothing to write back to", "缓冲模式无写回目标")
        where = (HOST_CACHE, "validate_hicache_host_memory_mode")
        name = "hierarchical_kv_cache_write_policy"
        seen.tell(name, "memory.hicache_write_policy", "write_through", why, cite=where)
    layout, transfer = seen.text("hierarchical_kv_cache_layout"), seen.text("hierarchical_kv_cache_io_backend")
    where = (HOST_CACHE, "resolve_layout_io_compatibility")
    if layout == "page_first_direct" and transfer == "kernel":
        why = Text("copy kernels do not know this layout", "拷贝内核不支持该布局")
        seen.tell("hierarchical_kv_cache_io_backend", "memory.hicache_io_backend", "direct", why, cite=where)
    elif layout == "page_first" and transfer == "direct":
        why = Text("direct copies need their own layout", "直接拷贝需要专用布局")
        seen.tell("hierarchical_kv_cache_layout", "memory.hicache_mem_layout", "page_first_direct", why, cite=where)
