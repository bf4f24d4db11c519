"""aliases.yaml as values: what people call readings, what they write in pairs, and how they shorten a configuration."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from knockon.sources.readings.contrast import Change
from knockon.sources.readings.spelling import joined, plain


@dataclass(frozen=True, slots=True)
class Alias:
    """One name people use: the reading it stands for, which end of a range is the worse one."""

    reading: str
    is_high_worse: bool
    is_complement: bool = False
    """The number is what the reading leaves of one: idle for busy."""


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
    is_of_sum: bool = False
    """`under` is what is left beside `over`: the share is of both together."""


@dataclass(frozen=True, slots=True)
class Aliases:
    """The whole table; names are in the form of `plain`."""

    ignored: frozenset[str]
    loose: frozenset[str]
    """Words that are left out as well where a name is not found without `ignored` alone."""
    by_name: Mapping[str, Alias]
    """By the name as it is, and without its blanks."""
    ambiguous: Mapping[str, tuple[str, ...]]
    """Names that may be one of several readings, likewise."""
    quotients: tuple[Quotient, ...]
    changes: tuple[Change, ...]
    """What two runs may differ in, by the words their names differ in."""
    statements: Mapping[str, str]
    """Names whose number says that something was seen, 0 that it was not → the reading."""
    spreads: Mapping[str, str]
    """Names of lists with one value for each replica → the reading of their highest over their mean."""
    growths: Mapping[str, str]
    """Names whose text tells that they grow → the reading."""
    settings: Mapping[str, tuple[str, bool]]
    """Words of a configuration that say a reading, the longest first → the reading and whether it holds."""
    impossible: frozenset[str]
    """Shares that can never pass one; that somebody reports more is a reading itself."""
    sizes: Mapping[str, str]
    words: Mapping[str, str]

    def alias(self, name: str) -> Alias | None:
        """What `name` stands for, as it is written or without the words that say who tells."""
        return next((self.by_name[one] for one in self._spellings(name) if one in self.by_name), None)

    def candidates(self, name: str) -> tuple[str, ...]:
        """The readings of which `name` may be any; empty where it is not known to be ambiguous."""
        return next((self.ambiguous[one] for one in self._spellings(name) if one in self.ambiguous), ())

    def shortened(self, name: str) -> str:
        """`name` as `plain` spells it, without the words that say who tells and of what run."""
        return _without(plain(name), self.ignored | self.loose)

    def _spellings(self, name: str) -> tuple[str, ...]:
        said = plain(name)
        spelled = (said, _without(said, self.ignored), self.shortened(name))
        return (*spelled, *(joined(one) for one in spelled))


def _without(name: str, words: frozenset[str]) -> str:
    return " ".join(word for word in name.split() if word not in words)


@cache
def aliases() -> Aliases:
    """Read aliases.yaml, once per process; a mistake in it is our fault and fails with KeyError."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text = Path(__file__).with_name("aliases.yaml").read_text(encoding="utf-8")
    raw: Mapping[str, Any] = yaml.load(text, Loader=loader)  # noqa: S506 - either one is a safe loader
    by_name: dict[str, Alias] = {}
    for group, is_complement in (("readings", False), ("complements", True)):
        for reading, said in raw[group].items():
            for name in said["names"]:
                alias = Alias(reading, said["worse"] == "high", is_complement)
                by_name[plain(name)] = by_name[joined(plain(name))] = alias
    ambiguous = {
        spelled: tuple(one["readings"])
        for one in raw["ambiguous"]
        for name in one["names"]
        for spelled in (plain(name), joined(plain(name)))
    }
    shares = (
        Quotient(
            one["reading"], _names(one["part"]), _names(one.get("whole", one.get("rest"))), is_of_sum="rest" in one
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
        )
        for one in raw["contrasts"]
    )
    config = raw["config"]
    return Aliases(
        frozenset(raw["ignored"]),
        frozenset(raw["loose"]),
        by_name,
        ambiguous,
        (*shares, *contrasts),
        tuple(_change(one) for one in raw["changes"]),
        _to_reading(raw["statements"]),
        _to_reading(raw["spreads"]),
        _to_reading(raw["growths"]),
        _settings(config["readings"]),
        frozenset(raw["impossible"]),
        dict(config["sizes"]),
        dict(config["words"]),
    )


def _change(one: Mapping[str, Any]) -> Change:
    return Change(
        one["reading"],
        _names(one["with"]),
        _names(one["without"]),
        is_slowdown=one.get("is") == "slowdown",
        is_either=one.get("is") == "either",
        at_most=one.get("at_most"),
        about=_names(one.get("about", ())),
        unless=_names(one.get("unless", ())),
        work=float(one.get("work", 1)),
    )


def _settings(said: Mapping[str, Mapping[str, Sequence[str]]]) -> dict[str, tuple[str, bool]]:
    words = [
        (word, reading, holds)
        for reading, ways in said.items()
        for holds, names in ((True, ways["holds"]), (False, ways["fails"]))
        for word in _names(names)
    ]
    return {word: (reading, holds) for word, reading, holds in sorted(words, key=lambda one: -len(one[0]))}


def _to_reading(said: Mapping[str, Sequence[str]]) -> dict[str, str]:
    return {name: reading for reading, names in said.items() for name in _names(names)}


def _names(said: Sequence[str]) -> tuple[str, ...]:
    return tuple(plain(name) for name in said)
