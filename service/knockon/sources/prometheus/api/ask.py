"""What is asked of the server, and what came back: one question per metric, several at a time."""

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from knockon.sources.prometheus.api.answer import Line, lines_of
from knockon.sources.prometheus.api.client import Failed, Server
from knockon.sources.prometheus.table import exporters, wanted_names
from knockon.terms.errors import IntakeError, Problem

# A server that is asked while it is in trouble should not be asked by a crowd.
_AT_A_TIME = 4
# Prometheus refuses a question with more points per series.
POINTS_MAX = 11_000


@dataclass(frozen=True, slots=True)
class Window:
    """The time that is asked about. `from_s` is `to_s` less a whole number of steps."""

    from_s: float
    to_s: float
    step_s: float
    rate_s: float
    """What a point of a rate looks back on: long enough for two scrapes of the usual intervals."""

    @property
    def length_s(self) -> float:
        """Seconds of the whole window."""
        return self.to_s - self.from_s

    @property
    def times(self) -> Iterator[float]:
        """The times of all points, oldest first."""
        for index in range(round(self.length_s / self.step_s) + 1):
            yield round(self.from_s + index * self.step_s, 3)


@dataclass(frozen=True, slots=True)
class Answers:
    """What the server said, by the name the tables use for a metric."""

    gauges: dict[str, list[Line]] = field(default_factory=dict)
    rises: dict[str, list[Line]] = field(default_factory=dict)
    """How far counters rose over the whole window."""
    rises_over_time: dict[str, list[Line]] = field(default_factory=dict)
    """How far they rose over `Window.rate_s` before each time."""
    at_the_beginning: dict[str, list[Line]] = field(default_factory=dict)
    """The counters that were there when the window began."""
    resets: dict[str, list[Line]] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    """Why a metric was not answered."""


def window_of(*, to_s: float, length_s: float, step_s: float | None) -> Window:
    """The window of `length_s` seconds that ends at `to_s`, in whole steps.

    Raises:
        IntakeError: the length or the step is none, or there would be more points than a server answers.
    """
    step = step_s if step_s is not None else max(15.0, round(length_s / 60))
    if not (length_s > 0 and step > 0 and length_s >= step):
        raise IntakeError(
            Problem(
                "bad-window",
                f"{length_s:g} s in steps of {step:g} s is no window",
                expected="a length over 0 and a step no longer than it",
            )
        )
    count = int(length_s / step)
    if count > POINTS_MAX:
        raise IntakeError(
            Problem(
                "bad-window",
                f"{length_s:g} s in steps of {step:g} s are {count:,} points",
                expected=f"at most {POINTS_MAX:,}",
                fix="give a longer --step",
            )
        )
    to_s = round(to_s, 3)
    return Window(round(to_s - count * step, 3), to_s, step, max(step, 120.0))


def asked(server: Server, window: Window, *, matchers: Mapping[str, str]) -> Answers:
    """Ask for every metric of the tables that the server has.

    Args:
        matchers: label → value; only series with all of them are asked for.

    Raises:
        IntakeError: the server cannot be asked at all, or does not say which metrics it has.
    """
    wanted = wanted_names()
    within = "".join(f",{label}={_quoted(value)}" for label, value in matchers.items())
    every = _quoted("|".join(sorted(wanted)))
    seconds = f"{max(1, round(window.length_s))}s"
    present = server.ask(
        "query",
        {
            "query": f"count by (__name__) (last_over_time({{__name__=~{every}{within}}}[{seconds}]))",
            "time": f"{window.to_s:.3f}",
        },
    )
    if isinstance(present, Failed):
        what = f"{server.shown_url} does not say which metrics it has: {present.why}"
        fix = present.fix or "narrow it with --match label=value, or a shorter --last"
        raise IntakeError(Problem("no-metrics", what, fix=fix))
    names = [entry["metric"].get("__name__", "") for entry in present.get("result", []) if "metric" in entry]
    answers = Answers()
    jobs = [job for name in sorted(names) if name in wanted for job in _jobs(name, wanted[name], within, window)]
    with ThreadPoolExecutor(_AT_A_TIME) as pool:
        for (name, into, _, _), data in zip(jobs, pool.map(lambda job: server.ask(job[2], job[3]), jobs), strict=True):
            if isinstance(data, Failed):
                answers.failed.setdefault(name, data.why)
            else:
                getattr(answers, into).setdefault(name, []).extend(lines_of(data))
    return answers


def _jobs(spelled: str, name: str, within: str, window: Window) -> Iterator[tuple[str, str, str, dict[str, str]]]:
    """(metric, where the answer goes, path, parameters) of every question about one metric."""
    selector = f"{{__name__={_quoted(spelled)}{within}}}"
    span = {"start": f"{window.from_s:.3f}", "end": f"{window.to_s:.3f}", "step": f"{window.step_s:g}"}
    at_the_end = {"time": f"{window.to_s:.3f}"}
    whole = f"{max(1, round(window.length_s))}s"
    if name not in _counters():
        yield name, "gauges", "query_range", {"query": selector, **span}
        return
    # A series that ended within the time, or began in it, rose over less than the time: its rate would be too low.
    yield name, "rises", "query", {"query": f"increase({selector}[{whole}]) and {selector}", **at_the_end}
    back = f"{round(window.rate_s)}s"
    over_time = f"increase({selector}[{back}]) and {selector} and {selector} offset {back}"
    yield name, "rises_over_time", "query_range", {"query": over_time, **span}
    if not name.endswith("_bucket"):
        yield name, "at_the_beginning", "query", {"query": f"{selector} offset {whole}", **at_the_end}
        yield name, "resets", "query", {"query": f"resets({selector}[{whole}])", **at_the_end}


def _counters() -> frozenset[str]:
    """Every metric of the tables that only rises."""
    names: set[str] = set()
    for exporter in exporters():
        for ways in exporter.ways.values():
            for way in ways:
                if way.kind in ("rate", "total"):
                    names.update((*way.metrics, *way.over))
                elif way.kind == "histogram":
                    names.update((f"{way.metrics[0]}_bucket", f"{way.metrics[0]}_count"))
    return frozenset(names)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
