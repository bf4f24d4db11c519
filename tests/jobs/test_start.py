import sqlite3
from pathlib import Path

import pytest

from knockon.jobs.start import start
from knockon.store.store import open_store
from knockon.terms.bundle import Bundle, Entry
from knockon.terms.errors import StoreError


def test_published_revision_is_never_replaced_by_what_is_shipped(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/knockon.db")
    store.migrate()
    own = store.publish(Bundle.of([Entry("technique", "own", {})]), author="curator", message="ours")

    started = start(store)
    latest = store.latest()
    store.close()

    assert (started.revision, started.is_first, started.is_shipped) == (own, False, False)
    assert latest == own


def test_locked_database_is_refused_and_nothing_is_made(tmp_path: Path) -> None:
    path = tmp_path / "knockon.db"
    locking = sqlite3.connect(path, isolation_level=None)
    locking.execute("PRAGMA journal_mode = WAL")
    locking.execute("BEGIN IMMEDIATE")
    store = open_store(f"sqlite:///{path}", busy_timeout_s=0.05)

    with pytest.raises(StoreError) as refused:
        start(store)
    locking.execute("ROLLBACK")
    tables = locking.execute("SELECT name FROM sqlite_master").fetchall()
    locking.close()
    store.close()

    assert refused.value.code == "database-locked"
    assert tables == []


def test_read_only_start_writes_nothing_and_needs_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "knockon.db"
    store = open_store(f"sqlite:///{path}")

    with pytest.raises(StoreError) as missing:
        start(store, is_read_only=True)
    assert not path.exists()
    store.migrate()
    with pytest.raises(StoreError) as empty:
        start(store, is_read_only=True)
    own = store.publish(Bundle.of([Entry("technique", "own", {})]), author="curator", message="ours")
    started = start(store, is_read_only=True)
    store.close()

    assert (missing.value.code, empty.value.code) == ("database-missing", "store-empty")
    assert (started.revision, started.is_first) == (own, False)
