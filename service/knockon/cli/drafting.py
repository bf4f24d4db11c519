"""`catalog new`: what the command line left out is asked for on the terminal; then the file is written and checked."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import typer

from knockon.catalog.catalog import Catalog
from knockon.cli.show import write
from knockon.cli.trees import trees
from knockon.curate.lint import UPKEEP
from knockon.curate.tree import read_tree
from knockon.jobs.knowledge import knowledge_of
from knockon.jobs.lint import lint
from knockon.jobs.new import Draft, NewFile, check_answer, listed
from knockon.terms.errors import CurationError, IntakeError, KnockonError, Problem
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


def draft_of(catalog: Catalog, key: str, given: Mapping[str, str | None], aliases: Sequence[str]) -> Draft:
    """The draft of technique `key` from the options, by their names without dashes; lists have commas between items.

    What was left out is asked for on the terminal, each answer until it holds.

    Raises:
        IntakeError: something is missing and nobody is at a terminal to ask, or what was given does not hold.
        NotFound: what was given names nothing known.
    """
    missing = [name for name, value in given.items() if not value]
    if missing and not (sys.stdin and sys.stdin.isatty()):
        options = ", ".join(f"--{name}" for name in missing)
        raise IntakeError(
            Problem("missing-option", f"{options}: not given", "all of them, or a terminal to ask on", "see --help")
        )
    for name, value in {"id": key, **given}.items():
        if name not in missing:
            check_answer(catalog, name, value or "")
    for alias in aliases:
        check_answer(catalog, "alias", alias)
    said = {name: value or _asked(catalog, name) for name, value in given.items()}
    return Draft(
        id=key,
        name=Text(said["name"], said["name-zh"]),
        stage=said["stage"],
        layer=said["layer"],
        dimension=said["dimension"],
        mechanism=said["mechanism"],
        goal=Text(said["goal"], said["goal-zh"]),
        summary=Text(said["summary"], said["summary-zh"]),
        gains=listed(said["gain"]),
        costs=listed(said["cost"]),
        cite=listed(said["cite"]),
        aliases=[one for one in dict.fromkeys(aliases) if one != key],
    )


def _asked(catalog: Catalog, name: str) -> str:
    while True:
        try:
            answer = str(typer.prompt(_ASKS[name])).strip()
        except typer.Abort as error:
            raise KeyboardInterrupt from error
        try:
            check_answer(catalog, name, answer)
        except KnockonError as error:
            typer.echo(str(error.problem), err=True)
        else:
            return answer


def catalog_of(catalog: str | None, rules: str | None) -> Catalog:
    """The catalog that the new technique goes into; raises CurationError."""
    return knowledge_of(read_tree(*trees(catalog, rules))).catalog


def written(made: NewFile, catalog: str | None, rules: str | None, *, dry_run: bool) -> None:
    """Write the file and say what stands near it and what is still wrong with it; raises KnockonError."""
    near = f"# near it: {', '.join(made.alike)}\n" if made.alike else ""
    if dry_run:
        write(near + made.text, is_json=False)
        return
    folders = trees(catalog, rules)
    file = folders[0] / made.path
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(made.text)
    except OSError as error:
        what = f"{file} cannot be written: {error.strerror or type(error).__name__}"
        raise IntakeError(Problem("unwritable-file", what, "a file that is not there yet")) from error
    found = [problem for problem in lint(*folders) if problem.at and Path(problem.at.path) == file]
    grave = [problem for problem in found if problem.code not in UPKEEP]
    if grave:
        # One file that is refused makes the whole tree refused, for the next new technique, too.
        file.unlink()
        raise CurationError(grave)
    write("".join((near, f"wrote {file}\n", _TO_DO, *(f"{problem}\n" for problem in found))), is_json=False)
    if found:
        raise typer.Exit(1)


_TO_DO = "# write in `says` what the source says of each gain and cost, and take `inferred` away there\n"
