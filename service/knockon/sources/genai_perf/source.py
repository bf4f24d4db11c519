"""Reads what genai-perf exports: a run as JSON or CSV, and the CSV of a sweep by `genai-perf analyze`."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from knockon.expr.vocabulary import Vocabulary
from knockon.sources.base import Taken
from knockon.sources.result_number import number_of
from knockon.sources.result_run import run_of
from knockon.sources.result_source import JsonResults, subject_of, taken_of_runs
from knockon.sources.result_text import Result, result_of
from knockon.sources.stat_sheet import first_line, statistic_of, statistics_of, tables_of
from knockon.terms.place import Position
from knockon.terms.reading import Reading
from knockon.terms.run import Run
from knockon.terms.unit import ONE, parse_unit
from knockon.terms.words import Json

_OWN = ("service_kind", "formatted_model_name", "perf_analyzer", "genai_perf")
_CONFIG, _GPU = "config name", "gpu"
# By reading: the metric of a GPU and the unit it is wanted in.
_GPU_METRICS = {
    "gpu_busy_ratio": ("gpu_utilization", ONE),
    "power_draw_w": ("gpu_power_usage", parse_unit("W")),
    "power_limit_w": ("gpu_power_limit", parse_unit("W")),
}
_BYTE = parse_unit("byte")
_Rows = Sequence[tuple[int, list[str]]]


class GenaiPerf(JsonResults):
    """`genai-perf profile` and `genai-perf analyze`."""

    name = "genai-perf"
    folder = Path(__file__).parent

    def recognises(self, text: str, *, filename: str) -> bool:
        """Its CSV's first titles, or the JSON it shares with its successor, where genai-perf's own keys are in it."""
        titles = first_line(text).lower().split(",")
        if titles[0] == "metric":
            return "avg" in titles and "p1" not in titles and "std" not in titles
        if titles[0] == _CONFIG:
            return len(titles) > 1
        return super().recognises(text, filename=filename) and any(f'"{key}"' in text for key in _OWN)

    def taken(self, text: str, *, filename: str, vocabulary: Vocabulary) -> Taken:
        """See `ResultSource`."""
        first = first_line(text).lower()
        if first.startswith(_CONFIG):
            return self._analysed(text, filename, vocabulary)
        if not first.startswith("metric,"):
            return super().taken(text, filename=filename, vocabulary=vocabulary)
        held: dict[str, Json] = {}
        for table in tables_of(text, filename):
            held.update(statistics_of(table))
        return self.of_results([result_of(held, Position(filename, 1, 1))], vocabulary, filename=filename)

    def run(self, result: Result, vocabulary: Vocabulary) -> Run:
        """One exported run."""
        return run_of(result, self.table, vocabulary, subject=subject_of(self.table, result))

    def _analysed(self, text: str, filename: str, vocabulary: Vocabulary) -> Taken:
        """A run per configuration; the second table has the GPUs of each."""
        tables = tables_of(text, filename)
        gpus = [table for table in tables if _GPU in [title.lower() for title in table[0][1]]]
        runs = []
        for table in tables:
            for name, result in _rows(table, filename) if table not in gpus else ():
                more = tuple(reading for one in gpus for reading in _gpu_readings(one, name, filename))
                runs.append(run_of(result, self.table, vocabulary, name=name, more=more))
        return taken_of_runs(runs, (), engine=None, title=self.table.title, filename=filename)


def _rows(table: _Rows, filename: str) -> Iterator[tuple[str, Result]]:
    """(configuration, its metrics) of every row."""
    titles = [statistic_of(title) for title in table[0][1]]
    for line, cells in table[1:]:
        held: dict[str, dict[str, Json]] = {}
        for (metric, statistic, unit), cell in zip(titles[1:], cells[1:], strict=False):
            entry = held.setdefault(metric, {"unit": unit} if unit else {})
            entry[statistic or "value"] = cell
        whole: dict[str, Json] = {**held}
        yield cells[0][:60], result_of(whole, Position(filename, line, 1))


def _gpu_readings(table: _Rows, config: str, filename: str) -> Iterator[Reading]:
    titles = [statistic_of(title) for title in table[0][1]]
    names = [title.lower() for title in table[0][1]]
    for line, cells in table[1:]:
        if cells[0][:60] != config or len(cells) != len(titles):
            continue
        at, gpu = Position(filename, line, 1), cells[names.index(_GPU)][:60]
        by_metric = {metric: (cell, unit) for (metric, _, unit), cell in zip(titles, cells, strict=True)}
        for name, (metric, unit) in _GPU_METRICS.items():
            cell, written = by_metric.get(metric, ("", ""))
            number = number_of(cell, written, unit)
            if number.value is not None:
                yield Reading(name, number.value, f"{metric}{{{gpu}}} in {at}", replica=gpu)
        used, whole = (
            number_of(*by_metric.get(metric, ("", "")), _BYTE) for metric in ("gpu_memory_used", "gpu_total_memory")
        )
        if used.value is not None and whole.value:
            origin = f"gpu_memory_used / gpu_total_memory{{{gpu}}} in {at}"
            yield Reading("device_memory_occupancy_ratio", used.value / whole.value, origin, replica=gpu)
