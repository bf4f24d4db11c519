"""Two observations that differ in one word: "prefill pcie" beside "prefill nvlink", "tpot eager" beside "tpot graphs".

The word says what was changed between two runs, so one observation over the other is a reading of its own. Which way
round follows from the unit: a rate is better when it is higher, a time when it is lower. Nothing is taken where the
rest of the two names or their units differ, or where the unit is neither a rate nor a time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from knockon.sources.readings.observation import Seen

# First words of a unit that make it a time; a unit with a stroke before a time is a rate.
_TIMES = frozenset({"s", "sec", "secs", "second", "seconds", "ms", "us", "ns", "min", "h"})
_PER_ITEM = frozenset({"tok", "token", "batch", "step", "it", "iter", "req", "request", "img", "sample"})
_TOKENS = {"tok", "token", "tokens", "t", "words", "w", "samples", "sample", "img", "images", "pages", "infer"}
_REQUESTS = {"req", "r", "request", "requests", "it", "iter", "iterations", "steps", "step"}
_BYTES = {"b", "mb", "gb", "mib", "gib"}
_RATES = frozenset(_TOKENS | _REQUESTS | _BYTES)
_WHOLE_RATES = frozenset({"rps", "tps", "qps", "tflops", "gflops"})


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that two runs may differ in, and the reading that says what it did."""

    reading: str
    with_: tuple[str, ...]
    """Words for the run that has it, as `Seen.name` has them."""
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
    work: float = 1.0
    """How many times the work of the other run one item of it is: a step on two nodes has twice the samples."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """A reading made of two observations."""

    reading: str
    value: float
    over: Seen
    under: Seen


def contrasts(seen: Sequence[Seen], changes: Sequence[Change]) -> Iterator[Contrast]:
    """Every reading that two of `seen` give by one of `changes`, the first pair of each in the order of `seen`."""
    for change in changes:
        found = next(_pairs(seen, change), None)
        if found is not None:
            yield found


def _pairs(seen: Sequence[Seen], change: Change) -> Iterator[Contrast]:
    for one in seen:
        rest = _rest(one, change.with_)
        if rest is None or not one.numbers or not _is_about(rest, change):
            continue
        for other in seen:
            if other is one or other.unit != one.unit or not other.numbers or _rest(other, change.without) != rest:
                continue
            value = _value(one, other, change)
            if value is not None and (change.at_most is None or value <= change.at_most):
                yield Contrast(change.reading, value, one, other)


def _is_about(rest: str, change: Change) -> bool:
    words = set(rest.split())
    return not words & set(change.unless) and (not change.about or bool(words & set(change.about)))


def _rest(one: Seen, words: Sequence[str]) -> str | None:
    """The name without the one of `words` that is in it, the longest first; None where there is none of them.

    Without words it is the name as it is.
    """
    if not words:
        return one.name
    name = f" {one.name} "
    for word in sorted(words, key=len, reverse=True):
        if f" {word} " in name:
            return " ".join(name.replace(f" {word} ", " ", 1).split())
    return None


def _value(one: Seen, other: Seen, change: Change) -> float | None:
    better = _is_higher_better(one.unit)
    if better is None:
        return None
    # Of a range the cautious end: the two as near to each other as they came.
    pairs = [(a, b) for a in one.numbers for b in other.numbers]
    speeds = [(a / b if better else b / a) * change.work for a, b in pairs if a > 0 and b > 0]
    if not speeds:
        return None
    speed = min(speeds, key=lambda value: abs(value - 1))
    if change.is_either:
        return max(speed, 1 / speed)
    return 1 / speed if change.is_slowdown else speed


def _is_higher_better(unit: str) -> bool | None:
    """True for a rate, False for a time, None for anything else."""
    words = unit.lower().split()
    first, _, per = (words[1] if words[:1] == ["k"] and len(words) > 1 else words[0] if words else "").partition("/")
    if first in _TIMES:
        return False if not per or per in _PER_ITEM else None
    is_rate = first in _WHOLE_RATES or ((not first or first in _RATES) and per.partition("/")[0] in _TIMES)
    return True if is_rate else None
