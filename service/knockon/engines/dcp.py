"""Whether a release of an engine can share one copy of the KV cache along the tokens at all."""

from collections.abc import Mapping

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
_LATENT = frozenset({"mla", "mla_sparse"})


def dcp_facts(facts: Mapping[str, Fact]) -> dict[str, Fact]:
    """`decode_context_parallel_missing`: true where the release is known to be from before; the newest has it."""
    engine, version, kind = (_text(facts, name) for name in ("engine", "engine_version", "attention_kind"))
    since = _SINCE.get((engine, "latent" if kind in _LATENT else "grouped"))
    is_missing = False
    if since is not None and version:
        try:
            is_missing = release_of(version) < release_of(since)
        except IntakeError:
            is_missing = False
    why = f"decode context parallelism came with {engine} {since}" if is_missing else "the newest release known has it"
    name = "decode_context_parallel_missing"
    return {name: Fact(name, is_missing, Origin("derived", why))}


def _text(facts: Mapping[str, Fact], name: str) -> str:
    fact = facts.get(name)
    return fact.value if fact is not None and isinstance(fact.value, str) else ""
