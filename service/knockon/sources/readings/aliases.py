"""aliases.yaml as values: what people call readings, what they write in pairs, and how they shorten a configuration."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

_SIGNS = re.compile(r"[^a-z0-9]+")


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
    quotients: tuple[Quotient, ...]
    sizes: Mapping[str, str]
    words: Mapping[str, str]

    def alias(self, name: str) -> Alias | None:
        """What `name` stands for, as it is written or without the words that say who tells."""
        said = plain(name)
        without = " ".join(word for word in said.split() if word not in self.ignored)
        return self.by_name.get(said) or self.by_name.get(without)


def plain(name: str) -> str:
    """A name without case and signs: "KV-usage (%)" is "kv usage"."""
    return _SIGNS.sub(" ", name.lower()).strip()


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
                by_name[plain(name)] = Alias(reading, said["worse"] == "high", is_complement)
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
        frozenset(raw["ignored"]), by_name, (*shares, *contrasts), dict(config["sizes"]), dict(config["words"])
    )


def _names(said: Sequence[str]) -> tuple[str, ...]:
    return tuple(plain(name) for name in said)
