"""What SGLang sizes by the GPU's memory: prefill chunks, captured batches, and the share of memory it takes."""

from knockon.engines.seen import AS_ASKED
from knockon.engines.sglang.derive.graphs import BREAKABLE, DISABLED, early_decode, early_prefill, prefill_sizes
from knockon.engines.sglang.derive.seen import ATTENTION, CAPABILITIES, GRAPHS, MEMORY, PARALLEL, Seen
from knockon.engines.sglang.families import WHOLE_PROMPTS
from knockon.terms.words import Text

_MIB = 1 << 20
# (GPUs with less memory than this many MiB, tokens of a chunk, captured batch below four ranks, from four ranks on).
_BY_MEMORY = (
    (20 * 1024, 2048, 8, 8),
    (35 * 1024, 4096, 48, 160),
    (60 * 1024, 4096, 32, 160),
    (90 * 1024, 8192, 256, 512),
    (160 * 1024, 8192, 256, 512),
)
_LARGEST = (16384, 512, 512)
_WIDE_RANKS = 4
# Datasheets round: a GPU this near to a bound may lie on either side of it.
_NEAR_RATIO = 0.03
_LATENT_PREFILL_MAX = _PIPELINE_PREFILL_MAX = 8192
_LLAMA_2_PREFILL_MAX, _DEEPEP_PREFILL = 4096, 2048
_LARGE_GPU_MIB, _LARGE_GPU_RESERVE_MIB = 60 * 1024, 10 * 1024
# Models that the sizes below do not hold for: they change environment or batch limits by themselves.
_OTHER = frozenset({
    "MuseGlimmerForCausalLM", "MuseGlimmerForConditionalGeneration", "MuseSparkForConditionalGeneration",
    "Qwen3VLForConditionalGeneration", "Qwen3VLMoeForConditionalGeneration",
})  # fmt: skip


def derive(seen: Seen) -> None:
    """Tell what follows from the GPU's memory."""
    whole = whole_chunk(seen)
    _chunk(seen, whole)
    if seen.architecture in _OTHER:
        return
    batch = _captured_batch(seen)
    _prefill_graph(seen, whole)
    _share(seen, chunk=whole, batch=batch)


def whole_chunk(seen: Seen) -> int | None:
    """Tokens of a prefill chunk before attention groups divide it; -1 without chunks, None where it is not told."""
    if seen.asked("enable_chunked_prefill") is False:
        return -1
    asked = seen.asked("chunked_prefill_size_tokens")
    if isinstance(asked, int):
        return asked if asked > 0 else -1
    row = _row(seen)
    return None if row is None else row[0]


def _row(seen: Seen) -> tuple[int, int, int] | None:
    memory = seen.number("gpu_memory_bytes")
    if memory is None or seen.major is None:
        return None
    mib = memory / _MIB
    if any(abs(mib - bound) <= _NEAR_RATIO * bound for bound, *_ in _BY_MEMORY):
        return None
    return next(((chunk, few, many) for bound, chunk, few, many in _BY_MEMORY if mib < bound), _LARGEST)


def _chunk(seen: Seen, whole: int | None) -> None:
    """The chunk that one rank runs, and whether there is any."""
    name, setting = "chunked_prefill_size_tokens", "schedule.chunked_prefill_size"
    if whole is None or seen.is_on("is_embedding") or seen.is_on("enable_kv_cache_sharding"):
        return
    off = _without_chunks(seen)
    if off is not None:
        why, where = off
        seen.tell("enable_chunked_prefill", "schedule.chunked_prefill_size > 0", False, why, cite=where)
        return
    is_chunked = whole > 0
    where = (MEMORY, "handle_gpu_memory_settings, lines 89-180")
    is_asked = seen.asked(name) is not None or seen.asked("enable_chunked_prefill") is not None
    why = AS_ASKED if is_asked else Text("by the GPU's memory", "由 GPU 显存决定")
    seen.tell("enable_chunked_prefill", "schedule.chunked_prefill_size > 0", is_chunked, why, cite=where)
    groups = seen.attention_groups
    if is_chunked and groups > 1:
        why = Text(f"{whole} tokens over {groups} attention groups", f"{whole} token 由 {groups} 个注意力分组分摊")
        where = (PARALLEL, "handle_data_parallelism, lines 327-336")
        seen.tell(name, setting, whole // groups, why, cite=where)
    elif is_chunked:
        seen.tell(name, setting, whole, why, cite=where)


def _without_chunks(seen: Seen) -> tuple[Text, tuple[str, str]] | None:
    if seen.is_on("enable_multi_item_scoring"):
        why = Text("scoring takes its input whole", "打分需整体处理输入")
        return why, (ATTENTION, "handle_multi_item_scoring, lines 564-570")
    if seen.architecture in WHOLE_PROMPTS or seen.architecture == "HrmTextForCausalLM":
        why = Text("this model's prompts are not cut", "该模型的提示不分块")
        return why, (CAPABILITIES, "lines 775-781 and 1024-1036")
    return None


def _captured_batch(seen: Seen) -> int | None:
    """The largest decode batch that is captured."""
    name, setting = "cudagraph_capture_size_max", "cuda_graph_config.decode.max_bs"
    asked, row, ranks = seen.asked(name), _row(seen), seen.number("tensor_parallel_size")
    where = (MEMORY, "handle_gpu_memory_settings, lines 99-188")
    if isinstance(asked, int):
        value, why = asked, AS_ASKED
    elif row is None or ranks is None:
        return None
    else:
        value, why = row[1] if ranks < _WIDE_RANKS else row[2], Text("by the GPU's memory", "由 GPU 显存决定")
        requests = seen.asked("max_num_seqs")
        if isinstance(requests, int) and requests < value:
            value, why = requests, Text("no more than run at once", "不超过同时运行的请求数")
    if seen.derived("decode_graph_backend") not in (None, DISABLED):
        seen.tell(name, setting, value, why, cite=where)
    return value


def _prefill_graph(seen: Seen, whole: int | None) -> None:
    name, setting = "prefill_graph_tokens_max", "cuda_graph_config.prefill.max_bs"
    if seen.derived("prefill_graph_backend") in (None, DISABLED):
        return
    asked, value = seen.asked(name), _prefill_graph_early(seen, whole)
    if asked is not None:
        seen.tell(name, setting, asked, AS_ASKED, cite=(GRAPHS, "lines 74-75"))
        return
    groups = seen.attention_groups
    if value is None or whole is None:
        return
    where, why = (MEMORY, "lines 233-263"), Text("one chunk, within the graph's limits", "一个分块，受图上限约束")
    if groups > 1 and value > whole // groups:
        value, where = whole // groups, (PARALLEL, "lines 338-362")
        why = Text("one chunk of an attention group", "一个注意力分组的分块")
    seen.tell(name, setting, value, why, cite=where)


def _prefill_graph_early(seen: Seen, whole: int | None) -> int | None:
    """The largest prompt that is captured, before attention groups divide it."""
    latent = seen.is_latent
    if whole is None or whole <= 0 or latent is None:
        return None
    early = early_prefill(seen)
    is_breakable = early is not None and early[0] == BREAKABLE
    if seen.asked("all2all_backend") == "deepep" and is_breakable:
        return _DEEPEP_PREFILL
    value = min(_LATENT_PREFILL_MAX, whole) if latent else whole
    if (seen.number("pipeline_parallel_size") or 1) > 1 and is_breakable:
        value = min(value, _PIPELINE_PREFILL_MAX)
    total = seen.asked("kv_cache_tokens_max")
    if isinstance(total, int):
        value = min(value, total)
    return min(value, _LLAMA_2_PREFILL_MAX) if "llama-2" in (seen.model or "").lower() else value


def _share(seen: Seen, *, chunk: int | None, batch: int | None) -> None:
    """The share of memory for weights and KV, where the GPU's memory is known to the byte."""
    asked, name, setting = seen.asked("mem_fraction_static_ratio"), "mem_fraction_static_ratio", "mem_fraction_static"
    if asked is not None:
        seen.tell(name, setting, asked, AS_ASKED, cite=(MEMORY, "line 281"))
        return
    memory, reserve = seen.asked("gpu_memory_bytes"), _reserved_mib(seen, chunk=chunk, batch=batch)
    if not isinstance(memory, int) or reserve is None or seen.is_multimodal is not False:
        return
    mib = memory // _MIB
    if mib > _LARGE_GPU_MIB:
        reserve = max(reserve, _LARGE_GPU_RESERVE_MIB)
    if seen.asked("all2all_backend") == "deepep" and seen.role != "prefill" and early_decode(seen)[0] != DISABLED:
        reserve += 2 * 1024
    why = Text(f"{reserve:.0f} MiB of {mib} are kept back", f"{mib} MiB 中保留 {reserve:.0f} MiB")
    seen.tell(name, setting, round((mib - reserve) / mib, 3), why, cite=(MEMORY, "lines 281-343"))


def _reserved_mib(seen: Seen, *, chunk: int | None, batch: int | None) -> float | None:
    """What activations and graphs are given, before the floor of large GPUs (arg_groups/memory_hook.py:297-399)."""
    tensor, pipeline = seen.number("tensor_parallel_size"), seen.number("pipeline_parallel_size")
    prefill, latent = early_prefill(seen), seen.is_latent
    if chunk is None or batch is None or tensor is None or pipeline is None or prefill is None or latent is None:
        return None
    if seen.role == "decode":
        requests, drafted = seen.asked("max_num_seqs"), seen.asked("speculative_draft_tokens_count")
        running = requests if isinstance(requests, int) else batch
        tokens = running * (drafted if isinstance(drafted, int) else 1)
    else:
        tokens = chunk if chunk > 0 else seen.number("max_prefill_tokens") or 0
    reserved = 512 + max(tokens, 2048) * 1.5 + tensor * pipeline / 8 * 1024
    if seen.role != "prefill" and early_decode(seen)[0] != DISABLED:
        reserved += batch * 2
    groups = seen.attention_groups
    if groups > 1 and seen.role != "prefill":
        reserved += batch * groups * (4.5 if batch > 300 else 3)
    if seen.role != "decode" and prefill[0] != DISABLED:
        captured = _prefill_graph_early(seen, chunk)
        asked = seen.asked("prefill_graph_tokens_max")
        largest = asked if isinstance(asked, int) else captured
        if largest is None:
            return None
        reserved += 1.5 * 1024 if latent else len(prefill_sizes(largest)) * 8
        if prefill[0] == BREAKABLE and seen.asked("all2all_backend") == "deepep":
            reserved += 1024
    return reserved
