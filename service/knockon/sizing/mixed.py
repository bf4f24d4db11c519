"""From a model's layers to a plan: which kinds there are, what a token takes in each, how the pool is cut."""

from knockon.sizing.drafts import drafts_of
from knockon.sizing.heads import Sharding
from knockon.sizing.plan import Kind, LayerKind, Limits, aligned_block, lay
from knockon.sizing.pool import MixedRows
from knockon.sizing.row import headed_row, latent_row
from knockon.sizing.stages import stage_counts
from knockon.sizing.states import checkpoints_of, drafted_tokens, state_bytes
from knockon.sizing.worksheet import VLLM, Engine, Worksheet
from knockon.terms.words import Text

_FIELDS = (
    "kv_bytes_per_token_per_gpu",
    "kv_bytes_per_stored_token",
    "kv_cache_tokens",
    "max_concurrency",
    "needed_bytes",
    "fits",
)
_ATTENDING: tuple[tuple[Kind, str], ...] = (("full", "fb"), ("sliding", "s"), ("chunk", "c"))
_LETTERS: tuple[tuple[Kind, str], ...] = (*_ATTENDING, ("state", "mb"))
_FAR = 1 << 30


def is_mixed(sheet: Worksheet) -> bool:
    """Whether the layers are of several kinds, or of one that does not hold every token."""
    pattern = sheet.text("layer_pattern")
    return bool(pattern) and set(pattern) != {"f"}


def mixed_of(sheet: Worksheet, sharding: Sharding | None, *, engine: Engine) -> MixedRows | None:
    """How vLLM's pool is cut; None, with the reason written down, when not even a token's bytes are known."""
    if engine is not VLLM:
        _lack(
            sheet,
            Text(
                f"how {engine.name} shares its pool between layers of several kinds is not reckoned here",
                f"此处不计算 {engine.name} 如何在多种层之间共用池",
            ),
        )
        return None
    pattern = sheet.text("layer_pattern")
    drafts = drafts_of(sheet, engine=engine)
    extra = drafts.own_layers if drafts is not None else 0
    kinds = _kinds(sheet, sharding, engine=engine, pattern=pattern + "f" * extra)
    attending = [kind for kind in kinds if kind is not None and kind.kind != "state"]
    if len(attending) < len([kind for kind, letters in _ATTENDING if set(pattern) & set(letters)]):
        return None
    shared = sheet.size("decode_context_parallel_size")
    stored = _stored(sheet, attending, layers=len(pattern))
    known = [kind for kind in kinds if kind is not None]
    if drafts is None or drafts.other_bytes or len(known) < len(kinds):
        if drafts is not None and drafts.other_bytes:
            _lack_pool(
                sheet,
                Text(
                    "a draft model beside layers of several kinds is not reckoned here",
                    "此处不计算多种层之外再加草稿模型的情形",
                ),
            )
        return MixedRows(None, stored, shared)
    known = _without_manager(sheet, known)
    if not known:
        return MixedRows(None, stored, shared)
    block = _block(sheet, known, latent=sharding is not None and sharding.is_latent)
    return MixedRows(lay(sheet, known, _limits(sheet), block=block, layers=len(pattern)), stored, shared)


def kinds_of(sheet: Worksheet, sharding: Sharding | None, *, engine: Engine) -> tuple[LayerKind, ...] | None:
    """The kinds of the model's own layers; None, with the reason written down, when one of them is not known."""
    kinds = _kinds(sheet, sharding, engine=engine, pattern=sheet.text("layer_pattern"))
    known = tuple(kind for kind in kinds if kind is not None)
    return known if len(known) == len(kinds) else None


def _stored(sheet: Worksheet, kinds: list[LayerKind], *, layers: int) -> int:
    """Bytes of one token on the stage that holds most, while every window still holds it."""
    start, most = 0, 0
    counts = stage_counts(layers, sheet.size("pipeline_parallel_size"))
    for index, count in enumerate(counts):
        # Layers that draft run on the last stage.
        end = start + count if index < len(counts) - 1 else _FAR
        most = max(most, sum(kind.bytes * sum(start <= place < end for place in kind.positions) for kind in kinds))
        start = end
    if most:
        sheet.step("kv_bytes_per_stored_token", "all layers that hold the token", most, "byte/token")
    return most


def _kinds(sheet: Worksheet, sharding: Sharding | None, *, engine: Engine, pattern: str) -> list[LayerKind | None]:
    """The kinds of layers there are; None for one whose bytes are not known."""
    kinds: list[LayerKind | None] = []
    for kind, letters in _LETTERS:
        places = tuple(index for index, letter in enumerate(pattern) if letter in letters)
        if places:
            size = _bytes(sheet, sharding, kind, engine=engine)
            kinds.append(None if size is None else LayerKind(kind, places, size))
    return kinds


def _without_manager(sheet: Worksheet, kinds: list[LayerKind]) -> list[LayerKind]:
    """What vLLM makes of the kinds without its hybrid KV cache manager; empty, with the reason, when it cannot."""
    names = {kind.kind for kind in kinds}
    if not sheet.is_on("hybrid_kv_manager_off") or "full" not in names or len(names) == 1:
        return kinds
    if "state" in names:
        _lack_pool(
            sheet,
            Text(
                "vLLM refuses states beside attention without its hybrid KV cache manager",
                "关闭混合 KV 缓存管理器时，vLLM 拒绝注意力与状态并存",
            ),
        )
        return []
    if len({kind.bytes for kind in kinds}) > 1:
        _lack_pool(
            sheet,
            Text(
                "layers whose heads differ are not reckoned without the hybrid KV cache manager",
                "关闭混合 KV 缓存管理器时，此处不计算头各异的层",
            ),
        )
        return []
    return [_as_full(kinds)]


def _bytes(sheet: Worksheet, sharding: Sharding | None, kind: Kind, *, engine: Engine) -> int | None:
    if kind == "state":
        return state_bytes(sheet, ranks=sheet.size("tensor_parallel_size"))
    if sharding is None:
        return None
    if sharding.is_latent:
        return latent_row(sheet, engine=engine)
    prefix = "full" if kind == "full" else "sliding"
    return headed_row(
        sheet,
        sharding,
        engine=engine,
        heads=sheet.count(f"{prefix}_num_key_value_heads"),
        head=sheet.count(f"{prefix}_head_dim"),
        value_head=sheet.count(f"{prefix}_v_head_dim"),
    )


def _as_full(kinds: list[LayerKind]) -> LayerKind:
    places = sorted(place for kind in kinds for place in kind.positions)
    return LayerKind("full", tuple(places), kinds[0].bytes)


def _block(sheet: Worksheet, kinds: list[LayerKind], *, latent: bool) -> int:
    asked = sheet.count("kv_block_size_tokens") or VLLM.block_tokens
    state = next((kind.bytes for kind in kinds if kind.kind == "state"), None)
    row = max((kind.bytes for kind in kinds if kind.kind != "state"), default=None)
    if state is None or row is None:
        return asked
    block = aligned_block(asked=asked, row=row, state=state, latent=latent)
    said = f"a page of {row} B/token must hold a state of {state} B"
    return sheet.step("kv_block_size_in_use_tokens", said, block, "token")


def _limits(sheet: Worksheet) -> Limits:
    keeps_prefix = sheet.facts.get("enable_prefix_caching") is not False
    return Limits(
        shared=sheet.size("decode_context_parallel_size"),
        window=sheet.count("sliding_window"),
        chunk=sheet.count("attention_chunk_tokens"),
        in_flight=_in_flight(sheet),
        # With prefix caching vLLM keeps the state before the last block too ("align").
        states=(2 + checkpoints_of(sheet) if keeps_prefix else 1) + drafted_tokens(sheet),
    )


def _in_flight(sheet: Worksheet) -> int | None:
    batch = sheet.count("max_num_batched_tokens")
    if batch is None:
        return None
    # config/vllm.py:588-609 of 0.33.0; scheduling is asynchronous unless it was turned off.
    ahead = sheet.facts.get("enable_async_scheduling") is not False
    return batch * (sheet.size("pipeline_parallel_size") + (1 if ahead else 0))


def _lack(sheet: Worksheet, reason: Text) -> None:
    for name in _FIELDS:
        sheet.lack(name, reason)


def _lack_pool(sheet: Worksheet, reason: Text) -> None:
    for name in ("kv_cache_tokens", "max_concurrency", "needed_bytes", "fits"):
        sheet.lack(name, reason)
