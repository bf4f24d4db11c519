"""What vLLM's class of a model says of itself, as facts."""

import pytest

from knockon.engines.vllm.classes import NAMES, class_facts
from knockon.terms.fact import Fact, Origin


@pytest.mark.parametrize(
    ("architecture", "expected"),
    [
        ("LlamaForCausalLM", {"class_is_multimodal": False, "class_spreads_encoder_by_data": False}),
        ("Gemma3ForConditionalGeneration", {"class_is_multimodal": True, "class_spreads_encoder_by_data": False}),
        ("Qwen2_5_VLForConditionalGeneration", {"class_is_multimodal": True, "class_spreads_encoder_by_data": True}),
        ("NobodysModel", {}),
    ],
)
def test_traits_become_facts(architecture: str, expected: dict[str, bool]) -> None:
    stated = {"engine": "vllm", "architecture": architecture}

    assert told(stated) == expected
    assert set(expected) <= set(NAMES)


@pytest.mark.parametrize("stated", [{}, {"engine": "vllm"}, {"engine": "sglang", "architecture": "LlamaForCausalLM"}])
def test_nothing_is_told_without_engine_and_class(stated: dict[str, str]) -> None:
    assert told(stated) == {}


def told(stated: dict[str, str]) -> dict[str, object]:
    facts = {name: Fact(name, value, Origin("set", "given")) for name, value in stated.items()}
    return {name: fact.value for name, fact in class_facts(facts).items()}
