"""Single requests of AIPerf as the summary that its own exporter would write of them."""

from collections.abc import Iterator, Mapping, Sequence

from knockon.sources.result_details import quantile
from knockon.sources.result_text import Result, result_of
from knockon.terms.words import Json

_NS_PER_S = 1e9
_PHASE = "profiling"
_QUANTILES = {"p50": 0.5, "p95": 0.95, "p99": 0.99}


def of_requests(results: Sequence[Result]) -> Result:
    """The summary of requests, without those of the warm-up; a request with an error counts as failed."""
    kept = [one for one in results if one.values.get("metadata.benchmark_phase", _PHASE) == _PHASE]
    warm_up = len(results) - len(kept)
    failed = [one for one in kept if one.data.get("error") or one.values.get("metadata.was_cancelled") is True]
    held: dict[str, Json] = {}
    for name, unit, values in _metrics([one for one in kept if one not in failed]):
        statistics: dict[str, Json] = {"unit": unit, "avg": sum(values) / len(values)}
        statistics |= {title: quantile(values, share) for title, share in _QUANTILES.items()}
        held[name] = statistics
    count = len(kept) - len(failed)
    held["request_count"] = {"avg": count}
    held["error_request_count"] = {"avg": len(failed)}
    if (span := _span_s(kept)) > 0:
        held["benchmark_duration"] = {"avg": span, "unit": "s"}
        for name, total in (("total_output_tokens", "output_sequence_length"), ("total_isl", "input_sequence_length")):
            found = held.get(total)
            if isinstance(found, Mapping) and isinstance(found.get("avg"), float):
                held[name] = {"avg": float(found["avg"]) * count}  # type: ignore[arg-type]
    if warm_up:
        held["warm_up"] = warm_up
    return result_of(held, results[0].at)


def _metrics(results: Sequence[Result]) -> Iterator[tuple[str, str, list[float]]]:
    """(metric, unit, its numbers) over all requests; metrics that are lists are left out."""
    found: dict[str, list[float]] = {}
    units: dict[str, str] = {}
    for one in results:
        metrics = one.data.get("metrics")
        for name, held in metrics.items() if isinstance(metrics, dict) else ():
            value = held.get("value") if isinstance(held, dict) else None
            if isinstance(held, dict) and isinstance(value, int | float) and not isinstance(value, bool):
                found.setdefault(name, []).append(float(value))
                units.setdefault(name, str(held.get("unit", "")))
    for name, values in found.items():
        yield name, units[name], values


def _span_s(results: Sequence[Result]) -> float:
    starts = [value for one in results if isinstance(value := one.values.get("metadata.request_start_ns"), int)]
    ends = [value for one in results if isinstance(value := one.values.get("metadata.request_end_ns"), int)]
    return (max(ends) - min(starts)) / _NS_PER_S if starts and ends else 0.0
