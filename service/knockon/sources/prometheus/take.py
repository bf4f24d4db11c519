"""From series to readings: each way a reading can be had, with the reason where it cannot."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never

from knockon.sources.prometheus.histogram import Histogram, quantile, since
from knockon.sources.prometheus.scrape import Scrape
from knockon.sources.prometheus.series import Labels, Value, called_apart, counters, gauges, histograms
from knockon.sources.prometheus.table import Exporter, Way
from knockon.terms.reading import Reading
from knockon.terms.words import Scalar

SINCE_THE_START = "since the start"
"""Stands in the origin of what one scrape alone says about all the time until then."""

# As much of an unusable value as helps a person find it.
_RAW_CHARACTERS = 120
_ONE_SCRAPE = "one scrape only: a rate needs two"
_NEW_SERIES = "the series is not in the earlier scrape"
_NO_TIME = "the seconds between the two scrapes are not known"


@dataclass(frozen=True, slots=True)
class Scrapes:
    """What readings are taken from."""

    now: Scrape
    filename: str
    before: Scrape | None = None
    elapsed_s: float | None = None
    held: dict[str, tuple[dict[Labels, Histogram], dict[Labels, Histogram] | None]] = field(default_factory=dict)
    """Histograms of both scrapes by metric, gathered once for all their quantiles."""

    def histograms(
        self, metric: str, exporter: Exporter
    ) -> tuple[dict[Labels, Histogram], dict[Labels, Histogram] | None]:
        """The histograms of a metric now and before, by replica."""
        if metric not in self.held:
            before = histograms(self.before, metric, exporter) if self.before else None
            self.held[metric] = (histograms(self.now, metric, exporter), before)
        return self.held[metric]


@dataclass(frozen=True, slots=True)
class _Found:
    """One replica's value, or why there is none; `said` is added to the origin."""

    value: Scalar | None
    why: str = ""
    raw: str = ""
    said: str = ""
    at_s: float | None = None


def readings_of(exporter: Exporter, scrapes: Scrapes) -> Iterator[Reading]:
    """Every reading of one exporter: by the first way that measures it, else with the first way's reasons."""
    for ways in exporter.ways.values():
        refused: list[Reading] = []
        for way in ways:
            readings = list(_by(way, exporter, scrapes))
            if any(reading.state == "measured" for reading in readings):
                yield from readings
                break
            refused = refused or readings
        else:
            yield from refused


def _by(way: Way, exporter: Exporter, scrapes: Scrapes) -> Iterator[Reading]:
    found = _found(way, exporter, scrapes)
    names = called_apart(found, exporter)
    where = ", ".join(f"{label}={'|'.join(values)}" for label, values in way.where.items())
    for labels, one in found.items():
        inner = ", ".join(part for part in (where, names[labels]) if part)
        said = "".join(f", {part}" for part in (one.said, way.remark) if part)
        origin = f"{_metrics(way)}{f'{{{inner}}}' if inner else ''} in {scrapes.filename}{said}"
        yield replace(
            _reading(way, one, replica=names[labels], origin=origin), model=dict(labels).get(exporter.model or "", "")
        )


def _reading(way: Way, one: _Found, *, replica: str, origin: str) -> Reading:
    raw = one.raw[:_RAW_CHARACTERS]
    if one.value is None:
        return Reading(way.reading, None, origin, "missing", one.why, raw, replica, one.at_s)
    if isinstance(one.value, float) and not math.isfinite(one.value):
        return Reading(way.reading, None, origin, "invalid", "infinite", raw, replica, one.at_s)
    return Reading(way.reading, one.value, origin, replica=replica, at_s=one.at_s)


def _metrics(way: Way) -> str:
    top = " or ".join(way.metrics)
    if not way.over:
        return top
    share = f"{top} / ({' + '.join(way.over)})" if len(way.over) > 1 else f"{top} / {way.over[0]}"
    return f"1 - {share}" if way.complement else share


def _found(way: Way, exporter: Exporter, scrapes: Scrapes) -> dict[Labels, _Found]:
    match way.kind:
        case "gauge":
            return _gauge_share(way, exporter, scrapes) if way.over else _gauge(way, exporter, scrapes)
        case "summary":
            return _summary(way, exporter, scrapes)
        case "rate":
            return _rate(way, exporter, scrapes)
        case "total":
            return _total_share(way, exporter, scrapes)
        case "histogram":
            return _quantile(way, exporter, scrapes)
        case "any" | "bits":
            return _truth(way, exporter, scrapes)
        case _:
            assert_never(way.kind)


def _gauge(way: Way, exporter: Exporter, scrapes: Scrapes) -> dict[Labels, _Found]:
    blanks = {**exporter.blanks, **way.blanks}
    values = gauges(scrapes.now, way.metrics[0], exporter, where=way.where, blanks=blanks)
    return {labels: _converted(way, value) for labels, value in values.items()}


def _summary(way: Way, exporter: Exporter, scrapes: Scrapes) -> dict[Labels, _Found]:
    values = gauges(
        scrapes.now,
        way.metrics[0],
        exporter,
        where={**way.where, "quantile": (f"{way.quantile:g}",)},
        blanks=exporter.blanks,
    )
    said = f"p{way.quantile * 100:g} as the exporter computed it"
    return {labels: _converted(way, value, said=said) for labels, value in values.items()}


def _converted(way: Way, value: Value, *, said: str = "") -> _Found:
    if value.why:
        return _Found(None, value.why, value.raw)
    number = way.unit.in_base(value.number)
    if way.unit.times != way.unit.per:
        said = ", ".join(part for part in (said, f"{value.raw} {way.unit_word} = {number:.12g}") if part)
    return _Found(number, raw=value.raw, said=said, at_s=value.at_s)


def _gauge_share(way: Way, exporter: Exporter, scrapes: Scrapes) -> dict[Labels, _Found]:
    tops = gauges(scrapes.now, way.metrics[0], exporter, where=way.where, blanks=exporter.blanks)
    wholes = [gauges(scrapes.now, metric, exporter, where={}, blanks=exporter.blanks) for metric in way.over]
    return {labels: _one_share(way, top, [whole.get(labels) for whole in wholes]) for labels, top in tops.items()}


def _one_share(way: Way, top: Value, parts: list[Value | None]) -> _Found:
    lacking = [
        metric for metric, part in zip(way.over, parts, strict=True) if part is None and metric not in way.optional
    ]
    if lacking:
        return _Found(None, f"{' and '.join(lacking)} is not in the scrape", top.raw)
    held = [part for part in parts if part is not None]
    for part in (top, *held):
        if part.why:
            return _Found(None, part.why, part.raw)
    whole = sum(part.number for part in held)
    raw = f"{top.raw} of {whole:g}"
    if not (math.isfinite(whole) and whole > 0):
        return _Found(None, "the whole is 0, so there is no share of it", raw)
    share = top.number / whole
    return _Found(1 - share if way.complement else share, raw=raw, said=raw, at_s=top.at_s)


def _rate(way: Way, exporter: Exporter, scrapes: Scrapes) -> dict[Labels, _Found]:
    now = counters(scrapes.now, way.metrics[0], exporter, where=way.where)
    before = counters(scrapes.before, way.metrics[0], exporter, where=way.where) if scrapes.before else None
    return {labels: _one_rate(way, value, before, labels, scrapes.elapsed_s) for labels, value in now.items()}


def _one_rate(
    way: Way, now: Value, before: Mapping[Labels, Value] | None, labels: Labels, elapsed_s: float | None
) -> _Found:
    rise = _rise(now, before, labels)
    if isinstance(rise, _Found):
        return rise
    earlier = before[labels] if before else now
    if elapsed_s is None and now.at_s is not None and earlier.at_s is not None and now.at_s > earlier.at_s:
        elapsed_s = now.at_s - earlier.at_s
    if elapsed_s is None:
        return _Found(None, _NO_TIME, now.raw)
    rate = way.unit.in_base(rise) / elapsed_s
    return _Found(rate, raw=now.raw, said=f"{rise:g} in {elapsed_s:g} s", at_s=now.at_s)


def _rise(now: Value, before: Mapping[Labels, Value] | None, labels: Labels) -> float | _Found:
    """How far a counter rose between the scrapes, or why that cannot be told."""
    if before is None:
        return _Found(None, _ONE_SCRAPE, now.raw)
    earlier = before.get(labels)
    if earlier is None:
        return _Found(None, _NEW_SERIES, now.raw)
    for value in (now, earlier):
        if value.why or not math.isfinite(value.number):
            return _Found(None, value.why or "the counter is infinite", value.raw)
    if now.number < earlier.number:
        fell = f"the counter fell from {earlier.raw} to {now.raw}"
        return _Found(None, f"{fell}: the process restarted, or the scrapes are in the wrong order", now.raw)
    return now.number - earlier.number


def _total_share(way: Way, exporter: Exporter, scrapes: Scrapes) -> dict[Labels, _Found]:
    if way.two_scrapes and scrapes.before is None:
        wholes = counters(scrapes.now, way.over[0], exporter, where={})
        return {labels: _Found(None, _ONE_SCRAPE, value.raw) for labels, value in wholes.items()}
    tops = _rises(way.metrics[0], way.where, exporter, scrapes)
    parts = [_rises(metric, {}, exporter, scrapes) for metric in way.over]
    found: dict[Labels, _Found] = {}
    for labels in dict.fromkeys(labels for part in parts for labels in part):
        top = tops.get(labels, 0.0 if _counts(way.metrics[0], scrapes.now) else None)
        held = [
            part.get(labels, 0.0 if _counts(metric, scrapes.now) else None)
            for metric, part in zip(way.over, parts, strict=True)
        ]
        found[labels] = _share_of_rises(way, top, held, is_between=scrapes.before is not None)
    return found


def _counts(metric: str, scrape: Scrape) -> bool:
    """Whether the exporter has the counter, so that a series that is not there has counted nothing yet."""
    return metric in scrape.declared or metric in scrape.samples


def _rises(
    metric: str, where: Mapping[str, tuple[str, ...]], exporter: Exporter, scrapes: Scrapes
) -> dict[Labels, float | _Found]:
    """The rise of each replica's counter; from one scrape, all it ever counted."""
    now = counters(scrapes.now, metric, exporter, where=where)
    if scrapes.before is None:
        return {
            labels: _Found(None, value.why, value.raw) if value.why else value.number for labels, value in now.items()
        }
    before = counters(scrapes.before, metric, exporter, where=where)
    return {labels: _rise(value, before, labels) for labels, value in now.items()}


def _share_of_rises(
    way: Way, top: float | _Found | None, parts: list[float | _Found | None], *, is_between: bool
) -> _Found:
    numbers: list[float] = []
    for metric, number in zip((way.metrics[0], *way.over), (top, *parts), strict=True):
        if isinstance(number, _Found):
            return number
        if number is None and metric not in way.optional:
            return _Found(None, f"{metric} is not in the scrape")
        numbers.append(number or 0.0)
    whole = sum(numbers[1:])
    if not (math.isfinite(whole) and whole > 0):
        return _Found(None, "nothing was counted between the scrapes" if is_between else "nothing was counted yet")
    share = numbers[0] / whole
    when = "between the scrapes" if is_between else SINCE_THE_START
    said = f"{numbers[0]:.12g} of {whole:.12g} {when}"
    return _Found(1 - share if way.complement else share, said=said)


def _quantile(way: Way, exporter: Exporter, scrapes: Scrapes) -> dict[Labels, _Found]:
    now, before = scrapes.histograms(way.metrics[0], exporter)
    found: dict[Labels, _Found] = {}
    for labels, histogram in now.items():
        held = histogram
        if before is not None:
            rise = since(histogram, before[labels]) if labels in before else _NEW_SERIES
            if isinstance(rise, str):
                found[labels] = _Found(None, rise)
                continue
            held = rise
        found[labels] = _estimated(way, held, is_between=before is not None)
    return found


def _estimated(way: Way, histogram: Histogram, *, is_between: bool) -> _Found:
    estimate = quantile(histogram, way.quantile)
    if estimate.is_beyond:
        over = f"> {estimate.lower:g} {way.unit_word}"
        return _Found(None, f"{over}: {estimate.why}", over)
    if estimate.value is None:
        return _Found(None, estimate.why)
    when = "between the scrapes" if is_between else SINCE_THE_START
    inside = f"between {estimate.lower:g} and {estimate.upper:g} {way.unit_word}"
    said = f"p{way.quantile * 100:g} of {histogram.count:g} {when}, {inside}"
    return _Found(way.unit.in_base(estimate.value), said=said)


def _truth(way: Way, exporter: Exporter, scrapes: Scrapes) -> dict[Labels, _Found]:
    """Whether any of several gauges is set; known to be so as soon as one is, not so only when all were seen."""
    seen = [gauges(scrapes.now, metric, exporter, where=way.where, blanks=exporter.blanks) for metric in way.metrics]
    found: dict[Labels, _Found] = {}
    for labels in dict.fromkeys(labels for values in seen for labels in values):
        held = {metric: values[labels] for metric, values in zip(way.metrics, seen, strict=True) if labels in values}
        active = [metric for metric, value in held.items() if not value.why and _is_set(way, value.number)]
        unknown = next((value for value in held.values() if value.why), None)
        if active:
            found[labels] = _Found(True, said=f"set: {' and '.join(active)}" if way.kind == "any" else "")
        elif unknown is not None:
            found[labels] = _Found(None, unknown.why, unknown.raw)
        else:
            found[labels] = _Found(False)
    return found


def _is_set(way: Way, number: float) -> bool:
    if way.kind == "bits":
        return math.isfinite(number) and int(number) & way.mask != 0
    return number != 0
