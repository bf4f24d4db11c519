"""Facts that lists in TensorRT-LLM's options hold: captured graphs and attention windows, counted and compared."""

from collections.abc import Iterator, Mapping, Sequence

from knockon.engines.flags import Read
from knockon.terms.fact import Fact, Origin
from knockon.terms.words import Json, Scalar

# tensorrt_llm/llmapi/llm_args.py, BaseCudaGraphConfig: graphs up to this batch where nothing else is said.
_GRAPH_BATCH_DEFAULT = 128


def list_facts(reads: Sequence[Read]) -> dict[str, Fact]:
    """The facts of lists in `reads` (options files and `--set`), by name; of several reads the last one counts."""
    facts: dict[str, Fact] = {}
    for read in reads:
        for name, value, path in _told(read.value):
            facts[name] = Fact(name, value, Origin("file", f"{read.source or read.flag.name} {path}", read.at))
    return facts


def with_graph_size(facts: Mapping[str, Fact]) -> dict[str, Fact]:
    """`facts` with the largest captured graph, and with a limit of drafts where one is set."""
    found = dict(facts)
    largest = facts.get("cudagraph_batch_sizes_max") or facts.get("cudagraph_batch_size_limit")
    configured = facts.get("cudagraph_configured")
    if largest is not None:
        found["cudagraph_capture_size_max"] = Fact("cudagraph_capture_size_max", largest.value, largest.origin)
    elif configured is not None and configured.value is True:
        origin = Origin("engine-default", "default of TensorRT-LLM for cuda_graph_config")
        found["cudagraph_capture_size_max"] = Fact("cudagraph_capture_size_max", _GRAPH_BATCH_DEFAULT, origin)
    limits = [facts[name] for name in ("speculative_concurrency_max", "draft_schedule_given") if name in facts]
    given = next((fact for fact in limits if fact.value not in (False, None)), None)
    if given is not None:
        found["draft_limit_given"] = Fact("draft_limit_given", True, given.origin)
    return found


def _told(options: Json) -> Iterator[tuple[str, Scalar, str]]:
    windows = _at(options, "kv_cache_config", "max_attention_window")
    if isinstance(windows, list):
        kinds = {window for window in windows if isinstance(window, int)}
        yield "attention_window_kinds_count", len(kinds), "kv_cache_config.max_attention_window"
    if isinstance(options, dict) and options.get("cuda_graph_config", "unsaid") is None:
        # Graphs are on by default; null switches them off.
        yield "cudagraph_configured", False, "cuda_graph_config"
    sizes = _at(options, "cuda_graph_config", "batch_sizes")
    if isinstance(sizes, list):
        yield "cudagraph_batch_sizes_count", len(sizes), "cuda_graph_config.batch_sizes"


def _at(value: Json, *keys: str) -> Json:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value
