"""Overlap with the CPU and ranks of experts as TensorRT-LLM runs them."""

from knockon.engines.seen import AS_ASKED, DEFAULT
from knockon.engines.trtllm.derive.seen import ARGUMENTS, CREATOR, DRAFTS, MAPPING, Seen
from knockon.terms.words import Text

# Drafted inside the model's own steps, which the overlap scheduler takes (speculative/interface.py).
_OVERLAPPED = frozenset({"mtp", "eagle", "eagle3", "dflash", "dspark", "suffix", "draft_model"})
_NOT_OVERLAPPED = frozenset({"ngram", "user_provided"})


def derive(seen: Seen) -> None:
    """Tell what follows about scheduling and expert ranks."""
    _overlap(seen)
    _experts(seen)
    _early_answer(seen)
    _pipeline_kernels(seen)


def _overlap(seen: Seen) -> None:
    name, setting = "enable_async_scheduling", "not disable_overlap_scheduler"
    if seen.number("pipeline_parallel_size") != 1 or seen.drafts_unknown:
        # A pipeline has a loop of its own.
        return
    if seen.is_on("mm_encoder_only"):
        why = Text("an encoder alone generates nothing", "仅运行编码器时不做生成")
        seen.tell(name, setting, False, why, cite=(CREATOR, "create_py_executor, mm_encoder_only"))
    elif seen.drafts in _NOT_OVERLAPPED:
        why = Text(f"{seen.drafts} drafts exclude it", f"{seen.drafts} 草稿与之互斥")
        seen.tell(name, setting, False, why, cite=(DRAFTS, "support_overlap_scheduler"))
    elif seen.drafts is None or (seen.drafts in _OVERLAPPED and seen.is_on("one_model_drafts")):
        asked = seen.asked(name)
        why = AS_ASKED if asked is not None else DEFAULT
        where = (CREATOR, "create_py_executor, disable_overlap_scheduler")
        seen.tell(name, setting, asked is not False, why, cite=where)


def _experts(seen: Seen) -> None:
    group, spread = seen.number("tensor_parallel_size"), seen.number("expert_parallel_size")
    sliced = seen.asked("moe_tensor_parallel_size")
    where = (MAPPING, "Mapping.__init__, moe_tp_size and moe_ep_size")
    clusters, context = seen.asked("moe_cluster_parallel_size"), seen.number("context_parallel_size")
    if group is None or not seen.number("num_experts") or clusters or context != 1:
        return
    name, setting = "expert_parallel_size", "moe_expert_parallel_size"
    if seen.asked(name) is not None:
        seen.tell(name, setting, spread, AS_ASKED, cite=where)
    elif isinstance(sliced, int) and sliced > 0 and group % sliced == 0:
        why = Text("what slices of experts leave of the TP group", "TP 组除去专家切片后的部分")
        seen.tell(name, setting, group // sliced, why, cite=where)
    elif sliced is None:
        why = Text("experts are cut over the TP group unless asked otherwise", "未指定时专家按 TP 组切分")
        seen.tell(name, setting, 1, why, cite=where)


def _early_answer(seen: Seen) -> None:
    name, setting = "enable_early_first_token", "enable_early_first_token_response"
    if not seen.is_on(name):
        return
    where = (ARGUMENTS, "validate_early_first_token_response")
    if seen.value("enable_async_scheduling") is False:
        why = Text("it needs the overlap scheduler", "需要重叠调度器")
        seen.tell(name, setting, False, why, cite=where)
    elif seen.is_on("kv_transceiver_configured"):
        why = Text("a disaggregated pair excludes it", "分离部署不支持")
        seen.tell(name, setting, False, why, cite=where)


def _pipeline_kernels(seen: Seen) -> None:
    stages, name = seen.number("pipeline_parallel_size"), "use_cute_dsl_bf16"
    if stages is not None and stages > 1 and seen.capability in ((10, 0), (10, 3)):
        why = Text("a pipeline on this GPU switches them on", "该 GPU 上流水并行会自动开启")
        seen.tell(name, "use_cute_dsl_bf16_gemm", True, why, cite=(ARGUMENTS, "validate_cute_dsl_bf16"))
