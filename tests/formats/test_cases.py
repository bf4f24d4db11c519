"""Every format's cases.yaml."""

from pathlib import Path
from typing import Any

import pytest

import knockon.formats
from knockon.formats import FORMATS
from knockon.jobs.selftest.pages import report_of
from tests.data import read_yaml

FOLDER = Path(knockon.formats.__file__).parent


def cases() -> list[Any]:
    return [
        pytest.param(name, case, id=f"{name}: {case['name']}")
        for name in FORMATS
        for case in read_yaml(FOLDER / name / "cases.yaml")
    ]


@pytest.mark.parametrize(("name", "case"), cases())
def test_report_is_written_as_its_case_says(name: str, case: dict[str, Any]) -> None:
    report = report_of(case)

    text = FORMATS[name].render(report, width=case.get("width", 60), is_coloured=case.get("coloured", False))

    assert text.splitlines() == case["lines"]
    assert text.endswith("\n")


def test_a_format_goes_by_its_name() -> None:
    assert {name: each.name for name, each in FORMATS.items()} == {name: name for name in FORMATS}
