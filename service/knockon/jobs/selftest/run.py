"""Runs everything that can be run on an installed package: cases of every family, examples of every rule."""

from collections.abc import Iterator

from knockon.jobs.knowledge import Knowledge
from knockon.jobs.selftest.backends import backend_outcomes
from knockon.jobs.selftest.engines import engine_outcomes
from knockon.jobs.selftest.formats import format_outcomes
from knockon.jobs.selftest.manifests import manifest_outcomes
from knockon.jobs.selftest.outcome import Outcome
from knockon.jobs.selftest.sources import source_outcomes
from knockon.rules.examples import run_examples


def selftest(knowledge: Knowledge) -> Iterator[Outcome]:
    """Every case, family by family. A case that raises what it does not expect is a failure, never an error here.

    A member whose extra is not installed is not run, and its outcomes say so.
    """
    yield from backend_outcomes()
    yield from engine_outcomes()
    yield from manifest_outcomes()
    yield from source_outcomes(knowledge.rulebook.vocabulary)
    yield from format_outcomes()
    yield from _rule_outcomes(knowledge)


def _rule_outcomes(knowledge: Knowledge) -> Iterator[Outcome]:
    for result in run_examples(knowledge.rulebook):
        problem = "" if result.passed else f"it {result.got}; expected {result.example.expect}"
        yield Outcome("rules", result.rule.id, result.example.name, problem)
