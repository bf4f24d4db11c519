"""What a free name means: a reading, one of several, or nothing that is known; each with why.

Steps, of which the first that finds something decides: the vocabulary's own name; a name of aliases.yaml as it is; its
words by words.yaml in any order; these without the words that say who tells and of what run. A name with a word that is
not known is not understood. Where readings of different units have one name, the unit of the number decides.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from knockon.expr.vocabulary import NameInfo, Vocabulary
from knockon.sources.readings.aliases import Alias, aliases
from knockon.sources.readings.spelling import plain
from knockon.sources.readings.words import Bag, words

# Ends of a reading's name that say its unit, which a person leaves to the number.
_UNIT_ENDS = ("_per_s", "_ratio", "_count", "_s", "_w", "_factor")


@dataclass(frozen=True, slots=True)
class Named:
    """A reading that a free name means."""

    info: NameInfo
    alias: Alias
    step: int
    """0 for the vocabulary's own name; the higher, the more words were left out."""
    why: str = ""
    """For people, where the name is neither the reading's own nor listed: by which words it was found."""


def named(name: str, vocabulary: Vocabulary) -> tuple[Named, ...]:
    """The readings that `name` means, all of the first step that finds any."""
    return next(by_steps(name, vocabulary), ())


def by_steps(name: str, vocabulary: Vocabulary) -> Iterator[tuple[Named, ...]]:
    """The readings that each step finds, the nearest first; steps that find none are left out."""
    own = vocabulary.get(plain(name).replace(" ", "_"))
    if own is not None and own.kind == "reading":
        yield (Named(own, Alias(own.name, is_high_worse=True), 0),)
    listed = aliases().alias(name)
    info = vocabulary.get(listed.reading) if listed else None
    if listed is not None and info is not None:
        yield (Named(info, listed, 1),)
    for step, bag in enumerate(words().bags(name), start=2):
        if found := tuple(_by_words(bag, step, vocabulary)):
            yield found


def may_be(name: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The readings of which `name` may be any; empty where it is not known to be ambiguous."""
    several = aliases().candidates(name)
    for bag in words().bags(name) if not several else ():
        several = aliases().candidates_by_words.get(bag) or _quantiles(bag, vocabulary)
        if several:
            break
    return tuple(one for one in several if vocabulary.get(one) is not None)


def _by_words(bag: Bag, step: int, vocabulary: Vocabulary) -> Iterator[Named]:
    why = f"by its words {' '.join(sorted(bag))}"
    listed = aliases().by_words.get(bag, ())
    for alias in listed:
        info = vocabulary.get(alias.reading)
        if info is not None:
            yield Named(info, alias, step, why)
    if listed:
        return
    families = ((words().families.get(bag - {statistic}), statistic) for statistic in bag & words().statistics)
    quantiles = (f"{family}_{statistic}" for family, statistic in families if family)
    for name in (*quantiles, *_bags_of(vocabulary.readings).get(bag, ())):
        info = vocabulary.get(name)
        if info is not None:
            yield Named(info, Alias(name, is_high_worse=True), step, why)


def _quantiles(bag: Bag, vocabulary: Vocabulary) -> tuple[str, ...]:
    family = words().families.get(bag)
    names = (f"{family}_{statistic}" for statistic in sorted(words().statistics)) if family else ()
    return tuple(name for name in names if name in vocabulary.names)


@cache
def _bags_of(names: tuple[str, ...]) -> Mapping[Bag, tuple[str, ...]]:
    """Readings by the words of their own names, with the unit at their end and without."""
    found: dict[Bag, dict[str, None]] = {}
    for name in names:
        short = next((name.removesuffix(end) for end in _UNIT_ENDS if name.endswith(end)), name)
        for one in (name, short) if len(words().bag(short)) > 1 else (name,):
            found.setdefault(words().bag(one), {})[name] = None
    return {bag: tuple(each) for bag, each in found.items()}
