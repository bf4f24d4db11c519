"""Reads the reports of GuideLLM: one run per benchmark, so a sweep is one file."""

from pathlib import Path

from knockon.expr.vocabulary import Vocabulary
from knockon.sources.base import Taken
from knockon.sources.result_source import JsonResults
from knockon.sources.result_text import Result, read_results, result_of
from knockon.terms.errors import IntakeError, Problem
from knockon.terms.words import Json, JsonObject

_LENGTH = "output_tokens"
_STDEV = "output_tokens_stdev"


class GuideLlm(JsonResults):
    """`benchmarks.json` of `guidellm benchmark`."""

    name = "guidellm"
    folder = Path(__file__).parent

    def taken(self, text: str, *, filename: str, vocabulary: Vocabulary) -> Taken:
        """See `ResultSource`."""
        results, _ = read_results(text, filename)
        runs = [run for one in results for run in _benchmarks(one)]
        return self.of_results(runs, vocabulary, filename=filename)


def _benchmarks(report: Result) -> list[Result]:
    held = report.data.get("benchmarks")
    found = [one for one in held if isinstance(one, dict)] if isinstance(held, list) else []
    if not found:
        what = "the report has no benchmark"
        raise IntakeError(Problem("no-result", what, "a list of them under benchmarks", at=report.at))
    asked = _asked(report.data)
    return [result_of({**one, "output_asked": asked} if asked else one, report.at) for one in found]


def _asked(report: JsonObject) -> Json:
    """The length every answer was asked for; None where lengths vary or several sets of data were mixed."""
    held: Json = dict(report)
    for key in ("config", "spec", "data"):
        held = held.get(key) if isinstance(held, dict) else None
    if not isinstance(held, list) or len(held) != 1 or not isinstance(held[0], dict):
        return None
    return held[0].get(_LENGTH) if not held[0].get(_STDEV) else None
