"""Which techniques some words fit, and how well.

A technique need not have every word. It counts how much of what was asked it has, rare words more than common ones and
names more than text; then how much of one of its names was asked, and whether in that order. Words that nothing is said
with are taken for the words of names that are spelled much like them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import islice, pairwise, product

from knockon.catalog.said import IN_GOAL, Name, Said
from knockon.catalog.stems import stem, words_of
from knockon.terms.words import TechniqueId

# Shares of the score of all that is not a name letter by letter; together a little less than that.
_COVER, _NAME, _ORDER = 65.0, 25.0, 9.0
# A technique of which less than this share of what was asked is said has another subject.
_COVER_MIN = 0.33
# What has less than this share of the best score is not what was meant beside it.
_OF_BEST_MIN = 0.5
# Part of an option or key fits less well than part of a name: its words need not say what the technique is.
_SETTING = 0.75
# Likeness of 80 of 100 is one wrong letter of five. Shorter words look like too many others.
_LIKENESS_MIN = 80.0
_MISSPELLED_MIN = 4
_BEGINNING_MIN = 3
_LIKELY_MAX = 8
# A guess counts by its likeness, and half at most: most foreign words look like some known one.
_GUESS = 0.5
# Nobody says a technique in more words, or misspells more of them; they bound the work that a text can make.
_WORDS_MAX = 40
_GUESSED_MAX = 8


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


@dataclass(frozen=True, slots=True)
class _Term:
    """A word that was asked for."""

    weight: float
    likely: Mapping[str, float]
    """The stems that it may mean, surest first, and how sure each is, 0..1; empty where nothing is said with it."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """All words that were asked for."""

    terms: Sequence[_Term]
    weight: float
    stems: frozenset[str]
    """All that one of them may mean."""
    beside: Sequence[frozenset[tuple[str, str]]]
    """What each two neighbours may mean."""
    weight_of: Callable[[str], float]
    """How much a stem tells."""
    weight_beside: Callable[[str], float]
    """The same of one in a name that was not asked for."""


@dataclass(frozen=True, slots=True)
class _Named:
    """A name of a technique that has some of the words."""

    name: Name
    fit: float
    """What it adds to the score."""
    shared: float
    """The weight of the words that it has."""
    is_guessed: bool
    """Some of them are only spelled much like words of it."""


def best_of(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """The best first, without what fits far less well than it."""
    ranked = sorted(hits, key=lambda hit: (-hit.score, hit.technique))
    return tuple(hit for hit in ranked if hit.score >= ranked[0].score * _OF_BEST_MIN)


def fitting(said: Said, words: str) -> Iterator[Hit]:
    """The techniques that have enough of the words, in no order."""
    asked = _asked(said, tuple(islice(dict.fromkeys(words_of(words)), _WORDS_MAX)))
    for key, told in said.told.items():
        held = 0.0
        for term in asked.terms:
            for known, sureness in term.likely.items():
                if known in told:
                    held += told[known] * sureness * term.weight
                    break
        if not held or held < asked.weight * _COVER_MIN:
            continue
        named = (_named(asked, name) for name in said.names[key] if not asked.stems.isdisjoint(name.held))
        best = max(named, key=lambda one: one.fit, default=None)
        score = _COVER * held / asked.weight + (best.fit if best else 0.0)
        # What is mostly said in its text is found there, though one of its names has a word of it.
        if best and best.shared >= held / 2:
            is_in = FoundIn.SPELLING if best.is_guessed else FoundIn.ALIAS if best.name.is_alias else FoundIn.NAME
            yield Hit(key, score, best.name.written, is_in)
        else:
            in_goal = any(told.get(known) == IN_GOAL for known in asked.stems)
            yield Hit(key, score, "", FoundIn.GOAL if in_goal else FoundIn.SUMMARY)


def _named(asked: _Asked, name: Name) -> _Named:
    shared, is_guessed = 0.0, False
    for term in asked.terms:
        for known, sureness in term.likely.items():
            if known in name.held:
                shared += sureness * term.weight
                is_guessed |= sureness < 1
                break
    told = sum((asked.weight_of if one in asked.stems else asked.weight_beside)(one) for one in name.stems)
    alike = 2 * shared / max(2 * shared, asked.weight + told)
    kept = sum(not pairs.isdisjoint(pairwise(name.stems)) for pairs in asked.beside)
    in_order = kept / len(asked.beside) if asked.beside else 1.0
    fit = _NAME * alike + _ORDER * in_order
    return _Named(name, fit * _SETTING if name.is_setting else fit, shared, is_guessed)


def _asked(said: Said, words: Sequence[str]) -> _Asked:
    terms = _terms(said, words)
    beside = tuple(frozenset(product(one.likely, other.likely)) for one, other in pairwise(terms))
    stems = frozenset(known for term in terms for known in term.likely)
    weight = sum(term.weight for term in terms)
    return _Asked(terms, weight, stems, beside, cache(said.weight), cache(said.weight_in_name))


def _terms(said: Said, words: Sequence[str]) -> tuple[_Term, ...]:
    known = {word: its_stem for word in words if (its_stem := stem(word)) in said.had}
    foreign = (word for word in words if word not in known and word.isascii())
    guesses = {word: _guesses(said, word) for word in islice(foreign, _GUESSED_MAX)}
    likely = [{known[word]: 1.0} if word in known else guesses.get(word, {}) for word in words]
    for at, (first, second) in enumerate(pairwise(words)):
        # Others may write them together: check point.
        if (both := stem(first + second)) in said.had:
            for place, word in ((at, first), (at + 1, second)):
                likely[place] = {**likely[place], both: 1.0} if word in known else {both: 1.0, **likely[place]}
    return tuple(_Term(said.weight(next(iter(one), word)), one) for word, one in zip(words, likely, strict=True))


def _guesses(said: Said, word: str) -> Mapping[str, float]:
    """The stems of names' words that begin with a word or look like it, likeliest first, with how likely they are."""
    begun = [one for one in said.words if one.startswith(word)] if len(word) >= _BEGINNING_MIN else []
    found = [(len(word) / len(one), one) for one in begun]
    if len(word) >= _MISSPELLED_MIN:
        found += (*_alike(word, said.words), *_alike(word, said.joined))
    stems = {stem(one): likeness for likeness, one in sorted(found)[-_LIKELY_MAX:]}
    return {one: likeness * _GUESS for one, likeness in reversed(stems.items())}


def _alike(word: str, words: Sequence[str]) -> Iterator[tuple[float, str]]:
    # Importing it costs more than a search in which nothing is misspelled.
    from rapidfuzz import fuzz, process  # noqa: PLC0415

    found = process.extract(word, words, scorer=fuzz.ratio, limit=_LIKELY_MAX, score_cutoff=_LIKENESS_MIN)
    return ((score / 100, one) for one, score, _at in found)
