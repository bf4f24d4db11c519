"""The one question: what does a deployment with these facts take on each GPU, and what fits?"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from knockon.sizing.heads import Sharding, sharding_of, shared_tokens
from knockon.sizing.pool import Rows, block_tokens_of, fits, needed_bytes, pool_expression, pool_of
from knockon.sizing.row import row_bytes
from knockon.sizing.sizing import Sizing
from knockon.sizing.weights import weights_bytes
from knockon.sizing.worksheet import VLLM, Engine, Worksheet, cdiv, engine_of
from knockon.terms.words import Scalar

_GIB = 1024**3
# What vLLM 0.19 logged on H100 besides weights (activations, buffers, graphs) lay between 0.65 and 6.6 GiB over 23
# start-up logs (llm-d-planner pull request 205); the band is a little wider.
_OVERHEAD_BYTES = (_GIB // 2, 8 * _GIB)
# A GPU's driver and ECC keep between 1 % (H100: 79.19 of 80 GiB) and 6.25 % (A10, L4: 22.5 of 24) of its memory.
_USABLE = (0.9375, 0.99)
_NO_POOL = "needs available_kv_cache_bytes, which the engine's start-up log tells"


@dataclass(frozen=True, slots=True)
class _Available:
    """Bytes for the KV pool of one GPU: the same twice when known, a band when estimated."""

    low: int
    high: int
    is_known: bool


def size(facts: Mapping[str, Scalar]) -> Sizing:
    """Size one deployment.

    Args:
        facts: values by fact name, as `terms.fact.values_of` gives them; sizes that are absent count as 1.

    Returns:
        Every value that follows from the facts; the others are None with their reason. Settings that the engine
        refuses give None, never an exception. Bytes are per GPU, tokens and concurrency per engine replica.
    """
    sheet = Worksheet(facts)
    engine = engine_of(sheet)
    if engine is None:
        reason = f"the arithmetic of {sheet.text('engine')} is not known here"
        return Sizing(reasons=dict.fromkeys(("kv_head_replicas", "weights_bytes_per_gpu", "kv_cache_tokens"), reason))
    sharding = sharding_of(sheet, engine=engine)
    if sharding is None:
        return Sizing(steps=tuple(sheet.steps), reasons=sheet.reasons)
    found = Sizing(kv_head_replicas=sharding.replicas, kv_heads_per_rank=sharding.heads_per_rank)
    rows = _rows(sheet, sharding, engine=engine)
    if rows is not None:
        shared = rows.shared
        per_gpu = rows.stored_bytes // shared if rows.stored_bytes % shared == 0 else rows.stored_bytes / shared
        if shared > 1:
            sheet.note("kv_bytes_per_token_per_gpu", f"{rows.stored_bytes} / DCP = {shared}", per_gpu, "byte/token")
        found = replace(found, kv_bytes_per_token_per_gpu=per_gpu, kv_bytes_per_stored_token=rows.stored_bytes)
    weights = weights_bytes(sheet, sharding, engine=engine)
    found = replace(found, weights_bytes_per_gpu=weights)
    if rows is not None:
        found = _with_pool(found, sheet, rows, engine=engine, available=_available(sheet, weights, engine=engine))
    return replace(found, steps=tuple(sheet.steps), reasons=sheet.reasons)


def _rows(sheet: Worksheet, sharding: Sharding, *, engine: Engine) -> Rows | None:
    layers = sheet.count("num_hidden_layers")
    per_layer = row_bytes(sheet, sharding, engine=engine)
    if layers is None:
        for name in ("kv_bytes_per_token_per_gpu", "kv_bytes_per_stored_token", "kv_cache_tokens", "needed_bytes"):
            sheet.needs(name, "num_hidden_layers")
        return None
    if per_layer is None:
        return None
    stages = sheet.size("pipeline_parallel_size")
    held = cdiv(layers, stages)
    expression = f"{per_layer} x {held} layers" + (f" (of {layers}, PP = {stages})" if stages > 1 else "")
    stored = sheet.step("kv_bytes_per_stored_token", expression, per_layer * held, "byte/token")
    shared = shared_tokens(sheet, sharding, engine=engine)
    if shared is None:
        return None
    return Rows(stored, shared, block_tokens_of(sheet, engine=engine, is_latent=sharding.is_latent))


def _with_pool(found: Sizing, sheet: Worksheet, rows: Rows, *, engine: Engine, available: _Available | None) -> Sizing:
    longest = _longest(sheet)
    if longest is None:
        for name in ("max_concurrency", "needed_bytes", "fits"):
            sheet.needs(name, "max_model_len")
    else:
        needed = needed_bytes(rows, longest=longest)
        sheet.step("needed_bytes", f"{rows.blocks_for(longest)} blocks x {rows.block_bytes}", needed, "byte")
        found = replace(found, needed_bytes=needed)
    if available is None:
        for name in ("kv_cache_tokens", "max_concurrency", "fits"):
            sheet.lack(name, _NO_POOL)
        return found
    low, high = (pool_of(each, rows, engine=engine, longest=longest) for each in (available.low, available.high))
    if longest is not None:
        found = replace(found, fits=_fits(sheet, available, rows, engine=engine, longest=longest))
    if available.is_known:
        sheet.step("kv_cache_tokens", pool_expression(rows, available.low, engine=engine), low.tokens, "token")
        if low.concurrency is not None:
            sheet.note("max_concurrency", f"{low.tokens} / {longest}", low.concurrency)
        return replace(found, kv_cache_tokens=low.tokens, max_concurrency=low.concurrency)
    for name in ("kv_cache_tokens", "max_concurrency"):
        sheet.lack(name, f"only a band can be told; {_NO_POOL}")
    band = (low.tokens, high.tokens)
    sheet.note("kv_cache_tokens_band", "estimate, from available_kv_cache_bytes", f"{band[0]} to {band[1]}", "token")
    return replace(found, kv_cache_tokens_band=band)


def _longest(sheet: Worksheet) -> int | None:
    given = sheet.count("max_model_len")
    if given is not None:
        return given
    declared = sheet.count("max_position_embeddings")
    return None if declared is None else sheet.step("max_model_len", "max_position_embeddings", declared, "token")


def _fits(sheet: Worksheet, available: _Available, rows: Rows, *, engine: Engine, longest: int) -> bool | None:
    low, high = (fits(each, rows, engine=engine, longest=longest) for each in (available.low, available.high))
    if low == high:
        return low
    sheet.lack("fits", f"the estimate's band lies on both sides of what is needed; {_NO_POOL}")
    return None


def _available(sheet: Worksheet, weights: int | None, *, engine: Engine) -> _Available | None:
    given = sheet.facts.get("available_kv_cache_bytes")
    if isinstance(given, int) and not isinstance(given, bool) and given >= 0:
        return _Available(given, given, is_known=True)
    memory, share = sheet.count("gpu_memory_bytes"), sheet.facts.get("gpu_memory_utilization_ratio")
    # SGLang and TensorRT-LLM mean other shares by their settings, of other amounts of memory.
    if engine is not VLLM or memory is None or weights is None or isinstance(share, (bool, str)) or share is None:
        return None
    low = int(memory * _USABLE[0] * share) - weights - _OVERHEAD_BYTES[1]
    high = int(memory * _USABLE[1] * share) - weights - _OVERHEAD_BYTES[0]
    band = _Available(max(0, low), max(0, high), is_known=False)
    said = f"estimate: {memory} x {share:g} - {weights} of weights - activations and graphs"
    sheet.note("available_kv_cache_bytes", said, f"{band.low} to {band.high}", "byte")
    return band
