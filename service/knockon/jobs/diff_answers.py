"""Which answers change between two states of the catalog: what a curator wants to see before publishing."""

from collections.abc import Iterator
from dataclasses import dataclass

from knockon.backends.python.walk import judge_one
from knockon.catalog.breaks import breaks
from knockon.catalog.catalog import Catalog
from knockon.catalog.grid import grid
from knockon.catalog.said import names_of
from knockon.jobs.knowledge import Knowledge
from knockon.rules.rule import CoupleRule, DiagnoseRule, Rule
from knockon.rules.rulebook import Rulebook
from knockon.rules.thresholds import values_in_force
from knockon.terms.errors import NotFound
from knockon.terms.words import Scalar

# As deep as `breaks` goes when nobody says how deep.
_DEPTH = 3


@dataclass(frozen=True, slots=True)
class ChangedAnswer:
    """One question whose answer is another one now. Both answers are short lists of words, sorted."""

    question: str
    """"locate", "breaks", "place", "check" or "diagnose"."""
    asked: str
    """What is asked about: a name, a technique, a cell, a rule with one of its examples."""
    gone: tuple[str, ...]
    come: tuple[str, ...]


def changed_answers(old: Knowledge, new: Knowledge) -> tuple[ChangedAnswer, ...]:
    """The answers that differ, by question and what is asked; what only one of the states has is no changed answer.

    Asked are: every name (what it means, in which cells), `breaks` of every technique that both have, every cell, and
    the examples of every rule that both have.
    """
    return tuple(
        sorted(
            (*_located(old.catalog, new.catalog), *_broken(old, new), *_placed(old.catalog, new.catalog),
             *_judged(old.rulebook, new.rulebook)),
            key=lambda one: (one.question, one.asked),
        )
    )  # fmt: skip


def _located(old: Catalog, new: Catalog) -> Iterator[ChangedAnswer]:
    names = {name for held in (old, new) for one in held.live for name in names_of(one)}
    for name in sorted(names):
        before, after = _meant(old, name), _meant(new, name)
        if before and after:
            yield from _changed("locate", name, before, after)


def _meant(catalog: Catalog, name: str) -> set[str]:
    try:
        found = catalog.technique(name)
    except NotFound:
        return set()
    return {found.id, *map(str, found.cells)}


def _broken(old: Knowledge, new: Knowledge) -> Iterator[ChangedAnswer]:
    for key in sorted(old.catalog.techniques.keys() & new.catalog.techniques.keys()):
        yield from _changed("breaks", key, _ends(old, key), _ends(new, key))


def _ends(knowledge: Knowledge, key: str) -> set[str]:
    technique = knowledge.catalog.technique(key)
    if technique.tombstone is not None:
        return set()
    found = breaks(knowledge.catalog, technique, depth=_DEPTH, rules=knowledge.rulebook.couple)
    arrows = {1: " up", -1: " down", 0: ""}
    return {f"{hop.target.kind.value} {hop.target.id}{arrows.get(hop.target.sign, '')}" for hop in found.hops}


def _placed(old: Catalog, new: Catalog) -> Iterator[ChangedAnswer]:
    before = {one.cell: one for one in grid(old)}
    for one in grid(new):
        was = before.get(one.cell)
        if was is not None:
            yield from _changed(
                "place",
                str(one.cell),
                {was.state.value, *(each.id for each in old.techniques_in(was.cell))},
                {one.state.value, *(each.id for each in new.techniques_in(one.cell))},
            )


def _judged(old: Rulebook, new: Rulebook) -> Iterator[ChangedAnswer]:
    levels = [values_in_force(book.profiles, "default") for book in (old, new)]
    for key in sorted(old.by_id.keys() & new.by_id.keys()):
        before, after = old.by_id[key], new.by_id[key]
        question = "check" if isinstance(before, CoupleRule) else "diagnose"
        examples = {example.name: example.given for example in (*after.examples, *before.examples)}
        for name, given in examples.items():
            outcomes = [
                {_outcome(rule, book, {**known, **given})}
                for rule, book, known in zip((before, after), (old, new), levels, strict=True)
            ]
            yield from _changed(question, f"{key}: {name}", *outcomes)


def _outcome(rule: Rule, rulebook: Rulebook, given: dict[str, Scalar]) -> str:
    said = rule.wall if isinstance(rule, DiagnoseRule) else rule.verdict.value
    return f"{said} {judge_one(rule.when, given, vocabulary=rulebook.vocabulary).name.lower()}"


def _changed(question: str, asked: str, before: set[str], after: set[str]) -> Iterator[ChangedAnswer]:
    if before != after:
        yield ChangedAnswer(question, asked, tuple(sorted(before - after)), tuple(sorted(after - before)))
