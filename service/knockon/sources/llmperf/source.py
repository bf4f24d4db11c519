"""Reads the summary of LLMPerf."""

from pathlib import Path

from knockon.sources.result_source import JsonResults


class LlmPerf(JsonResults):
    """The `_summary.json` of token_benchmark_ray.py."""

    name = "llmperf"
    folder = Path(__file__).parent
