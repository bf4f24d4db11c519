"""lint: does the whole tree of catalog and rules hold together? Every complaint with its place."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from knockon.curate.lint import lint_tree
from knockon.terms.errors import Problem

if TYPE_CHECKING:
    from knockon.curate.checks.switches import Engines

Part = Literal["catalog", "rules"]
_ENGINES = Path(__file__).parent.parent / "engines"


def lint(catalog_dir: Path, rules_dir: Path, *, part: Part | None = None) -> Sequence[Problem]:
    """Every problem of the tree, sorted by place; with `part`, only those whose place is in that folder."""
    problems = lint_tree(catalog_dir, rules_dir, engines=_engines, engines_digest=_tables_digest())
    if part is None:
        return problems
    folder = catalog_dir if part == "catalog" else rules_dir
    return [problem for problem in problems if problem.at is None or Path(problem.at.path).is_relative_to(folder)]


def _engines() -> "Engines":
    # Only a tree that is not known to be right is held against the tables.
    from knockon.curate.checks.switches import Engines  # noqa: PLC0415  see above
    from knockon.engines.listed import flags_listed, values_listed  # noqa: PLC0415  see above

    return Engines(flags_listed(), values_listed())


def _tables_digest() -> str:
    """What the tables are known by: with others a tree that was right has to be looked at again."""
    hasher = hashlib.blake2b(digest_size=16)
    for file in (*sorted(_ENGINES.glob("*/flags.yaml")), _ENGINES / "listed.py"):
        hasher.update(file.read_bytes())
    return hasher.hexdigest()
