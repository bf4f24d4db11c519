"""What earlier releases of vLLM did by default for some models, where the table's default is that of plain ones."""

from collections.abc import Mapping

from knockon.engines.release import release_of
from knockon.terms.errors import IntakeError
from knockon.terms.fact import Fact, Origin

# vllm/config/model.py, is_prefix_caching_supported: false for hybrids up to 0.25.1, true from 0.26.0.
_REUSES_HYBRID_PREFIXES = "0.26.0"


def earlier_facts(facts: Mapping[str, Fact]) -> dict[str, Fact]:
    """Prefix caching is off by default for models with linear states before 0.26.0; nothing where it was asked for."""
    held, version, kind = (facts.get(name) for name in ("enable_prefix_caching", "engine_version", "attention_kind"))
    if held is None or version is None or kind is None or kind.value != "hybrid_linear":
        return {}
    if held.origin.kind != "engine-default" or held.value is not True:
        return {}
    try:
        is_earlier = release_of(str(version.value)) < release_of(_REUSES_HYBRID_PREFIXES)
    except IntakeError:
        return {}
    why = f"default of vLLM {version.value} for models with linear states"
    told = Fact("enable_prefix_caching", False, Origin("engine-default", why))
    return {"enable_prefix_caching": told} if is_earlier else {}
