"""lint: does the whole tree of catalog and rules hold together? Every complaint with its place."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from knockon.curate.lint import lint_tree
from knockon.terms.errors import Problem

Part = Literal["catalog", "rules"]


def lint(catalog_dir: Path, rules_dir: Path, *, part: Part | None = None) -> Sequence[Problem]:
    """Every problem of the tree, sorted by place; with `part`, only those whose place is in that folder."""
    problems = lint_tree(catalog_dir, rules_dir)
    if part is None:
        return problems
    folder = catalog_dir if part == "catalog" else rules_dir
    return [problem for problem in problems if problem.at is None or Path(problem.at.path).is_relative_to(folder)]
