"""Bytes of weights on one GPU: attention, MLP, experts and vocabulary, split as the engines split them."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from knockon.sizing.heads import Sharding
from knockon.sizing.layouts import LAYOUTS, Layout
from knockon.sizing.row import element_bytes, model_dtype_of
from knockon.sizing.worksheet import TRTLLM, VLLM, Engine, Worksheet, cdiv

_FIELD = "weights_bytes_per_gpu"
_SHAPE_FACTS = (
    "num_hidden_layers",
    "hidden_size",
    "num_attention_heads",
    "vocab_size",
    "tie_word_embeddings",
    "num_experts",
)
# vLLM 0.33 model_executor/layers/vocab_parallel_embedding.py pads the vocabulary to a multiple of this.
_VOCABULARY_PADDING = 64
# More than this between reckoned and published parameters means that the layout is not the one assumed.
_PARAMETER_TOLERANCE = 0.02
# fbgemm_fp8 leaves attention and some layers alone, by a list that is not in the facts.
_EIGHT_BIT = frozenset({"fp8", "modelopt"})
_FOUR_BIT = frozenset({"awq", "gptq", "awq_marlin", "gptq_marlin"})


@dataclass(frozen=True, slots=True)
class Shape:
    """The numbers of a decoder that its weights follow from."""

    layers: int
    hidden: int
    query_heads: int
    kv_heads: int
    head: int
    vocabulary: int
    is_tied: bool
    experts: int
    expert_layers: int


@dataclass(frozen=True, slots=True)
class Elements:
    """Weights of one part on one GPU: `linear` may be quantized, `kept` stays in the model's type."""

    linear: Fraction = Fraction(0)
    kept: Fraction = Fraction(0)

    def __add__(self, other: "Elements") -> "Elements":
        return Elements(self.linear + other.linear, self.kept + other.kept)


@dataclass(frozen=True, slots=True)
class Split:
    """Over how many ranks each kind of matrix is cut, and how often key/value heads are copied."""

    ranks: int
    attention_ranks: int
    kv_copies: int
    expert_ranks: int
    """Ranks over which whole experts are spread."""
    expert_width_ranks: int
    """Ranks over which one expert is cut."""


WHOLE = Split(ranks=1, attention_ranks=1, kv_copies=1, expert_ranks=1, expert_width_ranks=1)


def weights_bytes(sheet: Worksheet, sharding: Sharding, *, engine: Engine) -> int | None:
    """Bytes on the GPU that holds most; None, with the reason written down, when they do not follow from the facts."""
    layout = LAYOUTS.get(sheet.text("model_type"))
    if layout is None or sheet.is_on("has_vision_tower"):
        sheet.lack(_FIELD, f"the weights of {sheet.text('model_type') or 'an unnamed family'} are not reckoned here")
        return None
    shape, split = _shape_of(sheet, sharding), _split_of(sheet, sharding, engine=engine)
    sizes = _element_sizes(sheet)
    if shape is None or split is None or sizes is None:
        return None
    whole = _layers_of(sheet, shape, layout, WHOLE)
    parts = _layers_of(sheet, shape, layout, split)
    if whole is None or parts is None or not _agrees(sheet, _model(whole, shape, WHOLE)):
        return None
    per_stage = [_bytes(stage, sizes) for stage in _stages(sheet, parts, shape, split)]
    largest = cdiv(max(per_stage).numerator, max(per_stage).denominator)
    return sheet.step(_FIELD, _said(sheet, sizes), largest, "byte")


def _shape_of(sheet: Worksheet, sharding: Sharding) -> Shape | None:
    needed = _SHAPE_FACTS if sharding.is_latent else (*_SHAPE_FACTS, "num_key_value_heads", "head_dim")
    experts = sheet.facts.get("num_experts")
    missing = [name for name in needed if name not in sheet.facts]
    if experts and "moe_layer_count" not in sheet.facts:
        missing.append("moe_layer_count")
    if missing or not isinstance(experts, int):
        sheet.needs(_FIELD, *missing)
        return None
    return Shape(
        layers=sheet.size("num_hidden_layers"),
        hidden=sheet.size("hidden_size"),
        query_heads=sheet.size("num_attention_heads"),
        kv_heads=sheet.size("num_key_value_heads"),
        head=sheet.size("head_dim"),
        vocabulary=sheet.size("vocab_size"),
        is_tied=sheet.is_on("tie_word_embeddings"),
        experts=experts,
        expert_layers=sheet.count("moe_layer_count") or 0,
    )


def _split_of(sheet: Worksheet, sharding: Sharding, *, engine: Engine) -> Split | None:
    ranks, copies = sheet.size("tensor_parallel_size"), sheet.size("data_parallel_size")
    if sheet.size("prefill_context_parallel_size") > 1 or (engine is TRTLLM and copies > 1):
        sheet.lack(_FIELD, "how this engine splits weights in this setting is not reckoned here")
        return None
    spread = sheet.size("expert_parallel_size")
    # vLLM 0.33 cuts experts over the data-parallel ranks too (fused_moe/config.py); with EP each rank keeps whole ones.
    over = ranks * copies if engine is VLLM else ranks
    return Split(
        ranks=ranks,
        attention_ranks=sharding.attention_ranks,
        kv_copies=1 if sharding.is_latent else sharding.replicas,
        expert_ranks=spread,
        expert_width_ranks=max(1, over // spread) if spread > 1 else over,
    )


def _layers_of(sheet: Worksheet, shape: Shape, layout: Layout, split: Split) -> list[Elements] | None:
    """One entry per layer; dense layers of a mixture of experts come first."""
    attention = _latent(sheet, shape, split) if sheet.count("kv_lora_rank") else _headed(shape, layout, split)
    if attention is None:
        return None
    norms = Elements(kept=Fraction(layout.norms * shape.hidden))
    dense = shape.layers - shape.expert_layers
    kinds: list[Elements] = []
    for count, part in ((dense, _dense), (shape.expert_layers, _experts)):
        if count == 0:
            continue
        mlp = part(sheet, shape, layout, split)
        if mlp is None:
            return None
        kinds.extend([attention + mlp + norms] * count)
    return kinds


def _headed(shape: Shape, layout: Layout, split: Split) -> Elements:
    query, kv = shape.query_heads * shape.head, shape.kv_heads * shape.head
    outputs = Fraction(query + 2 * kv * split.kv_copies, split.attention_ranks)
    linear = shape.hidden * outputs + Fraction(shape.hidden * query, split.attention_ranks)
    kept = outputs if layout.qkv_bias else Fraction(0)
    if layout.head_norms == "shared":
        kept += 2 * shape.head
    elif layout.head_norms == "each":
        kept += Fraction(query + kv * split.kv_copies, split.attention_ranks)
    return Elements(linear, kept)


def _latent(sheet: Worksheet, shape: Shape, split: Split) -> Elements | None:
    names = ("kv_lora_rank", "qk_rope_head_dim", "qk_nope_head_dim", "v_head_dim")
    latent, rotary, plain, value = (sheet.count(name) for name in names)
    if latent is None or rotary is None or plain is None or value is None:
        sheet.needs(_FIELD, *names)
        return None
    heads = Fraction(shape.query_heads, split.attention_ranks)
    compressed = sheet.count("q_lora_rank")
    if compressed:
        query = shape.hidden * compressed + compressed * heads * (plain + rotary)
    else:
        query = shape.hidden * heads * (plain + rotary)
    linear = query + shape.hidden * (latent + rotary) + latent * heads * (plain + value) + shape.hidden * heads * value
    # The norms over the compressed query and the latent.
    return Elements(Fraction(linear), Fraction(latent + (compressed or 0)))


def _dense(sheet: Worksheet, shape: Shape, layout: Layout, split: Split) -> Elements | None:
    width = sheet.count("intermediate_size")
    if width is None:
        sheet.needs(_FIELD, "intermediate_size")
        return None
    return Elements(linear=Fraction(layout.mlp_matrices * shape.hidden * width, split.ranks))


def _experts(sheet: Worksheet, shape: Shape, layout: Layout, split: Split) -> Elements | None:
    width = sheet.count(layout.expert_width) if layout.expert_width else None
    if width is None:
        sheet.needs(_FIELD, layout.expert_width or "intermediate_size of one expert")
        return None
    held = cdiv(shape.experts, split.expert_ranks)
    routed = Fraction(held * layout.mlp_matrices * shape.hidden * width, split.expert_width_ranks)
    shared_width = (sheet.count("n_shared_experts") or 0) * width or sheet.count("shared_expert_intermediate_size") or 0
    shared = Fraction(layout.mlp_matrices * shape.hidden * shared_width, split.ranks)
    router = shape.experts * shape.hidden + (shape.hidden if layout.shared_expert_gate else 0)
    return Elements(routed + shared, Fraction(router))


def _vocabulary(shape: Shape, split: Split) -> Fraction:
    padded = cdiv(shape.vocabulary, _VOCABULARY_PADDING) * _VOCABULARY_PADDING if split.ranks > 1 else shape.vocabulary
    return Fraction(padded * shape.hidden, split.ranks)


def _model(layers: Sequence[Elements], shape: Shape, split: Split) -> Elements:
    tables = 1 if shape.is_tied else 2
    return sum(layers, Elements(kept=tables * _vocabulary(shape, split) + shape.hidden))


def _stages(sheet: Worksheet, layers: Sequence[Elements], shape: Shape, split: Split) -> list[Elements]:
    """What each pipeline stage holds; vLLM gives layers that are left over to the stages before the last."""
    stages = min(sheet.size("pipeline_parallel_size"), len(layers))
    if stages == 1:
        return [_model(layers, shape, split)]
    counts = [len(layers) // stages] * stages
    for index in range(len(layers) % stages):
        counts[-2 - index] += 1
    table, held, start = _vocabulary(shape, split), [], 0
    for index, count in enumerate(counts):
        kept = Fraction(0)
        if index == 0:
            kept += table
        if index == stages - 1:
            kept += table + shape.hidden
        held.append(sum(layers[start : start + count], Elements(kept=kept)))
        start += count
    return held


def _element_sizes(sheet: Worksheet) -> tuple[Fraction, Fraction] | None:
    """Bytes of one element of a linear layer and of one that is never quantized."""
    kept = element_bytes(model_dtype_of(sheet))
    if kept is None:
        sheet.lack(_FIELD, f"the size of {model_dtype_of(sheet)} is not known here")
        return None
    method = (sheet.text("checkpoint_quantization") or sheet.text("quantization")).lower()
    bits, group = sheet.count("checkpoint_weight_bits"), sheet.count("checkpoint_scale_group_size")
    if not method and sheet.is_on("checkpoint_quantization_hidden"):
        sheet.lack(_FIELD, "the checkpoint is quantized and its config.json does not say how")
        return None
    if not method or method == "none":
        return Fraction(kept), Fraction(kept)
    if method in _EIGHT_BIT and (bits == 8 or (bits is None and "checkpoint_quantization" not in sheet.facts)):
        # One fp32 scale a block; a scale for a whole matrix does not count.
        return Fraction(1) + (Fraction(4, group) if group else 0), Fraction(kept)
    if method in _FOUR_BIT and bits is not None and group is not None:
        # A 16-bit scale and a zero point of as many bits as a weight, for every group.
        return Fraction(bits, 8) + Fraction(2, group) + Fraction(bits, 8 * group), Fraction(kept)
    sheet.lack(_FIELD, f"which layers {method} leaves alone is not in the facts")
    return None


def _bytes(elements: Elements, sizes: tuple[Fraction, Fraction]) -> Fraction:
    return elements.linear * sizes[0] + elements.kept * sizes[1]


def _agrees(sheet: Worksheet, whole: Elements) -> bool:
    """Whether the reckoned parameters are the published ones, where those are known."""
    reckoned = int(whole.linear + whole.kept)
    published = sheet.count("parameter_count")
    sheet.step("parameters", "attention + MLP + experts + vocabulary + norms", reckoned)
    if published is None or abs(reckoned - published) <= _PARAMETER_TOLERANCE * published:
        return True
    sheet.lack(_FIELD, f"{reckoned:,} parameters follow from the config, {published:,} are published")
    return False


def _said(sheet: Worksheet, sizes: tuple[Fraction, Fraction]) -> str:
    linear, kept = float(sizes[0]), float(sizes[1])
    names = (("TP", "tensor_parallel_size"), ("PP", "pipeline_parallel_size"), ("EP", "expert_parallel_size"))
    cuts = ", ".join(f"{short} = {sheet.size(name)}" for short, name in names if sheet.size(name) > 1)
    return f"linear layers at {linear:g} B, the rest at {kept:g} B" + (f", split by {cuts}" if cuts else "")
