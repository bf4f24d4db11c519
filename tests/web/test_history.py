"""Runs over HTTP: handed in by POST alone, read anew each time, and nobody waits for a database that others use."""

import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from knockon.store.store import Store, open_store
from knockon.terms.limits import HISTORY_WAITING_MAX
from tests.shipped import shipped_bundle
from tests.web.inside import application, asked, ready, statements, until

SUBMIT = """mutation ($target: String!, $at: DateTime!) {
  submitReadings(target: $target, takenAt: $at, input: {readings: [{name: "memory_occupancy_ratio", value: 0.97}]}) {
    __typename
    ... on Submitted { isNew run { revision } }
    ... on StoreProblem { code mayPass }
  }
}"""
HISTORY = """query ($target: String!) { history(target: $target) {
  ... on KeptRunConnection { totalCount } ... on NotFound { code }
} }"""
AT = (datetime.now(UTC) - timedelta(hours=1)).isoformat()


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the file of a database with the shipped revision."""
    made = tmp_path_factory.mktemp("filled") / "knockon.db"
    with open_store(f"sqlite:///{made}") as store:
        store.migrate()
        store.publish(shipped_bundle(), author="curator", message="")
    return made


@pytest.fixture(scope="module")
def store(path: Path) -> Iterator[Store]:
    """Give the store of that database, whose writers wait for long."""
    with open_store(f"sqlite:///{path}", busy_timeout_s=60) as opened:
        yield opened


@pytest.fixture(scope="module")
def client(store: Store) -> Iterator[httpx.Client]:
    """Give a client of the service over that store: a start costs a second, so all tests ask one."""
    with application("", store=store) as opened:
        ready(opened)
        yield opened


@pytest.fixture
def target(request: pytest.FixtureRequest) -> str:
    """Give a target of which only this test knows."""
    return str(request.node.name)


def test_runs_are_handed_in_and_read_anew_each_time(client: httpx.Client, target: str) -> None:
    before = asked(client, HISTORY, target=target)
    first = asked(client, SUBMIT, target=target, at=AT)
    between = asked(client, HISTORY, target=target)
    again = asked(client, SUBMIT, target=target, at=AT)

    assert before == {"history": {"code": "unknown-target"}}
    assert first == {"submitReadings": {"__typename": "Submitted", "isNew": True, "run": {"revision": 1}}}
    assert between == {"history": {"totalCount": 1}}
    assert again["submitReadings"]["isNew"] is False


PAGE = """query ($target: String!, $last: Int, $before: String) {
  history(target: $target, last: $last, before: $before) {
    ... on KeptRunConnection { nodes { takenAt } pageInfo { hasNextPage hasPreviousPage startCursor } }
  }
}"""


def test_history_is_walked_backward(client: httpx.Client, target: str) -> None:
    times = [(datetime.now(UTC) - timedelta(days=day)).isoformat() for day in (1, 2, 3)]
    for at in times:
        asked(client, SUBMIT, target=target, at=at)

    last = asked(client, PAGE, target=target, last=2)["history"]
    first = asked(client, PAGE, target=target, last=2, before=last["pageInfo"]["startCursor"])["history"]

    assert [one["takenAt"] for one in (*first["nodes"], *last["nodes"])] == times
    assert (first["pageInfo"]["hasPreviousPage"], first["pageInfo"]["hasNextPage"]) == (False, True)
    assert (last["pageInfo"]["hasPreviousPage"], last["pageInfo"]["hasNextPage"]) == (True, False)


def test_series_is_judged_by_its_course(client: httpx.Client) -> None:
    rows = "\n".join(f"{15 * index},{0.5 + 0.01 * index}" for index in range(40))
    query = """query ($text: String!) { diagnose(input: {sources: [{text: $text, filename: "pool.csv"}]}) {
      ... on DiagnoseAnswer { fits trends { name } overTime { instants rules { state } warmUp { untilS } } }
    } }"""

    said = asked(client, query, text=f"at,kv_cache_usage_ratio\n{rows}")["diagnose"]

    assert said["overTime"]["instants"] == 40
    assert {"name": "kv_cache_usage_slope_per_s"} in said["trends"]
    assert said["fits"] == "TRUE"


def test_a_link_changes_nothing(client: httpx.Client, target: str) -> None:
    variables = f'{{"target": "{target}", "at": "{AT}"}}'

    refused = client.get("/graphql", params={"query": SUBMIT, "variables": variables})
    both = SUBMIT.replace("mutation", "mutation Keep") + " query Ask { axes { layers { id } } }"
    named = client.get("/graphql", params={"query": both, "variables": variables, "operationName": "Keep"})
    beside = client.get("/graphql", params={"query": both, "variables": "{}", "operationName": "Ask"})

    assert (refused.status_code, named.status_code, beside.status_code) == (405, 405, 200)
    assert refused.json()["errors"][0]["extensions"]["code"] == "method-not-allowed"
    assert asked(client, HISTORY, target=target) == {"history": {"code": "unknown-target"}}


def test_others_are_answered_while_a_run_waits_for_the_database(
    client: httpx.Client, store: Store, path: Path, target: str
) -> None:
    locking = sqlite3.connect(path, isolation_level=None)
    locking.execute("BEGIN IMMEDIATE")
    with statements(store) as seen, ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(asked, client, SUBMIT, target=target, at=AT)
        until(lambda: any("BEGIN IMMEDIATE" in one for one in seen))

        technique = asked(client, '{ technique(id: "DCP") { ... on Technique { id } } }')
        history = asked(client, HISTORY, target=target)
        is_still_waiting = not waiting.done()
        locking.execute("ROLLBACK")
        kept = waiting.result(timeout=60)
    locking.close()

    assert technique == {"technique": {"id": "decode-context-parallelism"}}
    assert history == {"history": {"code": "unknown-target"}}
    assert is_still_waiting
    assert kept["submitReadings"]["isNew"]


def test_more_runs_than_may_wait_are_told_to_come_again(
    client: httpx.Client, store: Store, path: Path, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert HISTORY_WAITING_MAX > 1
    monkeypatch.setattr("knockon.web.endpoint.HISTORY_WAITING_MAX", 1)
    locking = sqlite3.connect(path, isolation_level=None)
    locking.execute("BEGIN IMMEDIATE")
    with statements(store) as seen, ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(asked, client, SUBMIT, target=target, at=AT)
        until(lambda: any("BEGIN IMMEDIATE" in one for one in seen))
        refused = _posted(client, SUBMIT, target=f"{target} again", at=AT)
        locking.execute("ROLLBACK")
        waiting.result(timeout=60)
    locking.close()

    assert refused.status_code == 503
    assert refused.json()["errors"][0]["extensions"]["code"] == "history-busy"
    assert asked(client, SUBMIT, target=f"{target} again", at=AT)["submitReadings"]["isNew"]


def test_questions_to_the_catalog_ask_no_database(client: httpx.Client, store: Store) -> None:
    # The look for a new revision goes on beside it, and is known by what it asks.
    with statements(store) as seen:
        for query in ('{ technique(id: "DCP") { __typename } }', "{ diagnose(input: {}) { __typename } }"):
            asked(client, query)
        asked_for_runs = [one for one in seen if "run" in one.lower().split()]

    assert asked_for_runs == []


def test_a_reader_keeps_nothing(path: Path, target: str) -> None:
    with application(f"sqlite:///{path}", read_only=True) as client:
        ready(client)
        answer = asked(client, SUBMIT, target=target, at=AT)

    assert answer == {"submitReadings": {"__typename": "StoreProblem", "code": "read-only", "mayPass": False}}


def test_runs_are_kept_for_the_days_of_the_settings(path: Path, target: str) -> None:
    with application(f"sqlite:///{path}", history_days=1) as client:
        ready(client)
        long_ago = (datetime.now(UTC) - timedelta(days=2)).isoformat()
        query = SUBMIT.replace("... on StoreProblem", "... on InputProblem { code } ... on StoreProblem")
        answer = _posted(client, query, target=target, at=long_ago)

    assert answer.json()["data"]["submitReadings"]["code"] == "bad-time"


def test_figures_count_what_asks_the_database_by_its_root(client: httpx.Client, target: str) -> None:
    before = _counted(client)
    asked(client, SUBMIT, target=target, at=AT)
    asked(client, HISTORY, target=target)

    assert _counted(client) - before == Counter(submitReadings=1, history=1)


def _counted(client: httpx.Client) -> Counter[str]:
    """How many requests of each root were answered, by /metrics."""
    found = re.findall(
        r'^knockon_requests_total\{operation="(\w+)",status="200"\} (\d+)', client.get("/metrics").text, re.MULTILINE
    )
    return Counter({operation: int(number) for operation, number in found})


def _posted(client: httpx.Client, query: str, **variables: Any) -> httpx.Response:
    return client.post("/graphql", json={"query": query, "variables": variables})
