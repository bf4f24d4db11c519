"""Every check of a tree that does not hang on the day."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from knockon.curate.beside import beside
from knockon.curate.checks import (
    addresses,
    axes,
    config,
    contradictions,
    examples,
    expressions,
    likeness,
    loops,
    names,
    numbers,
    precedents,
    quantities,
    references,
    sentences,
    switches,
    translations,
    vocabulary,
)
from knockon.curate.checks.pairs import pairs
from knockon.curate.shelf import Shelf, context_of
from knockon.curate.translations import Ledger, read_ledger
from knockon.curate.tree import Tree
from knockon.expr.vocabulary import Vocabulary
from knockon.terms.errors import CurationError, Problem


def problems_of(tree: Tree, shelf: Shelf, *more: Callable[[Tree], list[Problem]]) -> list[Problem]:
    """What is wrong with the shape of a file, or between files; files that the shelf knows as right are trusted.

    Args:
        tree: what could be read.
        shelf: what is known of its files; it learns which of them are right.
        more: further checks, done in one go with these since two go through them together.
    """
    known = vocabulary.vocabulary_of(tree)
    naming = [located.entry.body for kind in vocabulary.NAMING for located in tree.of_kind(kind).values()]
    context = context_of(naming) if known.names else ""
    unsure = [
        one for one in tree.located if one.entry.kind in vocabulary.NAMING or not shelf.is_clean(one.digest, context)
    ]
    levels = examples.levels_of(tree)
    # Files of one kind stand together, so both processes take some of each ten; further checks weigh as much as one.
    own = 6 if more else 5
    is_mine = {digest: at % 10 < own for at, digest in enumerate(dict.fromkeys(one.digest for one in unsure))}
    mine = replace(tree, located=tuple(one for one in unsure if is_mine[one.digest]))
    theirs = replace(tree, located=tuple(one for one in unsure if not is_mine[one.digest]))

    def half() -> Iterator[Problem]:
        yield from _of_single_files(theirs, known, levels)
        for check in more:
            yield from check(tree)

    with beside(lambda: b"" if any(half()) else _CLEAN, things=len(tree.located)) as told:
        problems = [*_of_single_files(mine, known, levels), *_between_files(tree, known)]
        if told() != _CLEAN:
            problems += half()
    if context:
        wrong = {problem.at.path for problem in problems if problem.at is not None}
        shelf.found_clean((one.digest for one in unsure if one.document.path not in wrong), context)
    return [*tree.problems, *problems]


_CLEAN = b"nothing is wrong"


def _of_single_files(tree: Tree, known: Vocabulary, levels: examples.Levels) -> Iterator[Problem]:
    """What follows from one file, the vocabulary and the default profile."""
    yield from expressions.problems(tree, known)
    yield from sentences.problems(tree, known)
    yield from examples.problems(tree, known, levels)
    yield from precedents.problems(tree, known)


def _between_files(tree: Tree, known: Vocabulary) -> Iterator[Problem]:
    yield from references.problems(tree)
    yield from addresses.problems(tree)
    yield from axes.problems(tree)
    yield from names.problems(tree)
    yield from quantities.problems(tree)
    yield from config.problems(tree)
    yield from vocabulary.problems(tree)
    yield from contradictions.problems(tree, known)


def upkeep_of(
    tree: Tree, catalog_dir: Path, engines: Callable[[], switches.Engines] = switches.Engines
) -> list[Problem]:
    """What only asks to be tidied up, and is looked for only by who wants to hear of it."""
    ledger, broken = _ledger_of(catalog_dir)
    said = pairs(tree)
    return [
        *broken,
        *numbers.problems(tree, said),
        *translations.problems(said, ledger, None if tree.problems else catalog_dir),
        *likeness.problems(tree),
        *switches.problems(tree, engines()),
        *loops.problems(tree),
    ]


def _ledger_of(catalog_dir: Path) -> tuple[Ledger | None, tuple[Problem, ...]]:
    try:
        return read_ledger(catalog_dir), ()
    except CurationError as error:
        return None, error.problems
