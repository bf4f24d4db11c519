"""What vLLM's graph mode leaves of CUDA graphs, eager mode aside."""

import pytest

from knockon.engines.vllm.engine import Vllm
from knockon.terms.fact import Fact, Origin
from knockon.terms.words import Scalar


def is_off(**given: Scalar) -> Scalar:
    stated = {name: Fact(name, value, Origin("set", "test")) for name, value in given.items()}
    return Vllm().follow(stated)["cudagraphs_off_by_mode"].value


@pytest.mark.parametrize(
    ("given", "off"),
    [
        ({"cudagraph_mode": "NONE"}, True),
        ({"cudagraph_mode": "NONE", "optimization_level": 2}, True),
        ({"cudagraph_mode": "FULL", "optimization_level": 0}, False),
        ({"optimization_level": 0}, True),
        ({"optimization_level": 1}, False),
        ({"enforce_eager": True}, False),
        ({}, False),
    ],
)
def test_graphs_are_off_where_the_mode_captures_nothing(given: dict[str, Scalar], off: bool) -> None:
    assert is_off(**given) is off
