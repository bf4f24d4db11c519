"""A public report with what `diagnose` says of it: is it the wall that was confirmed, or a right abstention?"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from knockon.jobs.diagnose import diagnose
from knockon.jobs.knowledge import Knowledge
from knockon.rules.diagnose import Diagnosis
from knockon.rules.hierarchy import AMBIGUOUS, INSUFFICIENT
from knockon.sources import read_source
from knockon.sources.base import Taken
from knockon.terms.fact import Fact, Origin
from knockon.terms.reading import Reading
from tests.shipped import shipped

# What a report says before anybody knows its cause.
_REPORTED = ("system", "stage", "observations", "config", "symptom")
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


def written_case(raw: Mapping[str, Any], written: Mapping[str, Any], knowledge: Knowledge | None = None) -> Case:
    """`raw` as a careful person enters it: `written` has readings, facts, and which readings are estimates."""
    estimated = written.get("estimated", ())
    readings = tuple(
        Reading(name, value, "the report", quality="estimated" if name in estimated else "reported")
        for name, value in written["readings"].items()
    )
    facts = tuple(Fact(name, value, Origin("file", "the report")) for name, value in written.get("facts", {}).items())
    return _judged(raw, Taken(readings=readings, facts=facts), written.get("lacks", ()), knowledge)


def mechanical_case(raw: Mapping[str, Any], written: Mapping[str, Any], knowledge: Knowledge | None = None) -> Case:
    """`raw` as it was reported, without its cause, read by the `readings` source and by nobody else."""
    text = json.dumps({key: raw[key] for key in _REPORTED if key in raw})
    vocabulary = shipped().rulebook.vocabulary
    taken = read_source(text, filename=raw["id"], vocabulary=vocabulary, source="readings")
    return _judged(raw, taken, written.get("lacks", ()), knowledge)


def _told(cases: Sequence[Case]) -> str:
    """One line a case, for a test that fails."""
    return "\n".join(
        f"{one.id}: wanted {one.wanted}, got {one.diagnosis.verdict} {one.confidence:.2f}"
        f" {[f'{each.rule.id}:{each.wall}:{each.confidence}' for each in one.diagnosis.hypotheses]}"
        for one in cases
    )


def knowing_nothing_of(ids: Collection[str]) -> Knowledge:
    """The shipped knowledge without the precedents called `ids`: a report is never compared with itself."""
    return replace(shipped(), precedents=shipped().precedents.without(ids))


def _judged(raw: Mapping[str, Any], taken: Taken, lacks: Sequence[str], knowledge: Knowledge | None) -> Case:
    wanted = WALL_OF.get(raw["expected_class"], raw["expected_class"])
    return Case(raw["id"], wanted, raw["insufficient"], lacks, diagnose(knowledge or shipped(), [taken]).diagnosis)


def assert_right(cases: Sequence[Case]) -> None:
    """Nine of ten are right."""
    wrong = [one for one in cases if not one.is_right]
    assert 1 - len(wrong) / len(cases) >= RIGHT_MIN, _told(wrong)


def assert_seldom_confidently_wrong(cases: Sequence[Case]) -> None:
    """Of fifty one at most is wrong with confidence."""
    wrong = [one for one in cases if one.is_confidently_wrong]
    assert len(wrong) / len(cases) <= CONFIDENT_WRONG_MAX, _told(wrong)


def assert_never_confidently_wrong(cases: Sequence[Case]) -> None:
    """What nobody read with care may be silent, but not wrong with confidence."""
    wrong = [one for one in cases if one.is_confidently_wrong]
    assert wrong == [], _told(wrong)
