"""Whether a process restarted between two scrapes: the one thing that makes every rate between them worthless."""

import math
from collections.abc import Iterator, Mapping

from knockon.sources.prometheus.scrape import Scrape
from knockon.sources.prometheus.series import Labels, Value, called_apart, counters
from knockon.sources.prometheus.table import Exporter
from knockon.sources.prometheus.take import Scrapes
from knockon.terms.reading import Reading

READING = "restart_between_samples"
START = "process_start_time_seconds"
"""What clients of Prometheus say of their own process, in Unix seconds."""

# It is worked out from the ticks since the machine started, and comes out alike within a tick.
_SAME_START_S = 1.0


def began_anew(now: Scrape, before: Scrape, filename: str) -> Reading | None:
    """That the process of `now` is not the one of `before`, as its own start time says; None where it does not say so.

    A counter of the new process may have passed the old one's by then, so that no counter fell. Only one start time in
    each scrape tells: of several nobody can say whose counters began anew.
    """
    starts = [scrape.samples.get(START, []) for scrape in (before, now)]
    if any(len(one) != 1 for one in starts):
        return None
    earlier, later = (one[0].value for one in starts)
    if not (math.isfinite(earlier) and math.isfinite(later)) or abs(later - earlier) < _SAME_START_S:
        return None
    return Reading(READING, True, f"{START} in {filename}, from {earlier:.16g} to {later:.16g}")


def restarts_of(exporter: Exporter, scrapes: Scrapes) -> Iterator[Reading]:
    """One reading per replica that has a counter in both scrapes: true as soon as one of its counters fell."""
    if scrapes.before is None:
        return
    compared: dict[Labels, list[str]] = {}
    for metric in counter_names(exporter):
        now = counters(scrapes.now, metric, exporter, where={})
        before = counters(scrapes.before, metric, exporter, where={})
        for labels in now.keys() & before.keys():
            if is_whole(now[labels]) and is_whole(before[labels]):
                compared.setdefault(labels, []).extend(_fell(metric, now[labels], before[labels]))
    names = called_apart(compared, exporter)
    for labels in sorted(compared):
        fell = compared[labels]
        inner = f"{{{names[labels]}}}" if names[labels] else ""
        said = f"fell: {', '.join(fell)}" if fell else "no counter fell"
        model = dict(labels).get(exporter.model or "", "")
        yield Reading(
            READING, bool(fell), f"counters{inner} in {scrapes.filename}, {said}", replica=names[labels], model=model
        )


def counter_names(exporter: Exporter) -> Mapping[str, None]:
    """The counters of a table, histograms' counts too; in order, each once."""
    names: dict[str, None] = {}
    for ways in exporter.ways.values():
        for way in ways:
            if way.kind in ("rate", "total"):
                names.update(dict.fromkeys((*way.metrics, *way.over)))
            elif way.kind == "histogram":
                names[f"{way.metrics[0]}_count"] = None
    return names


def is_whole(value: Value) -> bool:
    """Whether the value is a number that can be compared."""
    return not value.why and math.isfinite(value.number)


def _fell(metric: str, now: Value, before: Value) -> Iterator[str]:
    if now.number < before.number:
        yield f"{metric} from {before.raw} to {now.raw}"
