"""Whether vLLM runs on Ascend NPUs, and what its plugin then does by default."""

from collections.abc import Mapping

from knockon.terms.fact import Fact, Origin

# vLLM Ascend, docs/source/user_guide/feature_guide/context_parallel.md: the default block size is 128.
_BLOCK_TOKENS = 128
# What only its environment sets; each is off unless said otherwise (vllm_ascend/envs.py of 0.18.0).
_SETTINGS = ("ascend_flashcomm", "ascend_launch_blocking")


def ascend_facts(facts: Mapping[str, Fact]) -> dict[str, Fact]:
    """`runs_on_ascend` for vLLM, and the plugin's block size where none was asked for; none for another engine."""
    engine = facts.get("engine")
    if engine is None or engine.value != "vllm":
        return {}
    told = facts.get("runs_on_ascend") or _by_setting(facts) or _by_device(facts.get("gpu_name"))
    found = {"runs_on_ascend": told}
    if told.value is True:
        origin = Origin("engine-default", "default of vLLM Ascend")
        found |= {name: Fact(name, False, origin) for name in _SETTINGS if name not in facts}
    block = facts.get("kv_block_size_tokens")
    if told.value is True and (block is None or block.origin.kind == "engine-default"):
        origin = Origin("engine-default", "default of vLLM Ascend")
        found["kv_block_size_tokens"] = Fact("kv_block_size_tokens", _BLOCK_TOKENS, origin)
    if told.value is True and _captures(facts):
        # vllm/config/vllm.py of 0.12.0 to 0.33.0: optimization level 2 asks for both.
        origin = Origin("engine-default", "default of vLLM")
        found["cudagraph_mode"] = Fact("cudagraph_mode", "FULL_AND_PIECEWISE", origin)
    if told.value is True and "cp_kv_cache_interleave_size_tokens" not in facts:
        # vllm/config/parallel.py of 0.33.0: one token each, unless said otherwise.
        origin = Origin("engine-default", "default of vLLM")
        found["cp_kv_cache_interleave_size_tokens"] = Fact("cp_kv_cache_interleave_size_tokens", 1, origin)
    return found


def _captures(facts: Mapping[str, Fact]) -> bool:
    """Whether nothing was said of graphs and compilation, so that the defaults hold."""
    level = facts.get("optimization_level")
    return (
        "cudagraph_mode" not in facts
        and "compilation_mode" not in facts
        and "enforce_eager" in facts
        and facts["enforce_eager"].value is False
        and (level is None or level.value == 2)
    )


def _by_setting(facts: Mapping[str, Fact]) -> Fact | None:
    name = next((name for name in _SETTINGS if name in facts), None)
    return None if name is None else Fact("runs_on_ascend", True, Origin("derived", facts[name].origin.text))


def _by_device(named: Fact | None) -> Fact:
    if named is not None and "ascend" in str(named.value).lower():
        return Fact("runs_on_ascend", True, Origin("derived", f"the device is called {named.value}"))
    return Fact("runs_on_ascend", False, Origin("derived", "nothing names Ascend"))
