"""aliases.yaml as values: what people call readings, what they write in pairs, and how they shorten a configuration."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from knockon.sources.readings.contrast import Change
from knockon.sources.readings.spelling import joined, plain
from knockon.sources.readings.words import Bag, words

# What engines are under in aliases.yaml that the fact `engine` has no value for.
OTHER_ENGINE = "other"
# How names say of a mark that a run has it, or that it has it not.
_HAVING = ("with {}", "using {}", "{} on", "{} enabled", "{} true")
_LACKING = ("no {}", "without {}", "not {}", "{} off", "{} disabled", "{} false", "w o {}")


@dataclass(frozen=True, slots=True)
class Alias:
    """One name people use: the reading it stands for, which end of a range is the worse one."""

    reading: str
    is_high_worse: bool
    is_complement: bool = False
    """The number is what the reading leaves of one: idle for busy."""
    needs_unit: bool = False
    """The name means the reading only where its unit stands behind the number."""


@dataclass(frozen=True, slots=True)
class Quotient:
    """A reading that is one observation over another."""

    reading: str
    over: tuple[str, ...]
    under: tuple[str, ...]
    is_disagreement: bool = False
    """The larger over the smaller, whichever way round."""
    at_most: float | None = None
    """A quotient above it is another story and is not taken."""
    at_least: float = 0.0
    """A quotient below it says nothing: a part of the part, or a time that is waited in."""
    is_of_rates: bool = False
    """Only of rates, not of times."""
    is_seen: bool = False
    """That the quotient is between `at_least` and `at_most` is the reading."""
    is_of_sum: bool = False
    """`under` is what is left beside `over`: the share is of both together."""
    takes_all: bool = False
    """All that is left was listed part by part: every name of `under` counts that is there."""


@dataclass(frozen=True, slots=True)
class Config:
    """How a configuration is shortened."""

    sizes: Mapping[str, str]
    """What stands beside a whole number → the fact."""
    flags: Mapping[str, str]
    """Words that are a fact which then holds."""
    counted: Mapping[str, str]
    """Things that are counted → the fact."""
    gpus: tuple[str, ...]
    """As they are written, the longest first."""
    engines: Mapping[str, str]
    """Plain name → the value of the fact `engine`."""


@dataclass(frozen=True, slots=True)
class Statement:
    """What words of a text say."""

    reading: str
    holds: bool
    of: str = ""
    """The stage it is said of, training or inference; empty for any."""


@dataclass(frozen=True, slots=True)
class Aliases:
    """The whole table; names are in the form of `plain`."""

    by_name: Mapping[str, Alias]
    """By the name as it is, and without its blanks."""
    by_words: Mapping[Bag, tuple[Alias, ...]]
    """By the words of the name; several where one listed name has the same words as another."""
    ambiguous: Mapping[str, tuple[str, ...]]
    """Names that may be one of several readings, likewise."""
    candidates_by_words: Mapping[Bag, tuple[str, ...]]
    quotients: tuple[Quotient, ...]
    changes: tuple[Change, ...]
    """What two runs may differ in, by the words their names differ in."""
    statements: Mapping[Bag, str]
    """Names whose number says that something was seen, 0 that it was not → the reading."""
    spreads: Mapping[Bag, str]
    """Names of lists with one value for each replica → the reading of their highest over their mean."""
    growths: Mapping[Bag, str]
    """Names whose text tells that they grow → the reading."""
    impossible: frozenset[str]
    """Shares that can never pass one; that somebody reports more is a reading itself."""
    config: "Config"
    texts: Mapping[str, tuple["Statement", ...]]
    """Words of a text that say a reading, the longest first."""
    patterns: tuple[tuple[re.Pattern[str], "Statement"], ...]
    """Patterns of plain text that say a reading."""
    loads: tuple[tuple[re.Pattern[str], str], ...]
    """Patterns of plain text whose group is the number of a reading."""
    denied: frozenset[str]
    """Words beside one of `texts` that take its meaning away."""

    def alias(self, name: str) -> Alias | None:
        """What `name` stands for, as it is written or without the words that say who tells."""
        return next((self.by_name[one] for one in self._spellings(name) if one in self.by_name), None)

    def candidates(self, name: str) -> tuple[str, ...]:
        """The readings of which `name` may be any; empty where it is not known to be ambiguous."""
        return next((self.ambiguous[one] for one in self._spellings(name) if one in self.ambiguous), ())

    def shortened(self, name: str) -> str:
        """`name` as `plain` spells it, without the words that say who tells and of what run."""
        return _without(plain(name), words().ignored | words().loose)

    def _spellings(self, name: str) -> tuple[str, ...]:
        said = plain(name)
        spelled = (said, _without(said, words().ignored), self.shortened(name))
        return (*spelled, *(joined(one) for one in spelled))


def _without(name: str, words: frozenset[str]) -> str:
    return " ".join(word for word in name.split() if word not in words)


@cache
def aliases() -> Aliases:
    """Read aliases.yaml and phrases.yaml, once per process; a mistake in it is our fault and fails with KeyError."""
    raw = table("aliases.yaml")
    by_name, by_words = _listed(raw)
    ambiguous = {
        spelled: tuple(one["readings"])
        for one in raw["ambiguous"]
        for name in one["names"]
        for spelled in (plain(name), joined(plain(name)))
    }
    shares = (
        Quotient(
            one["reading"],
            _names(one["part"]),
            _names(one.get("whole", one.get("rest", one.get("rests")))),
            is_of_sum="whole" not in one,
            takes_all="rests" in one,
            at_least=one.get("at_least", 0.0),
        )
        for one in raw["shares"]
    )
    contrasts = (
        Quotient(
            one["reading"],
            _names(one["over"]),
            _names(one["under"]),
            is_disagreement=one.get("is") == "disagreement",
            at_most=one.get("at_most"),
            at_least=one.get("at_least", 0.0),
            is_of_rates=one.get("is") == "rates",
            is_seen=one.get("is") == "seen",
        )
        for one in raw["contrasts"]
    )
    config = raw["config"]
    return Aliases(
        by_name,
        by_words,
        ambiguous,
        {words().bag(name): tuple(one["readings"]) for one in raw["ambiguous"] for name in one["names"]},
        (*shares, *contrasts),
        tuple(_change(one) for one in raw["changes"]),
        _to_reading(raw["statements"]),
        _to_reading(raw["spreads"]),
        _to_reading(raw["growths"]),
        frozenset(raw["impossible"]),
        Config(
            dict(config["sizes"]),
            dict(config["flags"]),
            {name: fact for fact, names in config["counted"].items() for name in names},
            tuple(sorted(config["gpus"], key=len, reverse=True)),
            {plain(name): engine for engine, names in config["engines"].items() for name in names},
        ),
        _statements(raw["texts"]),
        _patterns(table("phrases.yaml")["patterns"]),
        tuple((re.compile(like), reading) for reading, each in raw["loads"].items() for like in each),
        frozenset(raw["denied"]),
    )


def other_engines(engine: str) -> tuple[Change, ...]:
    """The change from `engine`, a value of the fact of that name, to any other, as names of observations tell it."""
    names = aliases().config.engines
    others, own = (tuple(name for name, one in names.items() if (one == engine) is is_own) for is_own in (False, True))
    return (Change("engine_gain_factor", others, own, is_marked_once=True),)


def table(filename: str) -> Mapping[str, Any]:
    """A YAML file beside this one."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text = Path(__file__).with_name(filename).read_text(encoding="utf-8")
    held: Mapping[str, Any] = yaml.load(text, Loader=loader)  # noqa: S506 - either one is a safe loader
    return held


def _patterns(said: Sequence[Mapping[str, Any]]) -> tuple[tuple[re.Pattern[str], Statement], ...]:
    return tuple(
        (re.compile(like), Statement(one["reading"], bool(one.get("holds", True)), one.get("of", "")))
        for one in said
        for like in one["like"]
    )


def _listed(raw: Mapping[str, Any]) -> tuple[dict[str, Alias], dict[Bag, tuple[Alias, ...]]]:
    """Names as they are, and by their words."""
    by_name: dict[str, Alias] = {}
    by_words: dict[Bag, tuple[Alias, ...]] = {}
    for group, is_complement in (("readings", False), ("complements", True)):
        for reading, said in raw[group].items():
            for name in said["names"]:
                alias, bag = Alias(reading, said["worse"] == "high", is_complement), words().bag(name)
                by_name[plain(name)] = by_name[joined(plain(name))] = alias
                by_words[bag] = tuple(dict.fromkeys((*by_words.get(bag, ()), alias)))
    for reading, said in raw["with_unit"].items():
        for name in said["names"]:
            alias, bag = Alias(reading, said["worse"] == "high", needs_unit=True), words().bag(name)
            by_words[bag] = (*by_words.get(bag, ()), alias)
    return by_name, by_words


def _change(one: Mapping[str, Any]) -> Change:
    marks, others = _names(one["with"]), _names(one["without"])
    return Change(
        one["reading"],
        _longest_first((*marks, *(like.format(mark) for mark in marks for like in _HAVING))),
        _longest_first((*others, *(like.format(mark) for mark in marks for like in _LACKING if others))),
        is_slowdown=one.get("is") == "slowdown",
        is_either=one.get("is") == "either",
        at_most=one.get("at_most"),
        about=_names(one.get("about", ())),
        unless=_names(one.get("unless", ())),
        is_marked_once=bool(one.get("once")),
        takes_shares=bool(one.get("shares")),
        is_seen=one.get("is") == "seen",
        at_least=one.get("at_least", 0.0),
        load=one.get("load", ""),
    )


def _longest_first(marks: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(dict.fromkeys(marks), key=lambda mark: -len(mark)))


def _statements(said: Mapping[str, Mapping[str, Any]]) -> dict[str, tuple[Statement, ...]]:
    found: dict[str, tuple[Statement, ...]] = {}
    for reading, one in said.items():
        for holds, key in ((True, "holds"), (False, "fails")):
            for name in one.get(key, ()):
                found[plain(name)] = (*found.get(plain(name), ()), Statement(reading, holds, one.get("of", "")))
    return dict(sorted(found.items(), key=lambda each: -len(each[0])))


def _to_reading(said: Mapping[str, Sequence[str]]) -> dict[Bag, str]:
    return {words().rest(name): reading for reading, names in said.items() for name in names}


def _names(said: Sequence[str]) -> tuple[str, ...]:
    return tuple(plain(name) for name in said)
