"""What earlier releases of vLLM made of model and flags, where the newest one does otherwise."""

from collections.abc import Mapping

from knockon.engines.release import release_of
from knockon.terms.errors import IntakeError
from knockon.terms.fact import Fact, Origin

# vllm/config/model.py, is_prefix_caching_supported: up to 0.25.1 not by default for hybrid models, from 0.26.0 on also
# for them.
_HYBRIDS_CACHE_PREFIXES = "0.26.0"
# vllm/config/model.py, _get_and_verify_max_len: up to 0.29.0 a YaRN model has its original length times the factor,
# from 0.30.0 on what it declares.
_YARN_AS_DECLARED = "0.30.0"
TURNS = (_HYBRIDS_CACHE_PREFIXES, _YARN_AS_DECLARED)
"""The releases at which what is told here changes."""

_WITH_STATES = ("hybrid_linear", "linear")


def earlier_facts(facts: Mapping[str, Fact]) -> dict[str, Fact]:
    """Defaults that an earlier release took back for the model; none where it was asked for."""
    cached, kind = facts.get("enable_prefix_caching"), facts.get("attention_kind")
    if (
        cached is None
        or kind is None
        or cached.origin.kind != "engine-default"
        or kind.value not in _WITH_STATES
        or not is_before(facts, _HYBRIDS_CACHE_PREFIXES)
    ):
        return {}
    why = f"the default before {_HYBRIDS_CACHE_PREFIXES} for models with linear layers"
    return {"enable_prefix_caching": Fact("enable_prefix_caching", False, Origin("engine-default", why))}


def yarn_length(facts: Mapping[str, Fact]) -> tuple[int, str] | None:
    """The tokens that a YaRN model may have in releases that scale its original length; None for all else."""
    kind, factor, original = (
        fact.value if (fact := facts.get(name)) else None
        for name in ("rope_scaling_type", "rope_scaling_factor", "rope_original_max_position_embeddings")
    )
    if kind != "yarn" or not is_before(facts, _YARN_AS_DECLARED):
        return None
    if not isinstance(factor, (int, float)) or not isinstance(original, int):
        return None
    return int(original * factor), f"original length {original} x {factor:g} of yarn scaling"


def is_before(facts: Mapping[str, Fact], release: str) -> bool:
    """Whether the deployment is known to run a release before the given one."""
    named = facts.get("engine_version")
    try:
        return named is not None and release_of(str(named.value)) < release_of(release)
    except IntakeError:
        return False
