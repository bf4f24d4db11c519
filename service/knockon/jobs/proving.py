"""What rules do: each with its own examples, and all of them together."""

from collections.abc import Sequence
from pathlib import Path

from knockon.backends import BACKENDS
from knockon.curate.lint import UPKEEP, held_tree
from knockon.curate.tree import collect_tree
from knockon.jobs import promtool
from knockon.jobs.knowledge import knowledge_of
from knockon.rules.analyse import Analysis, analyse
from knockon.rules.examples import ExampleResult, Judges, judged_by, run_examples
from knockon.rules.thresholds import values_in_force
from knockon.terms.place import Position

# A rule that is being written has few examples yet, and those can be run.
_NO_MATTER = UPKEEP | {"missing-example", "missing-boundary"}


def run_rule_examples(
    catalog_dir: Path, rules_dir: Path, *, profile: str = "default", backend: str | None = None
) -> Sequence[ExampleResult]:
    """Run every example that the rules ship, by a back-end of backends/__init__.py or by "promql".

    Without `backend` the conditions are interpreted, as for a single question: compiling them takes longer than that.

    Raises:
        CurationError: the tree does not hold together; every problem with its place, and no example is run.
        NotFound: there is no such profile. KnockonError: what the back-end needs is not installed.
    """
    bundle = held_tree(catalog_dir, rules_dir, but=_NO_MATTER)
    return run_examples(knowledge_of(bundle).rulebook, profile=profile, judges=_judges(backend))


def places_of(catalog_dir: Path, rules_dir: Path, results: Sequence[ExampleResult]) -> Sequence[Position]:
    """Where the examples of `results` say what they expect, in the files of trees that hold together."""
    tree = collect_tree(catalog_dir, rules_dir)
    rules = {**tree.of_kind("couple"), **tree.of_kind("diagnose")}
    numbers = [
        next(number for number, example in enumerate(one.rule.examples) if example.name == one.example.name)
        for one in results
    ]
    return [rules[one.rule.id].at("examples", number, "expect") for one, number in zip(results, numbers, strict=True)]


def _judges(backend: str | None) -> Judges | None:
    if backend is None:
        return None
    return promtool.judged_with_texts if backend == "promql" else judged_by(BACKENDS[backend])


def analyse_rules(catalog_dir: Path, rules_dir: Path, *, profile: str = "default") -> Analysis:
    """What the diagnose rules say together under `profile`; raises CurationError when the tree does not hold."""
    rulebook = knowledge_of(held_tree(catalog_dir, rules_dir, but=_NO_MATTER)).rulebook
    return analyse(rulebook, dict(values_in_force(rulebook.profiles, profile)))
