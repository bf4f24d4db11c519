"""How a checkpoint says that its weights, and its KV cache, are quantized."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from knockon.engines.hf_config.reader import ConfigReader, Found, refused
from knockon.terms.words import Json, JsonObject

_FIXED_BITS: Mapping[str, int] = {"fp8": 8, "fbgemm_fp8": 8, "mxfp4": 4, "mxfp8": 8}
_MODELOPT_BITS: Mapping[str, int] = {"FP8": 8, "FP8_PB_WO": 8, "NVFP4": 4}
# Elements that share one scale: OCP microscaling and NVFP4 block sizes.
_FIXED_GROUPS: Mapping[str, int] = {"mxfp4": 32, "mxfp8": 32, "NVFP4": 16}


@dataclass(frozen=True, slots=True)
class CheckpointQuantization:
    """What a quantization_config says; None where it does not."""

    key: str
    method: str
    weight_bits: int | None
    scale_group: int | None
    """Weights that share one scale."""
    kv_cache: str | None
    """Element type the checkpoint's scales ask of the KV cache: fp8, int8, nvfp4."""
    ignored: str | None
    """Layers left as they are, joined by commas; "*" for a long list."""
    algorithm: str | None = None
    """What ModelOpt calls the format, in upper case: FP8, NVFP4, MXFP8, MIXED_PRECISION."""
    scheme: str | None = None
    """Bits and kind of weights and activations of compressed-tensors, one for all layers: w4a16-int, w8a8-fp8."""
    symmetric: bool | None = None
    """Whether zero is stored as zero; None where the method does not say."""
    activation_order: bool | None = None
    """Whether GPTQ ordered columns by activation, inside groups."""


def quantization_of(reader: ConfigReader) -> CheckpointQuantization | None:
    """The quantization a config.json (or an hf_quant_config.json's content in it) declares; None when it is silent."""
    found = reader.outermost("quantization_config") or reader.outermost("compression_config")
    if found is None:
        return None
    if not isinstance(found.value, Mapping):
        raise refused(found.key, found.value, expected="an object")
    body: JsonObject = found.value
    inner = body.get("quantization")
    body = inner if isinstance(inner, Mapping) else body
    method, algorithm = _text(found, body, "quant_method"), _text(found, body, "quant_algo")
    if method is None and algorithm is None:
        return None
    name = (method or "modelopt").lower()
    return CheckpointQuantization(
        key=found.key,
        method=name,
        weight_bits=_weight_bits(body, method=name, algorithm=algorithm),
        scale_group=_scale_group(body, method=name, algorithm=algorithm),
        kv_cache=_kv_cache(found, body),
        algorithm=algorithm.upper() if algorithm else None,
        scheme=_scheme(body) if name == "compressed-tensors" else None,
        symmetric=_symmetric(body),
        activation_order=_activation_order(body, method=name),
        ignored=_ignored(body),
    )


def _activation_order(body: JsonObject, *, method: str) -> bool | None:
    """Whether weights are reordered by activations while running; a static order is none of that."""
    if method == "gptq":
        return _truth(body, "desc_act")
    if method != "compressed-tensors":
        return None
    orders = [group["actorder"] for group in _weight_groups(body) if "actorder" in group]
    return any(order is True or order in ("group", "dynamic") for order in orders) if orders else None


# Longer lists are of single layers by number, which no reckoning here uses.
_IGNORED_MAX = 40


def _ignored(body: JsonObject) -> str | None:
    names: list[str] = []
    for key in ("ignore", "exclude_modules", "ignored_layers", "modules_to_not_convert"):
        listed = body.get(key)
        if isinstance(listed, list):
            names += [str(name) for name in listed]
    if len(names) > _IGNORED_MAX:
        return "*"
    return ",".join(names) or None


def _weight_bits(body: JsonObject, *, method: str, algorithm: str | None) -> int | None:
    if method.startswith("modelopt"):
        return _MODELOPT_BITS.get(algorithm or "")
    if method == "compressed-tensors":
        return _same(group.get("num_bits") for group in _weight_groups(body))
    if method == "bitsandbytes":
        return 4 if body.get("load_in_4bit") is True else 8 if body.get("load_in_8bit") is True else None
    if method in _FIXED_BITS:
        return _FIXED_BITS[method]
    return _same(body[key] for key in ("bits", "w_bit") if key in body)


def _scale_group(body: JsonObject, *, method: str, algorithm: str | None) -> int | None:
    for name in (method, algorithm or ""):
        if name in _FIXED_GROUPS:
            return _FIXED_GROUPS[name]
    block = body.get("weight_block_size")
    if isinstance(block, list) and len(block) == 2 and all(type(side) is int for side in block):
        return int(str(block[0])) * int(str(block[1]))
    if method == "compressed-tensors":
        return _same(group.get("group_size") for group in _weight_groups(body))
    return _same(body[key] for key in ("group_size", "q_group_size") if key in body)


def _kv_cache(found: Found, body: JsonObject) -> str | None:
    algorithm = _text(found, body, "kv_cache_quant_algo")
    if algorithm is not None:
        return algorithm.lower()
    scheme = body.get("kv_cache_scheme")
    if isinstance(scheme, Mapping) and scheme.get("type") == "float" and scheme.get("num_bits") == 8:
        return "fp8"
    return None


def _weight_groups(body: JsonObject) -> list[JsonObject]:
    groups = body.get("config_groups")
    if not isinstance(groups, Mapping):
        return []
    weights = [group.get("weights") for group in groups.values() if isinstance(group, Mapping)]
    return [each for each in weights if isinstance(each, Mapping)]


def _scheme(body: JsonObject) -> str | None:
    groups = body.get("config_groups")
    if not isinstance(groups, Mapping):
        return None
    found = {_scheme_of(group) for group in groups.values() if isinstance(group, Mapping)}
    return found.pop() if len(found) == 1 else None


def _scheme_of(group: JsonObject) -> str | None:
    weights, inputs = group.get("weights"), group.get("input_activations")
    if not isinstance(weights, Mapping) or type(weights.get("num_bits")) is not int:
        return None
    bits = inputs.get("num_bits") if isinstance(inputs, Mapping) else 16
    kind = _kind(weights)
    return f"w{weights['num_bits']}a{bits}-{kind}" if type(bits) is int and kind else None


def _kind(weights: JsonObject) -> str | None:
    # The formats of NVIDIA and of OCP are known by the number of weights that share a scale.
    kind = weights.get("type")
    if kind != "float":
        return kind if isinstance(kind, str) else None
    if weights.get("strategy") == "tensor_group":
        return "nvfp4"
    size, bits = weights.get("group_size"), weights.get("num_bits")
    return f"mxfp{bits}" if weights.get("strategy") == "group" and size == 32 else f"fp{bits}"


def _symmetric(body: JsonObject) -> bool | None:
    # GPTQ says whether it is symmetric, AWQ whether it has zero points.
    zero_points = _truth(body, "zero_point")
    return not zero_points if zero_points is not None else _truth(body, "sym")


def _truth(body: JsonObject, key: str) -> bool | None:
    value = body.get(key)
    return value if isinstance(value, bool) else None


def _same(values: Iterable[Json]) -> int | None:
    seen = [value for value in values if type(value) is int]
    only = seen[0] if seen and seen.count(seen[0]) == len(seen) else None
    return only if only is not None and only > 0 else None


def _text(found: Found, body: JsonObject, key: str) -> str | None:
    value: Json = body.get(key)
    if value is not None and not isinstance(value, str):
        raise refused(f"{found.key}.{key}", value, expected="text")
    return value
