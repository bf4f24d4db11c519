"""Reads the JSON lines of sglang.bench_serving, and the block that it prints."""

from pathlib import Path

from knockon.expr.vocabulary import Vocabulary
from knockon.sources.base import Taken
from knockon.sources.console import blocks_of, has_block
from knockon.sources.result_details import details_of
from knockon.sources.result_run import run_of
from knockon.sources.result_source import JsonResults, subject_of
from knockon.sources.result_text import Result, result_of
from knockon.terms.run import Run
from knockon.terms.words import Json

_OWN_LINES = ("Backend:", "E2E Latency (ms):")


class SglangBench(JsonResults):
    """`sglang.bench_serving`: its JSON lines and its printed block."""

    name = "sglang-bench"
    folder = Path(__file__).parent

    def recognises(self, text: str, *, filename: str) -> bool:
        """Keys of its JSON, or the printed block with a line that only this script prints."""
        return super().recognises(text, filename=filename) or (
            has_block(text) and any(line in text for line in _OWN_LINES)
        )

    def taken(self, text: str, *, filename: str, vocabulary: Vocabulary) -> Taken:
        """See `ResultSource`."""
        if not has_block(text):
            return super().taken(text, filename=filename, vocabulary=vocabulary)
        return self.of_results(list(blocks_of(text, filename)), vocabulary, filename=filename)

    def run(self, result: Result, vocabulary: Vocabulary) -> Run:
        """The run; lengths that were asked for exactly are those of every request."""
        whole = result_of({**result.data, **_asked(result)}, result.at)
        subject = subject_of(self.table, result)
        return run_of(whole, self.table, vocabulary, subject=subject, more=details_of(result))


def _asked(result: Result) -> dict[str, Json]:
    """The length that every answer was asked for; with a ratio under 1 lengths vary, and their mean is not said."""
    values = result.values
    is_exact = values.get("dataset_name") in ("random", "random-ids") and values.get("random_range_ratio") in (1, 1.0)
    return {"output_asked": values.get("random_output_len")} if is_exact else {}
