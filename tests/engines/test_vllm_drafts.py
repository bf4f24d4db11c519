"""What vLLM makes of a speculative configuration, and what it lacks."""

import pytest

from knockon.engines.vllm.drafts import NAMES, draft_facts
from knockon.terms.fact import Fact, Origin
from knockon.terms.words import Scalar


def told(**given: Scalar) -> dict[str, Scalar]:
    facts = {name: Fact(name, value, Origin("set", "test")) for name, value in {"engine": "vllm", **given}.items()}
    return {name: fact.value for name, fact in draft_facts(facts).items()}


def drafting(**given: Scalar) -> dict[str, Scalar]:
    return told(enable_speculative_decoding=True, **given)


def test_another_engine_states_nothing() -> None:
    assert told(engine="sglang", model_type="llama") == {}


@pytest.mark.parametrize(
    ("given", "method"),
    [
        ({"speculative_method": "deepseek_mtp"}, "mtp"),
        ({"speculative_method": "ngram"}, "ngram"),
        ({"draft_model": "ngram"}, "ngram"),
        ({"draft_model": "yuhuili/EAGLE3-LLaMA3.1-Instruct-8B"}, "eagle3"),
        ({"draft_model": "yuhuili/EAGLE-LLaMA3-Instruct-8B", "speculative_method": "draft_model"}, "eagle"),
        ({"draft_model": "Qwen/Qwen3-0.6B", "draft_model_type": "qwen3"}, "draft_model"),
        ({"draft_model": "example/drafter", "draft_model_type": "qwen3_next"}, "mtp"),
    ],
)
def test_method_in_use(given: dict[str, Scalar], method: str) -> None:
    assert drafting(**given)["speculative_method_in_use"] == method


@pytest.mark.parametrize("model", ["example/unheard-of", "mine.Drafter"])
def test_method_of_a_draft_nobody_knows_is_not_guessed(model: str) -> None:
    assert "speculative_method_in_use" not in drafting(draft_model=model)


@pytest.mark.parametrize(
    ("given", "lacks"),
    [
        ({"speculative_method": "ngram"}, True),
        ({"speculative_method": "mtp"}, True),
        ({"speculative_method": "ngram", "num_speculative_tokens": 3}, False),
        ({"draft_model": "Qwen/Qwen3-0.6B", "draft_model_type": "qwen3"}, True),
        ({"speculative_method": "suffix"}, None),
        ({"speculative_method": "eagle3", "draft_model": "example/head"}, None),
    ],
)
def test_count_that_nobody_gives(given: dict[str, Scalar], lacks: bool | None) -> None:
    assert drafting(**given).get("speculation_lacks_count") is lacks


@pytest.mark.parametrize(
    ("given", "lacks"),
    [
        ({"speculative_method": "eagle3"}, True),
        ({"num_speculative_tokens": 3}, True),
        ({"speculative_method": "mtp"}, False),
        ({"speculative_method": "ngram_gpu"}, False),
        ({"speculative_method": "eagle3", "draft_model": "example/head"}, False),
    ],
)
def test_model_that_nobody_names(given: dict[str, Scalar], lacks: bool) -> None:
    assert drafting(**given)["speculation_lacks_model"] is lacks


@pytest.mark.parametrize(
    ("given", "has"),
    [
        ({"model_type": "deepseek_v3"}, True),
        ({"model_type": "deepseek_v2"}, False),
        ({"model_type": "nemotron_h", "draft_layer_count": 1}, True),
        ({"model_type": "nemotron_h"}, False),
        ({"model_type": "unheard_of"}, None),
    ],
)
def test_prediction_layers_of_a_family(given: dict[str, Scalar], has: bool | None) -> None:
    assert told(**given).get("has_prediction_layers") is has


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({"model_type": "nemotron_h"}, "float32"),
        ({"model_type": "qwen3_5", "linear_state_dtype": "float32"}, "float32"),
        ({"model_type": "jamba", "linear_state_dtype": "float32"}, "auto"),
        ({"mamba_ssm_cache_dtype": "float16"}, "float16"),
        ({}, None),
    ],
)
def test_state_type_in_use(given: dict[str, Scalar], kept: str | None) -> None:
    assert told(**given).get("mamba_ssm_cache_dtype_in_use") == kept


def test_every_name_is_listed() -> None:
    assert set(drafting(speculative_method="ngram", model_type="llama")) <= set(NAMES)
