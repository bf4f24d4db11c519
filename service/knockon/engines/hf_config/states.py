"""The state that linear and state-space layers keep for a request, under one set of names for every family."""

from collections.abc import Iterator, Mapping

from knockon.engines.hf_config.attention import Told
from knockon.engines.hf_config.reader import ConfigReader

# Names by kind → the keys they go by. A state has value heads of `value head` x `key head` elements.
_GATED_DELTA = {
    "linear_num_key_heads": ("linear_num_key_heads",),
    "linear_num_value_heads": ("linear_num_value_heads",),
    "linear_key_head_dim": ("linear_key_head_dim",),
    "linear_value_head_dim": ("linear_value_head_dim",),
    "linear_conv_kernel_size": ("linear_conv_kernel_dim",),
}
_MAMBA2 = {
    "linear_num_value_heads": ("mamba_num_heads", "mamba_n_heads", "num_heads"),
    "linear_value_head_dim": ("mamba_head_dim", "mamba_d_head", "mamba_headdim", "head_dim"),
    "linear_key_head_dim": ("ssm_state_size", "mamba_d_state", "state_size"),
    "linear_group_count": ("n_groups", "mamba_n_groups", "mamba_ngroups"),
    "linear_conv_kernel_size": ("conv_kernel", "mamba_d_conv"),
}
_MAMBA1 = {
    "linear_key_head_dim": ("mamba_d_state", "state_size"),
    "linear_conv_kernel_size": ("mamba_d_conv", "conv_kernel"),
}
_KDA = {
    "linear_num_value_heads": ("linear_attn_config.num_heads",),
    "linear_value_head_dim": ("linear_attn_config.head_dim",),
    "linear_conv_kernel_size": ("linear_attn_config.short_conv_kernel_size",),
}
_SHORT_CONVOLUTION = {"linear_inner_size": ("conv_dim",), "linear_conv_kernel_size": ("conv_L_cache",)}
_KEYS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "gated_delta": _GATED_DELTA,
    "mamba2": _MAMBA2,
    "mamba1": _MAMBA1,
    "kda": _KDA,
    "short_convolution": _SHORT_CONVOLUTION,
}
_FAMILIES = {
    **dict.fromkeys(("qwen3_next", "qwen3_5", "qwen3_5_text", "qwen3_5_moe", "qwen3_5_moe_text"), "gated_delta"),
    **dict.fromkeys(("mamba2", "bamba", "falcon_h1", "nemotron_h", "granitemoehybrid"), "mamba2"),
    **dict.fromkeys(("jamba", "mamba", "falcon_mamba"), "mamba1"),
    "kimi_linear": "kda",
    **dict.fromkeys(("lfm2", "lfm2_moe"), "short_convolution"),
}
# What vLLM takes for the state's type where neither flag nor config says it (models/config.py).
_STATE_DTYPES = {"nemotron_h": "float32"}


def states_of(reader: ConfigReader, *, family: str | None) -> Iterator[tuple[str, Told]]:
    """The shape of a state; nothing for a family whose states are not known here."""
    kind = _FAMILIES.get(family or "")
    if kind is None:
        return
    yield "linear_state_kind", Told(kind, f"family {family}", read=False)
    for name, keys in _KEYS[kind].items():
        found = reader.integer(*keys, minimum=1)
        if found is not None and isinstance(found.value, int):
            yield name, Told(found.value, found.key)
    inner = _inner_of(reader, kind=kind)
    if inner is not None:
        yield "linear_inner_size", inner
    declared = reader.text("mamba_ssm_cache_dtype", "mamba_ssm_dtype")
    if declared is not None:
        yield "linear_state_dtype", Told(str(declared.value), declared.key)
    elif family in _STATE_DTYPES:
        yield "linear_state_dtype", Told(_STATE_DTYPES[family], f"{family} without mamba_ssm_cache_dtype", read=False)


def _inner_of(reader: ConfigReader, *, kind: str) -> Told | None:
    if kind not in ("mamba1", "mamba2"):
        return None
    given = reader.integer("mamba_d_ssm", minimum=1)
    if given is not None and isinstance(given.value, int):
        return Told(given.value, given.key)
    heads, head = reader.number("mamba_num_heads"), reader.number("mamba_head_dim")
    if heads and head:
        return Told(heads * head, "mamba_num_heads x mamba_head_dim", read=False)
    expand, hidden = reader.number("expand", "mamba_expand"), reader.number("hidden_size")
    if expand and hidden:
        return Told(expand * hidden, "expand x hidden_size", read=False)
    return None
