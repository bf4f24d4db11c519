"""Public reports with their confirmed cause: does `diagnose` name the right wall, or abstain and say what is missing?

Runs where the handed folder is. Reports are read as diagnosis_cases.yaml writes them, never by their cause or fix.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.data import read_yaml
from tests.diagnosed import (
    Case,
    assert_never_confidently_wrong,
    assert_right,
    assert_seldom_confidently_wrong,
    knowing_nothing_of,
    mechanical_case,
    written_case,
)
from tests.shipped import shipped

WRITTEN = Path(__file__).with_name("diagnosis_cases.yaml")


@pytest.fixture(scope="module")
def written() -> Mapping[str, Mapping[str, Any]]:
    held: Mapping[str, Mapping[str, Any]] = read_yaml(WRITTEN)
    return held


@pytest.fixture(scope="module")
def raw(shared_dir: Path) -> Sequence[Mapping[str, Any]]:
    path = shared_dir / "cases" / "diagnosis.jsonl"
    if not path.is_file():
        pytest.skip(f"the reports are not among the handed cases: {path}")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def cases(raw: Sequence[Mapping[str, Any]], written: Mapping[str, Mapping[str, Any]]) -> Sequence[Case]:
    return [written_case(one, written[one["id"]]) for one in raw]


@pytest.fixture(scope="module")
def mechanical(raw: Sequence[Mapping[str, Any]], written: Mapping[str, Mapping[str, Any]]) -> Sequence[Case]:
    """The same reports, their observations and configuration read by the `readings` source and by nobody else."""
    knowledge = knowing_nothing_of([one["id"] for one in raw])
    return [mechanical_case(one, written[one["id"]], knowledge) for one in raw]


def test_right_class_on_the_decidable_ones(cases: Sequence[Case]) -> None:
    assert_right([one for one in cases if not one.is_insufficient])


def test_right_abstention_names_what_is_missing(cases: Sequence[Case]) -> None:
    assert_right([one for one in cases if one.is_insufficient])


def test_no_wrong_verdict_is_a_confident_one(cases: Sequence[Case]) -> None:
    assert_seldom_confidently_wrong(cases)


def test_mechanical_reading_is_never_confidently_wrong(mechanical: Sequence[Case]) -> None:
    assert_never_confidently_wrong(mechanical)


def test_results_behind_the_calibration_page_are_not_stale(
    cases: Sequence[Case], mechanical: Sequence[Case], golden: Callable[[Path, str], None]
) -> None:
    results = {"written": _results(cases), "mechanical": _results(mechanical)}

    golden(WRITTEN.with_name("diagnosis_results.json"), json.dumps(results, indent=1) + "\n")


def _results(cases: Sequence[Case]) -> list[dict[str, Any]]:
    """Numbers only: the reports themselves stay where they are."""
    return [
        {
            "id": one.id,
            "insufficient": one.is_insufficient,
            "confidence": None if one.abstains else one.confidence,
            "right": one.is_right,
        }
        for one in cases
    ]


def test_every_report_is_written_with_readings_that_there_are(
    raw: Sequence[Mapping[str, Any]], written: Mapping[str, Mapping[str, Any]]
) -> None:
    known = shipped().rulebook.vocabulary.names
    unknown = [
        (key, name)
        for key, one in written.items()
        for name in (*one["readings"], *one.get("facts", {}), *one.get("estimated", ()), *one.get("lacks", ()))
        if name not in known
    ]

    assert unknown == []
    assert Counter(one["id"] for one in raw) == Counter(list(written))
