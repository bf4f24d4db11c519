"""Readings as PromQL: the same ways that are read out of a scrape, asked of a server that keeps them over time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from knockon.sources.prometheus.table import Exporter, Way, exporters

# Whose metrics are about the machine, so they hold for whatever engine runs on it; gateways see other requests.
_MACHINE = ("dcgm", "nvidia_gpu_exporter", "node")
# Triton has metrics of its own beside those of the engine in it.
_AROUND = {"trtllm": ("triton",)}
_AGGREGATES = {"any": "max", "max": "max", "min": "min", "sum": "sum"}


@dataclass(frozen=True, slots=True)
class Query:
    """One reading by one exporter, combined to one value for each group."""

    expression: str
    exporter: str
    model_label: str
    """The label that tells models apart; empty where the metrics are about the machine."""
    metrics: tuple[str, ...]


def queries(reading: str, engine: str, *, over_replicas: str, by: Sequence[str], window: str) -> tuple[Query, ...]:
    """Every way to `reading` where `engine` runs, the best first; empty where no exporter has it.

    Args:
        over_replicas: how the vocabulary combines replicas.
        by: the labels of a group; an exporter whose series cannot have one of them is left out.
        window: the range that rates are taken over, as PromQL writes it.
    """
    return tuple(
        Query(
            _combined(way, exporter, over_replicas, by, window),
            exporter.name,
            exporter.model,
            tuple(dict.fromkeys((*way.metrics, *way.over))),
        )
        for exporter in _asked(engine)
        for way in exporter.ways.get(reading, ())
        if _model_labels().isdisjoint(set(by) - {exporter.model})
    )


def has_metrics(engine: str) -> bool:
    """Whether the metrics of `engine` are known."""
    return any(exporter.engine == engine for exporter in exporters())


def models_query(engine: str, *, by: Sequence[str]) -> str:
    """How many models `engine` serves in each group; empty where its metrics do not tell models apart."""
    counts = [
        f"count by ({', '.join((*by, exporter.model))}) ({_selector(way, exporter)})"
        for exporter in exporters()
        if exporter.engine == engine and exporter.model
        for way in exporter.ways.get("running_count", ())[:1]
    ]
    return f"count{_group(by)} ({' or '.join(counts)})" if counts else ""


def _asked(engine: str) -> Iterator[Exporter]:
    """The engine's own exporters first, then those of the machine."""
    named = {exporter.name: exporter for exporter in exporters()}
    yield from (exporter for exporter in named.values() if exporter.engine == engine)
    yield from (named[name] for name in (*_AROUND.get(engine, ()), *_MACHINE))


def _model_labels() -> set[str]:
    return {exporter.model for exporter in exporters() if exporter.model}


def _combined(way: Way, exporter: Exporter, over_replicas: str, by: Sequence[str], window: str) -> str:
    if way.kind == "any":
        names = "|".join(way.metrics)
        return f'max{_group(by)} ({{__name__=~"{names}"}}) != bool 0'
    value = _value(way, exporter, window)
    if exporter.copies:
        value = f"max without ({', '.join(exporter.copies)}) ({value})"
    if way.unit.times != 1:
        value = f"{value} * {way.unit.times}"
    if way.unit.per != 1:
        value = f"{value} / {way.unit.per}"
    if way.complement:
        value = f"1 - {value}"
    return f"{_AGGREGATES.get(over_replicas, 'avg')}{_group(by)} ({value})"


def _value(way: Way, exporter: Exporter, window: str) -> str:
    """The reading of each replica, in the exporter's unit."""
    match way.kind:
        case "gauge" if way.over:
            return f"{_selector(way, exporter)} / ({_sum_of(way, list(way.over))})"
        case "gauge":
            return _selector(way, exporter)
        case "rate":
            return _parts(exporter, way, f"rate({_selector(way, exporter)}[{window}])")
        case "total":
            whole = [_parts(exporter, way, f"rate({name}[{window}])") for name in way.over]
            part = _parts(exporter, way, f"rate({_selector(way, exporter)}[{window}])")
            return f"({part} / ({_sum_of(way, whole)}))"
        case "histogram":
            buckets = _parts(exporter, way, f"rate({way.metrics[0]}_bucket[{window}])")
            return f"histogram_quantile({way.quantile:g}, {buckets})"
        case "summary":
            return f'{way.metrics[0]}{{quantile="{way.quantile:g}"}}'
        case "bits":
            bits = [bit for bit in range(way.mask.bit_length()) if way.mask >> bit & 1]
            hits = [f"floor({way.metrics[0]} / {1 << bit}) % 2" for bit in bits]
            return f"({' + '.join(hits)} > bool 0)"
        case "any":
            raise ValueError(f"{way.reading} is combined before it is compared")


def _selector(way: Way, exporter: Exporter) -> str:
    matchers = [
        f'{label}="{values[0]}"' if len(values) == 1 else f'{label}=~"{"|".join(values)}"'
        for label, values in way.where.items()
    ]
    if way.kind == "gauge":
        # Of a total and its parts, only the total, whose label is empty.
        matchers += [f'{label}=""' for label in exporter.totals]
    return way.metrics[0] + (f"{{{', '.join(matchers)}}}" if matchers else "")


def _parts(exporter: Exporter, way: Way, rate: str) -> str:
    """The parts that labels cut a counter into, added up."""
    labels = dict.fromkeys((*exporter.sums, *way.where))
    return f"sum without ({', '.join(labels)}) ({rate})" if labels else rate


def _sum_of(way: Way, members: Sequence[str]) -> str:
    """The sum of `members`, in the order of `way.over`; one that older exporters lack counts as 0."""
    first = members[0]
    terms = [
        f"({member} or 0 * {first})" if name in way.optional else member
        for name, member in zip(way.over, members, strict=True)
    ]
    return " + ".join(terms)


def _group(by: Sequence[str]) -> str:
    return f" by ({', '.join(by)})" if by else ""
