"""Two observations that differ in one word: "prefill pcie" beside "prefill nvlink", "tpot eager" beside "tpot graphs".

The word says what was changed between two runs, so one observation over the other is a reading of its own. Which way
round follows from the unit: a rate is better when it is higher, a time when it is lower. Nothing is taken where the
rest of the two names or their units differ, or where the unit is neither a rate nor a time.
"""

import math
import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import lru_cache

from knockon.sources.readings.measure import kind_of
from knockon.sources.readings.observation import Seen
from knockon.sources.readings.words import Bag, words

# "084" in a name is the release 0.8.4.
_RELEASE = re.compile(r"0\d{2,3}")
# What kind of number it is says its unit.
_SAID_BY_UNIT = frozenset({"time", "latency"})
# What only joins a condition to what was measured: "throughput with graphs" beside "throughput graphs".
_LINKS = frozenset({"with", "using", "by", "on", "at", "under"})
# A step of so many sequences is bound by arithmetic rather than by reading weights, or by reading them.
_LARGE, _SMALL = 16, 4


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that two runs may differ in, and the reading that says what it did."""

    reading: str
    with_: tuple[str, ...]
    """Words for the run that has it, as `Seen.name` has them, the longest first."""
    without: tuple[str, ...]
    """Words for the run that has it not; without any, the name that has none of the others."""
    is_slowdown: bool = False
    """The reading is how much slower, not how much faster, the run is that has it."""
    is_either: bool = False
    """The reading is how much faster the better one is, whichever that is."""
    at_most: float | None = None
    """A value above it is another story and is not taken."""
    about: tuple[str, ...] = ()
    """Words one of which the rest of the name has to hold; empty for any."""
    unless: tuple[str, ...] = ()
    """Words none of which the rest of the name may hold."""
    is_marked_once: bool = False
    """A name without any of the words, or with one for the ordinary run, is the other run."""
    takes_shares: bool = False
    """Shares of a busy resource count as speeds."""
    is_seen: bool = False
    """That both were measured is the reading."""
    at_least: float = 0.0
    """A value below it says nothing."""
    load: str = ""
    """ "large" or "small" where it is taken at such a load alone; empty for any."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """A reading made of two observations."""

    reading: str
    value: float | bool
    over: Seen
    under: Seen
    others: tuple[Seen, ...] = ()
    """What else is in it."""
    is_quotient: bool = False
    """One number over another, not the same thing measured in two runs."""


def contrasts(seen: Sequence[Seen], changes: Sequence[Change], *, load: int | None) -> Iterator[Contrast]:
    """Every reading that two of `seen` give by one of `changes`, the first pair of each in the order of `seen`.

    `load` is how many requests or samples were in work at once, where that was told.
    """
    spelled = _by_release(seen)
    seen = list(spelled)
    said = {word for one in seen for word in one.name.split()}
    for change in changes:
        # Of some hundred changes a report has the words of a few.
        if not (_may_mark(change.with_, said) or (change.is_marked_once and _may_mark(change.without, said))):
            continue
        found = next(
            (pair for pair in _pairs(seen, change) if not change.load or change.load == _size(pair.over, load)), None
        )
        if found is not None:
            yield replace(found, over=spelled[found.over], under=spelled[found.under])


def speed(one: Seen, other: Seen, *, takes_shares: bool = False) -> float | None:
    """How many times as fast `one` is as `other`; None where their units differ or are neither a rate nor a time."""
    kind, beside = kind_of(one.unit), kind_of(other.unit)
    is_better = True if kind.of == "%" and takes_shares else kind.is_higher_better
    if kind.of != beside.of or is_better is None:
        return None
    # Of a range the cautious end: the two as near to each other as they came.
    pairs = [(a * kind.scale, b * beside.scale) for a in one.numbers for b in other.numbers]
    speeds = [a / b if is_better else b / a for a, b in pairs if a > 0 and b > 0]
    speeds = [value for value in speeds if 0 < value < math.inf]
    return min(speeds, key=lambda value: abs(value - 1)) if speeds else None


def _pairs(seen: Sequence[Seen], change: Change) -> Iterator[Contrast]:
    for one in seen:
        rest = _rest(one, change.with_)
        if rest is None or not one.numbers or not _is_about(one, rest, change):
            continue
        # Who says which run is the other one is asked before who leaves it open.
        others = [other for other in seen if other is not one and _rest(other, change.without) == rest]
        others += [
            other for other in seen if change.is_marked_once and other is not one and _ordinary(other, change) == rest
        ]
        for other in others:
            if (found := _contrast(one, other, change)) is not None:
                yield found
    if change.is_marked_once and change.without:
        for other in seen:
            rest = _rest(other, change.without)
            if rest is not None and other.numbers and _is_about(other, rest, change):
                yield from (
                    found
                    for one in seen
                    if one is not other and _ordinary(one, change) == rest
                    if (found := _contrast(one, other, change)) is not None
                )


def _contrast(one: Seen, other: Seen, change: Change) -> Contrast | None:
    value = speed(one, other, takes_shares=change.takes_shares)
    if value is None or value < change.at_least:
        return None
    if change.is_seen:
        return Contrast(change.reading, value=True, over=one, under=other)
    value = max(value, 1 / value) if change.is_either else 1 / value if change.is_slowdown else value
    return Contrast(change.reading, value, one, other) if change.at_most is None or value <= change.at_most else None


def _is_about(one: Seen, rest: Bag, change: Change) -> bool:
    said = rest | set(one.name.split())
    return not said & set(change.unless) and (not change.about or bool(said & set(change.about)))


def _may_mark(marks: tuple[str, ...], said: AbstractSet[str]) -> bool:
    """Whether one of `marks` can be in a name: `said` has the words of all of them."""
    return not marks or not _first_words(marks).isdisjoint(said)


@lru_cache(maxsize=1024)
def _first_words(marks: tuple[str, ...]) -> frozenset[str]:
    return frozenset(mark.partition(" ")[0] for mark in marks)


def _rest(one: Seen, marks: Sequence[str]) -> Bag | None:
    """The words of the name without the one of `marks` that is in it, the longest first; None where there is none.

    Without marks it is the words of the name as it is.
    """
    if not marks:
        return _kept(words().rest(one.name))
    name = f" {one.name} "
    for mark in marks:
        if f" {mark} " in name:
            return _kept(words().rest(name.replace(f" {mark} ", " ", 1)))
    return None


def _ordinary(one: Seen, change: Change) -> Bag | None:
    """The words of a name that says no more of its run than that it is the ordinary one; None where it says more."""
    if _rest(one, (*change.with_, *change.without)) is not None or _LINKS & set(one.name.split()):
        return None
    return _kept(words().rest(" ".join(word for word in one.name.split() if word not in words().baseline)))


def _kept(rest: Bag) -> Bag:
    # "all-reduce latency" and "all-reduce" in the same unit are one thing.
    return rest - _SAID_BY_UNIT - _LINKS


def _by_release(seen: Sequence[Seen]) -> dict[Seen, Seen]:
    """Observations as they are read → as they are; of two releases in names ("tput 084", "tput 085") one is older."""
    releases = sorted({word for one in seen for word in one.name.split() if _RELEASE.fullmatch(word)})
    # Which of more are compared is not said.
    ages = dict(zip(releases, ("old", "new"), strict=True)) if len(releases) == len(("old", "new")) else {}
    return {replace(one, metric=" ".join(ages.get(word, word) for word in one.name.split())): one for one in seen}


def _size(one: Seen, load: int | None) -> str:
    """Whether `one` was measured at a large or a small load; empty where neither can be told."""
    at = words().at_level(one.metric)
    number = at[1].number if at and at[1].of in ("batch", "load") else load
    if number is None:
        return ""
    return "large" if number >= _LARGE else "small" if number <= _SMALL else ""
