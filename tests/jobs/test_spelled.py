"""`--set` with the names that engines give their settings."""

import pytest

from knockon.jobs.deployment import Asked, deployment_of
from knockon.terms.errors import IntakeError, NotFound
from knockon.terms.words import Scalar
from tests.shipped import shipped


@pytest.mark.parametrize(
    ("text", "engine", "name", "value"),
    [
        ("tp=8", None, "tensor_parallel_size", 8),
        ("--tp=8", "vllm", "tensor_parallel_size", 8),
        ("tp_size=8", "vllm", "tensor_parallel_size", 8),
        ("tensor-parallel-size=8", None, "tensor_parallel_size", 8),
        ("tensor_parallel_size: 8", None, "tensor_parallel_size", 8),
        ("max-model-len=32k", "vllm", "max_model_len", 32_000),
        ("disable-radix-cache=true", "sglang", "enable_prefix_caching", False),
        ("enable_prefix_caching=Enabled", None, "enable_prefix_caching", True),
        ("VLLM_MARLIN_INPUT_DTYPE=int8", "vllm", "marlin_input_dtype", "int8"),
    ],
)
def test_a_setting_of_an_engine_states_its_fact(text: str, engine: str | None, name: str, value: Scalar) -> None:
    facts = deployment_of(shipped(), Asked(engine=engine, sets=[text])).facts

    assert facts[name].value == value


def test_what_no_engine_has_is_not_found() -> None:
    with pytest.raises(NotFound):
        deployment_of(shipped(), Asked(sets=["tensr_parallel=8"]))


def test_one_fact_by_two_names_with_two_values_is_refused() -> None:
    with pytest.raises(IntakeError, match="set twice"):
        deployment_of(shipped(), Asked(sets=["tp=8", "tensor_parallel_size=4"]))
