"""How SGLang spreads a model: attention groups, experts, and the collectives between ranks."""

from knockon.engines.seen import AS_ASKED, DEFAULT
from knockon.engines.sglang.derive.seen import EXPERTS, OVERRIDES, PARALLEL, Seen
from knockon.engines.sglang.families import FUSED_ALLREDUCE
from knockon.terms.words import Text

# Exchanges whose experts lie on every rank of tensor parallelism (arg_groups/overrides.py:1577-1592).
_WHOLE_GROUP = frozenset({
    "megamoe", "deepep", "deepep_v2", "mooncake", "nixl", "ascend_fuseep", "flashinfer", "flashinfer_megamoe", "mori",
    "pplx",
})  # fmt: skip


def derive(seen: Seen) -> None:
    """Tell what follows about parallelism."""
    _weights_streamed(seen)
    _groups(seen)
    _exchange(seen)
    _experts(seen)
    _output_layer(seen)
    _reductions(seen)


def _weights_streamed(seen: Seen) -> None:
    """Experts that are fetched from their ranks fix the whole layout."""
    size = seen.number("dwdp_size") or 1
    if size <= 1:
        return
    why = Text("experts are streamed between the ranks", "专家权重在各 rank 间流式传输")
    where = (PARALLEL, "handle_dwdp, lines 433-516")
    seen.tell("dwdp_size", "parallel.dwdp_size", size, AS_ASKED, cite=where)
    for name, setting, value in (
        ("attention_data_parallel_size", "parallel.attn_dp_size", size),
        ("expert_parallel_size", "parallel.ep_size", size),
        ("all2all_backend", "exec.moe.moe_a2a_backend", "none"),
        ("enable_dp_lm_head", "parallel.enable_dp_lm_head", True),
    ):
        seen.tell(name, setting, value, why, cite=where)


def _groups(seen: Seen) -> None:
    enabled, size = seen.is_on("enable_attention_data_parallel"), seen.number("attention_data_parallel_size")
    if not enabled or size is None or "dwdp_size" in seen.told or seen.is_on("enable_prefill_context_parallel"):
        return
    where = (PARALLEL, "handle_deprecated_dp_attention, lines 39-61")
    seen.tell("attention_data_parallel_size", "parallel.attn_dp_size", size, AS_ASKED, cite=where)
    # Only the older spelling turns replicas into groups; next to a size for groups they stay replicas, and are refused.
    is_older = not seen.is_on("attention_groups_given")
    if is_older and (seen.number("data_parallel_size") or 1) == size and size > 1:
        why = Text("its groups are those of attention: one replica", "这些分组属于注意力：仅一个副本")
        seen.tell("data_parallel_size", "parallel.dp_size", 1, why, cite=where)


def _exchange(seen: Seen) -> None:
    asked = seen.text("all2all_backend")
    if asked is None or "dwdp_size" in seen.told or seen.is_on("enable_prefill_context_parallel"):
        return
    name, setting = "all2all_backend", "exec.moe.moe_a2a_backend"
    if seen.text("moe_backend") == "megamoe":
        why = Text("expert kernels of that name are the exchange", "同名专家内核即该交换方式")
        where = ("sglang-0.5.23-mega-moe-hook", "handle_moe_runner_backend_alias, lines 257-276")
        seen.tell(name, setting, "megamoe", why, cite=where)
    elif seen.is_on("enable_waterfill") and asked not in ("deepep", "megamoe"):
        why = Text("Waterfill needs DeepEP", "Waterfill 需要 DeepEP")
        seen.tell(name, setting, "deepep", why, cite=(OVERRIDES, "_a2a_backend_overrides, lines 1595-1607"))
    else:
        why = AS_ASKED if seen.asked(name) is not None else DEFAULT
        seen.tell(name, setting, asked, why, cite=(EXPERTS, "handle_a2a_moe, lines 284-313"))


def _experts(seen: Seen) -> None:
    exchange, ranks = seen.derived("all2all_backend"), seen.number("tensor_parallel_size")
    if "dwdp_size" in seen.told or exchange is None or ranks is None:
        return
    where = (OVERRIDES, "_a2a_ep_size, lines 1610-1620")
    if exchange in _WHOLE_GROUP:
        why = Text(f"{exchange} spreads experts over the tensor parallel group", f"{exchange} 使专家分布在整个 TP 组")
        seen.tell("expert_parallel_size", "parallel.ep_size", ranks, why, cite=where)
    else:
        asked = seen.asked("expert_parallel_size")
        why = AS_ASKED if asked is not None else DEFAULT
        seen.tell("expert_parallel_size", "parallel.ep_size", seen.number("expert_parallel_size"), why, cite=where)
    mode, kernels = seen.text("deepep_mode"), seen.text("moe_backend")
    where = (EXPERTS, "lines 362-382, 543-561 and 575-587")
    if exchange == "deepep" and kernels == "flashinfer_cutedsl" and mode == "auto":
        why = Text("these expert kernels have no normal mode", "该专家内核没有 normal 模式")
        seen.tell("deepep_mode", "exec.moe.deepep_mode", "low_latency", why, cite=where)
    elif exchange == "mori" and mode == "auto":
        seen.tell("deepep_mode", "exec.moe.deepep_mode", "normal", Text("MORI's mode", "MORI 的模式"), cite=where)
    elif exchange == "pplx" and mode == "auto":
        seen.tell("deepep_mode", "exec.moe.deepep_mode", "low_latency", Text("PPLX's mode", "PPLX 的模式"), cite=where)


def _output_layer(seen: Seen) -> None:
    is_alone = seen.attention_groups == 1 and (seen.number("data_parallel_size") or 1) == 1
    if seen.is_on("enable_dp_lm_head") and is_alone:
        why = Text("there is one data parallel rank", "只有一个数据并行 rank")
        where = (OVERRIDES, "_data_parallelism_defaults, lines 1366-1370")
        seen.tell("enable_dp_lm_head", "parallel.enable_dp_lm_head", False, why, cite=where)


def _reductions(seen: Seen) -> None:
    ranks, nodes = seen.number("tensor_parallel_size"), seen.number("node_count")
    if ranks is None or seen.major is None:
        return
    is_deterministic = seen.is_on("enable_deterministic_inference")
    if is_deterministic and ranks > 1:
        why = Text("reductions keep one order", "归约保持固定顺序")
        where = ("sglang-0.5.23-attention-hook", "handle_deterministic_inference, lines 667-701")
        seen.tell("disable_custom_all_reduce", "exec.comm.disable_custom_all_reduce", True, why, cite=where)
    fits_gpu = seen.is_datacentre_blackwell or (seen.is_hopper and nodes == 1)
    if (
        seen.architecture in FUSED_ALLREDUCE
        and "fuse_allreduce_rms" not in seen.facts
        and fits_gpu
        and ranks > 1
        and not is_deterministic
        and seen.attention_groups == 1
        and seen.derived("all2all_backend") == "none"
    ):
        why = Text("this model's all-reduce is fused where the GPU can", "GPU 支持时该模型融合 all-reduce")
        where = (OVERRIDES, "_flashinfer_allreduce_fusion_auto_enable, lines 954-1002")
        seen.tell("fuse_allreduce_rms", "exec.comm.flashinfer_allreduce_fusion_backend", True, why, cite=where)
