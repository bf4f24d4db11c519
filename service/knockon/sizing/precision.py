"""Bytes of one weight, by how a checkpoint or the engine quantizes it."""

from dataclasses import dataclass
from fractions import Fraction

from knockon.sizing.row import element_bytes, model_dtype_of
from knockon.sizing.worksheet import Worksheet
from knockon.terms.words import Text

_FIELD = "weights_bytes_per_gpu"
# fbgemm_fp8 leaves attention and some layers alone, by a list that is not in the facts.
_EIGHT_BIT = frozenset({"fp8", "modelopt"})
_FOUR_BIT = frozenset({"awq", "gptq", "awq_marlin", "gptq_marlin"})
_NVFP4 = frozenset({"modelopt", "modelopt_fp4"})
# Parts that a list of unquantized layers may name without a linear layer or an expert staying unquantized.
_HARMLESS = ("lm_head", "embed", "router", "gate", "e_score_correction_bias", "norm", "vision", "visual", "multi_modal")
# No checkpoint in use stores a weight in less.
_SMALLEST = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Precision:
    """Bytes of one element of each part."""

    linear: Fraction
    experts: Fraction
    kept: Fraction


def precision_of(sheet: Worksheet) -> Precision | None:
    """Bytes by part; None, with the reason written down, when the checkpoint does not say enough."""
    size = element_bytes(model_dtype_of(sheet))
    if size is None:
        sheet.lack(
            _FIELD,
            Text(
                f"the size of {model_dtype_of(sheet)} is not known here", f"此处不知道 {model_dtype_of(sheet)} 的大小"
            ),
        )
        return None
    kept = Fraction(size)
    method = (sheet.text("checkpoint_quantization") or sheet.text("quantization")).lower()
    bits, group = sheet.count("checkpoint_weight_bits"), sheet.count("checkpoint_scale_group_size")
    if not method and sheet.is_on("checkpoint_quantization_hidden"):
        sheet.lack(
            _FIELD,
            Text(
                "the checkpoint is quantized and its config.json does not say how",
                "检查点经过量化，而其 config.json 没有说明方式",
            ),
        )
        return None
    if not method or method == "none":
        return Precision(kept, kept, kept)
    if method == "mxfp4":
        # Experts only: four bits, and a scale of eight for 32 of them.
        return Precision(kept, Fraction(1, 2) + Fraction(1, 32), kept)
    found = _quantized(sheet, method=method, bits=bits, group=group)
    if found is None:
        sheet.lack(
            _FIELD,
            Text(f"which layers {method} leaves alone is not in the facts", f"事实中没有 {method} 保留不量化的层"),
        )
        return None
    return Precision(found, found, kept)


def smallest_of(sheet: Worksheet) -> Precision:
    """What no quantization in use goes below: for a lower bound where the true sizes are not known."""
    return Precision(_SMALLEST, _SMALLEST, _SMALLEST)


def _quantized(sheet: Worksheet, *, method: str, bits: int | None, group: int | None) -> Fraction | None:
    declared = "checkpoint_quantization" in sheet.facts
    if method in _EIGHT_BIT and (bits == 8 or (bits is None and not declared)):
        # One fp32 scale a block; a scale for a whole matrix does not count.
        return Fraction(1) + (Fraction(4, group) if group else 0)
    if method in _FOUR_BIT and bits is not None and group is not None:
        # A 16-bit scale and a zero point of as many bits as a weight, for every group.
        return Fraction(bits, 8) + Fraction(2, group) + Fraction(bits, 8 * group)
    if method == "compressed-tensors" and bits is not None and _ignores_nothing_large(sheet):
        return Fraction(bits, 8) + (Fraction(2, group) if group else 0)
    if method in _NVFP4 and bits == 4 and group is not None and _ignores_nothing_large(sheet):
        # Four bits, and an eight-bit scale for every group.
        return Fraction(1, 2) + Fraction(1, group)
    return None


def _ignores_nothing_large(sheet: Worksheet) -> bool:
    ignored = sheet.text("checkpoint_ignored_layers").split(",")
    return all(any(part in name for part in _HARMLESS) for name in ignored if name)
