"""words.yaml as values: the words of a free name, each under the one word that stands for all of its kind.

A name is read in steps that can be told: single words first, then those of several; a number in it is a level ("tp8").
Two names of the same words in any order are one name; a word that is not known stands for itself, so that a name with
one more word is another name and is never taken for this one.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import yaml

from knockon.sources.readings.spelling import plain

Bag = frozenset[str]
# "tp8", "c64": letters and their number; "p99", "fp16" and "h100" are words.
_GLUED = re.compile(r"([a-z]+)(\d+)")
_NUMBER = re.compile(r"\d+")
# "128kib", "1gb": a size, for which it is enough that more is more.
_BYTES = re.compile(r"(\d+)([kmg])i?b")
_SCALES = {"k": 2**10, "m": 2**20, "g": 2**30}
# Names whose words are remembered: the names of the tables, and those of the reports that are read at a time.
_NAMES_MAX = 32_768
# "60k" is 60 000.
_THOUSANDS = re.compile(r"(\d+)k")


@dataclass(frozen=True, slots=True)
class Level:
    """At which number of what a name says it was measured: 8 devices."""

    of: str
    """A key of `levels` in words.yaml; empty where only the number stands there."""
    number: int


@dataclass(frozen=True, slots=True)
class Axis:
    """What numbers in names count, by the words beside them."""

    before: frozenset[str]
    after: frozenset[str]
    single: tuple[str, ...]
    """Names for one of it without a number."""


@dataclass(frozen=True, slots=True)
class Words:
    """The whole table."""

    same: Mapping[str, tuple[str, ...]]
    """Single word → the words that stand for it."""
    phrases: Mapping[Bag, Bag]
    """Several words → the words that stand for them, the longest first."""
    ignored: frozenset[str]
    loose: frozenset[str]
    either: Mapping[str, tuple[str, ...]]
    statistics: frozenset[str]
    families: Mapping[Bag, str]
    levels: Mapping[str, Axis]
    numbers: Mapping[str, int]
    marks: frozenset[str]
    replicas: frozenset[str]
    baseline: frozenset[str]
    units: Mapping[str, str]
    ends: frozenset[str]
    """What a note calls the ends of a range."""
    conditions: tuple[str, ...]
    """What says under which condition something was measured, the longest first."""
    opened: frozenset[str]
    """Words with which a condition begins that goes on to the end of the name."""
    vague: frozenset[str]
    """Marks of a change that alone do not say what was changed."""
    single: frozenset[str]
    """Names of one word that are those of a reading under a condition, too."""
    elsewhere: frozenset[str]
    """Words of a condition that is not the one of the system as it is."""

    def bag(self, name: str) -> Bag:
        """The words of `name` that stand for all of their kind; those of several words are found in any order."""
        return _remembered(name)

    def read(self, name: str) -> Bag:
        """`bag`, worked out anew."""
        found = frozenset(other for word in plain(name).split() for other in self.same.get(word, (word,)))
        for phrase, stands in self.phrases.items():
            if phrase <= found:
                found = found - phrase | stands
        return found

    def bags(self, name: str) -> tuple[Bag, ...]:
        """`bag`, then without words that say who tells, of what run, and with "rate" as either of its meanings."""
        whole = self.bag(name)
        fewer = [whole, whole - self.ignored, whole - self.ignored - self.loose]
        fewer += [
            bag - {word} | {other} for bag in fewer for word in bag & self.either.keys() for other in self.either[word]
        ]
        return tuple(dict.fromkeys(bag for bag in fewer if bag))

    def at_level(self, name: str) -> tuple[Bag, Level] | None:
        """`name` without the one number in it and what it counts; None where there is none, or more than one."""
        said = plain(name)
        for of, axis in self.levels.items():
            for single in axis.single:
                if f" {single} " in f" {said} ":
                    return self._rest(f" {said} ".replace(f" {single} ", " ", 1)), Level(of, 1)
        words = [part for word in said.split() for part in self._split(word)]
        sizes = [(at, match) for at, word in enumerate(words) if (match := _BYTES.fullmatch(word))]
        if len(sizes) == 1:
            at, match = sizes[0]
            number = int(match[1]) * _SCALES[match[2][0]]
            return self._rest(" ".join(words[:at] + words[at + 1 :])), Level("bytes", number)
        numbers = [at for at, word in enumerate(words) if self.number(word) is not None]
        if not numbers or numbers != list(range(numbers[0], numbers[0] + len(numbers))):
            return None
        # "tp2_4": of several beside one another the first counts.
        at = numbers[0]
        del words[at + 1 : numbers[-1] + 1]
        number = self.number(words[at]) or 0
        for of, axis in self.levels.items():
            for width in (2, 1):
                before, after = " ".join(words[max(at - width, 0) : at]), " ".join(words[at + 1 : at + 1 + width])
                if before in axis.before:
                    return self._rest(" ".join(words[: at - width] + words[at + 1 :])), Level(of, number)
                if after in axis.after:
                    return self._rest(" ".join(words[:at] + words[at + 1 + width :])), Level(of, number)
        return self._rest(" ".join(words[:at] + words[at + 1 :])), Level("", number)

    def rest(self, name: str) -> Bag:
        """The words of `name` without those that say who tells and of what run."""
        return _remembered_rest(name)

    def replica(self, name: str) -> tuple[str, str]:
        """`name` without the rank or replica that it ends in, and that one; the second is empty where there is none."""
        words = plain(name).split()
        if len(words) > 1 and words[-1] in self.marks:
            return " ".join(words[:-1]), words[-1]
        match = _GLUED.fullmatch(words[-1]) if words else None
        if match and match[1] in self.replicas and len(words) > 1:
            return " ".join(words[:-1]), words[-1]
        if len(words) > 2 and words[-2] in self.replicas and _NUMBER.fullmatch(words[-1]):
            return " ".join(words[:-2]), f"{words[-2]} {words[-1]}"
        return " ".join(words), ""

    def without_unit(self, name: str) -> tuple[str, str]:
        """`name` without the unit that it ends in, and that unit; the second is empty where there is none."""
        words = plain(name).split()
        for width in (2, 1):
            unit = self.units.get(" ".join(words[-width:]))
            if unit:
                # "requests/s" is a name of its own.
                return (" ".join(words[:-width]), unit) if len(words) > width else (name, unit)
        return name, ""

    def _rest(self, name: str) -> Bag:
        bag = self.bag(name)
        return bag - self.ignored - self.loose

    def _split(self, word: str) -> Sequence[str]:
        match = _GLUED.fullmatch(word)
        counts = match is not None and any(match[1] in axis.before for axis in self.levels.values())
        if match is not None and counts:
            return match.groups()
        backwards = re.fullmatch(r"(\d+)([a-z]+)", word)
        counts = backwards is not None and any(backwards[2] in axis.after for axis in self.levels.values())
        return backwards.groups() if backwards is not None and counts else (word,)

    def number(self, word: str) -> int | None:
        """The number that `word` is: "8", "8k" or "eight"; None for any other."""
        if match := _THOUSANDS.fullmatch(word):
            return int(match[1]) * 1000
        return int(word) if _NUMBER.fullmatch(word) else self.numbers.get(word)


@lru_cache(maxsize=_NAMES_MAX)
def _remembered(name: str) -> Bag:
    return words().read(name)


@lru_cache(maxsize=_NAMES_MAX)
def _remembered_rest(name: str) -> Bag:
    return _remembered(name) - words().ignored - words().loose


@cache
def words() -> Words:
    """Read words.yaml, once per process; a mistake in it is our fault and fails with KeyError."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text = Path(__file__).with_name("words.yaml").read_text(encoding="utf-8")
    raw: Mapping[str, Any] = yaml.load(text, Loader=loader)  # noqa: S506 - either one is a safe loader
    spelled = [(plain(one), tuple(stands.split())) for stands, others in raw["same"].items() for one in others]
    same = {one: stands for one, stands in spelled if " " not in one}
    phrases = {
        frozenset(other for word in one.split() for other in same.get(word, (word,))): frozenset(stands)
        for one, stands in (*spelled, *((stands, tuple(stands.split())) for stands in raw["same"]))
        if " " in one
    }
    axes = {
        of: Axis(frozenset(axis["before"]), frozenset(axis["after"]), tuple(axis["single"]))
        for of, axis in raw["levels"].items()
    }
    table = Words(
        same,
        dict(sorted(phrases.items(), key=lambda phrase: -len(phrase[0]))),
        frozenset(raw["ignored"]),
        frozenset(raw["loose"]),
        {word: tuple(others) for word, others in raw["either"].items()},
        frozenset(raw["statistics"]),
        {},
        axes,
        raw["numbers"],
        frozenset(raw["replicas"]["marks"]),
        frozenset(raw["replicas"]["before"]),
        frozenset(raw["baseline"]),
        raw["units"],
        frozenset(plain(one) for one in raw["ends"]),
        tuple(sorted((plain(one) for one in raw["conditions"]["words"]), key=lambda one: -len(one))),
        frozenset(raw["conditions"]["opened"]),
        frozenset(plain(one) for one in raw["vague"]),
        frozenset(raw["conditions"]["single"]),
        frozenset(raw["conditions"]["elsewhere"]),
    )
    families = {table.read(name): family for family, names in raw["families"].items() for name in names}
    return replace(table, families=families)
