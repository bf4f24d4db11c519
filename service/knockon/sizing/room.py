"""Memory left for the KV pool of one GPU: known, estimated as a band, or bounded from above."""

from dataclasses import dataclass

from knockon.sizing.weights import Weights
from knockon.sizing.worksheet import VLLM, Engine, Worksheet

_GIB = 1024**3
# What vLLM 0.19 logged on H100 besides weights (activations, buffers, graphs) lay between 0.65 and 6.6 GiB over 23
# start-up logs (llm-d-planner pull request 205); the band is a little wider.
_OVERHEAD_BYTES = (_GIB // 2, 8 * _GIB)
# A GPU's driver and ECC keep between 1 % (H100: 79.19 of 80 GiB) and 6.25 % (A10, L4: 22.5 of 24) of its memory.
_USABLE = (0.9375, 0.99)


@dataclass(frozen=True, slots=True)
class Available:
    """Bytes for the KV pool of one GPU: the same twice when known, a band when estimated."""

    low: int
    high: int
    is_known: bool


@dataclass(frozen=True, slots=True)
class Room:
    """What is known of the memory for the KV pool of one GPU."""

    available: Available | None
    at_most: int | None
    """If nothing but the weights took any of the engine's share; None when it cannot be told."""


def room_of(sheet: Worksheet, weights: Weights, *, engine: Engine) -> Room:
    """The memory as given by hand or by the engine's log, else what the GPU and the weights leave."""
    given = _given(sheet, engine=engine)
    if given is not None:
        return Room(Available(given, given, is_known=True), given)
    memory, share = sheet.count("gpu_memory_bytes"), sheet.facts.get("gpu_memory_utilization_ratio")
    # SGLang and TensorRT-LLM mean other shares by their settings, of other amounts of memory.
    if engine is not VLLM or memory is None or isinstance(share, (bool, str)) or share is None:
        return Room(None, None)
    at_most = None
    if weights.at_least is not None:
        at_most = max(0, int(memory * share) - weights.at_least + (sheet.count("cpu_offload_bytes") or 0))
    if weights.exact is None:
        return Room(None, at_most)
    low = int(memory * _USABLE[0] * share) - weights.exact - _OVERHEAD_BYTES[1]
    high = int(memory * _USABLE[1] * share) - weights.exact - _OVERHEAD_BYTES[0]
    band = Available(max(0, low), max(0, high), is_known=False)
    said = f"estimate: {memory} x {share:g} - {weights.exact} of weights - activations and graphs"
    sheet.note("available_kv_cache_bytes", said, f"{band.low} to {band.high}", "byte")
    return Room(band, at_most)


def _given(sheet: Worksheet, *, engine: Engine) -> int | None:
    names = ("available_kv_cache_bytes", "kv_cache_memory_bytes") if engine is VLLM else ("available_kv_cache_bytes",)
    for name in names:
        value = sheet.facts.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
    return None
