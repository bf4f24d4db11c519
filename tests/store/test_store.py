"""Publishing and reading back, on both databases."""

import hashlib
from datetime import UTC, datetime, timedelta, timezone

import psycopg
import pytest
from sqlalchemy import Engine, event

from knockon.store.revision import Changes, Revision
from knockon.store.store import Store, open_store
from knockon.terms.bundle import Bundle, Entry, canonical
from knockon.terms.errors import LimitExceeded, NotFound, StoreError
from tests.store.bundles import bundle, bundle_of_size, everything, execute, quantity, rows, technique
from tests.store.conftest import NOON


def test_first_publish_becomes_revision_one(store: Store) -> None:
    given = bundle(technique("a"))

    revision = store.publish(given, author="ada", message="first")

    assert revision == Revision(1, given.digest, None, "ada", "first", NOON)
    assert revision.changed is True
    assert store.latest() == revision


def test_each_revision_reads_as_it_was_published(store: Store) -> None:
    first = bundle(technique("a"), technique("b", note="一"))
    second = bundle(technique("b", note="二"), quantity("ttft_s"))
    third = bundle(technique("a"))

    for given in (first, second, third):
        store.publish(given, author="ada", message="")

    assert [store.read(number) for number in (1, 2, 3)] == [first, second, third]
    assert store.read() == third


def test_bodies_keep_their_numbers_and_characters(store: Store) -> None:
    body = {
        "int": 2, "float": 2.0, "big": 235093634560123456789, "small": 5e-324, "negative": -0.0, "true": True,
        "null": None, "empty": [{}, [], ""], "text": 'α 解码 🚀 \u0000 \u2028 " \\ \n', "1": "key",
    }  # fmt: skip
    given = bundle(Entry("gpu", "解码/h100", body))

    store.publish(given, author="ada", message="")

    assert canonical(store.read().entries[0].body) == canonical(body)
    assert store.read().digest == given.digest


def test_a_number_that_only_changes_its_type_is_a_change(store: Store) -> None:
    store.publish(bundle(technique("a", factor=2)), author="ada", message="")

    revision = store.publish(bundle(technique("a", factor=2.0)), author="ada", message="")

    assert (revision.number, revision.changed) == (2, True)
    assert canonical(store.read(1).entries[0].body) == '{"cells":[["inference","L4","compute"]],"factor":2}'
    assert canonical(store.read(2).entries[0].body) == '{"cells":[["inference","L4","compute"]],"factor":2.0}'
    assert store.changes(1, 2) == Changes(added={}, changed={"technique": ("a",)}, removed={})


def test_the_same_bundle_again_is_nothing_to_do(store: Store, url: str) -> None:
    first = store.publish(bundle(technique("a"), technique("b")), author="ada", message="first")
    before = everything(url)

    again = store.publish(bundle(technique("b"), technique("a")), author="bob", message="again")

    assert again == first
    assert again.changed is False
    assert everything(url) == before


def test_going_back_to_an_old_bundle_is_a_new_revision(store: Store) -> None:
    old, new = bundle(technique("a", n=1)), bundle(technique("a", n=2))

    numbers = [store.publish(given, author="ada", message="").number for given in (old, new, old)]

    assert numbers == [1, 2, 3]
    assert store.read(3) == old
    assert store.changes(1, 3) == Changes(added={}, changed={}, removed={})


def test_entries_out_of_order_are_published_in_order(store: Store) -> None:
    entries = (technique("b"), quantity("q"), technique("a"))

    revision = store.publish(Bundle(entries), author="ada", message="")

    assert revision.digest == Bundle.of(entries).digest
    assert store.read() == Bundle.of(entries)


def test_an_empty_bundle_is_a_revision_too(store: Store) -> None:
    store.publish(bundle(technique("a")), author="ada", message="")

    store.publish(bundle(), author="ada", message="")

    assert store.read(2) == bundle()
    assert store.changes(1, 2) == Changes(added={}, changed={}, removed={"technique": ("a",)})


def test_two_entries_of_one_name_are_refused(store: Store, url: str) -> None:
    store.publish(bundle(technique("a")), author="ada", message="")
    before = everything(url)

    with pytest.raises(StoreError) as refused:
        store.publish(bundle(technique("b"), technique("b", n=2)), author="ada", message="")

    assert refused.value.code == "duplicate-entry"
    assert refused.value.problem.what == (
        f"the database {store.shown_url} cannot take two entries of kind technique that are called 'b'"
    )
    assert everything(url) == before


def test_the_clock_is_kept_in_utc(url: str) -> None:
    shanghai = timezone(timedelta(hours=8))
    store = open_store(url, clock=lambda: datetime(2026, 11, 29, 20, 0, 0, 123456, tzinfo=shanghai))
    store.migrate()

    store.publish(bundle(technique("a")), author="ada", message="")

    latest = store.latest()
    assert latest is not None
    assert latest.at == datetime(2026, 11, 29, 12, 0, 0, 123456, tzinfo=UTC)
    assert latest.at.tzinfo is UTC
    store.close()


def test_nothing_published_has_no_latest_and_no_bundle(store: Store) -> None:
    assert store.latest() is None
    assert store.revisions() == ()
    with pytest.raises(StoreError) as refused:
        store.read()
    assert refused.value.code == "store-empty"
    assert str(refused.value) == (
        f"the database {store.shown_url} holds no revision yet; expected a published catalog; "
        "load one with `knockon catalog load`"
    )


def test_an_unknown_revision_is_not_found(store: Store) -> None:
    with pytest.raises(NotFound, match="no revision is called '1'; nothing was published yet"):
        store.read(1)

    store.publish(bundle(technique("a")), author="ada", message="")

    for ask in (lambda: store.read(2), lambda: store.changes(1, 2), lambda: store.changes(0, 1)):
        with pytest.raises(NotFound, match=r"no revision is called '[02]'; revisions are numbered from 1 to 1"):
            ask()


def test_revisions_come_newest_first_and_in_pages(store: Store) -> None:
    made = [store.publish(bundle(technique("a", n=n)), author="ada", message=f"{n}") for n in range(5)]

    page = store.revisions(2)
    rest = store.revisions(2, before=page[-1].number)

    assert page == (made[4], made[3])
    assert rest == (made[2], made[1])
    assert store.revisions(2, before=1) == ()
    assert store.revisions(0) == ()


def test_a_page_over_the_limit_is_refused(store: Store) -> None:
    with pytest.raises(LimitExceeded, match="the page of revisions is over the limit of 100, found 101"):
        store.revisions(101)


@pytest.mark.parametrize("name", ["author", "message"])
def test_a_text_over_the_limit_is_refused(store: Store, name: str) -> None:
    texts = {"author": "ada", "message": ""} | {name: "x" * 4001}

    with pytest.raises(LimitExceeded, match=f"the {name} of a revision is over the limit of 4,000, found 4,001"):
        store.publish(bundle(technique("a")), **texts)

    assert store.latest() is None


def test_changes_name_keys_by_kind_in_both_directions(store: Store) -> None:
    store.publish(bundle(technique("a"), technique("b", n=1), quantity("gone")), author="ada", message="")
    store.publish(bundle(technique("a"), technique("b", n=2)), author="ada", message="")
    store.publish(bundle(technique("a"), technique("b", n=2), technique("d"), technique("c")), author="ada", message="")

    assert store.changes(1, 3) == Changes(
        added={"technique": ("c", "d")}, changed={"technique": ("b",)}, removed={"quantity": ("gone",)}
    )
    assert store.changes(3, 1) == Changes(
        added={"quantity": ("gone",)}, changed={"technique": ("b",)}, removed={"technique": ("c", "d")}
    )
    assert store.changes(2, 2) == Changes(added={}, changed={}, removed={})


@pytest.mark.parametrize(
    "tampering",
    [
        pytest.param("UPDATE node SET body = '{\"n\":3}' WHERE key = 'a'", id="another body"),
        pytest.param("UPDATE node SET body = '{' WHERE key = 'a'", id="a body that is no JSON"),
        pytest.param("UPDATE node SET body = '[]' WHERE key = 'a'", id="a body that is no object"),
        pytest.param("DELETE FROM node WHERE key = 'a'", id="a lost node"),
        pytest.param("UPDATE node SET valid_from = 2 WHERE key = 'a'", id="a node moved out of its revision"),
    ],
)
def test_what_was_changed_from_outside_is_not_read(store: Store, url: str, tampering: str) -> None:
    first = store.publish(bundle(technique("a")), author="ada", message="")
    second = store.publish(bundle(technique("a"), technique("b")), author="ada", message="")
    execute(url, tampering)

    with pytest.raises(StoreError) as refused:
        store.read(1)

    assert refused.value.code == "digest-mismatch"
    assert refused.value.problem.expected == f"digest {first.digest}"
    assert store.latest() == second


def test_the_digest_is_taken_over_sorted_texts_on_both_databases(store: Store) -> None:
    given = (Entry("gpu", "解码", {"b": 2, "a": [2.0, "一"]}), Entry("gpu", "Z", {"n": 1e21}), Entry("axes", "x", {}))

    revision = store.publish(Bundle(given), author="ada", message="")

    text = 'axes\nx\n{}\ngpu\nZ\n{"n":1e+21}\ngpu\n解码\n{"a":[2.0,"一"],"b":2}\n'
    assert revision.digest == store.read().digest == hashlib.sha256(text.encode()).hexdigest()


def test_the_number_of_statements_does_not_grow_with_the_bundle(store: Store) -> None:
    def statements(count: int) -> int:
        seen: list[str] = []

        def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
            seen.append(statement)

        store.publish(bundle_of_size(count, edition=0), author="ada", message="")
        event.listen(Engine, "before_cursor_execute", note)
        store.publish(bundle_of_size(count, edition=1), author="ada", message="")
        event.remove(Engine, "before_cursor_execute", note)
        return len(seen)

    assert statements(3) == statements(300)


def test_one_change_in_many_writes_one_row_of_each_kind(store: Store, url: str) -> None:
    given = bundle_of_size(100, edition=0)
    store.publish(given, author="ada", message="")
    body = dict(given.entries[7].body) | {"shifts": [{"onto": "network", "quantity": "kv_cache_tokens"}]}
    changed = Entry(given.entries[7].kind, given.entries[7].key, body)

    store.publish(bundle(*given.entries[:7], changed, *given.entries[8:]), author="ada", message="")

    for table in ("node", "edge"):
        assert rows(url, f"SELECT count(*) FROM {table} WHERE valid_from = 2") == [(1,)]
        assert rows(url, f"SELECT count(*) FROM {table} WHERE valid_to = 2") == [(1,)]
        assert rows(url, f"SELECT count(*) FROM {table}") == [(101,)]


@pytest.mark.postgres
def test_postgresql_tells_listeners_of_a_new_revision_and_of_nothing_else(postgres_url: str) -> None:
    store = open_store(postgres_url)
    store.migrate()
    with psycopg.connect(postgres_url.replace("+psycopg", ""), autocommit=True) as listener:
        listener.execute("LISTEN knockon_revision")

        for n in (1, 1, 2):
            store.publish(bundle(technique("a", n=n)), author="ada", message="")

        heard = [(told.channel, told.payload) for told in listener.notifies(timeout=10, stop_after=2)]
    assert heard == [("knockon_revision", "1"), ("knockon_revision", "2")]
    store.close()
