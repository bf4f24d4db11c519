"""What a scrape states about the deployment's configuration: info labels and constant gauges."""

import math
from collections.abc import Iterator

from knockon.expr.vocabulary import NameInfo, Vocabulary
from knockon.sources.amount import amount_of, is_missing
from knockon.sources.prometheus.scrape import Scrape
from knockon.sources.prometheus.series import gauges
from knockon.sources.prometheus.table import Exporter, FactWay
from knockon.terms.fact import Fact, Origin
from knockon.terms.unit import ONE
from knockon.terms.words import Scalar, Text

_TRUTHS = {"true": True, "1": True, "false": False, "0": False}
_SHOWN_MAX = 5


def facts_of(
    exporter: Exporter, scrape: Scrape, vocabulary: Vocabulary, *, filename: str
) -> tuple[list[Fact], list[Text]]:
    """The facts all replicas agree on, and a note for each they do not. What cannot be read is no fact."""
    facts: dict[str, Fact] = {}
    notes: list[Text] = []
    for way in exporter.facts:
        info = vocabulary.get(way.fact)
        if info is None or way.fact in facts:
            continue
        values = list(dict.fromkeys(_values(way, info, exporter, scrape)))
        where = f"{' + '.join(way.metrics)}{f', label {way.label}' if way.label else ''}"
        if len(values) == 1:
            facts[way.fact] = Fact(way.fact, values[0], Origin("file", f"{where} in {filename}"))
        elif values:
            listed = ", ".join(str(value) for value in values[:_SHOWN_MAX])
            notes.append(
                Text(
                    f"{way.fact} differs between replicas ({listed}), so it is not taken from {where}",
                    f"各副本的 {way.fact} 不一致（{listed}），因此不取自 {where}",
                )
            )
    return list(facts.values()), notes


def _values(way: FactWay, info: NameInfo, exporter: Exporter, scrape: Scrape) -> Iterator[Scalar]:
    if way.label:
        for sample in scrape.samples.get(way.metrics[0], ()):
            value = _of_text(info, sample.labels.get(way.label, ""))
            if value is not None:
                yield value
        return
    parts = [gauges(scrape, metric, exporter, where=way.where, blanks=exporter.blanks) for metric in way.metrics]
    for labels in parts[0]:
        held = [part[labels] for part in parts if labels in part]
        if len(held) == len(parts) and not any(value.why for value in held):
            value = _in_range(info, way.unit.in_base(sum(value.number for value in held)))
            if value is not None:
                yield value


def _of_text(info: NameInfo, text: str) -> Scalar | None:
    if is_missing(text):
        return None
    if info.type == "bool":
        return _TRUTHS.get(text.lower())
    if not info.is_numeric:
        return text if len(text) <= 200 and (not info.options or text in info.options) else None
    try:
        return _in_range(info, amount_of(text, ONE).value)
    except ValueError:
        return None


def _in_range(info: NameInfo, value: int | float) -> int | float | None:
    if not math.isfinite(value) or (info.type == "int" and value != int(value)):
        return None
    if (info.minimum is not None and value < info.minimum) or (info.maximum is not None and value > info.maximum):
        return None
    return int(value) if info.type == "int" else value
