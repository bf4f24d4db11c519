import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from knockon.kept import hold_in
from knockon.rules.rulebook import Rulebook
from knockon.store.store import Store, open_store
from knockon.terms.errors import LimitExceeded
from knockon.terms.limits import REVISION_CACHE_MAX
from knockon.web.snapshots import Snapshots
from tests.catalog.bundles import gain, quantity, technique
from tests.unwritable import only_read, readable_folder
from tests.web.inside import application, asked, bundle, ready, statements, until

ALL = "{ techniques { nodes { id } revision { number } } }"
QUESTIONS = (
    '{ technique(id: "a") { ... on Technique { id home { count } sources { title } } } }',
    '{ breaks(technique: "a") { ... on Breaks { hops { depth } } } }',
    '{ check(input: {command: "vllm serve m"}) { ... on CheckAnswer { verdict revision { number } } } }',
    "{ revisions { number message } revision(number: 1) { ... on Revision { digest } } }",
    "{ nothing }",
)


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    opened = open_store(url)
    opened.migrate()
    yield opened
    opened.close()


def test_database_is_explained_until_it_can_be_served_from(url: str) -> None:
    with application(url) as client:
        missing = client.get("/readyz")
        refused = client.post("/graphql", json={"query": ALL})
        alive = client.get("/healthz")

        store = open_store(url)
        store.migrate()
        until(lambda: client.get("/readyz").json()["why"]["code"] == "store-empty")
        store.publish(bundle(technique("a")), author="curator", message="first")
        store.close()
        ready(client)

        served = asked(client, ALL)

    assert missing.status_code == 503
    assert missing.json()["status"] == "not ready"
    assert missing.json()["revision"] is None
    assert missing.json()["why"]["code"] == ("database-missing" if url.startswith("sqlite") else "schema-missing")
    assert "`knockon serve`" in missing.json()["why"]["fix"]
    assert refused.status_code == 503
    assert refused.json()["errors"][0]["extensions"]["code"] == "not-ready"
    assert alive.status_code == 200
    assert served == {"techniques": {"nodes": [{"id": "a"}], "revision": {"number": 1}}}


def test_first_revision_published_between_two_looks_is_served(
    url: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.publish(bundle(technique("a")), author="curator", message="first")
    published, looks = store.latest(), iter([None])
    monkeypatch.setattr(Store, "latest", lambda _: next(looks, published))
    snapshots = Snapshots(store)

    assert snapshots.refresh()
    assert snapshots.current is not None
    assert snapshots.current.revision.number == 1


def test_answer_that_is_kept_is_told_anew_on_the_next_day(url: str, store: Store) -> None:
    shifted = technique("a", shifts=[gain("room", "up")])
    store.publish(bundle(quantity("room"), shifted), author="curator", message="first")
    days = ["2027-11-29"]
    with application(url, today=lambda: days[0]) as client:
        ready(client)

        def stale() -> list[bool]:
            found = asked(client, '{ technique(id: "a") { ... on Technique { shifts { stale } } } }')["technique"]
            return [shift["stale"] for shift in found["shifts"]]

        assert stale() == [False]
        days[0] = "2027-11-30"
        assert stale() == [True]


def test_published_revision_is_swapped_in_whole_and_the_old_one_stays_askable(url: str, store: Store) -> None:
    store.publish(bundle(technique("a")), author="curator", message="first")
    with application(url) as client:
        ready(client)
        before = asked(client, ALL)

        store.publish(bundle(technique("a"), technique("b")), author="curator", message="second")
        ready(client, 2)
        both = asked(client, "{ now: techniques { nodes { id } } then: techniques(asOf: 1) { nodes { id } } }")
        variable = "query ($n: Int = 1) { techniques(asOf: $n) { nodes { id } } }"
        by_default, by_variable = asked(client, variable), asked(client, variable, n=2)
        never = client.post("/graphql", json={"query": "{ techniques(asOf: 3) { totalCount } }"}).json()
        history = asked(client, "{ revisions { number parent message author } }")

    assert before == {"techniques": {"nodes": [{"id": "a"}], "revision": {"number": 1}}}
    assert both == {"now": {"nodes": [{"id": "a"}, {"id": "b"}]}, "then": {"nodes": [{"id": "a"}]}}
    assert by_default == {"techniques": {"nodes": [{"id": "a"}]}}
    assert by_variable == {"techniques": {"nodes": [{"id": "a"}, {"id": "b"}]}}
    assert never["errors"][0]["extensions"]["code"] == "unknown-revision"
    assert history == {
        "revisions": [
            {"number": 2, "parent": 1, "message": "second", "author": "curator"},
            {"number": 1, "parent": None, "message": "first", "author": "curator"},
        ]
    }


def test_no_read_request_asks_the_database(url: str, store: Store) -> None:
    store.publish(bundle(technique("a")), author="curator", message="first")
    store.publish(bundle(technique("b"), technique("a")), author="curator", message="second")
    # It looks for a new revision at the start, and then not again while the test lasts.
    with application(url, store=store, poll_s=3600) as client:
        ready(client, 2)
        with statements(store) as latest:
            for _ in range(2):
                for query in QUESTIONS:
                    assert client.post("/graphql", json={"query": query}).status_code == 200
                    assert client.get("/graphql", params={"query": query}).status_code == 200
        old = "{ techniques(asOf: 1) { totalCount } }"
        with statements(store) as first_look_back:
            assert asked(client, old) == {"techniques": {"totalCount": 1}}
        with statements(store) as second_look_back:
            assert asked(client, "{ techniques(asOf: 1) { nodes { id } } }") == {"techniques": {"nodes": [{"id": "a"}]}}
        with statements(store) as readiness:
            assert client.get("/readyz").status_code == 200

    assert latest == []
    # The count sees what there is: an older revision is read once, and readiness asks each time.
    assert first_look_back != []
    assert second_look_back == []
    assert readiness != []


def test_lost_database_makes_it_unready_but_answers_go_on(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    url = f"sqlite:///{tmp_path}/knockon.db"
    store = open_store(url)
    store.migrate()
    store.publish(bundle(technique("a")), author="curator", message="first")
    store.close()
    with application(url) as client, caplog.at_level(logging.WARNING, logger="knockon"):
        ready(client)
        (tmp_path / "knockon.db").rename(tmp_path / "away.db")
        until(lambda: "knockon_database_readable 0.0" in client.get("/metrics").text)
        unready = client.get("/readyz")
        served = asked(client, ALL)
        (tmp_path / "away.db").rename(tmp_path / "knockon.db")
        until(lambda: client.get("/readyz").status_code == 200)

    assert unready.status_code == 503
    assert unready.json()["revision"]["number"] == 1
    assert unready.json()["why"]["code"] == "database-missing"
    assert served["techniques"]["nodes"] == [{"id": "a"}]
    warnings = [record.getMessage() for record in caplog.records]
    assert len(warnings) == 1
    assert warnings[0].startswith("database not readable, the current revision stays: the database sqlite:///")


@pytest.mark.parametrize("has_cache", [True, False])
def test_functions_over_rules_are_generated_once_for_all_starts(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, has_cache: bool
) -> None:
    monkeypatch.setenv("KNOCKON_CACHE_DIR", str(tmp_path / "cache") if has_cache else "")
    store.publish(bundle(technique("a")), author="curator", message="first")

    def rulebook() -> Rulebook:
        snapshots = Snapshots(store)
        assert snapshots.refresh()
        assert snapshots.current is not None
        return snapshots.current.knowledge.rulebook

    rulebook()
    monkeypatch.setattr(Rulebook, "frozen", lambda _: pytest.fail("they are generated again"))
    again = rulebook()

    assert ("couple_compiled" in again.__dict__) is not has_cache
    assert again.judged_couple({}) == []
    for file in (tmp_path / "cache").glob("rules-*"):
        hold_in(file, (5).to_bytes(8, "big") + b"hello, nothing of ours")
        assert rulebook().judged_couple({}) == []


def test_long_history_is_known_whole(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/knockon.db")
    store.migrate()
    for number in range(1, 106):
        store.publish(bundle(technique(f"t-{number}")), author="curator", message=f"{number}")
    snapshots = Snapshots(store)

    assert snapshots.refresh()
    assert not snapshots.refresh()
    store.publish(bundle(technique("last")), author="curator", message="106")
    assert snapshots.refresh()
    store.close()

    assert snapshots.current is not None
    assert [one.number for one in snapshots.current.known] == list(range(106, 0, -1))


def test_more_old_revisions_at_once_than_are_kept_are_refused(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/knockon.db")
    store.migrate()
    count = REVISION_CACHE_MAX + 2
    for number in range(1, count + 1):
        store.publish(bundle(technique(f"t-{number}")), author="curator", message=f"{number}")
    snapshots = Snapshots(store)
    snapshots.refresh()
    current = snapshots.current
    assert current is not None

    view = asyncio.run(snapshots.view(current, range(1, REVISION_CACHE_MAX + 1)))
    with pytest.raises(LimitExceeded) as refused:
        asyncio.run(snapshots.view(current, range(1, count)))
    store.close()

    assert [view.knowledge(number).number for number in (1, REVISION_CACHE_MAX, None)] == [1, REVISION_CACHE_MAX, count]
    assert refused.value.limit == REVISION_CACHE_MAX


def test_origins_that_are_named_may_ask_from_a_browser(url: str, store: Store) -> None:
    store.publish(bundle(technique("a")), author="curator", message="first")
    asking = {"origin": "https://portal.example", "access-control-request-method": "POST"}
    with application(url, cors_origins=("https://portal.example",)) as client:
        ready(client)
        allowed = client.options("/graphql", headers={**asking, "access-control-request-headers": "content-type"})
        answer = client.post("/graphql", json={"query": ALL}, headers={"origin": "https://portal.example"})
        stranger = client.post("/graphql", json={"query": ALL}, headers={"origin": "https://elsewhere.example"})

    assert allowed.headers["access-control-allow-origin"] == "https://portal.example"
    assert answer.headers["access-control-allow-origin"] == "https://portal.example"
    assert "access-control-allow-origin" not in stranger.headers


def test_a_file_that_may_only_be_read_is_served_with_every_revision() -> None:
    with readable_folder() as folder:
        url = f"sqlite:///{folder}/knockon.db"
        with open_store(url) as store:
            store.migrate()
            store.publish(bundle(technique("a")), author="ada", message="")
            store.publish(bundle(technique("a"), technique("b")), author="ada", message="")
        with only_read(folder), application(url, read_only=True) as client:
            ready(client, 2)
            counts = asked(client, "{ now: techniques { totalCount } then: techniques(asOf: 1) { totalCount } }")
            targets = asked(client, "{ targets { ... on TargetConnection { totalCount } } }")

    assert counts == {"now": {"totalCount": 2}, "then": {"totalCount": 1}}
    assert targets == {"targets": {"totalCount": 0}}
