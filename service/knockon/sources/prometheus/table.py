"""What each exporter's metrics are called and mean: exporters/*.yaml as values.

The tables are written by us and shipped, so a mistake in one is our fault: it fails with KeyError or ValueError, never
with an intake error, and the tests read every table.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

import yaml

from knockon.sources.amount import unit_called
from knockon.terms.unit import ONE, LiteralUnit

Kind = Literal["gauge", "rate", "total", "histogram", "summary", "any", "bits"]
_KINDS: tuple[Kind, ...] = ("gauge", "rate", "total", "summary", "any", "bits")


@dataclass(frozen=True, slots=True)
class Way:
    """One way to a reading.

    gauge      the value; with `over`, its share of their sum
    rate       the rise of a counter per second
    total      the rise of a counter over the rise of `over`; from one scrape, since the start
    histogram  a quantile; from one scrape, since the start
    summary    a quantile the exporter computed
    any        whether any of `metrics` is not 0
    bits       whether any bit of `mask` is set
    """

    reading: str
    kind: Kind
    metrics: tuple[str, ...]
    over: tuple[str, ...] = ()
    optional: frozenset[str] = frozenset()
    """Members of `over` that older exporters lack."""
    where: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Labels `metrics` must have; they do not tell replicas apart."""
    unit: LiteralUnit = field(default=LiteralUnit(ONE))
    """What the exporter counts in."""
    unit_word: str = ""
    quantile: float = 0.0
    complement: bool = False
    """The reading is 1 minus the share."""
    two_scrapes: bool = False
    """A share since the start would say nothing about now."""
    mask: int = 0
    blanks: Mapping[float, str] = field(default_factory=dict)
    """Values that stand for "no value", with what they say."""
    remark: str = ""
    """What makes it less than the reading's name promises."""


@dataclass(frozen=True, slots=True)
class FactWay:
    """A fact: the sum of gauges, or the text of a label."""

    fact: str
    metrics: tuple[str, ...]
    label: str = ""
    where: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unit: LiteralUnit = field(default=LiteralUnit(ONE))


@dataclass(frozen=True, slots=True)
class Exporter:
    """One exporter."""

    name: str
    title: str
    engine: str | None
    prefixes: tuple[str, ...]
    """What its metrics' names may begin with; the first is the one the table uses."""
    model: str
    """The label that names the model; empty where there is none."""
    replica: tuple[str, ...]
    """Labels a replica is called by; every other label still keeps series apart."""
    copies: tuple[str, ...]
    """Labels of ranks that report the same thing: the lowest is taken."""
    sums: tuple[str, ...]
    """Labels that cut one counter or histogram into parts, which are added up."""
    totals: tuple[str, ...]
    """Labels that gauges carry on parts beside the total, whose label is empty; the parts are left out."""
    blanks: Mapping[float, str]
    ways: Mapping[str, tuple[Way, ...]]
    """By reading, the best way first."""
    facts: tuple[FactWay, ...]

    def owns(self, name: str) -> bool:
        """Whether a metric of this name comes from this exporter, known or not."""
        return name.startswith(self.prefixes)

    def names(self) -> Iterator[str]:
        """Every metric the table speaks of, as it stands in a scrape."""
        for ways in self.ways.values():
            for way in ways:
                for metric in (*way.metrics, *way.over):
                    yield from (f"{metric}_bucket", f"{metric}_count") if way.kind == "histogram" else (metric,)
        for fact in self.facts:
            yield from fact.metrics


@cache
def exporters() -> tuple[Exporter, ...]:
    """All exporters, by name; read once per process, they never change while we run."""
    return tuple(_exporter(path) for path in sorted((Path(__file__).with_name("exporters")).glob("*.yaml")))


@cache
def wanted_names() -> Mapping[str, str]:
    """Every name a wanted series may have, and the name the tables use for it."""
    names: dict[str, str] = {}
    for exporter in exporters():
        first = exporter.prefixes[0]
        for name in exporter.names():
            names[name] = name
            for other in exporter.prefixes[1:]:
                if name.startswith(first):
                    names.setdefault(other + name.removeprefix(first), name)
    return names


def _exporter(path: Path) -> Exporter:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    raw: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), Loader=loader)  # noqa: S506 - either one is a safe loader
    ways = {
        reading: [_way(reading, entry) for entry in entries] for reading, entries in raw.get("readings", {}).items()
    }
    for entry in raw.get("quantiles", ()):
        for reading, share in entry["readings"].items():
            ways.setdefault(reading, []).extend(_quantile(reading, metric, share, entry) for metric in entry["of"])
    return Exporter(
        name=path.stem,
        title=raw["title"],
        engine=raw.get("engine"),
        prefixes=tuple(raw["prefixes"]),
        model=raw.get("model", ""),
        replica=tuple(raw["replica"]),
        copies=tuple(raw.get("copies", ())),
        sums=tuple(raw.get("sums", ())),
        totals=tuple(raw.get("totals", ())),
        blanks=_blanks(raw.get("blanks", {})),
        ways={reading: tuple(listed) for reading, listed in ways.items()},
        facts=tuple(_fact(entry) for entry in raw.get("facts", ())),
    )


def _way(reading: str, entry: Mapping[str, Any]) -> Way:
    kinds = [kind for kind in _KINDS if kind in entry]
    if len(kinds) != 1:
        raise ValueError(f"{reading}: one of {', '.join(_KINDS)} is needed, not {kinds}")
    word = str(entry.get("unit", ""))
    return Way(
        reading=reading,
        kind=kinds[0],
        metrics=_words(entry[kinds[0]]),
        over=_words(entry.get("over", ())),
        optional=frozenset(_words(entry.get("optional", ()))),
        where=_where(entry),
        unit=unit_called(word) if word else LiteralUnit(ONE),
        unit_word=word,
        quantile=float(entry.get("quantile", 0)),
        complement=entry.get("complement", False),
        two_scrapes=entry.get("two_scrapes", False),
        mask=entry.get("mask", 0),
        blanks=_blanks(entry.get("blanks", {})),
        remark=entry.get("remark", ""),
    )


def _quantile(reading: str, metric: str, share: float, entry: Mapping[str, Any]) -> Way:
    word = str(entry["unit"])
    return Way(
        reading,
        "histogram",
        (metric,),
        unit=unit_called(word),
        unit_word=word,
        quantile=float(share),
        remark=entry.get("remark", ""),
    )


def _fact(entry: Mapping[str, Any]) -> FactWay:
    return FactWay(
        fact=entry["fact"],
        metrics=_words(entry["of"]),
        label=entry.get("label", ""),
        where=_where(entry),
        unit=unit_called(str(entry["unit"])) if "unit" in entry else LiteralUnit(ONE),
    )


def _where(entry: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
    return {label: _words(values) for label, values in entry.get("where", {}).items()}


def _words(value: Any) -> tuple[str, ...]:
    return tuple(str(item) for item in value) if isinstance(value, (list, tuple)) else (str(value),)


def _blanks(value: Mapping[Any, str]) -> Mapping[float, str]:
    return {float(number): says for number, says in value.items()}
