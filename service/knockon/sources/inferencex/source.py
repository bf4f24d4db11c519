"""Reads the results of InferenceX."""

from pathlib import Path

from knockon.sources.result_source import JsonResults


class InferenceX(JsonResults):
    """Results in the manner of benchmark_serving.py whose times are seconds."""

    name = "inferencex"
    folder = Path(__file__).parent
