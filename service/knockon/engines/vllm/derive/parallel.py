"""How vLLM spreads a model over GPUs: world size, the executor, data-parallel ranks, experts, DCP."""

import math

from knockon.engines.vllm.derive.seen import ARGUMENTS, FAMILIES, PARALLEL, Seen
from knockon.terms.words import Text

_AXES = ("tensor_parallel_size", "pipeline_parallel_size", "prefill_context_parallel_size")
_EXPERT_AXES = ("tensor_parallel_size", "data_parallel_size", "prefill_context_parallel_size")
# All-to-all kernels with which the ranks of a replica share the experts' tokens too (config/parallel.py:765-785).
_SHARED_TOKENS = frozenset({
    "allgather_reducescatter", "deepep_high_throughput", "deepep_low_latency", "deepep_v2", "mori_high_throughput",
    "mori_low_latency", "flashinfer_nvlink_one_sided", "passthrough", "nixl_ep",
})  # fmt: skip
_BY_ALLGATHER = "allgather_reducescatter"
_REMOVED = frozenset({"naive", "pplx"})
_EXCHANGE_THEMSELVES = frozenset({"flashinfer_moe_ep_cutedsl", "flashinfer_moe_ep_mega_deep_gemm"})
_BATCHED = frozenset({"deepep_low_latency", "nixl_ep"})


def derive(seen: Seen) -> None:
    """Tell what follows about parallelism."""
    experts(seen)
    _exchange(seen)
    _world(seen)
    _local_ranks(seen)
    _executor(seen)
    _all_to_all(seen)
    _context(seen)
    _servers(seen)


def experts(seen: Seen) -> None:
    """The ranks that share the experts; vLLM has no size for it, only a switch."""
    if "enable_expert_parallel" not in seen.facts:
        return
    sizes = [seen.number(name) for name in _EXPERT_AXES]
    where = (PARALLEL, "the EP group, lines 563-590")
    if not seen.is_on("enable_expert_parallel"):
        why = Text(
            "expert parallelism is off: every rank has a part of each expert", "未开启专家并行：每个专家按 TP 切分"
        )
        seen.tell("expert_parallel_size", "get_ep_group().world_size", 1, why, cite=where)
    elif None not in sizes:
        why = Text(
            "experts are spread over all ranks of tensor and data parallelism", "专家分布在 TP 与 DP 的所有 rank 上"
        )
        value = math.prod(size for size in sizes if size is not None)
        seen.tell("expert_parallel_size", "get_ep_group().world_size", value, why, cite=where)


def _exchange(seen: Seen) -> None:
    """The all-to-all backend: one that has gone is replaced, and kernels that exchange tokens themselves take none."""
    asked, backend = seen.asked("all2all_backend"), seen.text("all2all_backend")
    where = (PARALLEL, "lines 535-541")
    if asked in _REMOVED:
        backend, why = _BY_ALLGATHER, Text(f"{asked} has been removed", f"{asked} 已移除")
    elif asked is not None:
        why = Text("as asked", "按指定")
    else:
        why = Text("the default", "默认")
    if backend == _BY_ALLGATHER and seen.text("moe_backend") in _EXCHANGE_THEMSELVES:
        backend, where = "passthrough", ("vllm-0.33-kernel-config", "lines 194-222")
        why = Text("the expert kernels exchange tokens themselves", "专家内核自行交换 token")
    seen.tell("all2all_backend", "parallel.all2all_backend", backend, why, cite=where)


def uses_all_to_all(seen: Seen) -> bool | None:
    """Whether tokens travel to their experts by all-to-all; None when it cannot be told."""
    data, tensor, prefill = (
        seen.number(name) for name in ("data_parallel_size", "tensor_parallel_size", "prefill_context_parallel_size")
    )
    if data is None or tensor is None or prefill is None:
        return None
    by_experts = seen.is_on("enable_expert_parallel")
    shares = seen.value("all2all_backend") in _SHARED_TOKENS and by_experts and tensor > 1 and data > 1
    return data > 1 or shares or (by_experts and prefill > 1)


def uses_batched_experts(seen: Seen) -> bool | None:
    """Whether the all-to-all kernels take batches of a fixed size (config/parallel.py:795-804)."""
    data = seen.number("data_parallel_size")
    if data is None or seen.value("all2all_backend") is None:
        return None
    return seen.value("all2all_backend") in _BATCHED and seen.is_on("enable_expert_parallel") and data > 1


def _world(seen: Seen) -> None:
    sizes = [seen.number(name) for name in _AXES]
    if None in sizes:
        return
    value = math.prod(size for size in sizes if size is not None)
    why = Text("TP x PP x prefill context parallelism", "TP × PP × 预填充上下文并行")
    if seen.value("distributed_executor_backend") == "external_launcher":
        value *= seen.number("data_parallel_size") or 1
        why = Text("an external launcher starts the ranks of all replicas", "由外部启动器启动全部副本的 rank")
    seen.tell("world_size", "parallel.world_size", value, why, cite=(PARALLEL, "lines 962-973"))


def _local_ranks(seen: Seen) -> None:
    total, local = seen.number("data_parallel_size"), seen.number("data_parallel_size_local")
    nodes, world = seen.number("node_count"), seen.number("world_size")
    where = (ARGUMENTS, "lines 2398-2535")
    if total is None or nodes is None or world is None:
        return
    external, hybrid = seen.is_on("data_parallel_external_lb"), seen.is_on("data_parallel_hybrid_lb")
    why = Text("as asked", "按指定")
    if external:
        local, hybrid, why = 1, False, Text("each process serves one rank", "每个进程只服务一个 rank")
    elif local is not None:
        hybrid = hybrid or "data_parallel_start_index" in seen.facts
        if hybrid and local == 1:
            external, hybrid = True, False
        hybrid = hybrid and local != total
    elif nodes > 1:
        local, why = max(total * world // nodes // world, 1), Text("the ranks of one node", "单个节点的 rank 数")
    else:
        local, why = total, Text("all ranks on this node", "全部 rank 都在本节点")
    seen.tell("data_parallel_size_local", "parallel.data_parallel_size_local", local, why, cite=where)
    balanced = Text("follows from the ranks of this node", "由本节点的 rank 数决定")
    seen.tell("data_parallel_external_lb", "parallel.data_parallel_external_lb", external, balanced, cite=where)
    seen.tell("data_parallel_hybrid_lb", "parallel.data_parallel_hybrid_lb", hybrid, balanced, cite=where)


def _executor(seen: Seen) -> None:
    asked, world, total = (
        seen.asked("distributed_executor_backend"),
        seen.number("world_size"),
        seen.number("data_parallel_size"),
    )
    where = (PARALLEL, "lines 1054-1099")
    setting = "parallel.distributed_executor_backend"
    if asked is not None:
        seen.tell("distributed_executor_backend", setting, asked, Text("as asked", "按指定"), cite=where)
    elif world is not None and total is not None:
        if world * total == 1:
            value, why = "uni", Text("one GPU needs no second process", "单卡无需多进程")
        elif seen.value("data_parallel_backend") == "ray":
            value, why = "ray", Text("data parallelism runs on Ray", "数据并行使用 Ray")
        else:
            value, why = (
                "mp",
                Text("several GPUs, outside of a Ray placement group", "多卡，且不在 Ray placement group 内"),
            )
        seen.tell("distributed_executor_backend", setting, value, why, cite=where)


def _all_to_all(seen: Seen) -> None:
    used = uses_all_to_all(seen)
    if used is None or not seen.number("num_experts"):
        return
    why = (
        Text("tokens travel between the ranks of data or context parallelism", "token 在数据/上下文并行的 rank 间交换")
        if used
        else Text("without data parallelism tokens stay where they are", "无数据并行，token 无需交换")
    )
    seen.tell("uses_all_to_all", "parallel.use_all2all", used, why, cite=(PARALLEL, "lines 765-793"))


def _context(seen: Seen) -> None:
    if (seen.number("decode_context_parallel_size") or 1) <= 1 or seen.traits is None:
        return
    prefers = seen.architecture == "GlmMoeDsaForCausalLM"
    where = (FAMILIES, "lines 89-115") if prefers else (PARALLEL, "lines 611-624")
    chosen = Text("this model's own preference", "该模型的默认偏好") if prefers else Text("the default", "默认")
    asked = Text("as asked", "按指定")
    for name, own, usual in (("dcp_comm_backend", "a2a", "ag_rs"), ("dcp_q_replicate", True, False)):
        said = seen.asked(name)
        value = said if said is not None else own if prefers else usual
        seen.tell(name, f"parallel.{name}", value, chosen if said is None else asked, cite=where)


def _servers(seen: Seen) -> None:
    asked, total = seen.asked("api_server_count"), seen.number("data_parallel_size")
    where = ("vllm-0.33-serve", "lines 79-145")
    if seen.is_on("headless") or seen.is_on("data_parallel_multi_port_external_lb") or total is None:
        return
    if asked is not None:
        value, why = asked, Text("as asked", "按指定")
    elif seen.facts["data_parallel_external_lb"].value is True if "data_parallel_external_lb" in seen.facts else False:
        value, why = 1, Text("an outer load balancer spreads the requests", "由外部负载均衡分发请求")
    elif seen.asked("data_parallel_hybrid_lb") is True or "data_parallel_start_index" in seen.facts:
        value, why = seen.number("data_parallel_size_local") or 1, Text("one for each local rank", "每个本地 rank 一个")
    else:
        value, why = total, Text("one for each data-parallel rank", "每个数据并行 rank 一个")
    if seen.is_on("enable_elastic_ep"):
        value, why = 1, Text("elastic expert parallelism serves from one", "弹性专家并行仅支持一个")
    seen.tell("api_server_count", "parallel._api_process_count", value, why, cite=where)
