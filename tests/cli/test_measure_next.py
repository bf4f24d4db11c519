"""What to measure next is told for the engine in use: by its own metrics, not by those of others."""

import re
from pathlib import Path

import pytest

from tests.cli.conftest import Knockon

SCRAPES = {
    "vllm": 'vllm:kv_cache_usage_perc{engine="0"} 0.97\n',
    "sglang": 'sglang:token_usage{model_name="m"} 0.97\n',
}
OTHERS = {"vllm": "sglang", "sglang": "vllm"}


def told(page: str) -> str:
    """The section on what to measure next, its broken words joined."""
    section = page.split("Measure next\n", 1)[1].split("\n\n", 1)[0]
    return re.sub(r"\s+", "", section)


@pytest.mark.parametrize("engine", SCRAPES)
def test_a_scrape_is_answered_with_metrics_of_its_engine(knockon: Knockon, engine: str) -> None:
    Path("engine.prom").write_text(SCRAPES[engine])

    section = told(knockon("diagnose", "engine.prom", COLUMNS="300").out)

    assert f"{engine}:num_" in section
    assert OTHERS[engine] not in section
    assert "dcgm:" in section


def test_readings_of_a_described_deployment_are_answered_for_its_engine(knockon: Knockon) -> None:
    Path("facts.yaml").write_text("engine: sglang\n")
    readings = ("--set", "kv_cache_usage_ratio=0.97")

    described = told(knockon("diagnose", *readings, "--deployment", "facts.yaml", COLUMNS="300").out)
    nothing_known = told(knockon("diagnose", *readings, COLUMNS="300").out)

    assert ("sglang:num_" in described, "vllm" in described) == (True, False)
    assert ("sglang:" in nothing_known, "vllm:" in nothing_known) == (True, True)
