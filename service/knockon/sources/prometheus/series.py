"""Series of one metric, by the replica they belong to: parts added up, copies taken once, nothing else merged."""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from knockon.sources.prometheus.histogram import Histogram
from knockon.sources.prometheus.scrape import Sample, Scrape
from knockon.sources.prometheus.table import Exporter

Labels = tuple[tuple[str, str], ...]
"""The labels that tell one replica from the others, sorted by name."""

_NAME_CHARACTERS = 120


@dataclass(frozen=True, slots=True)
class Value:
    """A number, or why there is none."""

    number: float
    raw: str
    at_s: float | None = None
    why: str = ""


def gauges(
    scrape: Scrape,
    metric: str,
    exporter: Exporter,
    *,
    where: Mapping[str, tuple[str, ...]],
    blanks: Mapping[float, str],
) -> dict[Labels, Value]:
    """The values of a gauge by replica."""
    samples = [
        sample
        for sample in _matching(scrape.samples.get(metric, ()), where)
        if not any(sample.labels.get(label) for label in exporter.totals)
    ]
    groups = _groups(samples, exporter, dropped=frozenset(where))
    return {labels: _value(group[0], blanks) for labels, group in groups.items()}


def counters(
    scrape: Scrape, metric: str, exporter: Exporter, *, where: Mapping[str, tuple[str, ...]]
) -> dict[Labels, Value]:
    """The totals of a counter by replica, over every label in `exporter.sums`."""
    samples = _matching(scrape.samples.get(metric, ()), where)
    groups = _groups(samples, exporter, dropped=frozenset((*where, *exporter.sums)))
    return {labels: _sum(group, exporter.blanks) for labels, group in groups.items()}


def histograms(scrape: Scrape, metric: str, exporter: Exporter) -> dict[Labels, Histogram]:
    """The histograms by replica; one that has only a count is there too, without buckets."""
    dropped = frozenset(exporter.sums)
    counts = _groups(scrape.samples.get(f"{metric}_count", ()), exporter, dropped=dropped)
    buckets = _groups(scrape.samples.get(f"{metric}_bucket", ()), exporter, dropped=dropped | {"le"})
    found: dict[Labels, Histogram] = {}
    for labels in (*counts, *(other for other in buckets if other not in counts)):
        by_bound: dict[float, float] = {}
        for sample in buckets.get(labels, ()):
            bound = _bound(sample.labels.get("le", ""))
            by_bound[bound] = by_bound.get(bound, 0.0) + sample.value
        count = sum(sample.value for sample in counts[labels]) if labels in counts else None
        found[labels] = Histogram(by_bound, count)
    return found


def called(labels: Labels, exporter: Exporter) -> str:
    """The name of a replica for people: "gpu=0", "model_name=org/model, engine=1"."""
    held = dict(labels)
    return _joined([(key, held[key]) for key in exporter.replica if held.get(key)])


def called_apart(replicas: Mapping[Labels, object], exporter: Exporter) -> dict[Labels, str]:
    """The names of several replicas; by all their labels where the usual ones do not tell them apart."""
    names = {labels: called(labels, exporter) for labels in replicas}
    held_by = Counter(names.values())
    return {labels: name if held_by[name] == 1 else _joined(labels) for labels, name in names.items()}


def _joined(pairs: list[tuple[str, str]] | Labels) -> str:
    return ", ".join(f"{key}={value[:_NAME_CHARACTERS]}" for key, value in pairs)


def _matching(samples: list[Sample] | tuple[()], where: Mapping[str, tuple[str, ...]]) -> list[Sample]:
    return [sample for sample in samples if all(sample.labels.get(label) in values for label, values in where.items())]


def _groups(
    samples: list[Sample] | tuple[()], exporter: Exporter, *, dropped: frozenset[str]
) -> dict[Labels, list[Sample]]:
    """Samples by replica; of several copies only the lowest rank's."""
    groups: dict[Labels, dict[tuple[tuple[float, str], ...], list[Sample]]] = {}
    hidden = dropped | set(exporter.copies)
    for sample in samples:
        labels = tuple(sorted((key, value) for key, value in sample.labels.items() if key not in hidden and value))
        rank = tuple(_rank(sample.labels.get(label, "")) for label in exporter.copies)
        groups.setdefault(labels, {}).setdefault(rank, []).append(sample)
    return {labels: ranks[min(ranks)] for labels, ranks in groups.items()}


def _rank(text: str) -> tuple[float, str]:
    return (float(text) if text.isdecimal() and len(text) < 10 else -1.0 if not text else math.inf, text)


def _value(sample: Sample, blanks: Mapping[float, str]) -> Value:
    why = sample.why or blanks.get(sample.value, "")
    if math.isnan(sample.value) and not why:
        why = "not a number (NaN)"
    return Value(sample.value, sample.raw, sample.at_s, why)


def _sum(group: list[Sample], blanks: Mapping[float, str]) -> Value:
    values = [_value(sample, blanks) for sample in group]
    if len(values) == 1:
        return values[0]
    total = sum(value.number for value in values)
    why = next((value.why for value in values if value.why), "")
    return Value(total, f"{total:g}", values[0].at_s, why)


def _bound(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
