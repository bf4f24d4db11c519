"""submitReadings, history and targets: kept once, read back in pages, every expected failure an answer."""

import base64
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from knockon.jobs.history import History
from knockon.store.store import open_store
from knockon.terms.bundle import Bundle
from tests.api.asking import NOON, Held, answered, asked, documents
from tests.shipped import shipped
from tests.store.kept import migrated

FULL = {
    "readings": [
        {"name": "memory_occupancy_ratio", "value": 0.97},
        {"name": "compute_utilization_ratio", "value": 0.2, "replica": "1"},
    ],
    "deployment": {"engine": "vllm", "set": [{"name": "tensor_parallel_size", "value": 8}]},
}
RUN = """fragment Run on KeptRun {
  id target takenAt keptAt revision digest profile verdict finest between
  hypotheses { rule wall confidence says { en zh } observations { name value origin } }
  missing { reading class decides separates }
  readings { name value replica model state origin why }
  settings { name value }
}
fragment Problems on StoreProblem { code what fix mayPass }
"""
SUBMIT = (
    """mutation ($target: String!, $at: DateTime, $input: DiagnoseInput!) {
  submitReadings(target: $target, takenAt: $at, input: $input) {
    __typename
    ... on Submitted { isNew run { ...Run } }
    ... on InputProblem { code what }
    ... on NotFound { code kind name suggestions }
    ...Problems
  }
}
"""
    + RUN
)
HISTORY = (
    """query (
  $target: String!, $first: Int, $after: String, $last: Int, $before: String, $from: DateTime, $to: DateTime
) {
  history(target: $target, first: $first, after: $after, last: $last, before: $before, from: $from, to: $to) {
    __typename
    ... on KeptRunConnection {
      edges { cursor node { takenAt } } nodes { ...Run } totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
    ... on InputProblem { code what }
    ... on NotFound { code kind name suggestions fix }
    ...Problems
  }
}
"""
    + RUN
)
TARGETS = """query ($first: Int, $after: String) { targets(first: $first, after: $after) {
  __typename
  ... on TargetConnection {
    edges { cursor } nodes { name count firstAt latestAt verdict } totalCount pageInfo { hasNextPage endCursor }
  }
  ... on InputProblem { code what }
  ... on StoreProblem { code mayPass }
} }"""


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    """Give the history of an empty database at noon."""
    with open_store(migrated(tmp_path), clock=lambda: NOON, busy_timeout_s=0.05) as store:
        yield History(store, days=90, clock=lambda: NOON)


@pytest.fixture
def unpublished() -> Held:
    """Give the shipped knowledge as it is before it is published: no number goes with its runs."""
    return Held({1: shipped()})


def submitted(history: History, of: Held, target: str = "prod", at: str | None = "", **said: Any) -> Any:
    at = NOON.isoformat() if at == "" else at
    return asked(SUBMIT, of=of, kept_in=history, target=target, at=at, input=said or FULL)["submitReadings"]


def read(history: History, of: Held, target: str = "prod", **more: Any) -> Any:
    return asked(HISTORY, of=of, kept_in=history, target=target, **more)["history"]


def test_readings_are_kept_with_their_diagnosis(history: History, unpublished: Held) -> None:
    answer = submitted(history, unpublished)

    assert (answer["__typename"], answer["isNew"]) == ("Submitted", True)
    run = answer["run"]
    assert (run["target"], run["verdict"], run["profile"]) == ("prod", "MEMORY", "default")
    assert (run["takenAt"], run["keptAt"]) == ("2026-11-29T12:00:00+00:00", "2026-11-29T12:00:00+00:00")
    assert (run["revision"], run["digest"]) == (None, shipped().digest)
    first = run["hypotheses"][0]
    assert (first["rule"], first["wall"]) == ("D003", "memory")
    assert {one["name"]: one["value"] for one in first["observations"]} == {
        "memory_occupancy_ratio": 0.97,
        "compute_utilization_ratio": 0.2,
    }
    assert run["missing"]
    assert run["readings"][1] == {
        "name": "compute_utilization_ratio", "value": 0.2, "replica": "1", "model": None, "state": "MEASURED",
        "origin": "given", "why": None,
    }  # fmt: skip
    assert run["settings"] == [{"name": "engine", "value": "vllm"}, {"name": "tensor_parallel_size", "value": 8}]
    assert read(history, unpublished)["nodes"] == [run]


def test_handing_in_again_changes_nothing(history: History, unpublished: Held) -> None:
    first, again = submitted(history, unpublished), submitted(history, unpublished)

    assert (again["isNew"], again["run"]) == (False, first["run"])
    assert read(history, unpublished)["totalCount"] == 1


def test_one_mutation_may_hand_in_several_runs(history: History, unpublished: Held) -> None:
    query = """mutation ($at: DateTime!, $input: DiagnoseInput!) {
      a: submitReadings(target: "a", takenAt: $at, input: $input) { ... on Submitted { isNew } }
      none: submitReadings(target: "", takenAt: $at, input: $input) { ... on InputProblem { code } }
      again: submitReadings(target: "a", takenAt: $at, input: $input) { ... on Submitted { isNew } }
    }"""

    answer = asked(query, of=unpublished, kept_in=history, at=NOON.isoformat(), input=FULL)

    assert answer == {"a": {"isNew": True}, "none": {"code": "bad-target"}, "again": {"isNew": False}}


def test_history_is_read_in_pages_by_cursors(history: History, unpublished: Held) -> None:
    for hour in range(5):
        submitted(history, unpublished, at=(NOON - timedelta(hours=hour)).isoformat())

    first = read(history, unpublished, first=2)
    second = read(history, unpublished, first=2, after=first["pageInfo"]["endCursor"])
    last = read(history, unpublished, first=2, after=second["pageInfo"]["endCursor"])

    pages = [[one["node"]["takenAt"] for one in page["edges"]] for page in (first, second, last)]
    assert pages == [
        ["2026-11-29T12:00:00+00:00", "2026-11-29T11:00:00+00:00"],
        ["2026-11-29T10:00:00+00:00", "2026-11-29T09:00:00+00:00"],
        ["2026-11-29T08:00:00+00:00"],
    ]
    ends = [(page["pageInfo"]["hasPreviousPage"], page["pageInfo"]["hasNextPage"]) for page in (first, second, last)]
    assert ends == [(False, True), (True, True), (True, False)]
    assert first["pageInfo"]["startCursor"] == first["edges"][0]["cursor"]
    assert {page["totalCount"] for page in (first, second, last)} == {5}


def test_history_is_read_backward_too(history: History, unpublished: Held) -> None:
    for hour in range(5):
        submitted(history, unpublished, at=(NOON - timedelta(hours=hour)).isoformat())

    last = read(history, unpublished, last=2)
    middle = read(history, unpublished, last=2, before=last["pageInfo"]["startCursor"])
    first = read(history, unpublished, last=2, before=middle["pageInfo"]["startCursor"])

    pages = [[one["takenAt"][11:13] for one in page["nodes"]] for page in (first, middle, last)]
    assert pages == [["12"], ["11", "10"], ["09", "08"]]
    ends = [(page["pageInfo"]["hasPreviousPage"], page["pageInfo"]["hasNextPage"]) for page in (first, middle, last)]
    assert ends == [(False, True), (True, True), (True, False)]


def test_history_of_a_time(history: History, unpublished: Held) -> None:
    for hour in range(4):
        submitted(history, unpublished, at=(NOON - timedelta(hours=hour)).isoformat())
    between = {"from": "2026-11-29T10:00:00Z", "to": "2026-11-29T20:00:00+08:00"}

    answer = read(history, unpublished, **between)

    assert [one["takenAt"][11:16] for one in answer["nodes"]] == ["11:00", "10:00"]
    assert answer["totalCount"] == 2


def test_targets_are_listed_in_pages(history: History, unpublished: Held) -> None:
    for target in ("b", "a", "c"):
        submitted(history, unpublished, target=target)

    first = asked(TARGETS, of=unpublished, kept_in=history, first=2)["targets"]
    last = asked(TARGETS, of=unpublished, kept_in=history, after=first["pageInfo"]["endCursor"])["targets"]

    noon = "2026-11-29T12:00:00+00:00"
    assert first["nodes"][0] == {"name": "a", "count": 1, "firstAt": noon, "latestAt": noon, "verdict": "MEMORY"}
    assert [[one["name"] for one in page["nodes"]] for page in (first, last)] == [["a", "b"], ["c"]]
    assert (first["totalCount"], first["pageInfo"]["hasNextPage"], last["pageInfo"]["hasNextPage"]) == (3, True, False)


@pytest.mark.parametrize(
    ("said", "code"),
    [
        pytest.param({"input": {}}, "nothing-given", id="no reading"),
        pytest.param({"input": {"sources": [{"text": ""}]}}, "unknown-source", id="unreadable text"),
        pytest.param({"input": {**FULL, "profile": "moon"}}, "unknown-profile", id="profile"),
        pytest.param({"input": {"set": [{"name": "memori", "value": 1}]}}, "unknown-reading", id="reading"),
        pytest.param({"target": ""}, "bad-target", id="target"),
        pytest.param({"target": "x" * 201}, "limit-exceeded", id="long target"),
        pytest.param({"at": None}, "time-missing", id="no time"),
        pytest.param({"at": "2026-11-29T12:00:00"}, "bad-time", id="no zone"),
        pytest.param({"at": "2036-11-29T12:00:00Z"}, "bad-time", id="to come"),
        pytest.param({"at": "2016-11-29T12:00:00Z"}, "bad-time", id="too old"),
    ],
)
def test_what_cannot_be_kept_is_refused_in_a_typed_answer(
    history: History, unpublished: Held, said: dict[str, Any], code: str
) -> None:
    given = {"target": "prod", "at": NOON.isoformat(), "input": FULL, **said}

    answer = asked(SUBMIT, of=unpublished, kept_in=history, **given)["submitReadings"]

    assert (answer["__typename"] in ("InputProblem", "NotFound"), answer["code"]) == (True, code)
    assert asked(TARGETS, of=unpublished, kept_in=history)["targets"]["totalCount"] == 0


@pytest.mark.parametrize("at", ["noon", "1764417600", 1764417600, "2026-13-45T00:00:00Z"])
def test_what_is_no_time_is_refused_as_a_whole(history: History, unpublished: Held, at: Any) -> None:
    given = answered(SUBMIT, of=unpublished, kept_in=history, target="prod", at=at, input=FULL)

    assert [one["extensions"]["code"] for one in given.body["errors"]] == ["bad-value"]


@pytest.mark.parametrize(
    ("more", "code"),
    [
        pytest.param({"after": "moon"}, "bad-cursor", id="no cursor"),
        pytest.param({"after": "azpwYWdlZC1hdHRlbnRpb24"}, "bad-cursor", id="cursor of a technique"),
        pytest.param({"after": base64.b64encode(b"t:noon~1").decode()}, "bad-cursor", id="no time in it"),
        pytest.param({"after": base64.b64encode(b"t:2026-11-29~1").decode()}, "bad-cursor", id="no zone in it"),
        pytest.param({"after": base64.b64encode(b"t:2026-11-29T00:00:00Z").decode()}, "bad-cursor", id="no id in it"),
        pytest.param({"before": "moon"}, "bad-cursor", id="no cursor before"),
        pytest.param({"first": -1}, "bad-page", id="negative"),
        pytest.param({"first": 1, "last": 1}, "bad-page", id="from both ends"),
        pytest.param({"last": 101}, "limit-exceeded", id="too many from the end"),
        pytest.param({"first": 101}, "limit-exceeded", id="too many"),
        pytest.param({"from": "2026-11-29T12:00:00"}, "bad-time", id="no zone"),
        pytest.param({"from": "2026-11-29T12:00:00Z", "to": "2026-11-29T11:00:00Z"}, "bad-time", id="backwards"),
        pytest.param({"target": "prode"}, "unknown-target", id="target"),
    ],
)
def test_what_cannot_be_read_is_refused_in_a_typed_answer(
    history: History, unpublished: Held, more: dict[str, Any], code: str
) -> None:
    submitted(history, unpublished)

    answer = read(history, unpublished, **{"target": "prod", **more})

    assert answer["code"] == code
    if code == "unknown-target":
        assert (answer["__typename"], answer["suggestions"]) == ("NotFound", ["prod"])


def test_a_locked_database_is_a_problem_that_may_pass(history: History, unpublished: Held, tmp_path: Path) -> None:
    locking = sqlite3.connect(tmp_path / "knockon.db", isolation_level=None)
    locking.execute("BEGIN IMMEDIATE")

    refused = submitted(history, unpublished)
    seen = read(history, unpublished)
    locking.execute("ROLLBACK")
    locking.close()

    assert (refused["__typename"], refused["code"], refused["mayPass"]) == ("StoreProblem", "database-locked", True)
    # Readers do not wait for writers.
    assert seen["__typename"] == "NotFound"
    assert submitted(history, unpublished)["isNew"]


def test_a_missing_database_is_a_problem_that_does_not_pass(unpublished: Held, tmp_path: Path) -> None:
    nowhere = History(open_store(f"sqlite:///{tmp_path}/gone.db"), clock=lambda: NOON)

    answers = [
        submitted(nowhere, unpublished),
        read(nowhere, unpublished),
        asked(TARGETS, of=unpublished, kept_in=nowhere)["targets"],
    ]

    assert {(one["__typename"], one["code"], one["mayPass"]) for one in answers} == {
        ("StoreProblem", "database-missing", False)
    }
    assert not (tmp_path / "gone.db").exists()


def test_a_reader_keeps_nothing(history: History, unpublished: Held) -> None:
    answer = submitted(replace(history, is_read_only=True), unpublished)

    assert (answer["__typename"], answer["code"], answer["mayPass"]) == ("StoreProblem", "read-only", False)


def test_a_schema_without_a_database_says_so(unpublished: Held) -> None:
    answer = asked(TARGETS, of=unpublished)["targets"]

    assert (answer["__typename"], answer["code"]) == ("StoreProblem", "no-history")


def test_the_run_of_a_published_revision_names_it(history: History) -> None:
    history.store.publish(Bundle.of([]), author="curator", message="")

    answer = submitted(history, Held({1: replace(shipped(), number=1)}))

    assert answer["run"]["revision"] == 1


def test_answers_of_the_database_are_never_final(history: History, unpublished: Held) -> None:
    submitted(history, unpublished)

    in_a_fragment = "query { ...F } fragment F on Query { targets { __typename } axes { layers { id } } }"
    for query, given in ((HISTORY, {"target": "prod"}), (in_a_fragment, {})):
        assert not answered(query, of=unpublished, kept_in=history, **given).is_final
    assert answered("{ axes { layers { id } } }", of=unpublished, kept_in=history).is_final


def test_operations_that_change_something_are_known_by_name() -> None:
    mutation = 'submitReadings(target: "t", input: {}) { __typename }'
    both = documents().read(f"query Ask {{ axes {{ layers {{ id }} }} }} mutation Keep {{ {mutation} }}")
    alone = documents().read(f"mutation {{ {mutation} }}")

    assert [both.is_mutation(name) for name in ("Ask", "Keep")] == [False, True]
    assert (both.asks_database, both.label) == (True, "axes")
    assert (alone.is_mutation(None), alone.label) == (True, "submitReadings")


def test_times_are_kept_to_the_microsecond(history: History, unpublished: Held) -> None:
    at = datetime(2026, 11, 29, 11, 0, 0, 123456, tzinfo=UTC)

    answer = submitted(history, unpublished, at=at.isoformat().replace("+00:00", "Z"))

    assert answer["run"]["takenAt"] == "2026-11-29T11:00:00.123456+00:00"
