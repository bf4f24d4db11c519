"""Answers of the API as series of samples, and those as scrapes that the exporters' tables can be applied to."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from knockon.sources.prometheus.scrape import Sample, Scrape

# What the servers themselves add: where a sample is stored and how it was collected, not whose it is.
_HIDDEN = frozenset(
    {"__name__", "job", "prometheus", "prometheus_replica", "endpoint", "service", "receive", "tenant_id"}
)
# increase() extrapolates each series by its own first value, so that parts of one histogram differ by a little.
_EXTRAPOLATED_RATIO = 0.02


@dataclass(frozen=True, slots=True)
class Line:
    """One series: its labels, without the metric's name, and its values by Unix time in seconds, to the millisecond."""

    labels: Mapping[str, str]
    values: Mapping[float, float]


def lines_of(data: Any) -> list[Line]:
    """The series of a vector or a matrix, each once; what is neither, or holds no samples, is none.

    A target that two jobs scrape gives the same series twice, and counts once.
    """
    if not isinstance(data, dict) or not isinstance(data.get("result"), list):
        return []
    lines: dict[frozenset[tuple[str, str]], Line] = {}
    for entry in data["result"]:
        if not isinstance(entry, dict) or not isinstance(entry.get("metric"), dict):
            continue
        raw = entry.get("values") or ([entry["value"]] if "value" in entry else [])
        values = dict(point for point in map(_point, raw) if point is not None)
        labels = {str(key): str(value) for key, value in entry["metric"].items() if key not in _HIDDEN}
        if values:
            lines.setdefault(frozenset(labels.items()), Line(labels, values))
    return list(lines.values())


def _point(raw: Any) -> tuple[float, float] | None:
    try:
        at_s, value = raw
        return round(float(at_s), 3), float(value)
    except (TypeError, ValueError):
        return None


def scrape_at(held: Mapping[str, Iterable[Line]], at_s: float) -> Scrape:
    """What a scrape at `at_s` would have said; series without a sample at that time are not in it."""
    samples = {
        name: [
            Sample(line.labels, line.values[at_s], f"{line.values[at_s]:.12g}", 0, at_s)
            for line in lines
            if at_s in line.values
        ]
        for name, lines in held.items()
    }
    found = {name: listed for name, listed in samples.items() if listed}
    return Scrape(_histograms_whole(found), frozenset(held), sum(map(len, found.values())))


def zeros(scrape: Scrape, began: Mapping[str, Iterable[Line]] | None = None) -> Scrape:
    """The same series before anything was counted: what the rise of a counter is the rise from.

    With `began` a series that it has not is left out: it was not there yet. Buckets go by the count beside them.
    """
    there = {name: {frozenset(line.labels.items()) for line in lines} for name, lines in (began or {}).items()}
    return Scrape(
        {
            name: [
                Sample(one.labels, 0.0, "0", 0, None)
                for one in samples
                if math.isfinite(one.value) and _was_there(name, one.labels, there)
            ]
            for name, samples in scrape.samples.items()
        },
        scrape.declared,
        scrape.line_count,
    )


def _was_there(name: str, labels: Mapping[str, str], there: Mapping[str, set[frozenset[tuple[str, str]]]]) -> bool:
    counted = f"{name.removesuffix('_bucket')}_count" if name.endswith("_bucket") else name
    own = frozenset((key, value) for key, value in labels.items() if key != "le" or counted == name)
    return counted not in there or own in there[counted]


def _histograms_whole(samples: dict[str, list[Sample]]) -> dict[str, list[Sample]]:
    """The samples with buckets that never fall and counts that agree with them, where only extrapolation differs."""
    whole = dict(samples)
    for name in [name for name in samples if name.endswith("_bucket")]:
        buckets, totals = _cumulative(samples[name])
        whole[name] = buckets
        counts = samples.get(f"{name.removesuffix('_bucket')}_count", [])
        if counts:
            whole[f"{name.removesuffix('_bucket')}_count"] = [_agreeing(one, totals) for one in counts]
    return whole


def _cumulative(buckets: list[Sample]) -> tuple[list[Sample], dict[frozenset[tuple[str, str]], float]]:
    raised: list[Sample] = []
    totals: dict[frozenset[tuple[str, str]], float] = {}
    for one in sorted(buckets, key=_bound):
        key = frozenset((label, value) for label, value in one.labels.items() if label != "le")
        below = totals.get(key, 0.0)
        is_little = one.value < below <= one.value * (1 + _EXTRAPOLATED_RATIO) + 1
        totals[key] = below if is_little else one.value
        raised.append(replace(one, value=totals[key]))
    return raised, totals


def _bound(sample: Sample) -> float:
    try:
        return float(sample.labels.get("le", "nan"))
    except ValueError:
        return math.inf


def _agreeing(count: Sample, totals: Mapping[frozenset[tuple[str, str]], float]) -> Sample:
    total = totals.get(frozenset(count.labels.items()))
    if total is None or abs(total - count.value) > _EXTRAPOLATED_RATIO * abs(count.value):
        return count
    return replace(count, value=total)
