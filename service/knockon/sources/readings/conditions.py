"""Names that say under which condition something was measured: "decode rate at 100k context", "gpu power, no graphs".

Without the condition the name is that of a reading. Of one reading under several conditions the worse value is taken,
for it is what a report is about; nothing is taken where a nearer name gives the reading, nor of a condition that is not
how the system is.
"""

from collections.abc import Iterator, Sequence

from knockon.expr.vocabulary import Vocabulary
from knockon.sources.readings.names import Named, named
from knockon.sources.readings.observation import Seen
from knockon.sources.readings.spelling import plain
from knockon.sources.readings.words import Level, words


def said_without_condition(one: Seen, vocabulary: Vocabulary) -> Iterator[tuple[Named, ...]]:
    """What the name of `one` may mean without a condition, the nearest first."""
    for name in _without_condition(one):
        yield tuple(
            meant
            for meant in named(name, vocabulary)
            if " " in name or meant.alias.needs_unit or name in words().single
        )


def is_elsewhere(one: Seen) -> bool:
    """Whether name or note say that it is not how the system is."""
    return bool(words().elsewhere & {*one.name.split(), *plain(one.note).split()})


def _without_condition(one: Seen) -> Iterator[str]:
    """The name of `one` without what says under which condition it was measured, the least left out first."""
    said = plain(one.metric.partition(",")[0]).split()
    spelled = [" ".join(said), _before_opened(said)]
    spelled += [_without_words(name) for name in spelled]
    for name in dict.fromkeys(filter(None, spelled)):
        yield name
        level = words().at_level(name)
        # What one request alone does is not what the system does.
        if level is not None and level[0] and level[1] != Level("load", 1):
            yield " ".join(sorted(level[0]))


def _before_opened(said: Sequence[str]) -> str:
    at = next((place for place, word in enumerate(said) if place and word in words().opened), len(said))
    return " ".join(said[:at])


def _without_words(name: str) -> str:
    left = f" {name} "
    for condition in words().conditions:
        left = left.replace(f" {condition} ", " ", 1)
    return left.strip()
