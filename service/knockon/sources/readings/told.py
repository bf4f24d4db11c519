"""What an observation tells beside the number its name stands for: something was seen, is uneven, grows, cannot be."""

import re
from collections.abc import Iterator, Sequence

from knockon.expr.vocabulary import Vocabulary
from knockon.sources.readings.aliases import aliases
from knockon.sources.readings.factors import named_factors
from knockon.sources.readings.names import may_be, named
from knockon.sources.readings.observation import Seen
from knockon.sources.readings.words import words
from knockon.terms.reading import Reading

# The replicas of a list are uneven only where there are some.
_REPLICAS_MIN = 2
# A bare number above one may be a percentage whose sign was left out.
_PERCENT = frozenset({"%", "percent", "pct"})
_SHARE_UNITS = _PERCENT | {"ratio"}
# Rounding and sampling carry a share a little past one (toplev of pmu-tools allows five points).
_SHARE_MAX = 1.02
_GROWS = re.compile(r"\b(?:grow\w*|grew|rising|rises|increas\w*|climb\w*|keeps? (?:growing|rising))\b", re.IGNORECASE)
_SEEN = frozenset({"true", "yes", "seen", "active", "on", "present"})
_NOT_SEEN = frozenset({"false", "no", "none", "never", "not seen", "inactive", "off", "absent"})
# "over 100 %", "> 100%".
_OVER_ALL = re.compile(r"(?:>|\babove|\bover|\bpast|\bbeyond)\s*100\s*(?:%|percent)", re.IGNORECASE)


def told(one: Seen, vocabulary: Vocabulary) -> Iterator[Reading]:
    """The readings that `one` gives beside its own, with where it stands."""
    table = aliases()
    name = words().rest(one.metric)
    said = f"{one.metric}, {one.word.at}"
    if (reading := _statement(one, vocabulary)) is not None:
        yield reading
    if (spread := table.spreads.get(name)) and len(one.numbers) >= _REPLICAS_MIN and sum(one.numbers) > 0:
        yield Reading(spread, max(one.numbers) * len(one.numbers) / sum(one.numbers), said, quality="reported")
    is_rising = one.is_course and one.numbers[-1] > one.numbers[0]
    if (grows := table.growths.get(name)) and (is_rising or _GROWS.search(one.text)):
        yield Reading(grows, value=True, origin=said, quality="reported")
    own = {found.info.name for found in named(one.metric, vocabulary)}
    if own & table.impossible and _is_impossible(one):
        yield Reading("impossible_value_seen", value=True, origin=said, quality="reported")
    yield from named_factors(one, table.changes)


def over_time(seen: Sequence[Seen], vocabulary: Vocabulary) -> Iterator[Reading]:
    """What courses tell together: "247 -> 219" of what runs while something waits, throughput that fell."""
    courses = {found.info.name: one for one in seen if one.is_course for found in named(one.metric, vocabulary)}
    running, waiting = courses.get("running_count"), courses.get("waiting_count")
    if running and waiting and running.numbers[-1] < running.numbers[0] and waiting.numbers[-1] > waiting.numbers[0]:
        said = f"{running.metric}, {running.word.at}"
        yield Reading("running_falls_while_waiting", value=True, origin=said, quality="reported")
    output = courses.get("output_tokens_per_s") or courses.get("requests_per_s")
    if output and 0 <= output.numbers[-1] < output.numbers[0]:
        value = output.numbers[-1] / output.numbers[0]
        yield Reading("throughput_fall_factor", value, f"{output.metric}, {output.word.at}", quality="reported")


def doubtful(one: Seen, vocabulary: Vocabulary) -> Iterator[Reading]:
    """The readings any of which `one` may be: which one cannot be told, so each is missing and worth asking for."""
    for candidate in may_be(one.metric, vocabulary):
        why = f"{one.metric} may be one of several readings"
        yield Reading(candidate, None, f"{one.metric}, {one.word.at}", state="missing", why=why, quality="reported")


def _statement(one: Seen, vocabulary: Vocabulary) -> Reading | None:
    """That something was seen or was not: a number over 0 or 0, yes or no."""
    own = vocabulary.get(one.name.replace(" ", "_"))
    is_own = own is not None and own.kind == "reading" and own.type == "bool"
    reading = one.name.replace(" ", "_") if is_own else aliases().statements.get(words().rest(one.metric))
    word = one.text.strip().lower()
    if not reading or not (one.numbers or word in _SEEN | _NOT_SEEN):
        return None
    is_seen = max(one.numbers) > 0 if one.numbers else word in _SEEN
    return Reading(reading, is_seen, f"{one.metric}, {one.word.at}", quality="reported")


def _is_impossible(one: Seen) -> bool:
    if _OVER_ALL.search(one.text) or (one.is_at_least and one.unit in _PERCENT and max(one.numbers) >= 100):
        return True
    share = max(one.numbers, default=0.0) / (100 if one.unit in _PERCENT else 1)
    return share > _SHARE_MAX and one.unit in _SHARE_UNITS
