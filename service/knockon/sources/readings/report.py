"""A report as people write it: `observations` with free names, beside `config` and `symptom` as text.

Names are matched by aliases.yaml and units are converted; what is not understood is told and never guessed. Prose is
not read for numbers. Of a configuration text only settings in their own names and sizes like "TP8" are taken.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from knockon.expr.vocabulary import NameInfo, Vocabulary, nearest
from knockon.sources.amount import amount_of, shown
from knockon.sources.base import Taken
from knockon.sources.document import Items, Keys, Node, Word, refused
from knockon.sources.readings.aliases import Alias, Quotient, aliases
from knockon.sources.readings.contrast import contrasts
from knockon.sources.readings.observation import Seen
from knockon.sources.readings.spelling import plain
from knockon.sources.readings.told import doubtful, told
from knockon.terms.fact import Fact, Origin
from knockon.terms.reading import Reading
from knockon.terms.words import Text

OBSERVATIONS = "observations"
# What a report may hold beside; the rest of it is for people and is not read.
_CONFIG = "config"
_OBSERVED_KEYS = ("metric", "value", "unit")
# "44 GB of 48", "314 W of 315 cap".
_OF = re.compile(r"(?P<unit>[^\s\d]+)\s+of\s+(?P<whole>\d+(?:\.\d+)?)(?:\s+\w+)?")
# Words that stand for no unit.
_BARE = frozenset({"", "ratio", "x", "max/mean"})
# Rates in bits, in gigabytes per second.
_BITS = {"Gb/s": 0.125, "Gbps": 0.125, "Gbit/s": 0.125, "Mb/s": 0.000125, "Mbps": 0.000125, "Tb/s": 125.0}
# Two numbers that are not the ends of one range.
_PAIRED = ("before/after", "as ", " at ")


def read_report(top: Keys, vocabulary: Vocabulary) -> Taken:
    """The readings and facts of a report, and a note for each observation that was not understood.

    Raises:
        IntakeError: `observations` is no list of `{metric, value, unit, note}`; with the place.
    """
    seen = list(_observations(top.held[OBSERVATIONS]))
    facts = {fact.name: fact for fact in _config(top.held.get(_CONFIG), vocabulary)}
    paired, used = _paired(seen)
    readings: dict[str, Reading] = {}
    for reading in (*paired, *_said_of_the_machine(top.held.get(_CONFIG))):
        readings.setdefault(reading.name, reading)
    notes = []
    for one in seen:
        taken = [*_taken(one, vocabulary), *told(one)]
        for item in taken:
            if isinstance(item, Fact):
                facts.setdefault(item.name, item)
            else:
                readings.setdefault(item.name, item)
        if not taken and one.name not in used:
            notes.append(_not_understood(one, vocabulary))
    for reading in (reading for one in seen if one.name not in used for reading in doubtful(one)):
        readings.setdefault(reading.name, reading)
    engine = facts["engine"].value if "engine" in facts else None
    return Taken(
        tuple(readings.values()), tuple(facts.values()), str(engine) if engine is not None else None, tuple(notes)
    )


def _paired(seen: Sequence[Seen]) -> tuple[Sequence[Reading], set[str]]:
    """The readings that two observations give together, and the names of those observations."""
    by_name = {spelled: one for one in seen for spelled in (aliases().shortened(one.metric), one.name)}
    readings: list[Reading] = []
    used: set[str] = set()
    for quotient in aliases().quotients:
        if found := _quotient(quotient, by_name):
            readings.append(found[0])
            used |= found[1]
    for pair in contrasts(seen, aliases().changes):
        origin = f"{pair.over.metric} beside {pair.under.metric}, {pair.over.word.at}"
        readings.append(Reading(pair.reading, pair.value, origin, quality="reported"))
        used |= {pair.over.name, pair.under.name}
    return readings, used


def _observations(node: Node) -> Iterator[Seen]:
    if not isinstance(node, Items):
        raise refused("not-a-list", "observations is not a list", at=node.at, expected="- metric: …")
    for item in node.held:
        if not isinstance(item, Keys) or not {"metric", "value"} <= item.held.keys():
            raise refused("bad-observation", "an observation lacks metric or value", at=item.at, expected="both")
        metric, value, unit = (item.held.get(key) for key in _OBSERVED_KEYS)
        if not isinstance(metric, Word) or not (unit is None or isinstance(unit, Word)):
            raise refused("bad-observation", "metric and unit are plain words", at=item.at, expected="one word each")
        words = value.held if isinstance(value, Items) else [value]
        numbers = [_number(word) for word in words]
        is_whole = all(number is not None for number in numbers)
        yield Seen(
            metric.text,
            tuple(number for number in numbers if number is not None) if is_whole else (),
            "" if is_whole or not isinstance(value, Word) else value.text,
            unit.text.strip() if isinstance(unit, Word) else "",
            metric,
        )


def _number(node: Node | None) -> float | None:
    try:
        return float(node.text) if isinstance(node, Word) else None
    except ValueError:
        return None


def _taken(one: Seen, vocabulary: Vocabulary) -> Sequence[Reading | Fact]:
    """What one observation says by itself; nothing where its name, its unit or its value is not understood."""
    name = plain(one.metric).replace(" ", "_")
    fact = vocabulary.get(aliases().sizes.get(name, name))
    if fact is not None and fact.kind == "fact":
        return [] if len(one.numbers) != 1 else _facts(fact, one.numbers[0], one.word)
    known = vocabulary.get(name)
    alias = Alias(name, is_high_worse=True) if known and known.kind == "reading" else aliases().alias(one.metric)
    info = vocabulary.get(alias.reading) if alias else None
    if alias is None or info is None or not one.numbers or _is_paired(one):
        return []
    number = max(one.numbers) if alias.is_high_worse else min(one.numbers)
    if whole := _OF.fullmatch(one.unit):
        return _of_whole(info, number, whole["unit"], float(whole["whole"]), one)
    value = _in_base(info, number, one.unit)
    if value is None:
        return []
    return [_reading(info.name, 1 - value if alias.is_complement else value, one)]


def _of_whole(info: NameInfo, number: float, unit: str, whole: float, one: Seen) -> Sequence[Reading]:
    """A share where the reading is one ("44 GB of 48"); else the reading and its limit ("314 W of 315")."""
    if info.name.endswith("_ratio"):
        return [_reading(info.name, number / whole, one)] if whole else []
    if info.name == "power_draw_w" and unit == "W":
        return [_reading(info.name, number, one), _reading("power_limit_w", whole, one)]
    return []


def _is_paired(one: Seen) -> bool:
    return len(one.numbers) > 1 and any(mark in f"{one.unit} " for mark in _PAIRED)


def _in_base(info: NameInfo, number: float, unit: str) -> float | None:
    """`number` in the reading's base unit; None where the unit is another or a share is written as if it were none."""
    # "% of time", "req mean": the unit is the first word, what follows says of what.
    first = unit.partition(" ")[0]
    written = "" if first in _BARE else first
    is_share = info.name.endswith("_ratio") and info.maximum == 1
    if is_share and not written and number > 1:
        return None
    try:
        return float(amount_of(f"{number!r}", info.unit, written_in=written).value)
    except ValueError:
        return None


def _quotient(quotient: Quotient, by_name: Mapping[str, Seen]) -> tuple[Reading, set[str]] | None:
    over = next((by_name[name] for name in quotient.over if name in by_name), None)
    under = next((by_name[name] for name in quotient.under if name in by_name), None)
    if over is None or under is None or not over.numbers or not under.numbers:
        return None
    (over_unit, over_scale), (under_unit, under_scale) = _rate_unit(over.unit), _rate_unit(under.unit)
    if over_unit != under_unit:
        return None
    above, below = max(over.numbers) * over_scale, min(under.numbers) * under_scale
    if above <= 0 or below <= 0:
        return None
    if quotient.is_of_sum:
        below += above
    value = max(above / below, below / above) if quotient.is_disagreement else above / below
    if quotient.at_most is not None and value > quotient.at_most:
        return None
    origin = f"{over.metric} over {under.metric}, {over.word.at}"
    return Reading(quotient.reading, value, origin, quality="reported"), {over.name, under.name}


def _rate_unit(unit: str) -> tuple[str, float]:
    """The unit in the form in which two are compared, and its factor: bits of a link are bytes of a collective."""
    first = unit.partition(" ")[0]
    if first in _BITS:
        return "GB/s", _BITS[first]
    # "s/batch" beside "s": time of one and the same step.
    return (first.partition("/")[0] if first.startswith(("s/", "ms/")) else first), 1.0


def _reading(name: str, value: float, one: Seen) -> Reading:
    return Reading(name, value, f"{one.metric}, {one.word.at}", quality="reported")


def _facts(info: NameInfo, number: float, word: Word) -> Sequence[Fact]:
    if info.type != "int" or not number.is_integer():
        return []
    within = (info.minimum is None or number >= info.minimum) and (info.maximum is None or number <= info.maximum)
    return [Fact(info.name, int(number), Origin("file", word.text, word.at))] if within else []


def _config(node: Node | None, vocabulary: Vocabulary) -> Iterator[Fact]:
    """Settings that stand in a configuration text in their own name with a whole number, and sizes like "TP8"."""
    if not isinstance(node, Word):
        return
    table, text = aliases(), node.text.lower().replace("-", "_")
    for name, digits in re.findall(r"\b_*([a-z][a-z_]{2,60})[ =:]{1,2}(\d{1,9})\b(?!\.)", text):
        info = vocabulary.get(name)
        if info is not None and info.kind == "fact":
            yield from _facts(info, float(digits), node)
    for short, digits in re.findall(r"\b([a-z]{2})[ =]?(\d{1,4})\b", text):
        if info := vocabulary.get(table.sizes.get(short, "")):
            yield from _facts(info, float(digits), node)
    for word, name in table.words.items():
        if re.search(rf"\b_*{word}\b(?!\s*[=:]?\s*(?:false|0|off))", text):
            yield Fact(name, value=True, origin=Origin("file", word, node.at))


def _said_of_the_machine(node: Node | None) -> Iterator[Reading]:
    """Readings that stand in words in a configuration text: "2x A100, no NVLink"."""
    if not isinstance(node, Word):
        return
    text = f" {plain(node.text)} "
    for word, (reading, holds) in aliases().settings.items():
        if f" {word} " in text:
            yield Reading(reading, holds, f"{word}, {node.at}", quality="reported")


def _not_understood(one: Seen, vocabulary: Vocabulary) -> Text:
    if alias := aliases().alias(one.metric):
        return Text(
            f"{shown(one.metric)} is {alias.reading}, and its value is not understood: no number, or not of its unit",
            f"{shown(one.metric)} 即 {alias.reading}，但其取值未能识别：非数字或单位不符",
        )
    if several := aliases().candidates(one.metric):
        return Text(
            f"{shown(one.metric)} may be {' or '.join(several)}; write the one that is meant",
            f"{shown(one.metric)} 可能是 {' 或 '.join(several)}；请写明所指",
        )
    known = tuple(name for name, info in vocabulary.names.items() if info.kind == "reading")
    near = nearest(plain(one.metric).replace(" ", "_"), known) if len(one.metric) <= 200 else ()
    meant = f"; did you mean {' or '.join(near)}?" if near else ""
    meant_zh = f"；是否指 {' 或 '.join(near)}？" if near else ""
    said = f"{shown(one.metric)}{f' in {shown(one.unit)}' if one.unit else ''}"
    return Text(f"{said} was not understood and is not used{meant}", f"{said} 未能识别，未采用{meant_zh}")
