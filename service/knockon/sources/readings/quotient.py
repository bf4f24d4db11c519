"""Two observations of which one over the other is a reading: a part over its whole, one thing measured two ways."""

from collections.abc import Iterator, Sequence

from knockon.sources.readings.aliases import Quotient
from knockon.sources.readings.contrast import Contrast
from knockon.sources.readings.measure import kind_of
from knockon.sources.readings.observation import Seen
from knockon.sources.readings.words import Bag, words

# That it is a time is said by the unit: "all-reduce" and "all-reduce time" in ms are one thing.
_SAID_BY_UNIT = frozenset({"time"})
_TIMES = frozenset({"s"})
# What is measured reaches a little more than a measured ceiling.
_ROUNDED_MAX = 1.05


def quotients(seen: Sequence[Seen], wanted: Sequence[Quotient]) -> Iterator[Contrast]:
    """The first quotient that `seen` give for each of `wanted`."""
    numbers = [one for one in seen if one.numbers]
    said = frozenset(word for one in numbers for word in words().bag(one.metric))
    for quotient in wanted:
        # Of some hundred quotients a report has the words of a few.
        if not all(any(_may_match(name, said) for name in names) for names in (quotient.over, quotient.under)):
            continue
        for over, under in _pairs(numbers, quotient):
            if (found := _quotient(quotient, over, under)) is not None:
                yield found
                break


def _pairs(seen: Sequence[Seen], quotient: Quotient) -> Iterator[tuple[Seen, tuple[Seen, ...]]]:
    """Observations of the two names, and then those that have further words in common: "a2a nccl" and "step nccl"."""
    overs = [found for name in quotient.over for found in _matching(name, seen)]
    unders = [found for name in quotient.under for found in _matching(name, seen)]
    for extra in dict.fromkeys(sorted((extra for extra, _ in overs), key=len)):
        parts = [one for other, one in overs if other == extra]
        rest = list(dict.fromkeys(one for other, one in unders if other == extra and one not in parts))
        if rest and quotient.is_of_sum and quotient.takes_all:
            yield parts[0], tuple(rest)
        else:
            yield from ((part, (one,)) for part in parts for one in rest)


def _may_match(name: str, said: Bag) -> bool:
    """Whether all words of `name` are among those of all observations, without which none of these has them."""
    return words().rest(name) - _SAID_BY_UNIT <= said


def _matching(name: str, seen: Sequence[Seen]) -> Iterator[tuple[Bag, Seen]]:
    """Observations that have all words of `name`, with the words they have beside."""
    whole, rest = words().bag(name), words().rest(name)
    wanted = rest - _SAID_BY_UNIT
    is_of_somebody = whole & words().ignored
    for one in seen:
        said = words().bag(one.metric)
        if said == whole:
            yield frozenset(), one
        elif rest & _SAID_BY_UNIT and kind_of(one.unit).of not in _TIMES:
            # "cpu usage" is no "cpu time".
            continue
        elif not is_of_somebody and wanted and wanted <= (have := words().rest(one.metric)):
            yield have - wanted - _SAID_BY_UNIT, one


def _quotient(quotient: Quotient, over: Seen, under: tuple[Seen, ...]) -> Contrast | None:
    kind, beside = kind_of(over.unit), [kind_of(one.unit) for one in under]
    if any(other.of != kind.of for other in beside) or (quotient.is_of_rates and not kind.is_higher_better):
        return None
    above = max(over.numbers) * kind.scale
    below = sum(min(one.numbers) * other.scale for one, other in zip(under, beside, strict=True))
    if above <= 0 or below <= 0:
        return None
    if quotient.is_of_sum:
        below += above
    value = max(above / below, below / above) if quotient.is_disagreement else above / below
    if (quotient.at_most is not None and value > quotient.at_most) or value < quotient.at_least:
        return None
    if quotient.reading.endswith("_ratio") and 1 < value <= _ROUNDED_MAX:
        value = 1.0
    value = True if quotient.is_seen else value
    return Contrast(quotient.reading, value, over, under[0], tuple(under[1:]), is_quotient=True)
