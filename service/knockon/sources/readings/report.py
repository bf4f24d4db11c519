"""A report as people write it: `observations` with free names, beside `config`, `system` and `symptom` as text.

Names are read by aliases.yaml and words.yaml and units are converted; what is not understood is told and never guessed.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from knockon.expr.vocabulary import NameInfo, Vocabulary, nearest
from knockon.sources.amount import shown
from knockon.sources.base import Taken
from knockon.sources.document import Keys, Node, Word
from knockon.sources.readings.aliases import aliases, other_engines
from knockon.sources.readings.apart import apart
from knockon.sources.readings.conditions import is_elsewhere, said_without_condition
from knockon.sources.readings.contrast import Contrast, contrasts
from knockon.sources.readings.curves import curves
from knockon.sources.readings.figures import figures
from knockon.sources.readings.forms import OBSERVATIONS
from knockon.sources.readings.found import CERTAIN, Found
from knockon.sources.readings.levels import capped, over_levels
from knockon.sources.readings.measure import in_base
from knockon.sources.readings.names import Named, by_steps, may_be, named
from knockon.sources.readings.observation import Seen, observations, observed
from knockon.sources.readings.parts import shares
from knockon.sources.readings.prose import factors_of, facts_of, loads_of, statements_of, whole_number
from knockon.sources.readings.quotient import quotients
from knockon.sources.readings.told import doubtful, over_time, told
from knockon.sources.readings.words import words
from knockon.terms.fact import Fact
from knockon.terms.limits import OBSERVATIONS_TOGETHER_MAX
from knockon.terms.reading import Reading
from knockon.terms.words import Text

# "44 GB of 48", "314 W of 315 cap", "4 cores of 4".
_OF = re.compile(r"(?P<unit>[^\s\d]+)\s+of\s+(?P<whole>\d+(?:\.\d+)?)(?:\s+\w+)?")
# Two numbers that are not the ends of one range.
_PAIRED = ("before/after", "as ", " at ")
_NAME_MAX = 200
_IN_FLIGHT = "concurrency_count"
# What a level of a name counts → the facts whose value it is where the observation is of the deployment itself.
_LEVELS = {"tensor": ("tensor_parallel_size",), "devices": ("gpu_count", "node_count"), "": ("max_num_seqs",)}


def read_report(top: Keys, vocabulary: Vocabulary) -> Taken:
    """The readings and facts of a report, and a note for each observation that was not understood.

    Raises:
        IntakeError: `observations` is no list of `{metric, value, unit, note}`; with the place.
    """
    seen = [part for one in observations(top.held[OBSERVATIONS]) for part in apart(one)]
    found = Found()
    for fact in facts_of(top, vocabulary):
        found.facts.setdefault(fact.name, fact)
    stated = {one: list(_facts(one, vocabulary)) for one in seen}
    for fact in (fact for facts in stated.values() for fact in facts):
        found.facts.setdefault(fact.name, fact)
    mine = [one for one in seen if not stated[one] and not _is_elsewhere(one, found)]
    own = {one: list(taken(one, vocabulary, found.whole_numbers())) for one in mine}
    used = _add_together(found, seen, _load(seen, top, vocabulary))
    for reading in (*over_time(seen, vocabulary), *statements_of(top, list(_texts(seen)))):
        found.add(reading)
    loose = _under_conditions([one for one in mine if not own[one]], vocabulary)
    unclear = []
    for one in seen:
        beside = list(told(one, vocabulary))
        for reading, step in (*own.get(one, ()), *((reading, CERTAIN) for reading in beside)):
            found.add(reading, step=step)
        if not (stated[one] or own.get(one) or beside or one in used or one in loose):
            found.notes.append(_not_understood(one, vocabulary))
            unclear.append(one)
    for reading in (*_worst(loose), *factors_of(top)):
        if (reading.name, reading.replica) not in found.readings:
            found.add(reading)
    # What an observation says of a load is nearer than a text.
    loads = [reading for reading in loads_of(top) if (reading.name, "") not in found.readings]
    for reading in (*loads, *(reading for one in unclear for reading in doubtful(one, vocabulary))):
        found.add(reading)
    engine = found.facts.get("engine")
    named_engine = str(engine.value) if engine else None
    return Taken(tuple(found.readings.values()), tuple(found.facts.values()), named_engine, tuple(found.notes))


def _texts(seen: Sequence[Seen]) -> Iterator[Word]:
    """What the first observations say in words: a value that is no number, with its name, and notes."""
    for one in seen[:OBSERVATIONS_TOGETHER_MAX]:
        if one.text:
            yield Word(f"{one.metric} {one.text}", one.word.at)
        if one.note:
            yield Word(one.note, one.word.at)


@dataclass(frozen=True, slots=True)
class Beside:
    """What names of a mapping say together and texts beside them say, and which of the names that took."""

    readings: tuple[Reading, ...]
    facts: tuple[Fact, ...]
    names: frozenset[str]


def taken_together(top: Keys, names: Sequence[str], unclear: Collection[str], vocabulary: Vocabulary) -> Beside:
    """What the entries `names` of a mapping say beside the readings they are; `unclear` are those that are none."""
    seen = {name: list(observed(Word(name, top.key_at[name]), top.held[name], "")) for name in names}
    facts = {fact.name: fact for fact in facts_of(top, vocabulary)}
    found = Found(facts=facts)
    every = [one for several in seen.values() for one in several]
    used = _add_together(found, every, _load(every, top, vocabulary))
    for reading in (*statements_of(top), *loads_of(top)):
        found.add(reading)
    for one in (one for name in unclear for one in seen[name]):
        for reading in told(one, vocabulary):
            found.add(reading)
            used.add(one)
    taken = frozenset(name for name, several in seen.items() if used & set(several))
    return Beside(tuple(found.readings.values()), tuple(found.facts.values()), taken)


def loosely_said(name: Word, value: Node, vocabulary: Vocabulary) -> list[Reading]:
    """The readings of an entry whose value is a range, a bound or about something: "20-30 %", "> 95 %"; else none."""
    said = figures(value.text) if isinstance(value, Word) else None
    if said is None or said.is_plain:
        return []
    return [reading for one in observed(name, value, "") for reading, _ in taken(one, vocabulary, {})]


def together(seen: Sequence[Seen], found: Found, *, load: int | None = None) -> Iterator[Contrast]:
    """The readings that several observations give together; none of more than OBSERVATIONS_TOGETHER_MAX.

    `found` has the facts of the configuration, `load` is how many requests were in flight, where told.
    """
    if len(seen) > OBSERVATIONS_TOGETHER_MAX:
        return
    yield from quotients(seen, aliases().quotients)
    engine = found.facts.get("engine")
    others = other_engines(str(engine.value)) if engine else ()
    yield from contrasts(seen, (*aliases().changes, *others), load=load)
    yield from over_levels(seen, found.whole_numbers())
    yield from capped(seen)
    yield from curves(seen)


def _add_together(found: Found, seen: Sequence[Seen], load: int | None) -> set[Seen]:
    """Add what several observations give together; those that did are returned."""
    used = set[Seen]()
    for pair in together(seen, found, load=load):
        found.add(of_pair(pair))
        used |= {pair.over, pair.under, *pair.others}
    return used


def _load(seen: Sequence[Seen], top: Keys, vocabulary: Vocabulary) -> int | None:
    """How many requests were in flight, as an observation or else a text tells; None where nobody does."""
    numbers = [
        max(one.numbers)
        for one in seen
        if one.numbers and any(meant.info.name == _IN_FLIGHT for meant in named(one.metric, vocabulary))
    ]
    numbers += [float(reading.value or 0) for reading in loads_of(top) if reading.name == _IN_FLIGHT]
    return int(numbers[0]) if numbers else None


def of_pair(pair: Contrast) -> Reading:
    """The reading that two observations are together."""
    how = "over" if pair.is_quotient else "beside"
    origin = f"{pair.over.metric} {how} {pair.under.metric}, {pair.over.word.at}"
    return Reading(pair.reading, pair.value, origin, quality="reported")


def _is_elsewhere(one: Seen, found: Found) -> bool:
    """Whether the name says that it is of another engine than the one in use."""
    engine = found.facts.get("engine")
    names = aliases().config.engines.items() if engine else ()
    return any(f" {name} " in f" {one.name} " for name, other in names if engine and other != engine.value)


def _facts(one: Seen, vocabulary: Vocabulary) -> Iterator[Fact]:
    """What one observation states of the configuration: a size in its own or a short name."""
    fact = vocabulary.get(aliases().config.sizes.get(one.name, one.name.replace(" ", "_")))
    if fact is not None and fact.kind == "fact" and len(one.numbers) == 1:
        yield from whole_number(fact, one.numbers[0], one.word)


def taken(one: Seen, vocabulary: Vocabulary, settings: Mapping[str, int]) -> Iterator[tuple[Reading, int]]:
    """What one observation says by itself, with how far its name is from it; nothing where it is not understood."""
    if not one.numbers or _is_paired(one):
        return
    for name, replica in _spelled(one, settings):
        for step in by_steps(name, vocabulary):
            readings = [(reading, meant.step) for meant in step for reading in _readings(meant, one, replica)]
            # Several that its unit allows: which one is meant cannot be told.
            if len({reading.name for reading, _ in readings}) == 1 or _is_limited(readings):
                yield from readings
                return


def _under_conditions(seen: Sequence[Seen], vocabulary: Vocabulary) -> dict[Seen, tuple[Reading, bool]]:
    """What each of `seen` says without the condition in its name, and whether more of that is worse."""
    found: dict[Seen, tuple[Reading, bool]] = {}
    for one in seen:
        if len(one.numbers) != 1 or one.numbers[0] < 0 or is_elsewhere(one):
            continue
        for meanings in said_without_condition(one, vocabulary):
            readings = {
                (reading.name, meant.alias.is_high_worse): reading
                for meant in meanings
                for reading in _readings(meant, one, one.replica)
            }
            if len(readings) == 1:
                (_, is_high_worse), reading = next(iter(readings.items()))
                found[one] = (replace(reading, origin=f"{reading.origin}, without its condition"), is_high_worse)
                break
        else:
            found.update((one, (share, True)) for share in shares(one))
    return found


def _worst(found: Mapping[Seen, tuple[Reading, bool]]) -> Iterator[Reading]:
    """Of each reading the worse of the values that it has under several conditions."""
    worst: dict[tuple[str, str], Reading] = {}
    for reading, is_high_worse in found.values():
        key = (reading.name, reading.replica)
        values = [float(one.value or 0) for one in (reading, worst.get(key, reading))]
        worst[key] = reading if (values[0] > values[1]) is is_high_worse or key not in worst else worst[key]
    yield from worst.values()


def _spelled(one: Seen, settings: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """The name as it is, without the replica it ends in, and without a level that is the configured one."""
    yield one.metric, one.replica
    bare, replica = words().replica(one.metric)
    if replica:
        yield bare, replica
    at = words().at_level(one.metric)
    if at is not None and at[1].number in (settings.get(name) for name in _LEVELS.get(at[1].of, ())):
        yield " ".join(sorted(at[0])), one.replica


def _is_limited(readings: Sequence[tuple[Reading, int]]) -> bool:
    return {reading.name for reading, _ in readings} == {"power_draw_w", "power_limit_w"}


def _readings(meant: Named, one: Seen, replica: str) -> Iterator[Reading]:
    number = _cautious(one, is_high_worse=meant.alias.is_high_worse)
    if number is None or meant.info.type == "bool" or (meant.alias.needs_unit and not one.unit):
        return
    if whole := _OF.fullmatch(one.unit):
        yield from _of_whole(meant.info, number, whole["unit"], float(whole["whole"]), one)
        return
    value = in_base(meant.info, number, one.unit)
    if value is not None:
        value = 1 - value if meant.alias.is_complement else value
        which = "latest" if one.is_course else "highest" if meant.alias.is_high_worse else "lowest"
        why = (f"the {which} of {len(one.numbers)}" if len(one.numbers) > 1 else "", meant.why)
        yield _reading(meant.info.name, value, one, why=", ".join(filter(None, why)), replica=replica)


def _cautious(one: Seen, *, is_high_worse: bool) -> float | None:
    """The end of a range that is the worse one, the last value of a course, a bound where it is the worse end."""
    if (one.is_at_least and not is_high_worse) or (one.is_at_most and is_high_worse):
        return None
    if one.is_course:
        return one.numbers[-1]
    return max(one.numbers) if is_high_worse else min(one.numbers)


def _of_whole(info: NameInfo, number: float, unit: str, whole: float, one: Seen) -> Iterator[Reading]:
    """A share where the reading is one ("44 GB of 48"); else the reading and its limit ("314 W of 315")."""
    if info.name.endswith("_ratio") and whole:
        yield _reading(info.name, number / whole, one)
    elif info.name == "power_draw_w" and unit == "W":
        yield _reading(info.name, number, one)
        yield _reading("power_limit_w", whole, one)


def _is_paired(one: Seen) -> bool:
    return len(one.numbers) > 1 and any(mark in f"{one.unit} " for mark in _PAIRED)


def _reading(name: str, value: float, one: Seen, *, why: str = "", replica: str = "") -> Reading:
    origin = f"{one.metric}, {one.word.at}{f', {why}' if why else ''}"
    return Reading(name, value, origin, quality="reported", replica=replica)


def _not_understood(one: Seen, vocabulary: Vocabulary) -> Text:
    meant = tuple(each for each in named(one.metric, vocabulary) if not each.alias.needs_unit)
    if len(meant) == 1:
        name = meant[0].info.name
        return Text(
            f"{shown(one.metric)} is {name}, and its value is not understood: no number, or not of its unit",
            f"{shown(one.metric)} 即 {name}，但其取值未能识别：非数字或单位不符",
        )
    if several := may_be(one.metric, vocabulary) or tuple(each.info.name for each in meant):
        return Text(
            f"{shown(one.metric)} may be {' or '.join(several)}; write the one that is meant",
            f"{shown(one.metric)} 可能是 {' 或 '.join(several)}；请写明所指",
        )
    known = vocabulary.readings
    near = nearest(one.name.replace(" ", "_"), known) if len(one.metric) <= _NAME_MAX else ()
    did_you = f"; did you mean {' or '.join(near)}?" if near else ""
    did_you_zh = f"；是否指 {' 或 '.join(near)}？" if near else ""
    said = f"{shown(one.metric)}{f' in {shown(one.unit)}' if one.unit else ''}"
    return Text(f"{said} was not understood and is not used{did_you}", f"{said} 未能识别，未采用{did_you_zh}")
