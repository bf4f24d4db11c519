"""Which quantization method vLLM takes, from what was asked and what the checkpoint says."""

import pytest

from knockon.engines.vllm.weights import NAMES, weight_facts
from knockon.terms.fact import Fact, Origin
from knockon.terms.words import Scalar

PLAIN: dict[str, Scalar] = {"model_type": "llama", "checkpoint_quantization_hidden": False}


def told(**given: Scalar) -> dict[str, Scalar]:
    facts = {name: Fact(name, value, Origin("set", "test")) for name, value in {"engine": "vllm", **given}.items()}
    return {name: fact.value for name, fact in weight_facts(facts).items()}


def test_another_engine_states_nothing() -> None:
    assert told(engine="sglang", quantization="fp8", model_type="llama") == {}


def test_plain_weights_and_nothing_asked() -> None:
    assert told(**PLAIN) == {
        "quantization_in_use": "none",
        "quantization_source": "none",
        "quantization_agrees": True,
        "quantization_is_ignored": False,
        "checkpoint_has_no_quantization": True,
        "checkpoint_is_plain": True,
    }


def test_plain_weights_quantized_while_loading() -> None:
    facts = told(**PLAIN, quantization="FP8_per_block")

    assert facts["quantization_in_use"] == "fp8_per_block"
    assert facts["quantization_source"] == "load"
    assert facts["quantization_needs_capability"] == "7.5"


def test_unnamed_model_may_hide_a_file_and_is_not_called_plain() -> None:
    facts = told(model_type="llama", quantization="modelopt")

    assert facts["quantization_in_use"] == "modelopt"
    assert "checkpoint_is_plain" not in facts


@pytest.mark.parametrize("known", [{}, {"model_type": "llama", "checkpoint_quantization_hidden": True}])
def test_unknown_checkpoint_leaves_only_the_minimum_of_what_was_asked(known: dict[str, Scalar]) -> None:
    assert told(**known, quantization="int8_per_channel_weight_only") == {"quantization_needs_capability": "7.5"}
    assert told(**known, quantization="modelopt") == {}


@pytest.mark.parametrize(
    ("asked", "checkpoint", "in_use"),
    [
        ("awq_marlin", "awq", "auto_awq"),
        ("gptq", "gptq", "auto_gptq"),
        ("compressed-tensors", "compressed_tensors", "compressed-tensors"),
        ("humming", "fp8", "humming"),
        ("deepseek_v4_fp8", "fp8", "deepseek_v4_fp8"),
    ],
)
def test_names_that_agree(asked: str, checkpoint: str, in_use: str) -> None:
    facts = told(model_type="llama", quantization=asked, checkpoint_quantization=checkpoint)

    assert facts["quantization_in_use"] == in_use
    assert facts["quantization_agrees"] is True
    assert facts["quantization_is_ignored"] is False


@pytest.mark.parametrize(
    ("asked", "checkpoint"), [("gptq_marlin", "awq"), ("fp8_per_tensor", "fp8"), ("moe_wna16", "awq"), ("awq", "fp8")]
)
def test_names_that_do_not_agree(asked: str, checkpoint: str) -> None:
    facts = told(model_type="llama", quantization=asked, checkpoint_quantization=checkpoint)

    assert facts["quantization_agrees"] is False
    assert "quantization_in_use" not in facts
    assert "quantization_needs_capability" not in facts


@pytest.mark.parametrize(
    ("algorithm", "in_use", "capability"),
    [
        ("FP8", "modelopt", "8.0"),
        ("NVFP4", "modelopt_fp4", "7.5"),
        ("MXFP8", "modelopt_mxfp8", "8.0"),
        ("MIXED_PRECISION", "modelopt_mixed", "7.5"),
    ],
)
def test_modelopt_takes_the_place_of_what_was_asked(algorithm: str, in_use: str, capability: str) -> None:
    facts = told(
        model_type="llama",
        quantization="experts_int8",
        checkpoint_quantization="modelopt",
        checkpoint_quantization_algorithm=algorithm,
    )

    assert facts["quantization_in_use"] == in_use
    assert facts["quantization_is_ignored"] is True
    assert facts["quantization_needs_capability"] == capability


def test_integer_experts_read_four_bits_of_awq() -> None:
    facts = told(model_type="llama", quantization="moe_wna16", checkpoint_quantization="awq", checkpoint_weight_bits=4)

    assert facts["quantization_in_use"] == "moe_wna16"


def test_gpt_oss_takes_its_own_method_and_refuses_humming() -> None:
    given: dict[str, Scalar] = {"model_type": "gpt_oss", "checkpoint_quantization": "mxfp4"}

    assert told(**given)["quantization_in_use"] == "gpt_oss_mxfp4"
    assert told(**given, quantization="humming")["quantization_agrees"] is False


def test_every_name_is_listed() -> None:
    assert set(told(**PLAIN, quantization="fp8")) <= set(NAMES)
