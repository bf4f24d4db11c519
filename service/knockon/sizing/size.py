"""The one question: what does a deployment with these facts take on each GPU, and what fits?"""

from collections.abc import Mapping
from dataclasses import replace

from knockon.sizing.drafts import drafts_of
from knockon.sizing.heads import Sharding, sharding_of, shared_tokens
from knockon.sizing.mixed import is_mixed, mixed_of
from knockon.sizing.pool import (
    Cut,
    MixedRows,
    Rows,
    block_tokens_of,
    fits,
    longest_that_fits,
    needed_bytes,
    pool_expression,
    pool_of,
)
from knockon.sizing.release import prints_blocks
from knockon.sizing.room import Available, Room, room_of
from knockon.sizing.row import row_bytes
from knockon.sizing.sizing import Sizing
from knockon.sizing.stages import stage_counts
from knockon.sizing.weights import weights_of
from knockon.sizing.worksheet import VLLM, Engine, Worksheet, engine_of
from knockon.terms.words import Scalar, Text

_NO_POOL = Text(
    "needs available_kv_cache_bytes, which the engine's start-up log tells",
    "需要 available_kv_cache_bytes，见引擎启动日志",
)
_POOL_FIELDS = ("kv_cache_tokens", "max_concurrency", "fits", "longest_that_fits", "concurrency_that_fits")
_REQUEST_FIELDS = ("max_concurrency", "needed_bytes", "fits", "concurrency_that_fits")
# What people are shown, each with what it follows from: its reason stands in where it has none of its own.
_SHOWN = {
    "kv_head_replicas": (),
    "kv_bytes_per_token_per_gpu": ("kv_head_replicas", "kv_cache_tokens"),
    "weights_bytes_per_gpu": ("kv_head_replicas",),
    "kv_cache_tokens": ("kv_bytes_per_token_per_gpu",),
    "needed_bytes": ("kv_cache_tokens",),
    "max_concurrency": ("kv_cache_tokens", "needed_bytes"),
    "fits": ("needed_bytes", "kv_cache_tokens"),
    "longest_that_fits": ("needed_bytes", "kv_cache_tokens", "kv_bytes_per_token_per_gpu"),
    "concurrency_that_fits": ("max_concurrency", "kv_cache_tokens", "kv_bytes_per_token_per_gpu"),
}
_BY_LAYER = Text("it differs from layer to layer", "各层不同")
_SPLIT = Text("how its attention is split over ranks is not known here", "此处不知道其注意力如何在各 rank 间切分")
_STATES = Text("its layers keep states, which do not grow with the tokens", "各层只保存状态，不随 token 增长")
_NONE_FITS = Text("what is left does not hold a request of one token", "剩余空间容纳不下单个 token 的请求")


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
        reason = Text(
            f"the arithmetic of {sheet.text('engine')} is not known here", f"此处不知道 {sheet.text('engine')} 的算法"
        )
        return Sizing(reasons=dict.fromkeys(_SHOWN, reason))
    attends = sheet.text("attention_kind") != "linear"
    sharding = sharding_of(sheet, engine=engine) if attends else None
    if sharding is None and attends:
        if "attention_kind" in facts:
            sheet.lack("weights_bytes_per_gpu", _SPLIT)
        return _with_reasons(Sizing(), sheet)
    found = Sizing()
    # Where heads differ by layer, no one number of copies holds for all.
    if sharding is None:
        for name in ("kv_head_replicas", "kv_bytes_per_token_per_gpu"):
            sheet.lack(name, _STATES)
    elif sheet.text("attention_kind") == "per_layer":
        sheet.lack("kv_head_replicas", _BY_LAYER)
    else:
        found = Sizing(kv_head_replicas=sharding.replicas, kv_heads_per_rank=sharding.heads_per_rank)
    cut = _cut_of(sheet, sharding, engine=engine)
    if cut is not None:
        found = _with_tokens(found, sheet, cut)
    weights = weights_of(sheet, sharding, engine=engine)
    room = _with_override(sheet, cut, room_of(sheet, weights, engine=engine), engine=engine)
    found = replace(found, weights_bytes_per_gpu=weights.exact, available_kv_cache_bytes_at_most=room.at_most)
    if cut is not None and cut.is_whole:
        found = _with_pool(found, sheet, cut, engine=engine, available=room.available)
    return _with_reasons(found, sheet)


def _with_reasons(found: Sizing, sheet: Worksheet) -> Sizing:
    """Whatever is shown and stays untold says why, if only with the reason of what it follows from."""
    for name, others in _SHOWN.items():
        reason = next((sheet.reasons[one] for one in others if one in sheet.reasons), None)
        if getattr(found, name) is None and reason is not None:
            sheet.lack(name, reason)
    return replace(found, steps=tuple(sheet.steps), reasons=sheet.reasons)


def _cut_of(sheet: Worksheet, sharding: Sharding | None, *, engine: Engine) -> Cut | None:
    if is_mixed(sheet):
        if sharding is not None and shared_tokens(sheet, sharding, engine=engine) is None:
            return None
        return mixed_of(sheet, sharding, engine=engine)
    return None if sharding is None else _rows(sheet, sharding, engine=engine)


def _rows(sheet: Worksheet, sharding: Sharding, *, engine: Engine) -> Rows | None:
    layers = sheet.count("num_hidden_layers")
    per_layer = row_bytes(sheet, sharding, engine=engine)
    if layers is None:
        for name in ("kv_bytes_per_token_per_gpu", "kv_bytes_per_stored_token", "kv_cache_tokens", "needed_bytes"):
            sheet.needs(name, "num_hidden_layers")
        return None
    if per_layer is None:
        return None
    drafts = drafts_of(sheet, engine=engine)
    stages = sheet.size("pipeline_parallel_size")
    counts = stage_counts(layers, stages)
    # Layers that draft run on the last stage.
    counts[-1] += drafts.own_layers if drafts is not None else 0
    held = max(counts)
    expression = f"{per_layer} x {held} layers" + (f" (of {layers}, PP = {stages})" if stages > 1 else "")
    stored = sheet.step("kv_bytes_per_stored_token", expression, per_layer * held, "byte/token")
    if drafts is not None and drafts.other_bytes:
        stored = sheet.step(
            "kv_bytes_per_stored_token", "with the draft model", stored + drafts.other_bytes, "byte/token"
        )
    shared = shared_tokens(sheet, sharding, engine=engine)
    if shared is None:
        return None
    block = block_tokens_of(sheet, engine=engine, is_latent=sharding.is_latent)
    return Rows(stored, shared, block, is_whole=drafts is not None)


def _with_tokens(found: Sizing, sheet: Worksheet, cut: Cut) -> Sizing:
    stored, shared = cut.stored_bytes, cut.shared
    per_gpu = stored // shared if stored % shared == 0 else stored / shared
    if shared > 1:
        sheet.note("kv_bytes_per_token_per_gpu", f"{stored} / DCP = {shared}", per_gpu, "byte/token")
    if stored > 0:
        # A model of nothing but states has no cost of a token.
        found = replace(found, kv_bytes_per_token_per_gpu=per_gpu, kv_bytes_per_stored_token=stored)
    if not cut.is_whole:
        return found
    return replace(
        found,
        kv_bytes_per_block=cut.block_bytes,
        kv_block_size_in_use_tokens=_block_in_use(sheet),
        kv_padding_ratio=cut.padding if isinstance(cut, MixedRows) else None,
    )


def _block_in_use(sheet: Worksheet) -> int | None:
    """The block that states made larger; without states the engine's kernels may still choose another."""
    return next((int(step.value) for step in sheet.steps if step.name == "kv_block_size_in_use_tokens"), None)


def _with_pool(found: Sizing, sheet: Worksheet, cut: Cut, *, engine: Engine, available: Available | None) -> Sizing:
    longest = _longest(sheet)
    if longest is None:
        for name in _REQUEST_FIELDS:
            sheet.needs(name, "max_model_len")
    else:
        found = _with_request(found, sheet, cut, longest=longest)
    if available is None:
        for name in _POOL_FIELDS:
            sheet.lack(name, _NO_POOL)
        return found
    if available.is_known:
        return _with_known_pool(found, sheet, cut, engine=engine, available=available.low, longest=longest)
    for name in ("kv_cache_tokens", "max_concurrency", "longest_that_fits", "concurrency_that_fits"):
        sheet.lack(name, Text(f"only a band can be told; {_NO_POOL.en}", f"只能给出区间；{_NO_POOL.zh}"))
    if longest is not None:
        found = replace(found, fits=_fits(sheet, available, cut, engine=engine, longest=longest))
    low, high = (pool_of(each, cut, engine=engine, longest=longest) for each in (available.low, available.high))
    if low.tokens is None or high.tokens is None:
        return found
    band = (low.tokens, high.tokens)
    sheet.note("kv_cache_tokens_band", "estimate, from available_kv_cache_bytes", f"{band[0]} to {band[1]}", "token")
    return replace(found, kv_cache_tokens_band=band)


def _with_request(found: Sizing, sheet: Worksheet, cut: Cut, *, longest: int) -> Sizing:
    needed, blocks = needed_bytes(cut, longest=longest), cut.blocks_for(longest)
    found = replace(found, kv_blocks_per_request_at_least=cut.blocks_at_least(longest))
    if needed is None or blocks is None:
        for name in _REQUEST_FIELDS:
            sheet.needs(name, "max_num_batched_tokens")
        return found
    sheet.step("needed_bytes", f"{blocks} blocks x {cut.block_bytes}", needed, "byte")
    return replace(found, needed_bytes=needed, kv_blocks_per_request=blocks)


def _with_known_pool(
    found: Sizing, sheet: Worksheet, cut: Cut, *, engine: Engine, available: int, longest: int | None
) -> Sizing:
    by_blocks = engine is VLLM and prints_blocks(sheet.text("engine_version"))
    pool = pool_of(available, cut, engine=engine, longest=longest, by_blocks=by_blocks)
    if pool.tokens is not None:
        sheet.step("kv_cache_tokens", pool_expression(cut, available, engine=engine), pool.tokens, "token")
    else:
        sheet.needs("kv_cache_tokens", "max_num_batched_tokens")
    if pool.concurrency is not None and longest is not None:
        said = f"{pool.tokens} / {longest}" if isinstance(cut, Rows) else "blocks / blocks of one request"
        sheet.note("max_concurrency", said, pool.concurrency)
    limit = sheet.count("model_len_limit_tokens") or sheet.count("max_position_embeddings")
    if fits(available, cut, engine=engine, longest=1) is False:
        sheet.lack("longest_that_fits", _NONE_FITS)
    return replace(
        found,
        kv_cache_tokens=pool.tokens,
        max_concurrency=pool.concurrency,
        fits=None if longest is None else fits(available, cut, engine=engine, longest=longest),
        longest_that_fits=longest_that_fits(available, cut, engine=engine, limit=limit),
        concurrency_that_fits=None if pool.concurrency is None else int(pool.concurrency),
    )


def _with_override(sheet: Worksheet, cut: Cut | None, room: Room, *, engine: Engine) -> Room:
    """Blocks ordered by hand take the place of memory: v1/core/kv_cache_planning.py:1507-1524 of vLLM 0.33.0."""
    blocks = sheet.count("kv_blocks_override_count")
    if engine is not VLLM or blocks is None:
        return room
    if cut is None or not cut.is_whole:
        return Room(None, None)
    ordered = blocks * cut.block_bytes
    return Room(Available(ordered, ordered, is_known=True), ordered)


def _longest(sheet: Worksheet) -> int | None:
    given = sheet.count("max_model_len")
    if given is not None:
        return given
    declared = sheet.count("max_position_embeddings")
    return None if declared is None else sheet.step("max_model_len", "max_position_embeddings", declared, "token")


def _fits(sheet: Worksheet, available: Available, cut: Cut, *, engine: Engine, longest: int) -> bool | None:
    low, high = (fits(each, cut, engine=engine, longest=longest) for each in (available.low, available.high))
    if low == high:
        return low
    sheet.lack(
        "fits",
        Text(
            f"the estimate's band lies on both sides of what is needed; {_NO_POOL.en}",
            f"估计区间横跨所需值；{_NO_POOL.zh}",
        ),
    )
    return None
