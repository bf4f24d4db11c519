"""Reads the reports of inference-perf: lifecycle (JSON or YAML) as runs, Prometheus as readings of the server."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from knockon.expr.vocabulary import Vocabulary
from knockon.sources.base import Taken
from knockon.sources.document import Items, Keys, Node, Word, read_document
from knockon.sources.result_run import run_of
from knockon.sources.result_source import JsonResults
from knockon.sources.result_table import table_of
from knockon.sources.result_text import Result, read_results, result_of
from knockon.terms.errors import IntakeError, Problem
from knockon.terms.place import Position
from knockon.terms.reading import Reading
from knockon.terms.run import Run
from knockon.terms.words import Json, Text

_YAML = re.compile(r"^(?:load_summary|successes):[ \t]*+\r?$", re.MULTILINE)
_BEGINNING_CHARACTERS = 20_000
# The file's own configuration has these at its top, and no numbers.
_CONFIGURATION = re.compile(r"^(?:load|api|server):[ \t]*+\r?$", re.MULTILINE)
_CONFIGURATION_PARTS = 3
_SERVER_ONLY = "queue_len"
_KV = "kv_cache_usage_ratio"
_RATE = "requests_per_s"


class InferencePerf(JsonResults):
    """The reports of inference-perf."""

    name = "inference-perf"
    folder = Path(__file__).parent

    def recognises(self, text: str, *, filename: str) -> bool:
        """JSON or YAML with its two parts at the top; or its configuration, to say that it is none."""
        beginning = text[:_BEGINNING_CHARACTERS]
        whole = len(set(_YAML.findall(text))) > 1
        return super().recognises(text, filename=filename) or whole or _is_configuration(beginning)

    def taken(self, text: str, *, filename: str, vocabulary: Vocabulary) -> Taken:
        """See `ResultSource`. The server's report has no runs: its readings go beside those of the client."""
        if not text.removeprefix("\ufeff").lstrip().startswith(("{", "[")):
            results = [_of_yaml(text, filename)]
            return self.of_results(results, vocabulary, filename=filename)
        results, cut_off = read_results(text, filename)
        server = [one for one in results if f"successes.{_SERVER_ONLY}.mean" in one.values]
        if server:
            return _server(server[-1], vocabulary)
        return self.of_results(results, vocabulary, filename=filename, cut_off=cut_off)

    def run(self, result: Result, vocabulary: Vocabulary) -> Run:
        """The run; requests that were sent early were not late."""
        run = run_of(result, self.table, vocabulary)
        return replace(run, readings=tuple(_on_time(one) for one in run.readings))


def _on_time(one: Reading) -> Reading:
    is_early = one.name == "schedule_delay_s_p99" and isinstance(one.value, int | float) and one.value < 0
    return replace(one, value=0.0, origin=f"{one.origin}: early, so not late") if is_early else one


def _server(result: Result, vocabulary: Vocabulary) -> Taken:
    table = table_of(Path(__file__).parent, "server.yaml")
    run = run_of(result, table, vocabulary)
    kept = [one for one in run.readings if one.name in table.readings]
    served = next((one.value for one in kept if one.name == _RATE), None)
    rate = served if isinstance(served, int | float) else 0.0
    zeros = [one.name for one in kept if one.name == _KV and _is_silent(result)]
    readings = [_unseen(one, rate) if one.name in zeros and rate > 0 else one for one in kept]
    if zeros and rate > 0:
        origin = f"{', '.join(zeros)} at {rate:g} requests a second in {result.at}"
        readings.append(Reading("zero_reading_count", len(zeros), origin, quality="derived"))
    note = Text(
        "the server's report is a mean over the stage, and its window is not exactly the client's",
        "服务端报告为该阶段均值，其窗口与客户端不完全一致",
    )
    return Taken(tuple(readings), (), None, (note,))


def _is_silent(result: Result) -> bool:
    """All that the report says of the KV pool is 0: a pool that is used has a quantile over 0."""
    prefix = "successes.kv_cache_usage_percentage."
    held = [value for path, value in result.values.items() if path.startswith(prefix)]
    return bool(held) and all(value == 0 for value in held)


def _unseen(one: Reading, rate: float) -> Reading:
    why = f"exactly 0 in mean and quantiles at {rate:g} requests a second: the query found no metric of that name"
    return replace(one, value=None, state="missing", why=why, raw=str(one.value))


def _is_configuration(beginning: str) -> bool:
    return len(set(_CONFIGURATION.findall(beginning))) >= _CONFIGURATION_PARTS


def _of_yaml(text: str, filename: str) -> Result:
    """A lifecycle report in YAML, or the reason why there is none."""
    at = Position(filename, 1, 1)
    if not _YAML.search(text) and _is_configuration(text[:_BEGINNING_CHARACTERS]):
        what = "this is the configuration of a run of inference-perf, not its result"
        fix = "give the lifecycle report that the run wrote"
        raise IntakeError(Problem("not-a-result", what, "load_summary and successes", fix, at))
    top = read_document(text, filename)
    if not isinstance(top, Keys):
        raise IntakeError(Problem("not-a-mapping", "the file is not a mapping", "load_summary and successes", at=at))
    return result_of(dict(_plain(top)), at)


def _plain(top: Keys) -> Iterator[tuple[str, Json]]:
    """The tree as plain data; words stay texts, which are read as numbers where one is wanted."""
    for key, node in top.held.items():
        yield key, _json(node)


def _json(node: Node) -> Json:
    if isinstance(node, Word):
        return None if not node.is_quoted and node.text in ("null", "~", "") else node.text
    if isinstance(node, Items):
        return [_json(one) for one in node.held]
    return {key: _json(one) for key, one in node.held.items()}
