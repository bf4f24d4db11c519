"""lines.yaml as values. It is shipped with us: a mistake in it fails with KeyError or re.error when it is read."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

# Bounded, so that a line of digits is not read again and again.
_NUMBER = r"(\d[\d,]{0,30}(?:\.\d{1,30})?(?:[eE][-+]?\d{1,3})?)"


@dataclass(frozen=True, slots=True)
class Pattern:
    """A number in a line, and what it is divided by."""

    expression: re.Pattern[str]
    per: int = 1

    def numbers(self, line: str) -> list[float]:
        """Every number the pattern finds in the line, in order."""
        return [float(match[1].replace(",", "")) / self.per for match in self.expression.finditer(line)]


@dataclass(frozen=True, slots=True)
class FactPattern:
    """A fact in a line; `take` says which value counts where several lines differ: "least", "last" or none."""

    pattern: Pattern
    unit: str = ""
    take: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One kind of line; the keys are readings, or facts."""

    marker: str
    is_weak: bool = False
    """Whether other texts than this engine's log may have such a line."""
    gauges: Mapping[str, Pattern] = field(default_factory=dict)
    shares: Mapping[str, tuple[Pattern, Pattern]] = field(default_factory=dict)
    events: Mapping[str, Pattern] = field(default_factory=dict)
    over: str = ""
    """The marker of the lines whose time the events are counted in."""
    always_said: bool = False
    """Whether the engine writes such a line whenever it happens, so that none means 0."""
    totals: Mapping[str, Pattern] = field(default_factory=dict)
    worked: Mapping[str, tuple[Pattern, Pattern]] = field(default_factory=dict)
    """How much was done, in how many milliseconds."""
    once: Mapping[str, Pattern] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    facts: Mapping[str, FactPattern] = field(default_factory=dict)

    def says_something(self, line: str) -> bool:
        """Whether one of its patterns is in the line, beside the marker."""
        if self.marker not in line:
            return False
        pairs = (pattern for pair in (*self.shares.values(), *self.worked.values()) for pattern in pair)
        plain = (*self.gauges.values(), *self.events.values(), *self.totals.values(), *self.once.values())
        found = any(pattern.expression.search(line) for pattern in (*plain, *pairs))
        return found or bool(self.flags) or any(fact.pattern.expression.search(line) for fact in self.facts.values())


@dataclass(frozen=True, slots=True)
class EngineLines:
    """The lines of one engine."""

    engine: str
    replica_label: str
    replica: re.Pattern[str]
    ranks: re.Pattern[str] | None
    """Tags of ranks that repeat what another rank of the replica says."""
    lines: tuple[Line, ...]


@cache
def engines() -> tuple[EngineLines, ...]:
    """Every engine whose lines are known; read once per process."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text = Path(__file__).with_name("lines.yaml").read_text(encoding="utf-8")
    raw: dict[str, Any] = yaml.load(text, Loader=loader)  # noqa: S506 - either one is a safe loader
    return tuple(_engine(name, entry) for name, entry in raw.items())


def _engine(name: str, entry: Mapping[str, Any]) -> EngineLines:
    ((label, replica),) = entry["replica"].items()
    return EngineLines(
        engine=name,
        replica_label=label,
        replica=re.compile(replica, re.ASCII),
        ranks=re.compile(entry["ranks"], re.ASCII) if "ranks" in entry else None,
        lines=tuple(_line(line) for line in entry["lines"]),
    )


def _line(entry: Mapping[str, Any]) -> Line:
    return Line(
        marker=entry["marker"],
        is_weak=entry.get("weak", False),
        gauges=_patterns(entry, "gauges"),
        shares={name: _pair(texts) for name, texts in entry.get("shares", {}).items()},
        events=_patterns(entry, "events"),
        over=entry.get("over", ""),
        always_said=entry.get("always_said", False),
        totals=_patterns(entry, "totals"),
        worked={name: _pair(texts) for name, texts in entry.get("worked", {}).items()},
        once=_patterns(entry, "once"),
        flags=tuple(entry.get("flags", ())),
        facts={name: _fact(said) for name, said in entry.get("facts", {}).items()},
    )


def _patterns(entry: Mapping[str, Any], key: str) -> dict[str, Pattern]:
    return {name: _pattern(text) for name, text in entry.get(key, {}).items()}


def _pair(texts: list[str]) -> tuple[Pattern, Pattern]:
    first, second = texts
    return _pattern(first), _pattern(second)


def _fact(said: str | Mapping[str, str]) -> FactPattern:
    if isinstance(said, str):
        return FactPattern(_pattern(said))
    return FactPattern(_pattern(said["of"]), said.get("unit", ""), said.get("take", ""))


def _pattern(text: str) -> Pattern:
    return Pattern(re.compile(text.replace("{n}", _NUMBER), re.ASCII), per=100 if text.endswith("{n}%") else 1)
