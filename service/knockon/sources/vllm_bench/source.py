"""Reads the JSON of `vllm bench serve`, and the block that it and its forerunner print."""

from pathlib import Path

from knockon.expr.vocabulary import Vocabulary
from knockon.sources.base import Taken
from knockon.sources.console import blocks_of, has_block
from knockon.sources.result_details import details_of
from knockon.sources.result_run import run_of
from knockon.sources.result_source import JsonResults, subject_of
from knockon.sources.result_text import Result, result_of
from knockon.terms.run import Run

# Lines that the sister script prints and this one does not.
_SISTER = ("Backend:", "E2E Latency (ms):")
_RATE, _LIMIT, _FAILED = "request_rate_configured_rps", "maximum_request_concurrency", "failed_requests"


class VllmBench(JsonResults):
    """`vllm bench serve --save-result`, `--append-result`, and the printed block."""

    name = "vllm-bench"
    folder = Path(__file__).parent

    def recognises(self, text: str, *, filename: str) -> bool:
        """Keys of its JSON, or the printed block without the lines that the sister script prints."""
        return super().recognises(text, filename=filename) or (
            has_block(text) and not any(line in text for line in _SISTER)
        )

    def taken(self, text: str, *, filename: str, vocabulary: Vocabulary) -> Taken:
        """See `ResultSource`."""
        if not has_block(text):
            return super().taken(text, filename=filename, vocabulary=vocabulary)
        results = [_with_silence(one) for one in blocks_of(text, filename)]
        return self.of_results(results, vocabulary, filename=filename)

    def run(self, result: Result, vocabulary: Vocabulary) -> Run:
        """The run, with what its single requests say where they were saved."""
        subject = subject_of(self.table, result)
        return run_of(result, self.table, vocabulary, subject=subject, more=details_of(result))


def _with_silence(result: Result) -> Result:
    """Releases that print failed requests print rate and cap too, unless there were none."""
    if _FAILED not in result.data:
        return result
    unsaid = {key: word for key, word in ((_RATE, "inf"), (_LIMIT, None)) if key not in result.data}
    return result_of({**result.data, **unsaid}, result.at)
