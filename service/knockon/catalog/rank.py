"""Search as people type: the techniques that fit some words best, over names, aliases and text in both languages.

Names count before text, the whole of a name before its beginning before a part of it; misspelled names are found by
their likeness. Nothing is looked up outside: the same catalog and words give the same answer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from knockon.catalog.catalog import Catalog
from knockon.catalog.names import fold
from knockon.catalog.said import Said
from knockon.terms.words import TechniqueId

# Scores, 0..100. A name that is meant comes before every text in which the words happen to stand.
_WHOLE = 100.0
_BEGINS = 92.0
_INSIDE = 84.0
_ALL_IN_NAMES = 78.0
_ALL_IN_GOAL = 60.0
_ALL_IN_SUMMARY = 50.0
# A likeness of 100 would be the name itself. Under 72 words of one length begin to look like one another.
_LIKENESS_MIN = 72.0
_LIKENESS_WEIGHT = 0.75
# One letter stands inside most names; one Chinese character says as much as a syllable.
_PART_MIN = 2


class FoundIn(StrEnum):
    """Where the words stand."""

    NAME = "name"
    """In its id or name."""
    ALIAS = "alias"
    """In another name: an abbreviation, a flag, a former id."""
    GOAL = "goal"
    SUMMARY = "summary"
    SPELLING = "spelling"
    """Nowhere, but a name is spelled much like them."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A technique that fits."""

    technique: TechniqueId
    score: float
    """0..100; 100 is one of its names, letter by letter but for case, width and dashes."""
    matched: str
    """The name or alias that fits best, as it is written; empty where only its text fits."""
    where: FoundIn


def search(catalog: Catalog, words: str, *, limit: int) -> tuple[Hit, ...]:
    """The techniques that fit best, best first, at most `limit`; none where nothing fits.

    Raises:
        LimitExceeded: the words are longer than any name.
    """
    asked = fold(words)
    if not asked:
        return ()
    parts = tuple(part for part in map(fold, words.split()) if part)
    best: dict[TechniqueId, Hit] = {}
    for hit in (*_named(catalog, asked, parts), *_told(catalog, parts), *_alike(catalog, asked)):
        held = best.get(hit.technique)
        if held is None or hit.score > held.score:
            best[hit.technique] = hit
    return tuple(sorted(best.values(), key=lambda hit: (-hit.score, hit.technique))[:limit])


def _named(catalog: Catalog, asked: str, parts: Sequence[str]) -> Iterator[Hit]:
    for said in catalog.said.values():
        if hit := _best_name(said, asked):
            yield hit
        elif len(parts) > 1 and all(part in said.names for part in parts):
            yield Hit(said.technique, _ALL_IN_NAMES, "", FoundIn.NAME)


def _best_name(said: Said, asked: str) -> Hit | None:
    found: tuple[float, str, FoundIn] | None = None
    for folded, written, where in said.written:
        score = _fit(folded, asked)
        if score and (found is None or score > found[0]):
            found = (score, written, FoundIn(where))
    return Hit(said.technique, *found) if found else None


def _fit(name: str, asked: str) -> float:
    if name == asked:
        return _WHOLE
    if len(asked) < _PART_MIN or asked not in name:
        return 0.0
    # Of two names that hold the words, the one with less beside them is meant.
    share = len(asked) / len(name)
    return (_BEGINS if name.startswith(asked) else _INSIDE) + share * 6


def _told(catalog: Catalog, parts: Sequence[str]) -> Iterator[Hit]:
    if any(len(part) < _PART_MIN for part in parts):
        return
    for said in catalog.said.values():
        if all(part in said.goal or part in said.names for part in parts):
            yield Hit(said.technique, _ALL_IN_GOAL, "", FoundIn.GOAL)
        elif all(part in said.summary or part in said.goal or part in said.names for part in parts):
            yield Hit(said.technique, _ALL_IN_SUMMARY, "", FoundIn.SUMMARY)


def _alike(catalog: Catalog, asked: str) -> Iterator[Hit]:
    # Importing it costs more than a search in which nothing is misspelled.
    from rapidfuzz import fuzz, process  # noqa: PLC0415

    index = catalog.indexes.technique_names
    for folded, score, _ in process.extract(
        asked, list(index.ids), scorer=fuzz.ratio, limit=None, score_cutoff=_LIKENESS_MIN
    ):
        for key in index.ids[folded]:
            technique = TechniqueId(key)
            if technique in catalog.said:
                yield Hit(technique, round(score * _LIKENESS_WEIGHT, 1), index.written[folded], FoundIn.SPELLING)
