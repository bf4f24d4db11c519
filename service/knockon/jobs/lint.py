"""lint: does the whole tree of catalog and rules hold together? Every complaint with its place."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from knockon.backends import BACKENDS
from knockon.curate.lint import UPKEEP, held_tree, lint_tree
from knockon.jobs import promtool
from knockon.jobs.knowledge import knowledge_of
from knockon.rules.analyse import Analysis, analyse
from knockon.rules.examples import ExampleResult, judged_by, run_examples
from knockon.rules.thresholds import values_in_force
from knockon.terms.errors import Problem

# A rule that is being written has few examples yet, and those can be run.
_NO_MATTER = UPKEEP | {"missing-example", "missing-boundary"}

Part = Literal["catalog", "rules"]


def lint(catalog_dir: Path, rules_dir: Path, *, part: Part | None = None) -> Sequence[Problem]:
    """Every problem of the tree, sorted by place; with `part`, only those whose place is in that folder."""
    problems = lint_tree(catalog_dir, rules_dir)
    if part is None:
        return problems
    folder = catalog_dir if part == "catalog" else rules_dir
    return [problem for problem in problems if problem.at is None or Path(problem.at.path).is_relative_to(folder)]


def run_rule_examples(
    catalog_dir: Path, rules_dir: Path, *, profile: str = "default", backend: str = "python"
) -> Sequence[ExampleResult]:
    """Run every example that the rules ship, by a back-end of backends/__init__.py or by "promql".

    Raises:
        CurationError: the tree does not hold together; every problem with its place, and no example is run.
        NotFound: there is no such profile. KnockonError: what the back-end needs is not installed.
    """
    bundle = held_tree(catalog_dir, rules_dir, but=_NO_MATTER)
    judges = promtool.judged_with_texts if backend == "promql" else judged_by(BACKENDS[backend])
    return run_examples(knowledge_of(bundle).rulebook, profile=profile, judges=judges)


def analyse_rules(catalog_dir: Path, rules_dir: Path, *, profile: str = "default") -> Analysis:
    """What the diagnose rules say together under `profile`; raises CurationError when the tree does not hold."""
    rulebook = knowledge_of(held_tree(catalog_dir, rules_dir, but=_NO_MATTER)).rulebook
    return analyse(rulebook, dict(values_in_force(rulebook.profiles, profile)))
