"""Public reports with their confirmed cause: does `diagnose` name the right wall, or abstain and say what is missing?

Runs where the handed folder is. Reports are read as diagnosis_cases.yaml writes them, never by their cause or fix.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from knockon.jobs.diagnose import diagnose
from knockon.rules.diagnose import Diagnosis
from knockon.rules.hierarchy import AMBIGUOUS, INSUFFICIENT
from knockon.sources import read_source
from knockon.sources.base import Taken
from knockon.terms.fact import Fact, Origin
from knockon.terms.reading import Reading
from tests.data import read_yaml
from tests.shipped import shipped

WRITTEN = Path(__file__).with_name("diagnosis_cases.yaml")
RIGHT_MIN = 0.9
CONFIDENT = 0.7
CONFIDENT_WRONG_MAX = 0.02
WALL_OF = {
    "memory_wall": "memory",
    "compute_wall": "compute",
    "bandwidth_wall": "bandwidth",
    "interconnect_wall": "interconnect",
    "host_cpu_wall": "host",
    "io_wall": "io",
    "queueing_L6": "queueing",
    "kernel_L3": "kernel",
    "workload_data": "workload",
    "measurement_artifact": "measurement",
    "insufficient_data": INSUFFICIENT,
}


@dataclass(frozen=True, slots=True)
class Case:
    """One report with what `diagnose` says of it."""

    id: str
    wanted: str
    is_insufficient: bool
    lacks: Sequence[str]
    diagnosis: Diagnosis

    @property
    def confidence(self) -> float:
        return self.diagnosis.hypotheses[0].confidence if self.diagnosis.hypotheses else 0.0

    @property
    def abstains(self) -> bool:
        return self.diagnosis.verdict in (INSUFFICIENT, AMBIGUOUS)

    @property
    def is_right(self) -> bool:
        if self.is_insufficient or self.wanted == INSUFFICIENT:
            return self.abstains and bool({lack.name for lack in self.diagnosis.missing} & set(self.lacks))
        return self.diagnosis.verdict == self.wanted

    @property
    def is_confidently_wrong(self) -> bool:
        return not self.abstains and self.diagnosis.verdict != self.wanted and self.confidence >= CONFIDENT


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
    return [_case(one, written[one["id"]]) for one in raw]


@pytest.fixture(scope="module")
def mechanical(raw: Sequence[Mapping[str, Any]], written: Mapping[str, Mapping[str, Any]]) -> Sequence[Case]:
    """The same reports, their observations and configuration read by the `readings` source and by nobody else."""
    return [_judged(one, _mechanical(one), written[one["id"]].get("lacks", ())) for one in raw]


def _mechanical(raw: Mapping[str, Any]) -> Taken:
    text = json.dumps({key: raw[key] for key in ("observations", "config", "symptom")})
    return read_source(text, filename=raw["id"], vocabulary=shipped().rulebook.vocabulary, source="readings")


def _case(raw: Mapping[str, Any], written: Mapping[str, Any]) -> Case:
    assumed = written.get("assumed", ())
    readings = tuple(
        Reading(name, value, "the report", quality="assumed" if name in assumed else "reported")
        for name, value in written["readings"].items()
    )
    facts = tuple(Fact(name, value, Origin("file", "the report")) for name, value in written.get("facts", {}).items())
    return _judged(raw, Taken(readings=readings, facts=facts), written.get("lacks", ()))


def _judged(raw: Mapping[str, Any], taken: Taken, lacks: Sequence[str]) -> Case:
    wanted = WALL_OF.get(raw["expected_class"], raw["expected_class"])
    return Case(raw["id"], wanted, raw["insufficient"], lacks, diagnose(shipped(), [taken]).diagnosis)


def _told(cases: Sequence[Case]) -> str:
    return "\n".join(
        f"{one.id}: wanted {one.wanted}, got {one.diagnosis.verdict} {one.confidence:.2f}"
        f" {[f'{each.rule.id}:{each.wall}:{each.confidence}' for each in one.diagnosis.hypotheses]}"
        for one in cases
    )


def test_right_class_on_the_decidable_ones(cases: Sequence[Case]) -> None:
    decidable = [one for one in cases if not one.is_insufficient]
    wrong = [one for one in decidable if not one.is_right]

    assert 1 - len(wrong) / len(decidable) >= RIGHT_MIN, _told(wrong)


def test_right_abstention_names_what_is_missing(cases: Sequence[Case]) -> None:
    insufficient = [one for one in cases if one.is_insufficient]
    wrong = [one for one in insufficient if not one.is_right]

    assert 1 - len(wrong) / len(insufficient) >= RIGHT_MIN, _told(wrong)


def test_no_wrong_verdict_is_a_confident_one(cases: Sequence[Case]) -> None:
    wrong = [one for one in cases if one.is_confidently_wrong]

    assert len(wrong) / len(cases) <= CONFIDENT_WRONG_MAX, _told(wrong)


def test_mechanical_reading_is_never_confidently_wrong(mechanical: Sequence[Case]) -> None:
    wrong = [one for one in mechanical if one.is_confidently_wrong]

    assert len(wrong) / len(mechanical) <= CONFIDENT_WRONG_MAX, _told(wrong)


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
        for name in (*one["readings"], *one.get("facts", {}), *one.get("assumed", ()), *one.get("lacks", ()))
        if name not in known
    ]

    assert unknown == []
    assert Counter(one["id"] for one in raw) == Counter(list(written))
