"""Every example that a shipped rule carries."""

import pytest

from knockon.backends import BACKENDS
from knockon.jobs.promtool import judged_with_texts
from knockon.rules.examples import judged_by, run_examples
from tests.shipped import shipped

RULEBOOK = shipped().rulebook
RESULTS = run_examples(RULEBOOK)


def test_every_example_comes_out_as_expected() -> None:
    assert [(one.rule.id, one.example.name, one.got) for one in RESULTS if one.got != one.example.expect] == []


@pytest.mark.proof
@pytest.mark.parametrize("backend", list(BACKENDS))
def test_every_back_end_gives_the_outcome_of_every_example(backend: str) -> None:
    results = run_examples(RULEBOOK, judges=judged_by(BACKENDS[backend]))

    assert [(one.rule.id, one.example.name, one.got) for one in results if one.got != one.example.expect] == []
    assert len(results) == len(RESULTS)


@pytest.mark.proof
@pytest.mark.usefixtures("promtool")
def test_promql_gives_the_outcome_of_every_example() -> None:
    results = run_examples(RULEBOOK, judges=judged_with_texts)

    assert [(one.rule.id, one.example.name, one.got) for one in results if one.got != one.example.expect] == []
