"""The answer of sizing: each value or None with its reason, and the steps that led to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from knockon.terms.words import Scalar, Text


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a derivation: `name` = `expression` = `value` in `unit`; the expression holds the numbers put in."""

    name: str
    expression: str
    value: Scalar
    unit: str


@dataclass(frozen=True, slots=True)
class Sizing:
    """What was computed for one GPU of a deployment. None means it cannot be told; `reasons` says why, by field."""

    kv_head_replicas: int | None = None
    """Copies of each KV head (or of the MLA latent) inside one tensor-parallel group, whatever DCP does with them."""
    kv_heads_per_rank: int | None = None
    kv_bytes_per_token_per_gpu: int | float | None = None
    """KV bytes one token of a sequence takes on one GPU, averaged over the GPUs that share its tokens by DCP."""
    kv_bytes_per_stored_token: int | None = None
    """KV bytes of one token on the GPU that stores it; differs from the above by the DCP size only."""
    weights_bytes_per_gpu: int | None = None
    """Weights on the GPU that holds most, after loading."""
    kv_cache_tokens: int | None = None
    """Tokens the KV pool of one engine replica holds, as the engine prints it."""
    max_concurrency: float | None = None
    """Requests of `max_model_len` tokens the pool holds at once."""
    needed_bytes: int | None = None
    """KV bytes per GPU for one request of `max_model_len` tokens."""
    fits: bool | None = None
    """Whether the pool holds one request of `max_model_len` tokens."""
    longest_that_fits: int | None = None
    """Largest `max_model_len` for which the pool holds one request."""
    concurrency_that_fits: int | None = None
    """Whole requests of `max_model_len` tokens the pool holds at once."""
    kv_blocks_per_request: int | None = None
    """KV blocks of one GPU that a request of `max_model_len` tokens takes."""
    kv_blocks_per_request_at_least: int | None = None
    """The same, leaving out tokens in flight where they are not known."""
    kv_bytes_per_block: int | None = None
    """Bytes of one KV block over all layers of the GPU that holds most."""
    kv_block_size_in_use_tokens: int | None = None
    """Tokens of one block after the engine has aligned it with the states of linear layers."""
    kv_padding_ratio: float | None = None
    """Share of the pool's layers that pad groups of unlike numbers and hold nothing."""
    available_kv_cache_bytes_at_most: int | None = None
    """KV memory of one GPU if nothing but the weights took any of its share; 0 when they alone do not fit."""
    kv_cache_tokens_band: tuple[int, int] | None = None
    """Lowest and highest `kv_cache_tokens` when the pool had to be estimated; then `kv_cache_tokens` is None."""
    steps: tuple[Step, ...] = ()
    reasons: Mapping[str, Text] = field(default_factory=dict)
    """Field → why it is None."""


# The computed values that rules may name; rules/vocabulary.yaml has each of them.
_DERIVED = (
    "kv_head_replicas",
    "kv_heads_per_rank",
    "kv_bytes_per_token_per_gpu",
    "weights_bytes_per_gpu",
    "kv_cache_tokens",
    "max_concurrency",
    "needed_bytes",
    "fits",
    "kv_blocks_per_request",
    "kv_blocks_per_request_at_least",
    "kv_bytes_per_block",
    "kv_block_size_in_use_tokens",
    "kv_padding_ratio",
    "available_kv_cache_bytes_at_most",
)


def derived(sizing: Sizing) -> dict[str, Scalar]:
    """The computed values by fact name; what cannot be told is left out."""
    values = {name: getattr(sizing, name) for name in _DERIVED}
    return {name: value for name, value in values.items() if value is not None}
