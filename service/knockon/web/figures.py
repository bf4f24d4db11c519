"""The figures at /metrics: counted in plain numbers, since only the event loop counts; put into words when asked."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field

from prometheus_client import CollectorRegistry, GCCollector, PlatformCollector, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from knockon.web.answers import Answers
from knockon.web.snapshots import Snapshots

# Seconds: a kept answer takes 50 µs, a page of techniques 5 ms, the largest scrape to diagnose under a second.
BUCKETS_S = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


@dataclass(slots=True)
class Latency:
    """How long requests took, in buckets."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(BUCKETS_S) + 1))
    sum_s: float = 0.0

    def add(self, seconds: float) -> None:
        """Count one request."""
        self.counts[bisect_left(BUCKETS_S, seconds)] += 1
        self.sum_s += seconds


class Figures(Collector):
    """What the service counted since it started."""

    def __init__(self, snapshots: Snapshots, answers: Answers) -> None:
        """Count for these."""
        self._snapshots = snapshots
        self._answers = answers
        self._requests: dict[tuple[str, int], int] = {}
        self._latencies: dict[str, Latency] = {}
        self.hits = 0
        self.misses = 0

    def count(self, operation: str, status: int, seconds: float) -> None:
        """Count one GraphQL request; `operation` is of a bounded set."""
        key = (operation, status)
        self._requests[key] = self._requests.get(key, 0) + 1
        latency = self._latencies.get(operation)
        if latency is None:
            latency = self._latencies[operation] = Latency()
        latency.add(seconds)

    def collect(self) -> Iterator[Metric]:
        """The figures in Prometheus' terms."""
        requests = CounterMetricFamily(
            "knockon_requests", "GraphQL requests by first root field and status.", labels=("operation", "status")
        )
        for (operation, status), count in sorted(self._requests.items()):
            requests.add_metric((operation, str(status)), count)
        yield requests
        yield self._latency_family()
        yield CounterMetricFamily("knockon_answer_cache_hits", "Requests whose answer was known.", value=self.hits)
        yield CounterMetricFamily("knockon_answer_cache_misses", "Requests whose answer was not.", value=self.misses)
        yield GaugeMetricFamily("knockon_answer_cache_entries", "Answers kept.", value=len(self._answers))
        yield GaugeMetricFamily("knockon_answer_cache_bytes", "Memory of the answers kept.", value=self._answers.bytes)
        yield from self._revision_families()

    def _latency_family(self) -> Metric:
        family = HistogramMetricFamily(
            "knockon_request_duration_seconds", "Time from the whole request to the answer.", labels=("operation",)
        )
        for operation, latency in sorted(self._latencies.items()):
            total, buckets = 0, []
            for bound, count in zip((*map(str, BUCKETS_S), "+Inf"), latency.counts, strict=True):
                total += count
                buckets.append((bound, total))
            family.add_metric((operation,), buckets, latency.sum_s)
        return family

    def _revision_families(self) -> Iterator[Metric]:
        snapshot = self._snapshots.current
        info = GaugeMetricFamily("knockon_revision_info", "The revision served.", labels=("number", "digest"))
        if snapshot is not None:
            info.add_metric((str(snapshot.revision.number), snapshot.revision.digest), 1)
            yield GaugeMetricFamily(
                "knockon_revision", "Number of the revision served.", value=snapshot.revision.number
            )
        yield info
        yield GaugeMetricFamily(
            "knockon_database_readable",
            "Whether the last look for a new revision succeeded.",
            value=0 if self._snapshots.trouble else 1,
        )


def registry_of(figures: Figures) -> CollectorRegistry:
    """A registry with these figures and those of the process; not the global one, of which there can be only one."""
    registry = CollectorRegistry()
    registry.register(figures)
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    GCCollector(registry=registry)
    return registry
