"""The readings of a running system, taken from the Prometheus-compatible server that watches it."""

from collections.abc import Iterator, Mapping

from knockon.expr.vocabulary import Vocabulary
from knockon.sources.base import Taken
from knockon.sources.prometheus.api.answer import Line, scrape_at, zeros
from knockon.sources.prometheus.api.ask import Answers, Window, asked
from knockon.sources.prometheus.api.client import Server
from knockon.sources.prometheus.facts import facts_of
from knockon.sources.prometheus.restart import READING as RESTART
from knockon.sources.prometheus.series import called_apart, counters
from knockon.sources.prometheus.table import Exporter, exporters
from knockon.sources.prometheus.take import Scrapes, readings_of
from knockon.terms.fact import Fact
from knockon.terms.reading import Reading
from knockon.terms.series import Series
from knockon.terms.words import Text


def live(server: Server, window: Window, *, matchers: Mapping[str, str], vocabulary: Vocabulary) -> Taken:
    """Ask the server and read what it says.

    A gauge's reading is its value at the end of the window; rates, shares and quantiles are of the whole window, with
    restarts taken out as `increase()` does. Each has its series over the window.

    Args:
        server: where to ask.
        window: the time to ask about.
        matchers: label → value; only series with all of them count.
        vocabulary: the readings and facts there are.

    Raises:
        IntakeError: the server cannot be asked at all. A question it does not answer makes readings missing, with why.
    """
    answers = asked(server, window, matchers=matchers)
    now = scrape_at({**answers.gauges, **_at(answers.rises, window.to_s)}, window.to_s)
    scrapes = Scrapes(now, server.shown_url, zeros(now, answers.at_the_beginning), window.length_s)
    readings: list[Reading] = []
    facts: list[Fact] = []
    notes: list[Text] = []
    engines: dict[str, int] = {}
    for exporter in _watched(answers):
        taken = [*readings_of(exporter, scrapes), *_restarts(exporter, answers, window, server)]
        readings += [*taken, *_unanswered(exporter, answers, taken, server), *_stale(exporter, answers, taken, server)]
        stated, disagreements = facts_of(exporter, now, vocabulary, filename=server.shown_url)
        facts += stated
        notes += disagreements
        if exporter.engine:
            engines[exporter.engine] = sum(reading.state == "measured" for reading in taken)
    if not readings:
        notes.append(_nothing(server, matchers))
    return Taken(
        tuple(readings),
        tuple(facts),
        max(engines, key=lambda name: engines[name], default=None),
        tuple(notes),
        tuple(_series(answers, window, server)),
        source="prometheus",
        filename=server.shown_url,
    )


def _nothing(server: Server, matchers: Mapping[str, str]) -> Text:
    listed = ", ".join(f"{label}={value}" for label, value in matchers.items())
    which = f" with {listed}" if listed else ""
    return Text(
        f"{server.shown_url} has no metric{which} that is known here in this time",
        f"{server.shown_url} 在该时段内没有可识别的指标{f'（{listed}）' if listed else ''}",
    )


def _watched(answers: Answers) -> Iterator[Exporter]:
    known = {**answers.gauges, **answers.rises, **answers.failed}
    return (exporter for exporter in exporters() if any(name in known for name in exporter.names()))


def _at(held: Mapping[str, list[Line]], at_s: float) -> dict[str, list[Line]]:
    """The lines of an answer about one time, at that time to the millisecond."""
    return {
        name: [Line(line.labels, {at_s: list(line.values.values())[-1]}) for line in lines]
        for name, lines in held.items()
    }


def _series(answers: Answers, window: Window, server: Server) -> Iterator[Series]:
    """Every number and every truth over time."""
    held: dict[tuple[str, str, str], dict[float, float]] = {}
    for at_s in window.times:
        now = scrape_at({**answers.gauges, **answers.rises_over_time}, at_s)
        scrapes = Scrapes(now, server.shown_url, zeros(now), window.rate_s)
        for exporter in _watched(answers):
            for reading in readings_of(exporter, scrapes):
                if isinstance(reading.value, int | float):
                    key = (reading.name, reading.model, reading.replica)
                    held.setdefault(key, {})[at_s] = float(reading.value)
    for (name, model, replica), values in held.items():
        origin = f"{server.shown_url}, steps of {window.step_s:g} s"
        yield Series(name, tuple(values), tuple(values.values()), origin, replica=replica, model=model)


def _restarts(exporter: Exporter, answers: Answers, window: Window, server: Server) -> Iterator[Reading]:
    """Whether a counter of each replica was reset within the window."""
    own = [name for name in dict.fromkeys(exporter.names()) if name in answers.resets]
    scrape = scrape_at(_at({name: answers.resets[name] for name in own}, window.to_s), window.to_s)
    held: dict[tuple[tuple[str, str], ...], float] = {}
    for name in own:
        for labels, value in counters(scrape, name, exporter, where={}).items():
            held[labels] = max(held.get(labels, 0.0), value.number)
    names = called_apart(held, exporter)
    for labels, resets in sorted(held.items()):
        inner = f"{{{names[labels]}}}" if names[labels] else ""
        origin = f"resets of counters{inner} at {server.shown_url}, at most {resets:g} in {window.length_s:g} s"
        model = dict(labels).get(exporter.model or "", "")
        yield Reading(RESTART, resets > 0, origin, replica=names[labels], model=model)


def _unanswered(exporter: Exporter, answers: Answers, taken: list[Reading], server: Server) -> Iterator[Reading]:
    """Readings that are not there because the server did not answer for their metric."""
    measured = {reading.name for reading in taken if reading.state == "measured"}
    for name, ways in exporter.ways.items():
        for way in ways:
            metrics = [f"{way.metrics[0]}_bucket"] if way.kind == "histogram" else [*way.metrics, *way.over]
            failed = next((metric for metric in metrics if metric in answers.failed), None)
            if failed is not None and name not in measured:
                yield Reading(name, None, f"{failed} at {server.shown_url}", "missing", answers.failed[failed])
                break


def _stale(exporter: Exporter, answers: Answers, taken: list[Reading], server: Server) -> Iterator[Reading]:
    """Gauges that were there within the window and are not at its end: the target is down, or its scrapes fail."""
    told = {reading.name for reading in taken}
    for name, ways in exporter.ways.items():
        metric = ways[0].metrics[0]
        if name not in told and ways[0].kind == "gauge" and answers.gauges.get(metric):
            why = "no sample at the end of the time asked about: the target is down, or was not scraped"
            yield Reading(name, None, f"{metric} at {server.shown_url}", "missing", why)
