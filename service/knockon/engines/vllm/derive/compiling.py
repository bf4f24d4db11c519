"""How vLLM compiles and captures a model: torch.compile, CUDA graphs and their sizes, fused passes."""

from knockon.engines.vllm.derive.model import is_encoder_decoder, is_pooled
from knockon.engines.vllm.derive.parallel import uses_all_to_all
from knockon.engines.vllm.derive.seen import COMPILATION, FAMILIES, WHOLE, Seen
from knockon.engines.vllm.derive.speculation import is_speculating
from knockon.terms.words import Scalar, Text

_BY_LEVEL = {0: "NONE", 1: "PIECEWISE", 2: "FULL_AND_PIECEWISE", 3: "FULL_AND_PIECEWISE"}
_WITH_PIECES = {"PIECEWISE": "NONE", "FULL_AND_PIECEWISE": "FULL_DECODE_ONLY"}
_FULL = frozenset({"FULL", "FULL_DECODE_ONLY", "FULL_AND_PIECEWISE"})
_CUT = {"PIECEWISE": "NONE", "FULL_AND_PIECEWISE": "FULL"}
_COMPILED = "VLLM_COMPILE"
_SIZE_MAX = 512
_SIZE_MAX_BLACKWELL = 1024
_SIZE_MAX_GPT_OSS = 1024
_BLACKWELL = 10
_FUSED_REDUCE_FROM = 2


def derive(seen: Seen) -> None:
    """Tell what follows about compilation and CUDA graphs."""
    _mode(seen)
    _graphs(seen)
    _sizes(seen)
    _fusions(seen)


def _level(seen: Seen) -> int:
    level = seen.number("optimization_level")
    return 2 if level is None else level


def _is_breakable(seen: Seen) -> bool | None:
    """Whether CUDA graphs break at attention by themselves (config/vllm.py:78-109 and 841-871)."""
    said = seen.asked("vllm_use_breakable_cudagraph")
    if isinstance(said, bool):
        return said
    # With the batch-invariant kernels it hangs on the shapes that were tuned.
    if seen.capability is None or seen.is_on("vllm_batch_invariant"):
        return None
    return seen.has("breakable")


def _mode(seen: Seen) -> None:
    asked, breakable = seen.asked("compilation_mode"), _is_breakable(seen)
    if breakable is None:
        return
    where = (WHOLE, "lines 1766-1804 and 1827-1831")
    if breakable:
        why = Text(
            "this model's CUDA graphs break at attention and need no torch.compile",
            "该模型使用可中断的 CUDA 图，无需 torch.compile",
        )
        value: Scalar = "NONE"
    elif seen.is_on("enforce_eager"):
        value, why = "NONE", Text("eager mode", "eager 模式")
    elif asked is not None:
        value, why = asked, Text("as asked", "按指定")
    elif seen.architecture == "LongcatFlashNgramForCausalLM":
        value, why, where = (
            "NONE",
            Text("this model does not compile", "该模型不支持编译"),
            (FAMILIES, "lines 1194-1209"),
        )
    elif _level(seen) == 0:
        value, why = "NONE", Text("optimization level 0", "优化级别 0")
    else:
        value, why = _COMPILED, Text(f"optimization level {_level(seen)}", f"优化级别 {_level(seen)}")
    seen.tell("compilation_mode", "compilation.mode", value, why, cite=where)
    if "compilation_backend" not in seen.facts:
        seen.tell(
            "compilation_backend",
            "compilation.backend",
            "inductor",
            Text("the default", "默认"),
            cite=(COMPILATION, "lines 1080-1081"),
        )


def _graphs(seen: Seen) -> None:
    asked, mode, breakable = seen.text("cudagraph_mode"), seen.derived("compilation_mode"), _is_breakable(seen)
    pooled, encoder_decoder = is_pooled(seen), is_encoder_decoder(seen)
    if mode is None or breakable is None or pooled is None or encoder_decoder is None:
        return
    value = asked if asked is not None else _BY_LEVEL.get(_level(seen))
    why = (
        Text("as asked", "按指定")
        if asked is not None
        else Text(f"optimization level {_level(seen)}", f"优化级别 {_level(seen)}")
    )
    where = (WHOLE, "lines 1129-1149, 1949-2012 and 3302-3322")
    if asked is None and seen.architecture == "LongcatFlashNgramForCausalLM":
        value, why = "FULL", Text("this model's own default", "该模型的默认值")
    if seen.is_on("enforce_eager"):
        value, why = "NONE", Text("eager mode captures nothing", "eager 模式不捕获 CUDA 图")
    if value in _WITH_PIECES and mode != _COMPILED and not breakable:
        why = Text(
            f"{value} needs torch.compile, which runs in mode {mode}",
            f"{value} 需要 torch.compile，而当前模式为 {mode}",
        )
        value = _WITH_PIECES[value]
    if pooled and value in _FULL:
        why = Text("pooling models are not captured whole", "池化模型不支持完整捕获")
        value = "NONE" if mode != _COMPILED and not breakable else "PIECEWISE"
    elif encoder_decoder and value not in ("NONE", "FULL_DECODE_ONLY"):
        value, why = (
            "FULL_DECODE_ONLY",
            Text("encoder-decoder models are captured for decoding only", "编码器-解码器模型仅捕获解码"),
        )
    if mode == "STOCK_TORCH_COMPILE" and seen.derived("uses_model_runner_v2") is not False and value != "NONE":
        value, why = (
            "NONE",
            Text("stock torch.compile and CUDA graphs do not go together", "原生 torch.compile 与 CUDA 图不兼容"),
        )
    value, why = _by_drafts(seen, value, why)
    value, why = _by_cuts(seen, value, why)
    value, why = _by_kernels(seen, value, why)
    seen.tell("cudagraph_mode", "compilation.cudagraph_mode", value, why, cite=where)


def _by_drafts(seen: Seen, value: str | None, why: Text) -> tuple[str | None, Text]:
    """What draft counts that change leave of the graphs (config/vllm.py:1067-1086)."""
    changes = seen.is_on("enable_speculative_decoding") and seen.is_on("use_dynamic_draft_count")
    if changes and value in _FULL and seen.derived("uses_model_runner_v2") is False:
        return "PIECEWISE", Text("the draft count changes, on runner V1", "V1 runner 上草稿数会变化")
    return value, why


def _by_cuts(seen: Seen, value: str | None, why: Text) -> tuple[str | None, Text]:
    """What is left where the compiled graph is not cut at attention (config/compilation.py:1163-1282)."""
    if seen.derived("compilation_mode") != _COMPILED or value not in _CUT:
        return value, why
    named, fused = seen.value("has_splitting_operators"), seen.is_on("fuse_attention_quant")
    if fused and not seen.is_on("use_inductor_graph_partition"):
        return (
            ("FULL", Text("attention is fused with quantization", "注意力与量化融合"))
            if named is None
            else (value, why)
        )
    if named is False:
        return _CUT[value], Text("no operators are named to cut at", "未指定切分算子")
    return value, why


def _by_kernels(seen: Seen, value: str | None, why: Text) -> tuple[str | None, Text]:
    """What the all-to-all kernels leave of the graphs."""
    backend, ranks = seen.value("all2all_backend"), seen.number("data_parallel_size") or 1
    compiled = seen.derived("compilation_mode") == _COMPILED
    if backend == "deepep_high_throughput" and ranks > 1 and (seen.number("num_experts") or 0) > 0 and compiled:
        return "NONE", Text("DeepEP's high-throughput kernels cannot be captured", "DeepEP 高吞吐内核无法捕获")
    if backend == "moonep" and uses_all_to_all(seen):
        return "NONE", Text("MoonEP runs eagerly", "MoonEP 只能 eager 运行")
    # LMCache asks for pieces where its layerwise mode is on, which is not seen here.
    if seen.asked("kv_connector") in ("LMCacheConnectorV1", "MultiConnector") and value in _FULL:
        return (value, why) if seen.asked("kv_connector") == "LMCacheConnectorV1" else (None, why)
    return value, why


def capture_sizes(ceiling: int, *, tokens: int, decode: tuple[int, ...], fine: bool = False) -> list[int]:
    """The batch sizes vLLM captures up to `ceiling` (config/vllm.py:2575-2614).

    Args:
        ceiling: the largest size wanted, in tokens, already no more than `tokens`.
        tokens: the token budget of a step.
        decode: sizes of whole decode batches that come on top.
        fine: every size up to 32 instead of 1, 2, 4.
    """
    sizes = set(range(1, min(ceiling, 32) + 1)) if fine else {size for size in (1, 2, 4) if size <= ceiling}
    sizes |= set(range(8, min(ceiling + 1, 256), 8))
    sizes |= set(range(256, ceiling + 1, 16))
    if tokens <= ceiling:
        sizes.add(tokens)
    return sorted(sizes | {size for size in decode if size <= tokens})


def _sizes(seen: Seen) -> None:
    mode, tokens, seqs = (
        seen.derived("cudagraph_mode"),
        seen.number("max_num_batched_tokens"),
        seen.number("max_num_seqs"),
    )
    name, setting, where = (
        "cudagraph_capture_size_max",
        "compilation.max_cudagraph_capture_size",
        (WHOLE, "lines 2398-2656"),
    )
    if mode is None or tokens is None or seqs is None or seen.capability is None:
        return
    if mode == "NONE":
        seen.tell(name, setting, 0, Text("nothing is captured", "不捕获 CUDA 图"), cite=where)
        seen.tell(
            "cudagraph_capture_size_count",
            "compilation.n_cudagraph_capture_sizes",
            0,
            Text("nothing is captured", "不捕获 CUDA 图"),
            cite=where,
        )
        return
    asked = seen.asked(name)
    if isinstance(asked, int) and not seen.came_by(name, "max"):
        # Only the largest of the sizes asked for is seen here.
        if asked <= tokens:
            seen.tell(name, setting, asked, Text("the largest size asked for", "指定尺寸中的最大值"), cite=where)
        return
    decode: tuple[int, ...] = ()
    default = _SIZE_MAX_BLACKWELL if seen.capability[0] == _BLACKWELL else _SIZE_MAX
    query = _query_tokens(seen)
    if query is None:
        return
    if isinstance(asked, int):
        ceiling, why = min(asked, tokens), Text("as asked, down to a size on the grid", "按指定，向下取网格尺寸")
    elif seen.architecture == "GptOssForCausalLM":
        ceiling, why = min(_SIZE_MAX_GPT_OSS, tokens), Text("this model's own default", "该模型的默认值")
    else:
        widest = min(seqs * query * 2, default)
        decode = _decode_sizes(seqs, query, widest=widest, requests=default)
        ceiling, why = (
            min(widest, tokens),
            Text(f"twice the sequences of a step, at most {default}", f"单步序列数的两倍，上限 {default}"),
        )
    sizes = capture_sizes(ceiling, tokens=tokens, decode=decode, fine=seen.value("performance_mode") == "interactivity")
    seen.tell(name, setting, sizes[-1], why, cite=where)
    seen.tell("cudagraph_capture_size_count", "compilation.n_cudagraph_capture_sizes", len(sizes), why, cite=where)


def _query_tokens(seen: Seen) -> int | None:
    """Tokens one request has in a decoding step."""
    speculating, drafts = is_speculating(seen), seen.number("num_speculative_tokens")
    if speculating is None or (speculating and drafts is None):
        return None
    return 1 + (drafts or 0) if speculating else 1


def _decode_sizes(seqs: int, query: int, *, widest: int, requests: int) -> tuple[int, ...]:
    if query == 1:
        return (seqs,) if seqs <= widest else ()
    most = min(seqs, requests)
    counts = {n for n in (1, 2, 4) if n <= most} | set(range(8, min(most + 1, 256), 8)) | set(range(256, most + 1, 16))
    return tuple(n * query for n in counts | {most} if n * query <= widest)


def _fusions(seen: Seen) -> None:
    mode, blocked, level = seen.derived("compilation_mode"), _has_blocked_scales(seen), _level(seen)
    where = (WHOLE, "lines 157-206 and 237-345")
    tensor = seen.number("tensor_parallel_size")
    if mode is None or seen.capability is None:
        return
    if "fuse_allreduce_rms" not in seen.facts and tensor is not None:
        capable = seen.capability[0] == _BLACKWELL or seen.capability == (9, 0)
        value = level >= _FUSED_REDUCE_FROM and tensor > 1 and capable and not seen.is_on("vllm_batch_invariant")
        why = Text(
            "on for TP on Hopper and Blackwell from optimization level 2, with FlashInfer installed",
            "优化级别 ≥2 且在 Hopper/Blackwell 上使用 TP 时开启",
        )
        seen.tell("fuse_allreduce_rms", "compilation.pass.fuse_allreduce_rms", value, why, cite=where)
    if blocked is None or seen.derived("compilation_backend") != "inductor":
        return
    own = mode == "NONE" or blocked
    why = Text("on where vLLM's own kernels run instead of Inductor's", "在使用 vLLM 自带算子（而非 Inductor）时开启")
    if "fuse_norm_quant" not in seen.facts:
        seen.tell("fuse_norm_quant", "compilation.pass.fuse_norm_quant", level > 0 and own, why, cite=where)
    four = _is_nvfp4(seen)
    if "fuse_activation_quant" not in seen.facts and four is not None:
        seen.tell(
            "fuse_activation_quant", "compilation.pass.fuse_act_quant", level > 0 and (own or four), why, cite=where
        )


def _has_blocked_scales(seen: Seen) -> bool | None:
    """Whether the weights have one scale for each block (config/vllm.py:1808-1814); None when it cannot be told."""
    method = seen.derived("quantization")
    if seen.is_on("checkpoint_quantization_hidden") or seen.text("model_type") is None:
        return None
    if method is None:
        return False if seen.text("checkpoint_quantization") is None and seen.asked("quantization") is None else None
    if method in ("fp8", "deepseek_v4_fp8"):
        checkpoint = seen.text("checkpoint_quantization") == "fp8"
        return checkpoint and seen.number("checkpoint_scale_group_size") is not None
    return False if method != "compressed-tensors" else None


def _is_nvfp4(seen: Seen) -> bool | None:
    method = seen.derived("quantization")
    return None if method == "compressed-tensors" else method == "modelopt_fp4"
