"""aliases.yaml as values: what people call readings, what they write in pairs, and how they shorten a configuration."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

_SIGNS = re.compile(r"[\W_]+")


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


@dataclass(frozen=True, slots=True)
class Aliases:
    """The whole table; names are in the form of `plain`."""

    ignored: frozenset[str]
    by_name: Mapping[str, Alias]
    """By the name as it is, and without its blanks."""
    ambiguous: Mapping[str, tuple[str, ...]]
    """Names that may be one of several readings, likewise."""
    quotients: tuple[Quotient, ...]
    sizes: Mapping[str, str]
    words: Mapping[str, str]

    def alias(self, name: str) -> Alias | None:
        """What `name` stands for, as it is written or without the words that say who tells."""
        return next((self.by_name[one] for one in self._spellings(name) if one in self.by_name), None)

    def candidates(self, name: str) -> tuple[str, ...]:
        """The readings of which `name` may be any; empty where it is not known to be ambiguous."""
        return next((self.ambiguous[one] for one in self._spellings(name) if one in self.ambiguous), ())

    def _spellings(self, name: str) -> tuple[str, ...]:
        said = plain(name)
        without = " ".join(word for word in said.split() if word not in self.ignored)
        return said, without, _joined(said), _joined(without)


def plain(name: str) -> str:
    """A name without case and signs: "KV-usage (%)" is "kv usage"."""
    return _SIGNS.sub(" ", name.lower()).strip()


def _joined(name: str) -> str:
    """A plain name without its blanks: Chinese is written with and without them beside Latin letters."""
    return name.replace(" ", "")


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
                by_name[plain(name)] = by_name[_joined(plain(name))] = alias
    ambiguous = {
        spelled: tuple(one["readings"])
        for one in raw["ambiguous"]
        for name in one["names"]
        for spelled in (plain(name), _joined(plain(name)))
    }
    shares = (Quotient(one["reading"], _names(one["part"]), _names(one["whole"])) for one in raw["shares"])
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
        by_name,
        ambiguous,
        (*shares, *contrasts),
        dict(config["sizes"]),
        dict(config["words"]),
    )


def _names(said: Sequence[str]) -> tuple[str, ...]:
    return tuple(plain(name) for name in said)
