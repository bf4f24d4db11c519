"""The CUDA graphs that TensorRT-LLM captures for decoding and prefill."""

from collections.abc import Sequence

from knockon.engines.seen import AS_ASKED, DEFAULT
from knockon.engines.trtllm.derive.seen import ARGUMENTS, ENGINE, Seen
from knockon.terms.words import Text

# llm_args.py, BaseCudaGraphConfig: without any other word, and the sizes up to it.
_LIMIT = 128
_PADDED = (1, 2, 4, *range(8, 129, 8))
_PADDED_STEP = 64
_EXACT = (*range(1, 33), 64, 128)


def derive(seen: Seen) -> None:
    """Tell the largest captured batch, whether batches are padded to one, and the graphs of prefill."""
    _decode(seen)
    name, backend = "prefill_graph_backend", seen.text("prefill_graph_backend")
    if backend is not None:
        why = AS_ASKED if seen.asked(name) is not None else DEFAULT
        seen.tell(name, "prefill_cuda_graph_backend", backend, why, cite=(ARGUMENTS, "prefill_cuda_graph_backend"))


def _decode(seen: Seen) -> None:
    name, setting = "cudagraph_capture_size_max", "cuda_graph_config.batch_sizes, the largest"
    if seen.asked("cudagraph_configured") is False or seen.is_on("enable_speculative_decoding"):
        # Switched off; with drafts a graph holds several tokens of each sequence, by the method.
        return
    batch, budget = seen.number("max_num_seqs"), seen.number("max_num_batched_tokens")
    sizes, pads = _sizes(seen), seen.is_on("cudagraph_padding")
    if batch is None or budget is None or not sizes:
        return
    kept = kept_sizes(sizes, ceiling=min(batch, budget), pads=pads)
    if not kept:
        return
    if kept[-1] < sizes[-1]:
        why = Text("no larger than a step of decoding may be", "不超过单个解码步的上限")
        where = (ENGINE, "_filter_cuda_graph_batch_sizes")
    else:
        asked = any(seen.asked(one) is not None for one in ("cudagraph_batch_size_limit", "cudagraph_batch_sizes_max"))
        why, where = AS_ASKED if asked else DEFAULT, (ARGUMENTS, "BaseCudaGraphConfig")
    seen.tell(name, setting, kept[-1], why, cite=where)
    why = AS_ASKED if seen.asked("cudagraph_padding") is not None else DEFAULT
    where = (ARGUMENTS, "BaseCudaGraphConfig, enable_padding")
    seen.tell("cudagraph_padding", "cuda_graph_config.enable_padding", pads, why, cite=where)


def _sizes(seen: Seen) -> Sequence[int]:
    """Batch sizes before the limits of the executor; of sizes listed by hand only the largest is known."""
    listed, limit = seen.asked("cudagraph_batch_sizes_max"), seen.asked("cudagraph_batch_size_limit")
    if isinstance(listed, int):
        return (listed,) if listed <= (seen.number("max_num_seqs") or 0) else ()
    largest = limit if isinstance(limit, int) and limit > 0 else _LIMIT
    return generated_sizes(largest, pads=seen.is_on("cudagraph_padding"))


def generated_sizes(limit: int, *, pads: bool) -> tuple[int, ...]:
    """The batch sizes that are captured up to `limit`, ascending, where nobody lists them."""
    if pads:
        sizes = [*_PADDED, *range(_PADDED[-1] + _PADDED_STEP, limit + 1, _PADDED_STEP)]
    else:
        sizes = [*_EXACT]
        while sizes[-1] * 2 < limit:
            sizes.append(sizes[-1] * 2)
    kept = [size for size in sizes if size <= limit]
    return tuple(kept if kept and kept[-1] == limit else [*kept, limit])


def kept_sizes(sizes: Sequence[int], *, ceiling: int, pads: bool) -> tuple[int, ...]:
    """The sizes (ascending) that a decoding step of at most `ceiling` sequences can fill; padding adds the ceiling."""
    kept = tuple(size for size in sizes if size <= ceiling)
    cut = len(kept) < len(sizes)
    return (*kept, ceiling) if cut and pads and ceiling >= 1 and (not kept or kept[-1] != ceiling) else kept
