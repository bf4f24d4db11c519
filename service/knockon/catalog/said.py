"""What is said of techniques, by its words: made once, for every search."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import log

from knockon.catalog.stems import joined_words, stem, words_of
from knockon.catalog.technique import Technique
from knockon.terms.words import TechniqueId

# What a word counts by where it stands: a name says what a technique is, its text what else it has to do with.
IN_NAME, IN_GOAL, IN_SUMMARY = 1.0, 0.9, 0.8
# Of the pairs of a Chinese term about one in two is a word; the others lie across two, and most that nobody says do.
HAN_KNOWN, HAN_FOREIGN = 0.5, 0.25


@dataclass(frozen=True, slots=True)
class Name:
    """One name of a technique."""

    technique: TechniqueId
    written: str
    is_alias: bool
    stems: tuple[str, ...]
    """In the order they stand."""


@dataclass(frozen=True, slots=True)
class Said:
    """Names and texts of techniques by the stems of their words."""

    names: Sequence[Name]
    naming: Mapping[str, Mapping[int, float]]
    """What a stem counts for each name, by its place in `names`; two words without their blank have a stem too."""
    holding: Mapping[str, Mapping[TechniqueId, float]]
    """What a stem counts for each technique of which it is said, by the best place in which it stands."""
    words: Sequence[str]
    """Every word that stands in a name."""
    joined: Sequence[str]
    """Every two that stand together in a name, without the blank between them."""
    size: int
    """How many techniques there are."""

    def weight(self, known: str) -> float:
        """How much a stem tells: the fewer techniques have it, the more."""
        had = len(self.holding.get(known, ()))
        weight = log(1 + (self.size - had + 0.5) / (had + 0.5))
        return weight if known.isascii() else weight * (HAN_KNOWN if had else HAN_FOREIGN)


def said_of(techniques: Collection[Technique]) -> Said:
    """What is said of these."""
    stem_of = cache(stem)
    names: list[Name] = []
    naming: defaultdict[str, dict[int, float]] = defaultdict(dict)
    holding: defaultdict[str, dict[TechniqueId, float]] = defaultdict(dict)
    words: dict[str, None] = {}
    joined: dict[str, None] = {}
    for one in techniques:
        # An id and a name are often the same words; the first that has them stands for both.
        written = {tuple(words_of(name)): (name, is_alias) for name, is_alias in reversed(names_of(one).items())}
        told: set[str] = set()
        for its_words, (name, is_alias) in reversed(written.items()):
            both = tuple(joined_words(its_words))
            words |= dict.fromkeys(its_words)
            joined |= dict.fromkeys(both)
            stems = tuple(map(stem_of, its_words))
            known = {*stems, *map(stem_of, both)}
            for a_stem in known:
                naming[a_stem][len(names)] = 1.0
            told |= known
            names.append(Name(one.id, name, is_alias, stems))
        goal = {stem_of(word) for text in (one.goal.en, one.goal.zh) for word in words_of(text)} - told
        summary = {stem_of(word) for text in (one.summary.en, one.summary.zh) for word in words_of(text)} - told - goal
        for worth, stems_there in ((IN_NAME, told), (IN_GOAL, goal), (IN_SUMMARY, summary)):
            for a_stem in stems_there:
                holding[a_stem][one.id] = worth
    return Said(names, naming, holding, tuple(words), tuple(joined), len(techniques))


def names_of(one: Technique) -> dict[str, bool]:
    """Every name as it is written, and whether it is an alias: an abbreviation, a flag, a former id."""
    names = dict.fromkeys((name for name in (one.id, one.name.en, one.name.zh) if name), False)
    for alias in (*(alias for group in one.aliases.values() for alias in group), *one.former_ids):
        names.setdefault(alias, True)
    return names
