"""How SGLang runs decode and prefill as CUDA graphs, before and after the features in use have their say."""

from knockon.engines.seen import AS_ASKED
from knockon.engines.sglang.derive.attention import kernels_of
from knockon.engines.sglang.derive.seen import ATTENTION, CAPABILITIES, EXPERTS, GRAPHS, PARALLEL, Seen
from knockon.engines.sglang.families import GRAPHS_WITH_IMAGES
from knockon.terms.words import Text

DISABLED, FULL, BREAKABLE = "disabled", "full", "breakable"
_EAGER_KERNELS = frozenset({"torch_native", "flex_attention"})
# Exchanges under which prefill was validated as a graph (arg_groups/cuda_graph_hook.py:222-228).
_EXCHANGES = frozenset({"none", "deepep", "megamoe", "flashinfer"})
_KDA = frozenset({"KimiK3ForConditionalGeneration", "KimiK3LinearForCausalLM", "KimiLinearForCausalLM"})
_INKLING = frozenset({"InklingForConditionalGeneration", "InklingForConditionalGenerationMTP"})


def derive(seen: Seen) -> None:
    """Tell how both phases run."""
    decode, prefill = _late(seen, early_decode(seen)), _late_prefill(seen)
    if decode is not None:
        backend, why, where = decode
        seen.tell("decode_graph_backend", "cuda_graph_config.decode.backend", backend, why, cite=where)
    if prefill is not None:
        backend, why, where = prefill
        seen.tell("prefill_graph_backend", "cuda_graph_config.prefill.backend", backend, why, cite=where)
    if decode is not None and prefill is not None:
        is_eager = decode[0] == prefill[0] == DISABLED
        why = AS_ASKED if seen.asked("enforce_eager") is is_eager else decode[1]
        seen.tell("enforce_eager", "exec.graph.disable_cuda_graph", is_eager, why, cite=decode[2])


Told = tuple[str, Text, tuple[str, str]]


def early_decode(seen: Seen) -> Told:
    """Decode as flags and the server's role say, before kernels and exchange change it."""
    asked, where = seen.asked("decode_graph_backend"), (GRAPHS, "parse_cuda_graph_config, lines 32-101")
    if "dwdp_size" in seen.told:
        return DISABLED, Text("experts are streamed", "专家权重流式传输"), (PARALLEL, "lines 503-507")
    if isinstance(asked, str):
        return asked, AS_ASKED, where
    if seen.asked("enforce_eager") is True:
        return DISABLED, AS_ASKED, where
    if seen.role == "prefill":
        why = Text("a prefill server does not decode", "预填充服务器不解码")
        return DISABLED, why, (GRAPHS, "apply_cuda_graph_disaggregation_roles, lines 557-576")
    return FULL, Text("the default", "默认"), where


def early_prefill(seen: Seen) -> Told | None:
    """Prefill the same way; None where it cannot be told."""
    asked, where = seen.asked("prefill_graph_backend"), (GRAPHS, "parse_cuda_graph_config, lines 32-101")
    if "dwdp_size" in seen.told:
        return early_decode(seen)
    if isinstance(asked, str) and asked != "auto":
        return asked, AS_ASKED, where
    if seen.asked("enforce_eager") is True:
        return DISABLED, AS_ASKED, where
    if seen.role == "decode":
        why = Text("a decode server does not prefill", "解码服务器不做预填充")
        return DISABLED, why, (GRAPHS, "apply_cuda_graph_disaggregation_roles, lines 557-576")
    return _compatible(seen)


def _compatible(seen: Seen) -> Told | None:
    """What of the features in use breakable graphs cannot take (arg_groups/cuda_graph_hook.py:136-255)."""
    architecture, where = seen.architecture, (GRAPHS, "lines 136-255")
    if not architecture or seen.is_on("enable_prefill_context_parallel"):
        return None
    if architecture in _INKLING:
        return FULL, Text("this model's default", "该模型的默认值"), (GRAPHS, "lines 349-372")
    contexts, images = seen.number("attention_context_parallel_size") or 1, seen.is_multimodal
    if images is None:
        return None
    reasons = (
        ((seen.number("pipeline_parallel_size") or 1) > 1, Text("pipeline stages have none", "流水线并行默认不用")),
        (architecture in _KDA, Text("its linear attention has none", "该线性注意力不支持")),
        (architecture == "DeepseekV4ForCausalLM", Text("capture takes too much memory", "捕获占用显存过多")),
        (contexts > 1, Text("context parallelism has none", "上下文并行不支持")),
        ((seen.number("decode_context_parallel_size") or 1) > 1, Text("DCP has none", "DCP 不支持")),
        (seen.is_on("enable_dual_batch_overlap"), Text("overlapped batches have none", "双批重叠不支持")),
        (seen.asked("all2all_backend") not in (None, *_EXCHANGES), Text("not with this exchange", "该交换方式不支持")),
        (images and architecture not in GRAPHS_WITH_IMAGES, Text("not with images", "多模态模型不支持")),
    )
    for holds, why in reasons:
        if holds:
            return DISABLED, why, where
    return BREAKABLE, Text("the default", "默认"), (GRAPHS, "lines 164-167")


def _late(seen: Seen, told: Told) -> Told | None:
    """What kernels, scoring and exchange turn off afterwards, in both phases."""
    kernels = kernels_of(seen)
    base = seen.derived("attention_backend")
    if seen.is_on("enable_multi_item_scoring"):
        why = Text("scoring several items has none", "多项打分不支持")
        return DISABLED, why, (ATTENTION, "handle_multi_item_scoring, lines 539-554")
    if seen.derived("all2all_backend") == "deepep" and seen.value("deepep_mode") == "normal":
        why = Text("DeepEP's normal mode has none", "DeepEP normal 模式不支持")
        return DISABLED, why, (EXPERTS, "lines 383-398")
    if kernels is None and told[0] != DISABLED and seen.backend_asked("attention_backend") in _EAGER_KERNELS:
        return None
    if base in _EAGER_KERNELS:
        return DISABLED, Text("not with these attention kernels", "该注意力内核不支持"), (ATTENTION, "lines 122-160")
    return told


def _late_prefill(seen: Seen) -> Told | None:
    early = early_prefill(seen)
    if early is None:
        return None
    told = _late(seen, early)
    if told is None or told[0] == DISABLED:
        return told
    if seen.is_on("enable_kv_cache_sharding"):
        return (
            DISABLED,
            Text("sharded KV is prefilled eagerly", "分片 KV 以 eager 方式预填充"),
            (
                "sglang-0.5.23-kv-shard-hook",
                "lines 336-347",
            ),
        )
    if seen.derived("all2all_backend") == "deepep_v2":
        why = Text("DeepEP v2 reads counts on the host", "DeepEP v2 需在主机读取计数")
        return DISABLED, why, (EXPERTS, "lines 437-444")
    kernels = kernels_of(seen)
    if seen.architecture == "DeepseekV3ForCausalLM" and seen.asked("prefill_graph_backend") in (None, "auto"):
        if kernels is None:
            return None
        if kernels[0] == "trtllm_mla":
            why = Text("a graph would take other, slower kernels", "使用图会改用更慢的内核")
            return DISABLED, why, (GRAPHS, "lines 279-312")
    if seen.architecture == "HrmTextForCausalLM":
        return DISABLED, Text("not with this model", "该模型不支持"), (CAPABILITIES, "lines 787-807")
    return told


def prefill_sizes(largest: int) -> list[int]:
    """The prompt lengths that are captured up to `largest` (arg_groups/cuda_graph_hook.py:480-497)."""
    sizes = [
        *range(4, 33, 4),
        *range(48, 257, 16),
        *range(288, 513, 32),
        *range(576, 1025, 64),
        *range(1280, 4097, 256),
        *range(4608, largest + 1, 512),
    ]
    return [size for size in sizes if size <= largest]
