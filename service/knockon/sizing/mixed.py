"""From a model's layers to a plan: which kinds there are, what a token takes in each, how the pool is cut."""

from knockon.sizing.heads import Sharding
from knockon.sizing.plan import Kind, LayerKind, Limits, aligned_block, lay
from knockon.sizing.pool import MixedRows
from knockon.sizing.row import headed_row, latent_row
from knockon.sizing.states import drafted_tokens, state_bytes
from knockon.sizing.worksheet import VLLM, Engine, Worksheet

_FIELDS = (
    "kv_bytes_per_token_per_gpu",
    "kv_bytes_per_stored_token",
    "kv_cache_tokens",
    "max_concurrency",
    "needed_bytes",
    "fits",
)
_LETTERS: tuple[tuple[Kind, str], ...] = (("full", "fb"), ("sliding", "s"), ("chunk", "c"), ("state", "mb"))


def is_mixed(sheet: Worksheet) -> bool:
    """Whether the layers are of several kinds, or of one that does not hold every token."""
    pattern = sheet.text("layer_pattern")
    return bool(pattern) and set(pattern) != {"f"}


def mixed_of(sheet: Worksheet, sharding: Sharding | None, *, engine: Engine) -> MixedRows | None:
    """The plan of vLLM's pool; None, with the reason written down, when it does not follow from the facts."""
    if engine is not VLLM:
        _lack(sheet, f"how {engine.name} shares its pool between layers of several kinds is not reckoned here")
        return None
    pattern = sheet.text("layer_pattern")
    off = sheet.is_on("hybrid_kv_manager_off")
    if off and set(pattern) & set("mb") and set(pattern) & set("fb"):
        _lack(sheet, "vLLM refuses states beside attention without its hybrid KV cache manager")
        return None
    kinds = _kinds(sheet, sharding, engine=engine, pattern=pattern)
    if kinds is None:
        return None
    block = _block(sheet, kinds, latent=sharding is not None and sharding.is_latent)
    stored = sum(kind.bytes * len(kind.positions) for kind in kinds if kind.kind != "state")
    if off and any(kind.kind == "full" for kind in kinds):
        kinds = [_as_full(kinds)] if len({kind.bytes for kind in kinds}) == 1 else kinds
        if len(kinds) > 1:
            _lack(sheet, "layers whose heads differ are not reckoned without the hybrid KV cache manager")
            return None
    plan = lay(sheet, kinds, _limits(sheet), block=block, layers=len(pattern))
    stages = sheet.size("pipeline_parallel_size")
    if stages > 1:
        stored = -(-stored // stages)
    sheet.step("kv_bytes_per_stored_token", "all layers that hold the token", stored, "byte/token")
    return MixedRows(plan, stored)


def _kinds(sheet: Worksheet, sharding: Sharding | None, *, engine: Engine, pattern: str) -> list[LayerKind] | None:
    kinds: list[LayerKind] = []
    for kind, letters in _LETTERS:
        places = tuple(index for index, letter in enumerate(pattern) if letter in letters)
        if not places:
            continue
        size = _bytes(sheet, sharding, kind, engine=engine)
        if size is None:
            return None
        kinds.append(LayerKind(kind, places, size))
    return kinds


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
        states=(2 if keeps_prefix else 1) + drafted_tokens(sheet),
    )


def _in_flight(sheet: Worksheet) -> int | None:
    batch = sheet.count("max_num_batched_tokens")
    if batch is None:
        return None
    # config/vllm.py:588-609 of 0.33.0; scheduling is asynchronous unless it was turned off.
    ahead = sheet.facts.get("enable_async_scheduling") is not False
    return batch * (sheet.size("pipeline_parallel_size") + (1 if ahead else 0))


def _lack(sheet: Worksheet, reason: str) -> None:
    for name in _FIELDS:
        sheet.lack(name, reason)
