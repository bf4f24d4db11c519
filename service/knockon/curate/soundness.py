"""Every check of a tree that does not hang on the day."""

from pathlib import Path

from knockon.curate.checks import (
    addresses,
    axes,
    config,
    examples,
    expressions,
    likeness,
    loops,
    names,
    numbers,
    quantities,
    references,
    sentences,
    translations,
    vocabulary,
)
from knockon.curate.checks.pairs import pairs
from knockon.curate.shelf import Shelf, context_of
from knockon.curate.translations import Ledger, read_ledger
from knockon.curate.tree import Tree
from knockon.terms.errors import CurationError, Problem


def problems_of(tree: Tree, shelf: Shelf) -> list[Problem]:
    """What is wrong with the shape of a file, or between files; files that the shelf knows as right are trusted."""
    return [
        *tree.problems,
        *references.problems(tree),
        *axes.problems(tree),
        *names.problems(tree),
        *quantities.problems(tree),
        *config.problems(tree),
        *vocabulary.problems(tree),
        *_of_single_files(tree, shelf),
    ]


def _of_single_files(tree: Tree, shelf: Shelf) -> list[Problem]:
    """What follows from one file, the vocabulary and the default profile; files found right before are left out."""
    known = vocabulary.vocabulary_of(tree)
    naming = [located.entry.body for kind in vocabulary.NAMING for located in tree.of_kind(kind).values()]
    context = context_of(naming) if known.names else ""
    unsure = tree.only(lambda one: one.entry.kind in vocabulary.NAMING or not shelf.is_clean(one.digest, context))
    problems = [
        *addresses.problems(unsure),
        *expressions.problems(unsure, known),
        *sentences.problems(unsure, known),
        *examples.problems(unsure, known),
    ]
    if context:
        wrong = {problem.at.path for problem in problems if problem.at is not None}
        shelf.found_clean((one.digest for one in unsure.located if one.document.path not in wrong), context)
    return problems


def upkeep_of(tree: Tree, catalog_dir: Path) -> list[Problem]:
    """What only asks to be tidied up, and is looked for only by who wants to hear of it."""
    ledger, broken = _ledger_of(catalog_dir)
    return [
        *broken,
        *numbers.problems(tree),
        *translations.problems(pairs(tree), ledger),
        *likeness.problems(tree),
        *loops.problems(tree),
    ]


def _ledger_of(catalog_dir: Path) -> tuple[Ledger | None, tuple[Problem, ...]]:
    try:
        return read_ledger(catalog_dir), ()
    except CurationError as error:
        return None, error.problems
