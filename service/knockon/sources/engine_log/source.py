"""Reads what a serving engine logs: its statistics over time, what it says while starting, what it complains about."""

import re
from collections.abc import Iterator, Sequence

from knockon.expr.vocabulary import NameInfo, Vocabulary
from knockon.sources.amount import unit_called
from knockon.sources.base import Taken
from knockon.sources.engine_log.collect import Log, Moment, Seen, collect
from knockon.sources.engine_log.table import FactPattern, engines
from knockon.terms.errors import IntakeError, Problem
from knockon.terms.fact import Fact, Origin
from knockon.terms.place import Position
from knockon.terms.reading import Reading
from knockon.terms.series import Series
from knockon.terms.words import Text

# An engine says little of this before its model is loaded, which other libraries comment at length.
_BEGINNING_CHARACTERS = 4_000_000
# YAML or JSON whose first line is a key, in lower case as all keys here; levels of a log are in capitals.
_MAPPING = re.compile(
    r"(?:\s*+#[^\n]*+\n|\s++|---)*+(?:\{\s*+(?:\n|\})|[\"']?[a-z_]++[\"']?[ \t]*+:(?:\s|$))", re.ASCII
)


class EngineLog:
    """The log of vLLM, SGLang or TensorRT-LLM."""

    name = "engine-log"

    def recognises(self, text: str, *, filename: str) -> bool:
        """A line that one of the engines writes, in a text that is no mapping: a report may quote a log."""
        del filename
        start = text[:_BEGINNING_CHARACTERS].removeprefix("\ufeff")
        if _MAPPING.match(start):
            return False
        kinds = [kind for engine in engines() for kind in engine.lines if not kind.is_weak and kind.marker in start]
        return bool(kinds) and any(kind.says_something(line[:4_000]) for line in start.split("\n") for kind in kinds)

    def read(
        self,
        text: str,
        *,
        filename: str,
        vocabulary: Vocabulary,
        before: str | None = None,
        elapsed_s: float | None = None,
    ) -> Taken:
        """Read every line that says something; see `Source.read`. Lines are of their time, so `before` is refused.

        A gauge's reading is that of the last line in which something ran; its series has all of them.
        """
        del elapsed_s
        if before is not None:
            what = "a log has its own times, so an earlier one adds nothing"
            raise IntakeError(Problem("no-totals", what, fix="leave out --before", at=Position(filename, 1, 1)))
        logs = [log for engine in engines() if (log := collect(engine, text)).replicas]
        if not logs:
            what = "no line is one of a serving engine's log"
            expected = "the log of vLLM, SGLang or TensorRT-LLM, with its statistics"
            raise IntakeError(Problem("no-lines", what, expected=expected, at=Position(filename, 1, 1)))
        log = max(logs, key=lambda one: sum(sum(seen.counts.values()) for seen in one.replicas.values()))
        facts, disagreements = _facts(log, vocabulary, filename)
        return Taken(
            tuple(_readings(log, filename)),
            tuple(facts),
            log.engine.engine,
            (*_notes(log, filename), *disagreements),
            tuple(_series(log, filename)),
        )


def _notes(log: Log, filename: str) -> Iterator[Text]:
    if not log.has_year:
        yield Text(
            f"the lines of {filename} name no year: durations and rates hold, the date of a reading is not known",
            f"{filename} 的日志行不含年份：时长与速率有效，读数的日期未知",
        )
    if log.backwards is not None:
        yield Text(
            f"line {log.backwards} of {filename} is older than a line before it: several logs are read as one",
            f"{filename} 第 {log.backwards} 行早于其前的行：一个文件中的多份日志按一份读取",
        )
    idle = sum(1 for seen in log.replicas.values() for moment in _after_the_last_busy(seen.moments) if moment.is_idle)
    if idle:
        yield Text(
            f"the last {idle} lines of {filename} are of an idle engine; the last line before them is read",
            f"{filename} 末尾 {idle} 行为引擎空闲状态，取其前最后一行的读数",
        )


def _after_the_last_busy(moments: Sequence[Moment]) -> Sequence[Moment]:
    busy = [index for index, moment in enumerate(moments) if not moment.is_idle]
    return moments[busy[-1] + 1 :] if busy else ()


def _readings(log: Log, filename: str) -> Iterator[Reading]:
    for replica, seen in log.replicas.items():
        place = _Place(log, filename, replica)
        yield from _gauges(seen, place)
        yield from _shares_and_work(log, seen, place)
        yield from _events(log, seen, place)
        for name, (line, value) in seen.once.items():
            yield place.reading(name, value, line)
        for name, line in seen.flags.items():
            yield place.reading(name, True, line)


class _Place:
    """What every reading of one replica has in common."""

    def __init__(self, log: Log, filename: str, replica: str) -> None:
        self._where = f"{log.engine.engine} log{f' {{{replica}}}' if replica else ''}, {filename}"
        self._replica = replica
        self._has_year = log.has_year

    def reading(self, name: str, value: float | bool, line: int, *, at_s: float | None = None) -> Reading:
        """What one line says."""
        return Reading(
            name,
            value,
            f"{self._where}:{line}",
            replica=self._replica,
            at_s=at_s if self._has_year else None,
        )

    def derived(self, name: str, value: float, said: str) -> Reading:
        """What several lines say together."""
        return Reading(name, value, f"{self._where}, {said}", replica=self._replica, quality="derived")

    def missing(self, name: str, why: str, raw: str) -> Reading:
        """A reading that the lines do not suffice for."""
        return Reading(name, None, self._where, "missing", why, raw, self._replica)


def _gauges(seen: Seen, place: _Place) -> Iterator[Reading]:
    busy = [moment for moment in seen.moments if not moment.is_idle] or seen.moments
    last: dict[str, Moment] = {}
    for moment in busy:
        last.update(dict.fromkeys(moment.values, moment))
    for name, moment in last.items():
        yield place.reading(name, moment.values[name], moment.line, at_s=moment.at_s)


def _shares_and_work(log: Log, seen: Seen, place: _Place) -> Iterator[Reading]:
    for kind in log.engine.lines:
        count = seen.counts.get(kind.marker, 0)
        for name in kind.shares:
            part, rest = seen.pairs.get(name, (0.0, 0.0))
            if part + rest > 0:
                said = f"{part:.12g} of {part + rest:.12g} in {count} lines"
                yield place.derived(name, part / (part + rest), said)
        for name in kind.worked:
            done, milliseconds = seen.pairs.get(name, (0.0, 0.0))
            if milliseconds > 0:
                said = f"{done:.12g} in {milliseconds / 1_000:.12g} s of {count} steps"
                yield place.derived(name, done / milliseconds * 1_000, said)


def _events(log: Log, seen: Seen, place: _Place) -> Iterator[Reading]:
    told: set[str] = set()
    for kind in log.engine.lines:
        seconds = seen.spans[kind.over].seconds if kind.over in seen.spans else 0.0
        for name in kind.events:
            count = seen.events.get(name)
            # Two kinds of line may count the same thing; the events of both are in one sum.
            if name in told or (count is None and not kind.always_said):
                continue
            told.add(name)
            if seconds > 0:
                said = f"{count or 0:g} in {seconds:g} s between the first and the last statistics"
                yield place.derived(name, (count or 0.0) / seconds, said)
            elif count is not None:
                yield place.missing(name, "the lines have no two times to count between", f"{count:g}")
        for name in kind.totals:
            if name in seen.totals:
                yield _rise(name, seen.totals[name], place)


def _rise(name: str, totals: Sequence[tuple[int, float | None, float]], place: _Place) -> Reading:
    (_, first_s, first), (_, last_s, last) = totals[0], totals[-1]
    if first_s is None or last_s is None or last_s <= first_s:
        return place.missing(name, "one count since the start: a rate needs two, with times", f"{last:g}")
    if last < first:
        return place.missing(name, f"the count fell from {first:g} to {last:g}: the engine restarted", f"{last:g}")
    said = f"{last - first:g} in {last_s - first_s:g} s"
    return place.derived(name, (last - first) / (last_s - first_s), said)


def _series(log: Log, filename: str) -> Iterator[Series]:
    for replica, seen in log.replicas.items():
        held: dict[str, dict[float, float]] = {}
        for moment in seen.moments:
            for name, value in moment.values.items():
                values = held.setdefault(name, {})
                # Several lines of one second: the last one stands for it. An older line is another log's.
                if moment.at_s is not None and moment.at_s >= next(reversed(values), moment.at_s):
                    values[moment.at_s] = value
        for name, values in held.items():
            if len(values) > 1:
                yield Series(
                    name, tuple(values), tuple(values.values()), f"{log.engine.engine} log, {filename}", replica=replica
                )


def _facts(log: Log, vocabulary: Vocabulary, filename: str) -> tuple[list[Fact], list[Text]]:
    facts: list[Fact] = []
    notes: list[Text] = []
    patterns = {name: fact for kind in log.engine.lines for name, fact in kind.facts.items()}
    for name, seen in log.facts.items():
        line, value = _chosen(patterns[name], seen)
        info = vocabulary.info(name)
        if len({one for _, one in seen}) > 1 and not patterns[name].take:
            listed = ", ".join(f"{one:g}" for one in dict.fromkeys(one for _, one in seen))
            notes.append(
                Text(
                    f"{name} differs between the lines of {filename} ({listed}), so it is not taken from it",
                    f"{filename} 各行的 {name} 不一致（{listed}），因此不采用",
                )
            )
        elif _is_possible(info, value):
            origin = Origin("file", f"log line of {log.engine.engine}", Position(filename, line, 1))
            facts.append(Fact(name, int(value) if info.type == "int" else value, origin))
    return facts, notes


def _chosen(fact: FactPattern, seen: Sequence[tuple[int, float]]) -> tuple[int, float]:
    line, value = min(seen, key=lambda one: one[1]) if fact.take == "least" else seen[-1]
    return (line, float(unit_called(fact.unit).in_base(value))) if fact.unit else (line, value)


def _is_possible(info: NameInfo, value: float) -> bool:
    return (info.minimum is None or value >= info.minimum) and (info.maximum is None or value <= info.maximum)
