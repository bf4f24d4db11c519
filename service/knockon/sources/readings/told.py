"""What an observation tells beside the number its name stands for: something was seen, is uneven, grows, cannot be."""

import re
from collections.abc import Iterator

from knockon.sources.readings.aliases import aliases
from knockon.sources.readings.observation import Seen
from knockon.terms.reading import Reading

# The replicas of a list are uneven only where there are some.
_REPLICAS_MIN = 2
# A bare number above one may be a percentage whose sign was left out.
_PERCENT = frozenset({"%", "percent", "pct"})
_SHARE_UNITS = _PERCENT | {"ratio"}
# Rounding and sampling carry a share a little past one (toplev of pmu-tools allows five points).
_SHARE_MAX = 1.02
_GROWS = re.compile(r"\b(?:grow\w*|grew|rising|rises|increas\w*|climb\w*|keeps? (?:growing|rising))\b", re.IGNORECASE)
# "over 100 %", "> 100%".
_OVER_ALL = re.compile(r"(?:>|\babove|\bover|\bpast|\bbeyond)\s*100\s*(?:%|percent)", re.IGNORECASE)


def told(one: Seen) -> Iterator[Reading]:
    """The readings that `one` gives beside its own, with where it stands."""
    table = aliases()
    name = table.shortened(one.metric)
    said = f"{one.metric}, {one.word.at}"
    if (reading := table.statements.get(name)) and one.numbers:
        yield Reading(reading, value=max(one.numbers) > 0, origin=said, quality="reported")
    if (reading := table.spreads.get(name)) and len(one.numbers) >= _REPLICAS_MIN and sum(one.numbers) > 0:
        spread = max(one.numbers) * len(one.numbers) / sum(one.numbers)
        yield Reading(reading, spread, said, quality="reported")
    if (reading := table.growths.get(name)) and _GROWS.search(one.text):
        yield Reading(reading, value=True, origin=said, quality="reported")
    alias = table.alias(one.metric)
    if alias is not None and alias.reading in table.impossible and _OVER_ALL.search(one.text):
        yield Reading("impossible_value_seen", value=True, origin=said, quality="reported")
    if alias is not None and alias.reading in table.impossible and one.numbers:
        share = max(one.numbers) / 100 if one.unit in _PERCENT else max(one.numbers)
        if share > _SHARE_MAX and one.unit in _SHARE_UNITS:
            yield Reading("impossible_value_seen", value=True, origin=said, quality="reported")


def doubtful(one: Seen) -> Iterator[Reading]:
    """The readings any of which `one` may be: which one cannot be told, so each is missing and worth asking for."""
    table = aliases()
    if table.alias(one.metric) is None:
        for candidate in table.candidates(one.metric):
            why = f"{one.metric} may be one of several readings"
            yield Reading(candidate, None, f"{one.metric}, {one.word.at}", state="missing", why=why, quality="reported")
