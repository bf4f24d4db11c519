"""Bytes of the state that a linear or state-space layer keeps for one request on one rank."""

from knockon.sizing.release import keeps_checkpoints
from knockon.sizing.row import element_bytes, model_dtype_of
from knockon.sizing.worksheet import Worksheet
from knockon.terms.words import Text

# vLLM 0.33 model_executor/layers/mamba/mamba_utils.py:100-318 and the models' get_mamba_state_shape_from_config.


def state_bytes(sheet: Worksheet, *, ranks: int) -> int | None:
    """One layer's state; None, with the reason written down, when its shape is not in the facts."""
    kind = sheet.text("linear_state_kind")
    sizes = _element_sizes(sheet, kind=kind)
    reckon = {"mamba2": _mamba2, "mamba1": _mamba1, "gated_delta": _gated_delta, "kda": _kda}.get(kind)
    if kind == "short_convolution":
        reckon = _short_convolution
    if reckon is None:
        _lack(
            sheet,
            Text("the states of this family's linear layers are not reckoned here", "此处不计算该模型族线性层的状态"),
        )
        return None
    shape = reckon(sheet, ranks)
    if shape is None or sizes is None:
        _lack(sheet, Text("the shape of a linear layer's state is not in the facts", "事实中没有线性层状态的形状"))
        return None
    convolution, recurrent = shape
    convolution_size, recurrent_size = sizes
    if convolution % ranks or recurrent % ranks:
        _lack(sheet, Text(f"the states do not divide by TP = {ranks}", f"状态不能被 TP = {ranks} 整除"))
        return None
    steps = (sheet.count("linear_conv_kernel_size") or 1) - 1
    if kind not in ("mamba1", "short_convolution"):
        steps += drafted_tokens(sheet)
    total = convolution // ranks * steps * convolution_size + recurrent // ranks * recurrent_size
    said = f"{convolution // ranks} x {steps} x {convolution_size} B + {recurrent // ranks} x {recurrent_size} B"
    return sheet.step("state_bytes_per_layer", said, total, "byte")


def drafted_tokens(sheet: Worksheet) -> int:
    """Tokens drafted a step, 0 without speculation."""
    return (sheet.count("num_speculative_tokens") or 0) if sheet.is_on("enable_speculative_decoding") else 0


def checkpoints_of(sheet: Worksheet) -> int:
    """States kept beside the last two so that a prefill need not be split at a block; in the releases that do so.

    Gated delta nets do it with one of their kernels only, which is not reckoned here.
    """
    is_kept = sheet.text("linear_state_kind") == "mamba2" and keeps_checkpoints(sheet.text("engine_version"))
    return 1 if is_kept else 0


def _element_sizes(sheet: Worksheet, *, kind: str) -> tuple[int, int] | None:
    """Bytes of an element of the convolution's part and of the recurrent part."""
    asked = sheet.text("mamba_cache_dtype").lower()
    convolution = model_dtype_of(sheet) if asked in ("", "auto") else asked
    asked = sheet.text("mamba_ssm_cache_dtype").lower()
    recurrent = sheet.text("linear_state_dtype").lower() if asked in ("", "auto") else asked
    if not recurrent:
        recurrent = "float32" if kind == "kda" else convolution
    sizes = element_bytes(convolution), element_bytes(recurrent)
    return None if sizes[0] is None or sizes[1] is None else (sizes[0], sizes[1])


def _mamba2(sheet: Worksheet, ranks: int) -> tuple[int, int] | None:
    inner, groups = sheet.count("linear_inner_size"), sheet.count("linear_group_count")
    heads, head = sheet.count("linear_num_value_heads"), sheet.count("linear_value_head_dim")
    state = sheet.count("linear_key_head_dim")
    if inner is None or groups is None or heads is None or head is None or state is None:
        return None
    # Groups that do not divide are copied to the ranks whose heads want them.
    held = groups if groups % ranks == 0 else ranks
    return inner + 2 * held * state, heads * head * state


def _mamba1(sheet: Worksheet, ranks: int) -> tuple[int, int] | None:
    inner, state = sheet.count("linear_inner_size"), sheet.count("linear_key_head_dim")
    return None if inner is None or state is None else (inner, inner * state)


def _gated_delta(sheet: Worksheet, ranks: int) -> tuple[int, int] | None:
    key_heads, heads = sheet.count("linear_num_key_heads"), sheet.count("linear_num_value_heads")
    key, value = sheet.count("linear_key_head_dim"), sheet.count("linear_value_head_dim")
    if key_heads is None or heads is None or key is None or value is None:
        return None
    return 2 * key_heads * key + heads * value, heads * value * key


def _kda(sheet: Worksheet, ranks: int) -> tuple[int, int] | None:
    heads, head = sheet.count("linear_num_value_heads"), sheet.count("linear_value_head_dim")
    return None if heads is None or head is None else (3 * heads * head, heads * head * head)


def _short_convolution(sheet: Worksheet, ranks: int) -> tuple[int, int] | None:
    inner = sheet.count("linear_inner_size")
    return None if inner is None else (inner, 0)


def _lack(sheet: Worksheet, reason: Text) -> None:
    for name in ("kv_cache_tokens", "max_concurrency", "needed_bytes", "fits"):
        sheet.lack(name, reason)
