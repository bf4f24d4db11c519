"""Public reports that no rule was made for: is the right wall still named, or what is missing?

diagnosis_public.yaml says how they were entered, and what the first measurement of each set was.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.data import read_yaml
from tests.diagnosed import (
    WALL_OF,
    Case,
    assert_never_confidently_wrong,
    assert_right,
    assert_seldom_confidently_wrong,
    knowing_nothing_of,
    mechanical_case,
    written_case,
)
from tests.shipped import shipped

WRITTEN = Path(__file__).with_name("diagnosis_public.yaml")
UNSEEN = Path(__file__).with_name("diagnosis_unseen.yaml")
HANDED = "diagnosis.jsonl"
# Measured: 185 named, 0.64 right; of the others half are of reports whose cause nobody found.
LIKE_NAMED_MIN = 140
LIKE_RIGHT_MIN = 0.58
_WALLS_APART = {"insufficient_data"}


@pytest.fixture(scope="module")
def reports() -> Mapping[str, Mapping[str, Any]]:
    held: Mapping[str, Mapping[str, Any]] = read_yaml(WRITTEN)
    return held


@pytest.fixture(scope="module")
def cases(reports: Mapping[str, Mapping[str, Any]]) -> Sequence[Case]:
    return [written_case({"id": key, **one}, one) for key, one in reports.items()]


def test_right_class_on_the_decidable_ones(cases: Sequence[Case]) -> None:
    assert_right([one for one in cases if not one.is_insufficient])


def test_right_abstention_names_what_is_missing(cases: Sequence[Case]) -> None:
    assert_right([one for one in cases if one.is_insufficient])


def test_no_wrong_verdict_is_a_confident_one(cases: Sequence[Case]) -> None:
    assert_seldom_confidently_wrong(cases)


@pytest.fixture(scope="module")
def mechanical(reports: Mapping[str, Mapping[str, Any]]) -> Sequence[Case]:
    """Each report as the `readings` source reads it, beside the precedents of other sets alone."""
    sets: dict[int, list[str]] = {}
    for key, one in reports.items():
        sets.setdefault(one["set"], []).append(key)
    return [
        mechanical_case({"id": key, **reports[key]}, reports[key], knowledge)
        for keys in sets.values()
        for knowledge in [knowing_nothing_of(keys)]
        for key in keys
    ]


def test_mechanical_reading_is_never_confidently_wrong(mechanical: Sequence[Case]) -> None:
    assert_never_confidently_wrong(mechanical)


def test_like_reports_are_right_more_often_than_not_where_rules_are_silent(mechanical: Sequence[Case]) -> None:
    # No set is compared with itself, so this is what a new report may expect. Insufficient ones count as wrong.
    spoken = [one for one in mechanical if one.diagnosis.hypotheses and one.diagnosis.hypotheses[0].rule.gives_way]
    named = [one for one in spoken if not one.abstains]
    right = [one for one in named if one.is_right]

    assert len(named) >= LIKE_NAMED_MIN
    assert len(right) / len(named) >= LIKE_RIGHT_MIN


def test_what_nothing_was_fitted_to_is_never_confidently_wrong(reports: Mapping[str, Mapping[str, Any]]) -> None:
    # Between two sets the file holds no report.
    unseen: Mapping[str, Mapping[str, Any]] = read_yaml(UNSEEN) or {}
    named = [({"id": key, **one}, one) for key, one in unseen.items()]

    assert {one["source"] for one in unseen.values()}.isdisjoint(one["source"] for one in reports.values())
    for read in (written_case, mechanical_case):
        assert_never_confidently_wrong([read(raw, written) for raw, written in named])


def test_every_report_is_entered_with_readings_and_facts_that_there_are(
    reports: Mapping[str, Mapping[str, Any]],
) -> None:
    known = shipped().rulebook.vocabulary.names
    unknown = [
        (key, name)
        for key, one in reports.items()
        for name in (*one["readings"], *one.get("facts", {}), *one.get("estimated", ()), *one.get("lacks", ()))
        if name not in known
    ]

    assert unknown == []


def test_every_class_is_a_wall(reports: Mapping[str, Mapping[str, Any]]) -> None:
    walls = {*shipped().rulebook.walls, *_WALLS_APART}
    classes = {WALL_OF.get(one["expected_class"], one["expected_class"]) for one in reports.values()}

    assert classes <= walls


def test_no_report_is_one_of_the_handed_ones(reports: Mapping[str, Mapping[str, Any]], shared_dir: Path) -> None:
    path = shared_dir / "cases" / HANDED
    if not path.is_file():
        pytest.skip(f"the reports are not among the handed cases: {path}")
    handed = path.read_text(encoding="utf-8")

    assert [key for key, one in reports.items() if f'"{one["source"]}"' in handed] == []
