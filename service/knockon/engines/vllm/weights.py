"""How vLLM loads a deployment's weights: the quantization method in use, and what it needs of the GPU.

Read in vLLM 0.33.0: vllm/config/model.py:1383-1484 (which method wins), vllm/config/vllm.py:916-949 (what is
checked), get_min_capability and override_quantization_method of every method, vllm/config/quantization.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from knockon.terms.fact import Fact, Origin
from knockon.terms.words import Scalar

NAMES = (
    "quantization_in_use",
    "quantization_source",
    "quantization_agrees",
    "quantization_is_ignored",
    "quantization_needs_capability",
    "checkpoint_has_no_quantization",
    "checkpoint_is_plain",
)

# Names by which a checkpoint of one method may be asked for.
_AWQ = frozenset({"awq", "awq_marlin", "auto_awq", "marlin"})
_GPTQ = frozenset({"gptq", "gptq_marlin", "auto_gptq", "marlin"})
# Methods that make quantized weights out of plain ones while loading.
_ONLINE = frozenset(
    {
        "fp8",
        "fp8_per_tensor",
        "fp8_per_block",
        "fp8_per_channel",
        "mxfp4",
        "mxfp8",
        "int8_per_channel_weight_only",
        "nvfp4_per_token",
        "experts_int8",
    }
)
_ONLINE_CAPABILITY = "7.5"
_DEEPSEEK_V4 = frozenset({"deepseek_v4", "deepseek_v4_text", "deepseek_v41", "deepseek_v41_text"})
# Smallest compute capability of the methods of a checkpoint.
_CAPABILITY: Mapping[str, str] = {
    "auto_awq": "7.5",
    "auto_gptq": "6.0",
    "moe_wna16": "7.0",
    "fp8": "7.5",
    "fbgemm_fp8": "8.0",
    "fp_quant": "10.0",
    "modelopt": "8.0",
    "modelopt_fp4": "7.5",
    "modelopt_mxfp8": "8.0",
    "modelopt_mixed": "7.5",
    "mxfp4": "8.0",
    "gpt_oss_mxfp4": "8.0",
    "mxfp8": "8.0",
    "compressed-tensors": "7.0",
    "torchao": "7.5",
    "quark": "7.0",
    "inc": "6.0",
    "humming": "7.5",
}
# Online methods with a minimum of their own.
_ONLINE_OWN: Mapping[str, str] = {"experts_int8": "8.0"}


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The method that loads the weights; None where the engine refuses to choose."""

    method: str | None
    source: str
    ignores_asked: bool = False


def weight_facts(facts: Mapping[str, Fact]) -> dict[str, Fact]:
    """Facts of the weights for vLLM; none for another engine, none on a guess.

    Args:
        facts: what was asked, and what the model's config.json says.
    """
    if _text(facts, "engine") != "vllm":
        return {}
    asked, checkpoint = _asked(facts), _checkpoint(facts)
    if checkpoint is None and ("model_type" not in facts or _hides(facts) is True):
        # Some other file of the model may describe a quantization; what is made while loading then never needs less.
        told = {"quantization_needs_capability": _ONLINE_CAPABILITY if asked in _ONLINE else None}
        return _stated(told, why=f"--quantization {asked}, whatever the checkpoint holds")
    chosen = _from_checkpoint(facts, asked, checkpoint) if checkpoint else _while_loading(asked)
    values: dict[str, Scalar | None] = {
        "quantization_in_use": chosen.method,
        "quantization_source": chosen.source if chosen.method else None,
        "quantization_agrees": chosen.method is not None,
        "quantization_is_ignored": chosen.ignores_asked,
        "quantization_needs_capability": _needs(chosen),
        "checkpoint_has_no_quantization": checkpoint is None,
        "checkpoint_is_plain": (checkpoint is None and _hides(facts) is False) or None,
    }
    return _stated(values, why=f"quantization asked for: {asked or 'none'}; of the checkpoint: {checkpoint or 'none'}")


def _from_checkpoint(facts: Mapping[str, Fact], asked: str | None, checkpoint: str) -> _Chosen:
    """The checkpoint's own method, unless one of the few others that can read it was asked for."""
    if asked == "humming":
        # gpt-oss takes Humming through --moe-backend only.
        is_gpt_oss = checkpoint == "mxfp4" and _text(facts, "model_type") == "gpt_oss"
        return _Chosen(None if is_gpt_oss else "humming", "checkpoint")
    own = _own_method(facts, asked, checkpoint)
    if own is not None:
        ignored = asked is not None and asked != own and asked not in _AWQ | _GPTQ and asked != checkpoint
        return _Chosen(own, "checkpoint", ignores_asked=ignored)
    return _Chosen(checkpoint if asked in (None, checkpoint) else None, "checkpoint")


def _own_method(facts: Mapping[str, Fact], asked: str | None, checkpoint: str) -> str | None:
    """The name vLLM gives the checkpoint's method whatever was asked; None where asked and checkpoint must agree."""
    family = _text(facts, "model_type")
    if checkpoint in ("awq", "gptq"):
        names = _AWQ if checkpoint == "awq" else _GPTQ
        if asked is None or asked in names:
            return f"auto_{checkpoint}"
        return "moe_wna16" if asked == "moe_wna16" and _reads_integers(facts, checkpoint) else None
    if checkpoint == "auto-round":
        return "inc"
    if checkpoint in ("mxfp4", "gpt_oss_mxfp4") and family == "gpt_oss":
        return "gpt_oss_mxfp4"
    if checkpoint == "fp8" and (family in _DEEPSEEK_V4 or asked == "deepseek_v4_fp8"):
        return "deepseek_v4_fp8"
    return _modelopt(facts) if checkpoint.startswith("modelopt") else None


def _modelopt(facts: Mapping[str, Fact]) -> str | None:
    algorithm = _text(facts, "checkpoint_quantization_algorithm") or ""
    if algorithm == "FP8":
        return "modelopt"
    if "FP4" in algorithm:
        return "modelopt_fp4"
    if "MXFP8" in algorithm:
        return "modelopt_mxfp8"
    return "modelopt_mixed" if algorithm == "MIXED_PRECISION" else None


def _reads_integers(facts: Mapping[str, Fact], checkpoint: str) -> bool:
    # MoeWNA16 reads 4 bits of both, 8 bits and no ordered activations of GPTQ.
    bits = facts.get("checkpoint_weight_bits")
    if checkpoint == "awq":
        return bits is not None and bits.value == 4
    ordered = facts.get("checkpoint_orders_activations")
    return bits is not None and bits.value in (4, 8) and not (ordered is not None and ordered.value is True)


def _while_loading(asked: str | None) -> _Chosen:
    if asked is None:
        return _Chosen("none", "none")
    return _Chosen(asked, "load" if asked in _ONLINE else "checkpoint")


def _needs(chosen: _Chosen) -> str | None:
    if chosen.method is None:
        return None
    if chosen.source == "load":
        return _ONLINE_OWN.get(chosen.method, _ONLINE_CAPABILITY)
    return _CAPABILITY.get(chosen.method)


def _asked(facts: Mapping[str, Fact]) -> str | None:
    asked = _text(facts, "quantization")
    return asked.lower() if asked and asked.lower() not in ("none", "auto") else None


def _checkpoint(facts: Mapping[str, Fact]) -> str | None:
    checkpoint = _text(facts, "checkpoint_quantization")
    return checkpoint.replace("compressed_tensors", "compressed-tensors") if checkpoint else None


def _hides(facts: Mapping[str, Fact]) -> bool | None:
    """Whether another file may describe a quantization; None where the model has no name to tell by."""
    hidden = facts.get("checkpoint_quantization_hidden")
    return None if hidden is None else hidden.value is True


def _stated(values: Mapping[str, Scalar | None], *, why: str) -> dict[str, Fact]:
    origin = Origin("derived", why)
    return {name: Fact(name, value, origin) for name, value in values.items() if value is not None}


def _text(facts: Mapping[str, Fact], name: str) -> str | None:
    fact = facts.get(name)
    return fact.value if fact is not None and isinstance(fact.value, str) else None
