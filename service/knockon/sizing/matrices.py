"""Weights of one layer's attention, state or MLP on one rank, counted by element."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from knockon.sizing.layouts import Layout
from knockon.sizing.worksheet import Worksheet, cdiv
from knockon.terms.words import Text

_FIELD = "weights_bytes_per_gpu"


# Whole numbers stay whole: most parts divide evenly, and fractions take many times as long.
Exact = int | Fraction


def share(amount: int, ranks: int) -> Exact:
    """`amount` / `ranks`, exactly."""
    return Fraction(amount, ranks) if amount % ranks else amount // ranks


@dataclass(frozen=True, slots=True)
class Shape:
    """The numbers of a decoder that its weights follow from."""

    hidden: int
    query_heads: int
    kv_heads: int
    head: int
    value_head: int
    vocabulary: int
    is_tied: bool
    experts: int
    pattern: str
    """One letter for each layer's attention or state: as the fact `layer_pattern`."""
    mlps: str
    """One letter for each layer's MLP: as the fact `mlp_pattern`."""


@dataclass(frozen=True, slots=True)
class Elements:
    """Weights of one part on one GPU, by how they are quantized: `kept` stays in the model's type."""

    linear: Exact = 0
    experts: Exact = 0
    kept: Exact = 0

    def __add__(self, other: "Elements") -> "Elements":
        return Elements(self.linear + other.linear, self.experts + other.experts, self.kept + other.kept)

    def __mul__(self, count: int) -> "Elements":
        return Elements(self.linear * count, self.experts * count, self.kept * count)


@dataclass(frozen=True, slots=True)
class Split:
    """Over how many ranks each kind of matrix is cut, and how often key/value heads are copied."""

    ranks: int
    attention_ranks: int
    expert_ranks: int
    """Ranks over which whole experts are spread."""
    expert_width_ranks: int
    """Ranks over which one expert is cut."""


WHOLE = Split(ranks=1, attention_ranks=1, expert_ranks=1, expert_width_ranks=1)


def attention(sheet: Worksheet, shape: Shape, layout: Layout, split: Split, *, windowed: bool) -> Elements | None:
    """One attention layer; `windowed` layers may have other heads than the rest."""
    if sheet.count("kv_lora_rank"):
        return _latent(sheet, shape, split)
    prefix: Literal["sliding", "full"] = "sliding" if windowed else "full"
    kv_heads = sheet.count(f"{prefix}_num_key_value_heads") or shape.kv_heads
    head = sheet.count(f"{prefix}_head_dim") or shape.head
    value_head = sheet.count(f"{prefix}_v_head_dim") or (head if head != shape.head else shape.value_head)
    copies = max(1, split.attention_ranks // kv_heads)
    query, output = shape.query_heads * head, shape.query_heads * value_head
    keys, values = kv_heads * head * copies, kv_heads * value_head * copies
    outputs = share(query * (2 if layout.query_gate else 1) + keys + values, split.attention_ranks)
    linear = shape.hidden * outputs + share(shape.hidden * output, split.attention_ranks)
    kept = outputs if layout.qkv_bias else 0
    kept += shape.hidden if layout.output_bias else 0
    if layout.head_norms == "shared":
        kept += 2 * head
    elif layout.head_norms == "each":
        kept += share(query + keys, split.attention_ranks)
    return Elements(linear=linear, kept=kept)


def state(sheet: Worksheet, shape: Shape, split: Split) -> Elements | None:
    """One linear or state-space layer; None when its shape is not in the facts."""
    reckon = {"mamba2": _mamba2, "mamba1": _mamba1, "gated_delta": _gated_delta, "kda": _kda}
    found = reckon.get(sheet.text("linear_state_kind"), _unknown)(sheet, shape, split)
    if found is None:
        sheet.lack(
            _FIELD,
            Text("the weights of this family's linear layers are not reckoned here", "此处不计算该模型族线性层的权重"),
        )
    return found


def dense(sheet: Worksheet, shape: Shape, layout: Layout, split: Split) -> Elements | None:
    """A dense MLP."""
    width = sheet.count("dense_intermediate_size") or sheet.count("intermediate_size")
    if width is None:
        sheet.needs(_FIELD, "intermediate_size")
        return None
    kept = share((layout.mlp_matrices - 1) * width, split.ranks) + shape.hidden if layout.mlp_bias else 0
    return Elements(linear=share(layout.mlp_matrices * shape.hidden * width, split.ranks), kept=kept)


def experts(sheet: Worksheet, shape: Shape, layout: Layout, split: Split) -> Elements | None:
    """Routed experts with their router, and the experts every token visits."""
    width = sheet.count(layout.expert_width) if layout.expert_width else None
    if width is None:
        sheet.needs(_FIELD, layout.expert_width or "intermediate_size of one expert")
        return None
    held = cdiv(shape.experts, split.expert_ranks)
    # Some models narrow what their experts read, and widen what they give.
    narrow = sheet.count("routed_expert_hidden_size")
    routed = share(held * layout.mlp_matrices * (narrow or shape.hidden) * width, split.expert_width_ranks)
    bias = share(held * (layout.mlp_matrices - 1) * width, split.expert_width_ranks) + held * shape.hidden
    shared_width = sheet.count("shared_expert_intermediate_size") or (sheet.count("n_shared_experts") or 0) * width
    if layout.shared_expert:
        shared_width = sheet.count(layout.shared_expert) or 0
    shared = share(layout.mlp_matrices * shape.hidden * shared_width, split.ranks)
    router = shape.experts * shape.hidden + (shape.hidden if layout.shared_expert_gate else 0)
    router += 2 * shape.hidden * (narrow or 0)
    found = Elements(shared, routed, router + (bias if layout.expert_bias else 0))
    if layout.dense_beside_experts:
        beside = dense(sheet, shape, layout, split)
        return None if beside is None else found + beside
    return found


def _latent(sheet: Worksheet, shape: Shape, split: Split) -> Elements | None:
    names = ("kv_lora_rank", "qk_rope_head_dim", "qk_nope_head_dim", "v_head_dim")
    latent, rotary, plain, value = (sheet.count(name) for name in names)
    if latent is None or rotary is None or plain is None or value is None:
        sheet.needs(_FIELD, *names)
        return None
    heads = share(shape.query_heads, split.attention_ranks)
    compressed = sheet.count("q_lora_rank")
    if compressed:
        query = shape.hidden * compressed + compressed * heads * (plain + rotary)
    else:
        query = shape.hidden * heads * (plain + rotary)
    linear = query + shape.hidden * (latent + rotary) + latent * heads * (plain + value) + shape.hidden * heads * value
    # The norms over the compressed query and the latent.
    return Elements(linear=linear, kept=latent + (compressed or 0))


def _mamba2(sheet: Worksheet, shape: Shape, split: Split) -> Elements | None:
    inner, groups = sheet.count("linear_inner_size"), sheet.count("linear_group_count")
    heads, size = sheet.count("linear_num_value_heads"), sheet.count("linear_key_head_dim")
    kernel = sheet.count("linear_conv_kernel_size")
    if inner is None or groups is None or heads is None or size is None or kernel is None:
        return None
    held = groups if groups % split.ranks == 0 else split.ranks
    convolved = inner + 2 * held * size
    linear = share(shape.hidden * (inner + convolved + heads) + inner * shape.hidden, split.ranks)
    return Elements(linear=linear, kept=share(convolved * (kernel + 1) + 3 * heads + inner, split.ranks))


def _mamba1(sheet: Worksheet, shape: Shape, split: Split) -> Elements | None:
    inner, size = sheet.count("linear_inner_size"), sheet.count("linear_key_head_dim")
    kernel, rank = sheet.count("linear_conv_kernel_size"), sheet.count("mamba_dt_rank")
    if inner is None or size is None or kernel is None or rank is None:
        return None
    linear = 3 * shape.hidden * inner + inner * (rank + 2 * size) + rank * inner
    # A is kept in 32 bits: two elements each.
    return Elements(linear=share(linear, split.ranks), kept=share(inner * (kernel + 3 + 2 * size), split.ranks))


def _gated_delta(sheet: Worksheet, shape: Shape, split: Split) -> Elements | None:
    key_heads, heads = sheet.count("linear_num_key_heads"), sheet.count("linear_num_value_heads")
    key, value = sheet.count("linear_key_head_dim"), sheet.count("linear_value_head_dim")
    kernel = sheet.count("linear_conv_kernel_size")
    if key_heads is None or heads is None or key is None or value is None or kernel is None:
        return None
    convolved = 2 * key_heads * key + heads * value
    linear = shape.hidden * (convolved + heads * value + 2 * heads) + heads * value * shape.hidden
    return Elements(linear=share(linear, split.ranks), kept=share(convolved * kernel + 2 * heads, split.ranks) + value)


def _kda(sheet: Worksheet, shape: Shape, split: Split) -> Elements | None:
    heads, head = sheet.count("linear_num_value_heads"), sheet.count("linear_value_head_dim")
    kernel = sheet.count("linear_conv_kernel_size")
    if heads is None or head is None or kernel is None:
        return None
    width = heads * head
    linear = share(4 * shape.hidden * width + 2 * head * width + shape.hidden * heads, split.ranks)
    return Elements(
        linear=linear + 2 * shape.hidden * head,
        kept=share(3 * width * kernel + width + heads, split.ranks) + head,
    )


def _unknown(sheet: Worksheet, shape: Shape, split: Split) -> Elements | None:
    return None
