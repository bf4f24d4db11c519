"""Whether vLLM runs on Ascend NPUs, and what its plugin then does by default."""

from collections.abc import Mapping

from knockon.terms.fact import Fact, Origin

# vLLM Ascend, docs/source/user_guide/feature_guide/context_parallel.md: the default block size is 128.
_BLOCK_TOKENS = 128


def ascend_facts(facts: Mapping[str, Fact]) -> dict[str, Fact]:
    """`runs_on_ascend` for vLLM, and the plugin's block size where none was asked for; none for another engine."""
    engine = facts.get("engine")
    if engine is None or engine.value != "vllm":
        return {}
    told = facts.get("runs_on_ascend") or _by_device(facts.get("gpu_name"))
    found = {"runs_on_ascend": told}
    block = facts.get("kv_block_size_tokens")
    if told.value is True and (block is None or block.origin.kind == "engine-default"):
        origin = Origin("engine-default", "default of vLLM Ascend")
        found["kv_block_size_tokens"] = Fact("kv_block_size_tokens", _BLOCK_TOKENS, origin)
    if told.value is True and "cp_kv_cache_interleave_size_tokens" not in facts:
        # vllm/config/parallel.py of 0.33.0: one token each, unless said otherwise.
        origin = Origin("engine-default", "default of vLLM")
        found["cp_kv_cache_interleave_size_tokens"] = Fact("cp_kv_cache_interleave_size_tokens", 1, origin)
    return found


def _by_device(named: Fact | None) -> Fact:
    if named is not None and "ascend" in str(named.value).lower():
        return Fact("runs_on_ascend", True, Origin("derived", f"the device is called {named.value}"))
    return Fact("runs_on_ascend", False, Origin("derived", "nothing names Ascend"))
