"""From bytes to blocks to tokens: what the KV pool of one GPU holds, block by block as each engine counts."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from knockon.sizing.plan import Plan
from knockon.sizing.worksheet import SGLANG, VLLM, Engine, Worksheet, cdiv

# Longer than any model reads; bounds the search for the longest sequence that fits.
_LENGTH_MAX = 1 << 30


class Cut(Protocol):
    """How a pool is cut into blocks, and how requests take them."""

    @property
    def stored_bytes(self) -> int:
        """KV bytes of one token on the GPU that stores it, where every layer still holds it."""

    @property
    def shared(self) -> int:
        """Ranks that share the tokens of a sequence (DCP)."""

    @property
    def is_whole(self) -> bool:
        """Whether all that takes room in the pool is counted."""

    @property
    def block_tokens(self) -> int:
        """Tokens of one block."""

    @property
    def block_bytes(self) -> int:
        """Bytes of one block over all layers of the GPU."""

    def blocks_for(self, tokens: int) -> int | None:
        """Blocks of one GPU that a request of `tokens` takes; None when that cannot be told."""

    def blocks_at_least(self, tokens: int) -> int:
        """The same from below, where tokens in flight are not known."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Layers that are all alike and hold every token."""

    stored_bytes: int
    shared: int
    block_tokens: int
    is_whole: bool = True
    """False where a draft model takes room that is not known."""

    @property
    def block_bytes(self) -> int:
        """Bytes of one block over all layers of the GPU."""
        return self.stored_bytes * self.block_tokens

    def blocks_for(self, tokens: int) -> int:
        """Blocks of one GPU that a request of `tokens` takes."""
        return cdiv(cdiv(tokens, self.shared), self.block_tokens)

    def blocks_at_least(self, tokens: int) -> int:
        """The same: nothing is left open."""
        return self.blocks_for(tokens)


@dataclass(frozen=True, slots=True)
class MixedRows:
    """Layers of several kinds in one pool, as `plan` lays them out."""

    plan: Plan | None
    """None where a part of what takes room is not known; nothing but `stored_bytes` can be told then."""
    stored_bytes: int
    ranks: int = 1
    """Ranks that share the tokens of a sequence (DCP)."""

    @property
    def is_whole(self) -> bool:
        """Whether there is a plan."""
        return self.plan is not None

    @property
    def shared(self) -> int:
        """Ranks that share the tokens of a sequence (DCP)."""
        return self.ranks

    @property
    def block_tokens(self) -> int:
        """Tokens of the smallest block."""
        return self._known.block_tokens

    @property
    def block_bytes(self) -> int:
        """Bytes of one block over the layers of the largest group."""
        return self._known.block_bytes

    @property
    def padding(self) -> float:
        """Share of the pool's layers that hold nothing."""
        return self._known.padding

    @property
    def groups(self) -> int:
        """Groups of layers that share a block table."""
        return len(self._known.groups)

    def blocks_for(self, tokens: int) -> int | None:
        """Blocks of one GPU that a request of `tokens` takes."""
        return self._known.blocks_for(tokens)

    def blocks_at_least(self, tokens: int) -> int:
        """The same, without tokens in flight where they are not known."""
        return self._known.blocks_at_least(tokens)

    @property
    def _known(self) -> Plan:
        if self.plan is None:
            raise ValueError("asked for the blocks of a pool that has no plan; ask is_whole first")
        return self.plan


@dataclass(frozen=True, slots=True)
class Pool:
    """What a pool of known bytes holds; None where it cannot be told."""

    tokens: int | None
    concurrency: float | None


def block_tokens_of(sheet: Worksheet, *, engine: Engine, is_latent: bool) -> int:
    """Tokens of one block: as given, else the engine's default."""
    given = sheet.count("kv_block_size_tokens")
    if given is not None:
        return given
    default = engine.latent_block_tokens if is_latent else engine.block_tokens
    return sheet.step("kv_block_size_tokens", f"default of {engine.name}", default, "token")


def pool_of(available: int, cut: Cut, *, engine: Engine, longest: int | None, by_blocks: bool = False) -> Pool:
    """What `available` bytes of one GPU hold.

    vLLM prints tokens as int(blocks / blocks of one longest request x its length), which is what is returned for it;
    releases before 0.21 printed whole blocks of one group (`by_blocks`).
    """
    if engine is VLLM:
        return _vllm_pool(available, cut, longest=longest, by_blocks=by_blocks)
    # SGLang rounds rows down to pages, TensorRT-LLM tokens down to blocks: the same arithmetic.
    tokens = available // cut.stored_bytes // cut.block_tokens * cut.block_tokens * cut.shared
    return Pool(tokens, tokens / longest if longest else None)


def needed_bytes(cut: Cut, *, longest: int) -> int | None:
    """KV bytes of one GPU for one request of `longest` tokens, whole blocks."""
    blocks = cut.blocks_for(longest)
    return None if blocks is None else blocks * cut.block_bytes


def fits(available: int, cut: Cut, *, engine: Engine, longest: int) -> bool | None:
    """Whether `available` bytes hold one request of `longest` tokens. vLLM keeps one block for itself."""
    needed = needed_bytes(cut, longest=longest)
    reserved = cut.block_bytes if engine is VLLM else 0
    return None if needed is None else needed + reserved <= available


def longest_that_fits(available: int, cut: Cut, *, engine: Engine, limit: int | None) -> int | None:
    """Longest sequence of which `available` bytes hold one, up to `limit`; None when none fits or it cannot be told.

    Without a limit a model that only keeps states has no longest sequence.
    """
    most = _LENGTH_MAX if limit is None else limit

    def holds(tokens: int) -> bool:
        return fits(available, cut, engine=engine, longest=tokens) is True

    if cut.blocks_for(most) is None or not holds(1):
        return None
    found = _last(holds, most)
    return None if found == _LENGTH_MAX else found


def pool_expression(cut: Cut, available: int, *, engine: Engine) -> str:
    """How `pool_of` got its tokens, with the numbers put in."""
    if engine is SGLANG and cut.block_tokens == 1:
        return f"{available} // {cut.stored_bytes}" + (f" x {cut.shared}" if cut.shared > 1 else "")
    blocks = available // cut.block_bytes
    if isinstance(cut, MixedRows):
        return f"{available} // {cut.block_bytes} = {blocks} blocks, dealt to {cut.groups} groups"
    shared = f" x {cut.shared} (DCP)" if cut.shared > 1 else ""
    return f"({available} // {cut.block_bytes} = {blocks} blocks) x {cut.block_tokens}{shared}"


def _vllm_pool(available: int, cut: Cut, *, longest: int | None, by_blocks: bool) -> Pool:
    blocks = available // cut.block_bytes
    groups = cut.groups if isinstance(cut, MixedRows) else 1
    whole = blocks // groups * cut.block_tokens * cut.shared
    need = None if longest is None else cut.blocks_for(longest)
    if longest is None or need is None:
        return Pool(whole if by_blocks or groups == 1 else None, None)
    concurrency = blocks / need
    return Pool(whole if by_blocks else int(concurrency * longest), concurrency)


def _last(holds: Callable[[int], bool], most: int) -> int:
    """The largest number up to `most` that holds; 1 does."""
    low, high = 1, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if holds(middle) else (low, middle - 1)
    return low
