"""Lists of deployments: others are answered meanwhile, and no more of them wait than may."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from knockon.store.store import open_store
from knockon.web import endpoint
from tests.catalog.bundles import technique
from tests.web.inside import application, asked, bundle, ready, until

LIST = """query ($inputs: [CheckInput!]!) { checks(inputs: $inputs) { __typename } }"""
INPUTS = [{"args": ["vllm", "serve", "org/model"]}]


@pytest.fixture
def client(tmp_path: Path) -> Iterator[httpx.Client]:
    """Give a client of a service with a revision of one technique."""
    url = f"sqlite:///{tmp_path}/knockon.db"
    with open_store(url) as store:
        store.migrate()
        store.publish(bundle(technique("a")), author="curator", message="first")
    with application(url) as opened:
        ready(opened)
        yield opened


@dataclass(frozen=True)
class GoingOn:
    """An answer that has `begun`, and comes when the test has seen `enough`."""

    begun: threading.Event = field(default_factory=threading.Event)
    enough: threading.Event = field(default_factory=threading.Event)


@pytest.fixture
def listing(monkeypatch: pytest.MonkeyPatch) -> Iterator[GoingOn]:
    """Give how far the answer to a list has come."""
    one, answer = GoingOn(), endpoint.answer

    def slow(schema: Any, document: Any, *rest: Any, **more: Any) -> Any:
        if document.takes_long:
            one.begun.set()
            assert one.enough.wait(60)
        return answer(schema, document, *rest, **more)

    monkeypatch.setattr(endpoint, "answer", slow)
    yield one
    one.enough.set()


def test_others_are_answered_while_a_list_is_checked(client: httpx.Client, listing: GoingOn) -> None:
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(asked, client, LIST, inputs=INPUTS)
        until(listing.begun.is_set)

        other = asked(client, '{ technique(id: "a") { __typename } }')
        is_still_waiting = not waiting.done()
        listing.enough.set()

        assert other == {"technique": {"__typename": "Technique"}}
        assert is_still_waiting
        assert [one["__typename"] for one in waiting.result(timeout=60)["checks"]]


def test_more_lists_than_may_wait_are_told_to_come_again(
    client: httpx.Client, listing: GoingOn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "LISTS_WAITING_MAX", 1)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(asked, client, LIST, inputs=INPUTS)
        until(listing.begun.is_set)
        refused = client.post("/graphql", json={"query": LIST, "variables": {"inputs": INPUTS * 2}})
        listing.enough.set()
        waiting.result(timeout=60)

    assert refused.status_code == 503
    assert refused.json()["errors"][0]["extensions"]["code"] == "checks-busy"
    assert asked(client, LIST, inputs=INPUTS * 2)["checks"]
