"""Every example that a shipped rule carries."""

import pytest

from knockon.rules.examples import ExampleResult, run_examples
from tests.shipped import shipped

RESULTS = run_examples(shipped().rulebook)


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: f"{result.rule.id}-{result.example.name}")
def test_example_comes_out_as_expected(result: ExampleResult) -> None:
    assert result.got == result.example.expect
