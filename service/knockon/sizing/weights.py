"""Bytes of weights on one GPU: attention, MLP, experts and vocabulary, split as the engines split them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from knockon.sizing.drafts import is_drafting
from knockon.sizing.heads import Sharding
from knockon.sizing.layouts import LAYOUTS, Layout
from knockon.sizing.matrices import WHOLE, Elements, Exact, Shape, Split, attention, dense, experts, share, state
from knockon.sizing.precision import Precision, precision_of, smallest_of
from knockon.sizing.stages import stage_counts
from knockon.sizing.worksheet import TRTLLM, VLLM, Engine, Worksheet, cdiv
from knockon.terms.words import Text

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
# Kept off a lower bound: what a layout that was never held against a published count may overstate.
_DOUBT = Fraction(1, 100)


@dataclass(frozen=True, slots=True)
class Weights:
    """Bytes on the GPU that holds most, after loading."""

    exact: int | None
    """None, with the reason written down, when they do not follow from the facts."""
    at_least: int | None
    """What the language model's matrices take at the very least; None for a family that is not known here."""


_UNTOLD = Weights(None, None)


@dataclass(frozen=True, slots=True)
class Held:
    """Elements of the weights that one GPU of each pipeline stage holds."""

    stages: tuple[Elements, ...]
    table: Exact
    """Elements of the vocabulary's table: the first stage looks tokens up in one, the last multiplies by one."""
    is_tied: bool
    """Whether both are the same table."""


def weights_of(sheet: Worksheet, sharding: Sharding | None, *, engine: Engine) -> Weights:
    """The weights of the GPU that holds most."""
    held = held_of(sheet, sharding, engine=engine)
    if held is None:
        return _UNTOLD
    precision = precision_of(sheet)
    least = int(_largest(held.stages, precision or smallest_of(sheet)) * (1 - _DOUBT))
    if sheet.is_on("has_vision_tower"):
        sheet.lack(
            _FIELD,
            Text(
                f"the weights of {sheet.text('model_type')} beside its language model are not reckoned here",
                f"此处不计算 {sheet.text('model_type')} 语言模型之外的权重",
            ),
        )
        return Weights(None, least)
    if is_drafting(sheet):
        sheet.lack(
            _FIELD,
            Text(
                "the weights of what drafts beside the model are not reckoned here", "此处不计算模型之外起草部分的权重"
            ),
        )
        return Weights(None, least)
    if precision is None:
        return Weights(None, least)
    largest = _largest(held.stages, precision)
    exact = cdiv(largest.numerator, largest.denominator)
    return Weights(sheet.step(_FIELD, _said(sheet, precision), exact, "byte"), least)


def held_of(sheet: Worksheet, sharding: Sharding | None, *, engine: Engine) -> Held | None:
    """The language model's elements, stage by stage; None, with the reason written down, when they cannot be told."""
    family = sheet.text("text_model_type") or sheet.text("model_type")
    layout = LAYOUTS.get(family)
    if layout is None:
        sheet.lack(
            _FIELD,
            Text(
                f"the weights of {family or 'an unnamed family'} are not reckoned here",
                f"此处不计算 {family or '未具名模型族'} 的权重",
            ),
        )
        return None
    shape, split = _shape_of(sheet, sharding), _split_of(sheet, sharding, engine=engine)
    if shape is None or split is None:
        return None
    whole, parts = _layers_of(sheet, shape, layout, WHOLE), _layers_of(sheet, shape, layout, split)
    if whole is None or parts is None or not _agrees(sheet, _model(whole, shape, WHOLE)):
        return None
    return Held(tuple(_stages(sheet, parts, shape, split)), _vocabulary(shape, split), shape.is_tied)


def _largest(stages: Sequence[Elements], precision: Precision) -> Exact:
    return max(
        part.linear * precision.linear + part.experts * precision.experts + part.kept * precision.kept
        for part in stages
    )


def _shape_of(sheet: Worksheet, sharding: Sharding | None) -> Shape | None:
    # A latent and a state have no key/value heads of a size of their own.
    headed = sharding is not None and not sharding.is_latent
    needed = (*_SHAPE_FACTS, "num_key_value_heads", "head_dim") if headed else _SHAPE_FACTS
    count = sheet.facts.get("num_experts")
    missing = [name for name in needed if name not in sheet.facts]
    if count and "moe_layer_count" not in sheet.facts:
        missing.append("moe_layer_count")
    if missing or not isinstance(count, int):
        sheet.needs(_FIELD, *missing)
        return None
    layers = sheet.size("num_hidden_layers")
    pattern, mlps = sheet.text("layer_pattern") or "f" * layers, sheet.text("mlp_pattern") or _mlps(sheet, layers)
    if len(pattern) != layers or len(mlps) != layers:
        sheet.lack(
            _FIELD,
            Text(
                "layer_pattern and mlp_pattern do not have a letter for each layer",
                "layer_pattern 与 mlp_pattern 未给每层一个字母",
            ),
        )
        return None
    head = sheet.size("head_dim")
    return Shape(
        hidden=sheet.size("hidden_size"),
        query_heads=sheet.size("num_attention_heads"),
        kv_heads=sheet.size("num_key_value_heads"),
        head=head,
        value_head=sheet.count("v_head_dim") or head,
        vocabulary=sheet.size("vocab_size"),
        is_tied=sheet.is_on("tie_word_embeddings"),
        experts=count,
        pattern=pattern,
        mlps=mlps,
    )


def _mlps(sheet: Worksheet, layers: int) -> str:
    """Dense layers of a mixture of experts come first."""
    with_experts = sheet.count("moe_layer_count") or 0
    return "d" * (layers - with_experts) + "e" * with_experts


def _split_of(sheet: Worksheet, sharding: Sharding | None, *, engine: Engine) -> Split | None:
    ranks, copies = sheet.size("tensor_parallel_size"), sheet.size("data_parallel_size")
    if sheet.size("prefill_context_parallel_size") > 1 or (engine is TRTLLM and copies > 1):
        sheet.lack(
            _FIELD,
            Text(
                "how this engine splits weights in this setting is not reckoned here",
                "此处不计算该引擎在此设置下如何切分权重",
            ),
        )
        return None
    spread = sheet.size("expert_parallel_size")
    # vLLM 0.33 cuts experts over the data-parallel ranks too (fused_moe/config.py); with EP each rank keeps whole ones.
    over = ranks * copies if engine is VLLM else ranks
    return Split(
        ranks=ranks,
        attention_ranks=ranks if sharding is None else sharding.attention_ranks,
        expert_ranks=spread,
        expert_width_ranks=max(1, over // spread) if spread > 1 else over,
    )


def _layers_of(sheet: Worksheet, shape: Shape, layout: Layout, split: Split) -> list[Elements] | None:
    """One entry per layer. Layers of one kind are reckoned once."""
    kinds: dict[tuple[str, str], Elements | None] = {}
    for pair in zip(shape.pattern, shape.mlps, strict=True):
        if pair not in kinds:
            kinds[pair] = _layer(sheet, shape, layout, split, letter=pair[0], mlp=pair[1])
    layers = [kinds[pair] for pair in zip(shape.pattern, shape.mlps, strict=True)]
    found = [layer for layer in layers if layer is not None]
    return found if len(found) == len(layers) else None


def _layer(sheet: Worksheet, shape: Shape, layout: Layout, split: Split, *, letter: str, mlp: str) -> Elements | None:
    parts: list[Elements | None] = [Elements(kept=layout.norms * shape.hidden * (2 if layout.norm_bias else 1))]
    # A layer marked x in a pattern with states has neither; elsewhere it reads another layer's cache and attends.
    if letter in "fscb" or (letter == "x" and not set(shape.pattern) & set("mb")):
        parts.append(attention(sheet, shape, layout, split, windowed=letter == "s"))
    if letter in "mb":
        parts.append(state(sheet, shape, split))
    if mlp == "d":
        parts.append(dense(sheet, shape, layout, split))
    elif mlp == "e":
        parts.append(experts(sheet, shape, layout, split))
    found = [part for part in parts if part is not None]
    return sum(found, Elements()) if len(found) == len(parts) else None


def _vocabulary(shape: Shape, split: Split) -> Exact:
    padded = cdiv(shape.vocabulary, _VOCABULARY_PADDING) * _VOCABULARY_PADDING if split.ranks > 1 else shape.vocabulary
    return share(padded * shape.hidden, split.ranks)


def _model(layers: Sequence[Elements], shape: Shape, split: Split) -> Elements:
    tables = 1 if shape.is_tied else 2
    return _total(layers, Elements(kept=tables * _vocabulary(shape, split) + shape.hidden))


def _total(layers: Sequence[Elements], more: Elements) -> Elements:
    # Layers of one kind are one value that stands many times: a model has a hundred layers of two or three kinds.
    kinds = {id(layer): layer for layer in layers}
    counts = Counter(id(layer) for layer in layers)
    return sum((kinds[key] * count for key, count in counts.items()), more)


def _stages(sheet: Worksheet, layers: Sequence[Elements], shape: Shape, split: Split) -> list[Elements]:
    """What each pipeline stage holds."""
    counts = stage_counts(len(layers), sheet.size("pipeline_parallel_size"))
    if len(counts) == 1:
        return [_model(layers, shape, split)]
    table, held, start = _vocabulary(shape, split), [], 0
    for index, count in enumerate(counts):
        kept: Exact = 0
        if index == 0:
            kept += table
        if index == len(counts) - 1:
            kept += table + shape.hidden
        held.append(_total(layers[start : start + count], Elements(kept=kept)))
        start += count
    return held


def _agrees(sheet: Worksheet, whole: Elements) -> bool:
    """Whether the reckoned parameters are the published ones, where those are known."""
    reckoned = int(whole.linear + whole.experts + whole.kept)
    published = sheet.count("parameter_count")
    sheet.step("parameters", "attention + MLP + experts + vocabulary + norms", reckoned)
    if published is None or abs(reckoned - published) <= _PARAMETER_TOLERANCE * published:
        return True
    if sheet.is_on("has_vision_tower") and reckoned < published:
        return True
    sheet.lack(
        _FIELD,
        Text(
            f"{reckoned:,} parameters follow from the config, {published:,} are published",
            f"由配置算得 {reckoned:,} 个参数，公布的是 {published:,} 个",
        ),
    )
    return False


def _said(sheet: Worksheet, precision: Precision) -> str:
    linear, kept = float(precision.linear), float(precision.kept)
    names = (("TP", "tensor_parallel_size"), ("PP", "pipeline_parallel_size"), ("EP", "expert_parallel_size"))
    cuts = ", ".join(f"{short} = {sheet.size(name)}" for short, name in names if sheet.size(name) > 1)
    return f"linear layers at {linear:g} B, the rest at {kept:g} B" + (f", split by {cuts}" if cuts else "")
