"""vLLM's budgets of tokens and sequences, and how it schedules them."""

import re

from knockon.engines.vllm.derive.model import is_encoder_decoder
from knockon.engines.vllm.derive.parallel import uses_batched_experts
from knockon.engines.vllm.derive.seen import ARGUMENTS, SCHEDULER, WHOLE, Seen
from knockon.engines.vllm.derive.speculation import is_speculating
from knockon.terms.words import Text

_GIB = 1 << 30
_SHIPS_MANY = 160 * _GIB
_SHIPS_SOME = 70 * _GIB
_SPARK = (12, 1)
_AMPERE = (8, 0)
_BATCHED_TOKENS = 256
_IMAGES_FIT = 8192
# 32 frames of 70 tokens with their borders (model_executor/models/gemma4_mm.py:289-295).
_GEMMA_VIDEO_TOKENS = 2496
_V1_ASYNC = frozenset({"eagle", "eagle3", "mtp", "dflash", "dspark", "draft_model", "ngram_gpu"})
_ASKED = Text("as asked", "按指定")
_ASYNC_EXECUTORS = frozenset({"mp", "uni", "external_launcher"})


def derive(seen: Seen) -> None:
    """Tell what follows about the scheduler."""
    _budgets(seen)
    _scheduled(seen)
    _drafted(seen)
    _asynchronous(seen)
    _images(seen)
    _long_prompts(seen)
    _manager(seen)


def _tier(seen: Seen) -> tuple[int, int, str] | None:
    """(tokens, sequences, why) that the server takes for this GPU; None when it cannot be told."""
    memory, capability = seen.number("gpu_memory_bytes"), seen.capability
    if memory is None or capability is None:
        return None
    if memory >= _SHIPS_MANY:
        return 16384, 1024, "160 GiB or more"
    if memory < _SHIPS_SOME or capability == _SPARK:
        return 2048, 256, "less than 70 GiB"
    name = seen.text("gpu_name")
    if capability == _AMPERE and name is None:
        return None
    if name is not None and re.search("a100", name, re.IGNORECASE):
        return 2048, 256, "an A100"
    return 8192, 1024, "70 GiB or more"


def _budgets(seen: Seen) -> None:
    tier, where = _tier(seen), (ARGUMENTS, "lines 2940-3007 and 3151-3246")
    asked_tokens, asked_seqs = seen.asked("max_num_batched_tokens"), seen.asked("max_num_seqs")
    length = seen.number("max_model_len")
    by_gpu = (
        Text(f"the server's default for a GPU of {tier[2]}", f"服务端对该级显存 GPU 的默认值（{tier[2]}）")
        if tier
        else Text("the default", "默认")
    )
    seqs = asked_seqs if isinstance(asked_seqs, int) else tier[1] * _doubled(seen) if tier else None
    tokens, why = (asked_tokens, _ASKED) if isinstance(asked_tokens, int) else _default_tokens(seen, tier, by_gpu)
    if asked_tokens is None and tokens is not None:
        if seqs is None or length is None:
            tokens = None
        elif seqs * length < tokens:
            tokens, why = seqs * length, Text("all sequences at their full length", "全部序列满长之和")
    name = "max_num_batched_tokens"
    seen.tell(name, f"scheduler.{name}", tokens, why, cite=where)
    why = _ASKED if asked_seqs is not None else by_gpu
    if asked_seqs is None and seqs is not None:
        if tokens is None:
            seqs = None
        elif tokens < seqs:
            seqs, why = tokens, Text("no more than the tokens of a step", "不超过单步 token 预算")
    name = "max_num_seqs"
    seen.tell(name, f"scheduler.{name}", seqs, why, cite=where)


def _doubled(seen: Seen) -> int:
    return 2 if seen.value("performance_mode") == "throughput" else 1


def _default_tokens(seen: Seen, tier: tuple[int, int, str] | None, by_gpu: Text) -> tuple[int | None, Text]:
    batched, chunked = uses_batched_experts(seen), seen.derived("enable_chunked_prefill")
    length = seen.number("max_model_len")
    if batched is None or tier is None or chunked is None or length is None:
        return None, by_gpu
    tokens, why = tier[0] * _doubled(seen), by_gpu
    if batched:
        tokens, why = (
            _BATCHED_TOKENS * _doubled(seen),
            Text("the all-to-all kernels take fixed batches", "all-to-all 内核使用固定批次"),
        )
    if not chunked and length > tokens:
        tokens, why = length, Text("without chunked prefill a whole prompt has to fit", "未分块预填充时须容纳整个提示")
    # One image or video has to fit where image tokens see one another; how large that is, is only known for Gemma 4.
    prefixed = seen.value("uses_bidirectional_images")
    if seen.has("multimodal") is not False and prefixed is not False and tokens < _IMAGES_FIT:
        is_gemma = seen.architecture == "Gemma4ForConditionalGeneration" and prefixed is True
        if not is_gemma or "mm_videos_per_prompt_max" in seen.facts:
            return None, why
        if tokens < _GEMMA_VIDEO_TOKENS:
            return _GEMMA_VIDEO_TOKENS, Text("one video has to fit whole", "须容纳一个完整视频")
    return tokens, why


def _scheduled(seen: Seen) -> None:
    if is_speculating(seen):
        asked, batched = seen.asked("max_num_scheduled_tokens"), seen.number("max_num_batched_tokens")
        why = Text("as asked", "按指定") if asked is not None else Text("the whole token budget", "整个 token 预算")
        name = "max_num_scheduled_tokens"
        seen.tell(
            name, f"scheduler.{name}", asked if asked is not None else batched, why, cite=(WHOLE, "lines 2341-2349")
        )


def _drafted(seen: Seen) -> None:
    """DFlash drafts all requests of a step at once, so the token budget bounds them (config/vllm.py:2376-2396)."""
    batched, each = seen.number("max_num_batched_tokens"), seen.number("lookahead_tokens")
    active = seen.number("max_num_active_seqs") or seen.number("max_num_seqs")
    if seen.derived("speculative_method") != "dflash" or batched is None or not each or active is None:
        return
    if batched // each < active:
        name = "max_num_active_seqs"
        why = Text(f"each request drafts with {each} tokens of a step", f"每个请求占用单步的 {each} 个 token 起草")
        seen.tell(name, f"scheduler.{name}", batched // each, why, cite=(WHOLE, "lines 2376-2396"))


def _asynchronous(seen: Seen) -> None:
    asked = seen.asked("enable_async_scheduling")
    name, setting, where = "enable_async_scheduling", "scheduler.async_scheduling", (WHOLE, "lines 1651-1719")
    if asked is not None:
        seen.tell(name, setting, asked, Text("as asked", "按指定"), cite=where)
        return
    runner, executor, v2 = (
        seen.derived("runner"),
        seen.derived("distributed_executor_backend"),
        seen.derived("uses_model_runner_v2"),
    )
    if runner is None or executor is None or v2 is None:
        return
    method = seen.derived("speculative_method")
    if runner == "pooling":
        value, why = False, Text("it slows pooling models down", "对池化模型有负面影响")
    elif executor not in _ASYNC_EXECUTORS and executor != "ray":
        return
    elif v2 is False and is_speculating(seen) and method not in _V1_ASYNC:
        value, why = (
            False,
            Text(f"runner V1 does not do it with {method} drafting", f"V1 runner 在 {method} 推测下不支持"),
        )
    elif v2 is False and seen.is_on("disable_padded_drafter_batch"):
        value, why = False, Text("runner V1 does not do it with unpadded drafts", "V1 runner 在未填充草稿批下不支持")
    elif v2 is False and (seen.number("pipeline_parallel_size") or 1) > 1:
        value, why = False, Text("runner V1 does not do it with pipeline stages", "V1 runner 在流水线并行下不支持")
    else:
        value, why = True, Text("on unless something in use forbids it", "除非有功能禁止，否则默认开启")
    seen.tell(name, setting, value, why, cite=where)


def _images(seen: Seen) -> None:
    asked, name, setting = (
        seen.asked("disable_chunked_mm_input"),
        "disable_chunked_mm_input",
        "scheduler.disable_chunked_mm_input",
    )
    if is_encoder_decoder(seen):
        why = Text("encoder-decoder models take their input whole", "编码器-解码器模型整体处理输入")
        seen.tell(name, setting, True, why, cite=(SCHEDULER, "lines 295-304"))
    elif seen.has("multimodal") and seen.value("uses_bidirectional_images") is True:
        why = Text("image tokens see one another, so an image is never cut", "图像 token 双向可见，不可切分")
        seen.tell(name, setting, True, why, cite=("vllm-0.33-cuda-platform", "lines 335-346"))
    elif asked is not None or seen.value("uses_bidirectional_images") is False:
        why = Text("as asked", "按指定") if asked is not None else Text("the default", "默认")
        seen.tell(name, setting, asked is True, why, cite=(SCHEDULER, "lines 167-172"))


def _long_prompts(seen: Seen) -> None:
    asked, name = seen.asked("long_prefill_threshold_tokens"), "long_prefill_threshold_tokens"
    if asked is not None and is_encoder_decoder(seen) is not None:
        forced = is_encoder_decoder(seen) is True
        why = Text("prompts are not cut", "提示不分块") if forced else Text("as asked", "按指定")
        cite = (SCHEDULER, "lines 295-304")
        seen.tell(name, "scheduler.long_prefill_token_threshold", 0 if forced else asked, why, cite=cite)


def _manager(seen: Seen) -> None:
    off, asked = seen.value("hybrid_kv_manager_off"), seen.asked("disable_hybrid_kv_cache_manager")
    if asked is None and seen.came_by("kv_offloading_bytes", "kv-offloading-size"):
        return
    if isinstance(off, bool):
        why = Text(seen.facts["hybrid_kv_manager_off"].origin.text, seen.facts["hybrid_kv_manager_off"].origin.text)
        name = "disable_hybrid_kv_cache_manager"
        seen.tell(name, f"scheduler.{name}", off, why, cite=(WHOLE, "lines 2219-2294"))
