"""Which release a deployment is taken for, and whether that one can share its KV cache along the tokens at all."""

from collections.abc import Mapping

from knockon.engines.dated import releases
from knockon.engines.release import release_of
from knockon.terms.errors import IntakeError
from knockon.terms.fact import Fact, Origin

# vLLM: for latent attention pull request 23734, for grouped heads pull request 24864, each with the release after it.
# SGLang: server_args.py has the option in 0.5.15 and not in 0.5.14.
_SINCE = {
    ("vllm", "latent"): "0.10.2",
    ("vllm", "grouped"): "0.11.0",
    ("sglang", "latent"): "0.5.15",
    ("sglang", "grouped"): "0.5.15",
}
# Started with fewer blocks than a request needs at 0.20.1, refuses at 0.33.0.
_CHECKS_ORDERED_BLOCKS = "0.21.0"
_LATENT = frozenset({"mla", "mla_sparse"})


def bounds_of(engine: str) -> frozenset[str]:
    """The releases of an engine at which these facts change."""
    named = {since for (one, _), since in _SINCE.items() if one == engine}
    return frozenset({*named, _CHECKS_ORDERED_BLOCKS} if engine == "vllm" else named)


def release_facts(facts: Mapping[str, Fact]) -> dict[str, Fact]:
    """What follows from the release, or from the newest one known where nobody says which it is.

    `engine_release`: the release itself; `decode_context_parallel_missing`: whether it is from before;
    `kv_fit_unchecked`: whether it starts with an ordered number of KV blocks that holds no whole request.
    """
    engine, version, kind = (_text(facts, name) for name in ("engine", "engine_version", "attention_kind"))
    since = _SINCE.get((engine, "latent" if kind in _LATENT else "grouped"))
    is_missing = since is not None and _is_before(version, since)
    why = f"decode context parallelism came with {engine} {since}" if is_missing else "the newest release known has it"
    name = "decode_context_parallel_missing"
    told = {name: Fact(name, is_missing, Origin("derived", why))}
    is_unchecked = (
        engine == "vllm" and "kv_blocks_override_count" in facts and _is_before(version, _CHECKS_ORDERED_BLOCKS)
    )
    told["kv_fit_unchecked"] = Fact(
        "kv_fit_unchecked", is_unchecked, Origin("derived", "the release and what was ordered")
    )
    newest = max((one for one, _ in releases(engine)), key=release_of, default="")
    taken = version or newest
    if taken:
        how = "as asked" if version else "the newest release known, since none was named"
        told["engine_release"] = Fact("engine_release", taken, Origin("derived", how))
    return told


def _is_before(version: str, since: str) -> bool:
    """Whether a version is known to be before a release; not where it is not known, or cannot be read."""
    try:
        return bool(version) and release_of(version) < release_of(since)
    except IntakeError:
        return False


def _text(facts: Mapping[str, Fact], name: str) -> str:
    fact = facts.get(name)
    return fact.value if fact is not None and isinstance(fact.value, str) else ""
