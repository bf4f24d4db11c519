"""How many times as fast or slow one change makes it: "speedup with pinning: 1.4x", "20 times slower with grammar".

A name or a clause is read by what it has beside the number: the words of exactly one change of aliases.yaml, and which
way it went. What is compared with, behind "than", is not what was changed.
"""

import re
from collections.abc import Iterator, Sequence

from knockon.sources.document import Word
from knockon.sources.readings.contrast import Change
from knockon.sources.readings.observation import Seen
from knockon.sources.readings.spelling import plain
from knockon.sources.readings.words import words
from knockon.terms.reading import Reading

_FACTOR_UNITS = frozenset({"x", "", "times", "factor", "fold"})
_PERCENT = frozenset({"%", "percent", "pct"})
_BETTER = frozenset({"faster", "higher", "more", "better", "speedup", "gain"})
_WORSE = frozenset({"slower", "longer", "slowdown"})
_SPELLED = {"twice": 2.0, "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0, "six": 6.0, "eight": 8.0, "ten": 10.0}
_SAID = re.compile(
    r"\b(?P<number>\d+(?:\.\d+)?|twice|two|three|four|five|six|eight|ten)(?P<how>\s?x\b|[ -]times\b|[ -]?fold\b|\s?%)?"
    r"(?: as)? (?P<way>faster|slower|longer|higher|slow|fast)\b"
)
_COMPARED = re.compile(r"\b(?:than|compared|versus|vs|against|instead)\b")
_CLAUSE = re.compile(r"[.,;()]\s|\bbut\b|\bwhile\b|\bthough\b|\balthough\b")
_LACKING = ("no ", "without ")
# A speed can hardly change more by one thing; a larger number is of something else.
_MAX = 1e4


def named_factors(one: Seen, changes: Sequence[Change]) -> Iterator[Reading]:
    """What the number of `one` says of one change, where its name or unit says that it is a factor."""
    if len(one.numbers) != 1:
        return
    first, *behind = one.unit.partition("(")[0].split() or [""]
    said = {*words().bag(one.metric), *behind}
    way = "better" if said & _BETTER else "worse" if said & _WORSE else ""
    if not way or (said & _BETTER and said & _WORSE) or first not in _FACTOR_UNITS | _PERCENT:
        return
    number = 1 + one.numbers[0] / 100 if first in _PERCENT else one.numbers[0]
    name = plain(_COMPARED.split(one.name)[0])
    kept = " ".join(word for word in name.split() if not words().bag(word) & (_BETTER | _WORSE))
    yield from _of_change(kept, number, way, changes, f"{one.metric}, {one.word.at}")


def told_factors(word: Word, text: str, changes: Sequence[Change]) -> Iterator[Reading]:
    """What the clauses of `text` say of one change each."""
    for clause in _CLAUSE.split(text.lower()):
        match = _SAID.search(clause)
        if match is None or not (match["how"] or match["number"] == "twice"):
            continue
        number = _SPELLED.get(match["number"]) or float(match["number"])
        number = 1 + number / 100 if (match["how"] or "").strip() == "%" else number
        way = "worse" if match["way"].startswith(("slow", "long")) else "better"
        rest = plain(_COMPARED.split(f"{clause[: match.start()]} | {clause[match.end() :]}")[0])
        yield from _of_change(rest, number, way, changes, f"{match[0]}, {word.at}")


def _of_change(name: str, number: float, way: str, changes: Sequence[Change], origin: str) -> Iterator[Reading]:
    """The reading of the one change of which marks stand in `name`; of several the one with the longest mark."""
    if not 1 <= number <= _MAX:
        return
    found: dict[int, dict[str, float]] = {}
    for change in changes:
        if change.load or change.is_seen or change.takes_shares or change.is_either or change.at_most is not None:
            continue
        lacking = [mark for mark in change.without if mark.startswith(_LACKING)]
        for marks, has_it in ((change.with_, True), (lacking, False)):
            mark = next((one for one in marks if one not in words().vague and f" {one} " in f" {name} "), "")
            if mark and (way == "worse") == (change.is_slowdown is has_it):
                found.setdefault(len(mark), {})[change.reading] = number
    longest = found[max(found)] if found else {}
    if len(longest) == 1:
        reading, value = next(iter(longest.items()))
        yield Reading(reading, value, origin, quality="reported")
