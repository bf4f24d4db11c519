"""Reads what AIPerf exports: the summary (JSON, CSV), its single requests and the GPU telemetry (JSON lines)."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from knockon.expr.vocabulary import Vocabulary
from knockon.sources.aiperf.gpus import gpu_readings, telemetry
from knockon.sources.aiperf.requests import of_requests
from knockon.sources.base import Taken
from knockon.sources.result_run import run_of
from knockon.sources.result_source import JsonResults, subject_of
from knockon.sources.result_text import Result, has_keys, read_results, result_of
from knockon.sources.stat_sheet import first_line, statistics_of, tables_of
from knockon.terms.place import Position
from knockon.terms.run import Run
from knockon.terms.words import Json, Text

_REQUEST_KEYS = ("metadata", "metrics", "request_start_ns")
_TELEMETRY_KEYS = ("timestamp_ns", "gpu_index", "telemetry_data")
# What genai-perf's summary says of itself; the metrics have the same names.
_OTHER_TOOL = ("service_kind", "formatted_model_name", "perf_analyzer", "genai_perf")


class AiPerf(JsonResults):
    """`aiperf profile`: profile_export_aiperf.json and .csv, profile_export.jsonl, gpu_telemetry_export.jsonl."""

    name = "aiperf"
    folder = Path(__file__).parent

    def recognises(self, text: str, *, filename: str) -> bool:
        """Keys of one of its JSON files, or the header of its CSV, which has percentiles that genai-perf has not."""
        if has_keys(text, *_REQUEST_KEYS) or has_keys(text, *_TELEMETRY_KEYS):
            return True
        titles = first_line(text).lower().split(",")
        if titles[0] == "metric":
            return "p1" in titles or "std" in titles
        return super().recognises(text, filename=filename) and not any(f'"{key}"' in text for key in _OTHER_TOOL)

    def taken(self, text: str, *, filename: str, vocabulary: Vocabulary) -> Taken:
        """See `ResultSource`. Telemetry has no runs: its readings go beside those of the client."""
        if first_line(text).lower().startswith("metric,"):
            results, cut_off = [_of_sheet(text, filename)], None
        else:
            results, cut_off = read_results(text, filename)
            if has_keys(text, *_TELEMETRY_KEYS):
                return telemetry(results, filename)
            if has_keys(text, *_REQUEST_KEYS):
                results = [of_requests(results)]
        taken = self.of_results(results, vocabulary, filename=filename, cut_off=cut_off)
        return replace(taken, notes=(*taken.notes, *_cancelled(results)))

    def run(self, result: Result, vocabulary: Vocabulary) -> Run:
        """The run, with its GPUs and with errors that were counted by kind."""
        whole = result_of({**result.data, "errors": _errors(result.data.get("error_summary"))}, result.at)
        more = (*gpu_readings(result),)
        return run_of(whole, self.table, vocabulary, subject=subject_of(self.table, result), more=more)


def _errors(raw: Json) -> Json:
    """How many requests failed, out of the list of kinds of errors; None where there is no list."""
    if not isinstance(raw, list):
        return None
    counts = [one.get("count") for one in raw if isinstance(one, dict)]
    return sum(count for count in counts if isinstance(count, int))


def _cancelled(results: Sequence[Result]) -> list[Text]:
    if not any(one.data.get("was_cancelled") is True for one in results):
        return []
    en = "the run was cancelled: its numbers are of the requests that had finished by then"
    return [Text(en, "该次运行被取消：数据只含此前完成的请求")]


def _of_sheet(text: str, filename: str) -> Result:
    held: dict[str, Json] = {}
    for table in tables_of(text, filename):
        if table[0][1][0].lower() == "metric":
            held.update(statistics_of(table))
    return result_of(held, Position(filename, 1, 1))
