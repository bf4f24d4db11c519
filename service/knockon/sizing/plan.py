"""How vLLM lays layers of several kinds into one pool: groups with equal pages, blocks dealt to all of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from knockon.sizing.stages import stage_counts
from knockon.sizing.worksheet import Worksheet, cdiv

Kind = Literal["full", "sliding", "chunk", "state"]
# A latent's kernels want the physical blocks of one block to be aligned (vLLM 0.33 platforms/interface.py:1095-1101).
_LATENT_ALIGNMENT = 128
_KERNEL_BLOCK = 16


@dataclass(frozen=True, slots=True)
class LayerKind:
    """Layers that are alike: what one token, or one state, takes in one of them on one rank."""

    kind: Kind
    positions: tuple[int, ...]
    """Indices of these layers in the model."""
    bytes: int
    """Of one token; of one whole state for `state`."""


@dataclass(frozen=True, slots=True)
class Group:
    """Layers that share a block table."""

    kind: Kind
    positions: tuple[int, ...]
    block_tokens: int


@dataclass(frozen=True, slots=True)
class Limits:
    """What bounds the blocks of one request beside its length."""

    shared: int
    """Ranks that share the tokens of full layers (DCP)."""
    window: int | None
    chunk: int | None
    in_flight: int | None
    """Tokens scheduled and not yet settled."""
    states: int
    """States kept for one request."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A pool: bytes of one block on the GPU whose stage holds most, and what requests take of it."""

    groups: tuple[Group, ...]
    block_bytes: int
    limits: Limits

    @property
    def block_tokens(self) -> int:
        """Tokens of the smallest block."""
        tokens = [group.block_tokens for group in self.groups if group.kind != "state"]
        return min(tokens, default=1)

    @property
    def padding(self) -> float:
        """Share of the layers of all groups that are there to make the groups equal."""
        held = sum(len(group.positions) for group in self.groups)
        slots = len(self.groups) * max(len(group.positions) for group in self.groups)
        return 1 - held / slots

    def blocks_for(self, tokens: int) -> int | None:
        """Blocks of one request of `tokens`; None when the tokens in flight are not known and matter."""
        total = 0
        for group in self.groups:
            need = self._need(group, tokens)
            if need is None:
                return None
            total += need
        return total

    def blocks_at_least(self, tokens: int) -> int:
        """Blocks of one request of `tokens`, as if nothing were in flight where that is not known."""
        idle = self if self.limits.in_flight is not None else replace(self, limits=replace(self.limits, in_flight=0))
        return idle.blocks_for(tokens) or 0

    def _need(self, group: Group, tokens: int) -> int | None:
        limits = self.limits
        if group.kind == "state":
            return limits.states
        if group.kind == "full":
            return cdiv(cdiv(tokens, limits.shared), group.block_tokens)
        # v1/kv_cache_interface.py: windows keep what is in flight beside them, and one block more for their start.
        held, more = (limits.window - 1, 1) if group.kind == "sliding" and limits.window else (limits.chunk or 0, 0)
        if limits.in_flight is None and held < tokens:
            return None
        return cdiv(min(held + (limits.in_flight or 0), tokens), group.block_tokens) + more


def grouped(kinds: Sequence[LayerKind], *, block: int) -> tuple[list[Group], int]:
    """Groups, and bytes of one layer's page: equal for all layers (v1/core/kv_cache_planning.py:312-555 of 0.33.0)."""
    page = max(kind.bytes * block if kind.kind != "state" else kind.bytes for kind in kinds)
    if len(kinds) == 1:
        only = kinds[0]
        return [Group(only.kind, only.positions, block)], page
    counts = [len(kind.positions) for kind in kinds]
    size = max(counts) if max(counts) < min(counts) * 1.5 else min(counts)
    groups: list[Group] = []
    for kind in kinds:
        tokens = block
        if kind.kind != "state" and page % (kind.bytes * block) == 0:
            tokens = page // kind.bytes
        number = cdiv(len(kind.positions), size)
        groups += [Group(kind.kind, kind.positions[index::number], tokens) for index in range(number)]
    return groups, page


def largest_stage(groups: Sequence[Group], *, page: int, layers: int, stages: int) -> int:
    """Bytes of one block on the stage that holds most of a group's layers."""
    start, largest = 0, 0
    counts = stage_counts(layers, stages)
    # Layers beyond the model's own draft, on the last stage.
    counts[-1] += max((place + 1 for group in groups for place in group.positions), default=layers) - sum(counts)
    for count in counts:
        held = max(sum(start <= place < start + count for place in group.positions) for group in groups)
        largest, start = max(largest, held), start + count
    return largest * page


def aligned_block(*, asked: int, row: int, state: int, latent: bool, kernel: int = _KERNEL_BLOCK) -> int:
    """Tokens of a block whose page holds a state: platforms/interface.py:1075-1120 of vLLM 0.33.0."""
    step = max(kernel, asked)
    if latent:
        step = max(step, _LATENT_ALIGNMENT)
    block = step * cdiv(state, step * row)
    return max(asked, cdiv(block, kernel) * kernel)


def lay(sheet: Worksheet, kinds: Sequence[LayerKind], limits: Limits, *, block: int, layers: int) -> Plan:
    """The plan for `kinds`, with its steps written down."""
    groups, page = grouped(kinds, block=block)
    stages = sheet.size("pipeline_parallel_size")
    block_bytes = largest_stage(groups, page=page, layers=layers, stages=stages)
    names = ", ".join(f"{len(group.positions)} {group.kind}" for group in groups)
    sheet.note("kv_groups", "layers of one kind, equal in number", names)
    sheet.step("kv_bytes_per_block", f"{block_bytes // page} layers x {page}", block_bytes, "byte")
    return Plan(tuple(groups), block_bytes, limits)
