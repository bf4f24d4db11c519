"""What the lines of one engine's log say, gathered by replica."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from knockon.sources.engine_log.clock import Clock
from knockon.sources.engine_log.table import EngineLines, Line, Pattern

_TAG_CHARACTERS = 400
# The longest line known, with every part, has under 1,000 characters.
_LINE_CHARACTERS = 4_000
# Colours, where a log was written to a terminal.
_COLOUR = re.compile("\x1b\\[[0-9;]{0,20}m")


@dataclass(slots=True)
class Span:
    """First and last time of something, seconds."""

    first: float | None = None
    last: float | None = None

    def add(self, at_s: float | None) -> None:
        """Widen the span; a line without a time changes nothing."""
        if at_s is not None:
            self.first = at_s if self.first is None else self.first
            self.last = at_s

    @property
    def seconds(self) -> float:
        """From the first to the last; 0 where there are not two."""
        return 0.0 if self.first is None or self.last is None else self.last - self.first


@dataclass(frozen=True, slots=True)
class Moment:
    """One line's gauges."""

    line: int
    at_s: float | None
    values: dict[str, float]

    @property
    def is_idle(self) -> bool:
        """Whether nothing ran and nothing waited."""
        counts = [value for name, value in self.values.items() if name.endswith("_count")]
        return bool(counts) and not any(counts) and not self.values.get("output_tokens_per_s")


@dataclass(slots=True)
class Seen:
    """One replica's lines."""

    rank: tuple[str, ...] | None = None
    """The rank that speaks for the replica."""
    moments: list[Moment] = field(default_factory=list)
    spans: dict[str, Span] = field(default_factory=dict)
    """By marker."""
    counts: dict[str, int] = field(default_factory=dict)
    """Lines by marker."""
    pairs: dict[str, tuple[float, float]] = field(default_factory=dict)
    """Sums of both parts of shares and of work, by reading."""
    events: dict[str, float] = field(default_factory=dict)
    totals: dict[str, list[tuple[int, float | None, float]]] = field(default_factory=dict)
    """Line, time and count, by reading."""
    once: dict[str, tuple[int, float]] = field(default_factory=dict)
    flags: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Log:
    """All that one engine wrote into a text."""

    engine: EngineLines
    replicas: dict[str, Seen] = field(default_factory=dict)
    facts: dict[str, list[tuple[int, float]]] = field(default_factory=dict)
    has_year: bool = True
    backwards: int | None = None
    """The first line that is older than the one before it: the text is not one log."""


def collect(engine: EngineLines, text: str) -> Log:
    """Read every line in which a marker of the engine stands."""
    log, clock = Log(engine), Clock()
    last_s: dict[str, float] = {}
    for number, written in enumerate(text.split("\n"), start=1):
        kinds = [kind for kind in engine.lines if kind.marker in written]
        if not kinds:
            continue
        line = _COLOUR.sub("", written[:_LINE_CHARACTERS])
        match = engine.replica.search(line)
        replica = f"{engine.replica_label}={int(match[1])}" if match else ""
        seen = log.replicas.setdefault(replica, Seen())
        rank = tuple(engine.ranks.findall(line[:_TAG_CHARACTERS])) if engine.ranks else ()
        if seen.rank is None:
            seen.rank = rank
        elif rank != seen.rank:
            continue
        at_s = clock.seconds(line)
        if at_s is not None:
            # Processes write into one stream, so a second's disorder is nothing.
            if at_s < last_s.get(replica, at_s) - 1 and log.backwards is None:
                log.backwards = number
            last_s[replica] = max(at_s, last_s.get(replica, at_s))
        for kind in kinds:
            _take(kind, line, number, at_s, seen)
            for name, value in _first({name: fact.pattern for name, fact in kind.facts.items()}, line):
                log.facts.setdefault(name, []).append((number, value))
    log.has_year = clock.has_year
    return log


def _take(kind: Line, line: str, number: int, at_s: float | None, seen: Seen) -> None:
    seen.spans.setdefault(kind.marker, Span()).add(at_s)
    seen.counts[kind.marker] = seen.counts.get(kind.marker, 0) + 1
    values = {name: max(found) for name, pattern in kind.gauges.items() if (found := pattern.numbers(line))}
    if values:
        seen.moments.append(Moment(number, at_s, values))
    for name, (one, other) in {**kind.shares, **kind.worked}.items():
        first, second = one.numbers(line), other.numbers(line)
        if first and second:
            held = seen.pairs.get(name, (0.0, 0.0))
            seen.pairs[name] = (held[0] + first[0], held[1] + second[0])
    for name, value in _first(kind.events, line):
        seen.events[name] = seen.events.get(name, 0.0) + value
    for name, value in _first(kind.totals, line):
        seen.totals.setdefault(name, []).append((number, at_s, value))
    for name, value in _first(kind.once, line):
        if value >= seen.once.get(name, (0, 0.0))[1]:
            seen.once[name] = (number, value)
    for name in kind.flags:
        seen.flags.setdefault(name, number)


def _first(patterns: Mapping[str, Pattern], line: str) -> Iterator[tuple[str, float]]:
    for name, pattern in patterns.items():
        for value in pattern.numbers(line)[:1]:
            yield name, value
