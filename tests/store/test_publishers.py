"""Several publishers and readers at once: revisions in a row, each whole."""

import threading
from concurrent.futures import ThreadPoolExecutor

from knockon.store.revision import Revision
from knockon.store.store import Store, open_store
from knockon.terms.bundle import Bundle
from tests.store.bundles import bundle, bundle_of_size, technique


def test_publishers_at_once_make_one_row_of_revisions(store: Store, url: str) -> None:
    start = threading.Barrier(3)

    def publish(author: str) -> list[tuple[Revision, Bundle]]:
        given = [bundle(technique("shared", by=author, n=n), technique(author, n=n)) for n in range(5)]
        with open_store(url, busy_timeout_s=60) as own:
            start.wait()
            return [(own.publish(one, author=author, message=""), one) for one in given]

    with ThreadPoolExecutor(3) as pool:
        published = dict(pair for made in pool.map(publish, ("ada", "bob", "cyd")) for pair in made)

    revisions = sorted(published, key=lambda revision: revision.number)
    assert [(revision.number, revision.parent) for revision in revisions] == [(n, n - 1 or None) for n in range(1, 16)]
    assert list(reversed(store.revisions(100))) == revisions
    assert [store.read(revision.number) for revision in revisions] == [published[revision] for revision in revisions]


def test_publishers_of_one_bundle_publish_it_once(store: Store, url: str) -> None:
    start = threading.Barrier(4)

    def publish(author: str) -> bool:
        with open_store(url, busy_timeout_s=60) as own:
            start.wait()
            return own.publish(bundle_of_size(30, edition=1), author=author, message="").changed

    with ThreadPoolExecutor(4) as pool:
        changed = sorted(pool.map(publish, ("ada", "bob", "cyd", "dan")))

    assert changed == [False, False, False, True]
    assert [revision.number for revision in store.revisions()] == [1]


def test_a_reader_sees_whole_revisions_while_others_are_published(store: Store, url: str) -> None:
    editions = [bundle_of_size(40, edition=n) for n in range(8)]
    store.publish(editions[0], author="ada", message="")
    done = threading.Event()

    def read() -> list[Bundle]:
        with open_store(url, busy_timeout_s=60) as own:
            seen = [own.read()]
            while not done.is_set():
                seen.append(own.read())
            return seen

    with ThreadPoolExecutor(1) as pool:
        reader = pool.submit(read)
        for edition in editions[1:]:
            store.publish(edition, author="ada", message="")
        done.set()
        seen = reader.result(timeout=60)

    # `read` itself would refuse a torn bundle by its digest; here also the order in time is looked at.
    places = [editions.index(one) for one in seen]
    assert places == sorted(places)
