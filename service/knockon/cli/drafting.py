"""`catalog new`: what the command line left out is asked for on the terminal; then the file is written and checked."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import typer

from knockon.cli.show import write
from knockon.cli.trees import trees
from knockon.curate.tree import read_tree
from knockon.jobs.knowledge import knowledge_of
from knockon.jobs.lint import lint
from knockon.jobs.new import Draft, new_technique
from knockon.terms.errors import IntakeError, Problem
from knockon.terms.words import Text

_ASKS: Mapping[str, str] = {
    "name": "Name in English",
    "name-zh": "Name in Chinese",
    "stage": "Stage (data, training, inference, validation, governance)",
    "layer": "Layer (L1 to L7)",
    "dimension": "Dimension (compute, storage, network, scheduling, data, energy)",
    "mechanism": "Mechanism, as a slug; techniques that can replace one another share it",
    "goal": "What is it for, in English",
    "goal-zh": "What is it for, in Chinese",
    "summary": "How does it work, in English",
    "summary-zh": "How does it work, in Chinese",
    "gain": "Quantities that get better, by id (`knockon catalog list quantities`)",
    "cost": "Quantities that get worse, by id",
    "cite": "Sources, by id of catalog/citations/",
}


def draft_of(key: str, given: Mapping[str, str | None]) -> Draft:
    """The draft of technique `key` from the options, by their names without dashes; lists have commas between items.

    Raises:
        IntakeError: something is missing and nobody is at a terminal to ask.
    """
    missing = [name for name, value in given.items() if not value]
    if missing and not sys.stdin.isatty():
        options = ", ".join(f"--{name}" for name in missing)
        raise IntakeError(
            Problem("missing-option", f"{options}: not given", "all of them, or a terminal to ask on", "see --help")
        )
    said = {name: value or str(typer.prompt(_ASKS[name])).strip() for name, value in given.items()}
    return Draft(
        id=key,
        name=Text(said["name"], said["name-zh"]),
        stage=said["stage"],
        layer=said["layer"],
        dimension=said["dimension"],
        mechanism=said["mechanism"],
        goal=Text(said["goal"], said["goal-zh"]),
        summary=Text(said["summary"], said["summary-zh"]),
        gains=_listed(said["gain"]),
        costs=_listed(said["cost"]),
        cite=_listed(said["cite"]),
    )


def written(draft: Draft, catalog: str | None, rules: str | None, *, dry_run: bool) -> None:
    """Write the file and say what stands near it and what is still wrong with it; raises KnockonError."""
    folders = trees(catalog, rules)
    made = new_technique(knowledge_of(read_tree(*folders)).catalog, draft)
    near = f"# near it: {', '.join(made.alike)}\n" if made.alike else ""
    if dry_run:
        write(near + made.text, is_json=False)
        return
    file = folders[0] / made.path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(made.text, encoding="utf-8", newline="\n")
    found = [problem for problem in lint(*folders) if problem.at and Path(problem.at.path) == file]
    write("".join((near, f"wrote {file}\n", *(f"{problem}\n" for problem in found))), is_json=False)
    if found:
        raise typer.Exit(1)


def _listed(text: str) -> Sequence[str]:
    return text.replace(",", " ").split()
