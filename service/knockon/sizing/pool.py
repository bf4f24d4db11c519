"""From bytes to blocks to tokens: what the KV pool of one GPU holds, block by block as each engine counts."""

from dataclasses import dataclass

from knockon.sizing.worksheet import SGLANG, VLLM, Engine, Worksheet, cdiv


@dataclass(frozen=True, slots=True)
class Rows:
    """What one token costs, and how requests are cut into blocks."""

    stored_bytes: int
    """KV bytes of one token on the GPU that stores it."""
    shared: int
    """Ranks that share the tokens of a sequence (DCP)."""
    block_tokens: int

    @property
    def block_bytes(self) -> int:
        """Bytes of one block over all layers of the GPU."""
        return self.stored_bytes * self.block_tokens

    def blocks_for(self, tokens: int) -> int:
        """Blocks of one GPU that a request of `tokens` takes."""
        return cdiv(cdiv(tokens, self.shared), self.block_tokens)


@dataclass(frozen=True, slots=True)
class Pool:
    """What a pool of known bytes holds."""

    tokens: int
    concurrency: float | None


def block_tokens_of(sheet: Worksheet, *, engine: Engine, is_latent: bool) -> int:
    """Tokens of one block: as given, else the engine's default."""
    given = sheet.count("kv_block_size_tokens")
    if given is not None:
        return given
    default = engine.latent_block_tokens if is_latent else engine.block_tokens
    return sheet.step("kv_block_size_tokens", f"default of {engine.name}", default, "token")


def pool_of(available: int, rows: Rows, *, engine: Engine, longest: int | None) -> Pool:
    """What `available` bytes of one GPU hold.

    vLLM prints tokens as int(blocks / blocks of one longest request x its length), which is what is returned for it.
    """
    if engine is VLLM:
        return _vllm_pool(available, rows, longest=longest)
    # SGLang rounds rows down to pages, TensorRT-LLM tokens down to blocks: the same arithmetic.
    tokens = available // rows.stored_bytes // rows.block_tokens * rows.block_tokens * rows.shared
    return Pool(tokens, tokens / longest if longest else None)


def needed_bytes(rows: Rows, *, longest: int) -> int:
    """KV bytes of one GPU for one request of `longest` tokens, whole blocks."""
    return rows.blocks_for(longest) * rows.block_bytes


def fits(available: int, rows: Rows, *, engine: Engine, longest: int) -> bool:
    """Whether `available` bytes hold one request of `longest` tokens. vLLM keeps one block for itself."""
    reserved = rows.block_bytes if engine is VLLM else 0
    return needed_bytes(rows, longest=longest) + reserved <= available


def pool_expression(rows: Rows, available: int, *, engine: Engine) -> str:
    """How `pool_of` got its tokens, with the numbers put in."""
    if engine is SGLANG and rows.block_tokens == 1:
        return f"{available} // {rows.stored_bytes}" + (f" x {rows.shared}" if rows.shared > 1 else "")
    blocks = available // rows.block_bytes
    shared = f" x {rows.shared} (DCP)" if rows.shared > 1 else ""
    return f"({available} // {rows.block_bytes} = {blocks} blocks) x {rows.block_tokens}{shared}"


def _vllm_pool(available: int, rows: Rows, *, longest: int | None) -> Pool:
    blocks = available // rows.block_bytes
    if longest is None:
        return Pool(blocks * rows.block_tokens * rows.shared, None)
    concurrency = blocks / rows.blocks_for(longest)
    return Pool(int(concurrency * longest), concurrency)
