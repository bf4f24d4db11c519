"""Published measurements against the expected band: inside it, or for a reason that is told beside them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from knockon.jobs.deployment import Asked
from knockon.jobs.diagnose import DiagnoseAnswer, diagnose
from tests.data import read_yaml
from tests.shipped import shipped

_FIGURES: list[Mapping[str, Any]] = read_yaml(Path(__file__).with_name("expectations.yaml"))
_INSIDE_MIN = 8


def answered(figure: Mapping[str, Any]) -> DiagnoseAnswer:
    got = [f"output_tokens_per_s={figure['got']}"] if "got" in figure else []
    load = [f"running_count={figure['running']}", f"prompt_tokens_p50={figure['prompt']}"]
    return diagnose(
        shipped(),
        (),
        sets=[*load, f"output_tokens_p50={figure['output']}", *got],
        asked=Asked(model=figure["model"], gpu=figure["gpu"], sets=[f"tensor_parallel_size={figure['tp']}"]),
    )


@pytest.mark.parametrize(
    "figure", _FIGURES, ids=[f"{one['model']} {one['gpu']} TP{one['tp']} {one['running']}" for one in _FIGURES]
)
def test_a_published_figure_lies_where_it_is_said_to(figure: Mapping[str, Any]) -> None:
    answer = answered(figure)

    band = answer.expectation.band
    if figure["lies"] == "nowhere":
        assert band is None
        assert answer.expectation.refused is not None
        assert figure["why"] in answer.expectation.refused.en
        return
    assert band is not None
    assert figure["got"] <= band.high
    assert (figure["got"] < band.low) == (figure["lies"] == "below")
    assert answer.intake.observed["throughput_below_expectation"].value is (figure["lies"] == "below")


def test_most_published_figures_lie_inside() -> None:
    assert sum(figure["lies"] == "inside" for figure in _FIGURES) >= _INSIDE_MIN
    assert all("why" in figure for figure in _FIGURES if figure["lies"] != "inside")
