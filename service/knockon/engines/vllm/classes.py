"""What vLLM's class of a model says of itself, as facts that rules ask for."""

from collections.abc import Mapping

from knockon.engines.vllm.architectures import traits_of
from knockon.terms.fact import Fact, Origin

NAMES = ("class_is_multimodal", "class_spreads_encoder_by_data")
_TRAITS = dict(zip(NAMES, ("multimodal", "encoder_tp_data"), strict=True))


def class_facts(facts: Mapping[str, Fact]) -> dict[str, Fact]:
    """Facts of the model's class for vLLM; none for another engine or for a class that its registry lacks.

    Args:
        facts: all that is known, the model's `architecture` among it.
    """
    engine, architecture = facts.get("engine"), facts.get("architecture")
    if engine is None or engine.value != "vllm" or architecture is None:
        return {}
    traits = traits_of(str(architecture.value))
    if traits is None:
        return {}
    origin = Origin("derived", f"vLLM's class {architecture.value}")
    return {name: Fact(name, trait in traits, origin) for name, trait in _TRAITS.items()}
