"""An SQLite file that may only be read: read where the settings say to write nothing, else told how."""

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from knockon.store.sqlite_file import may_write
from knockon.store.store import open_store
from knockon.terms.errors import StoreError
from tests.store.bundles import bundle, everything, technique
from tests.store.kept import run
from tests.unwritable import only_read, readable_folder

RUN = run()


@pytest.fixture
def folder() -> Iterator[Path]:
    with readable_folder() as made:
        yield made


def published(folder: Path, name: str = "knockon.db") -> str:
    url = f"sqlite:///{folder}/{name}"
    with open_store(url) as store:
        store.migrate()
        store.publish(bundle(technique("a")), author="ada", message="")
        store.keep(RUN, since=None)
    return url


def test_a_file_that_may_only_be_read_is_read_and_nothing_is_made_beside_it(folder: Path) -> None:
    url = published(folder, "odd #1 100%.db")

    with only_read(folder), open_store(url, is_read_only=True) as store:
        state, revision, read = store.schema_state(), store.require_latest(), store.read()
        runs = store.runs(RUN.target).runs

    assert (state, revision.number, read) == ("current", 1, bundle(technique("a")))
    assert [run.id for run in runs] == [RUN.id]
    assert [file.name for file in folder.iterdir()] == ["odd #1 100%.db"]


def test_changes_of_a_program_that_has_it_open_are_seen(folder: Path) -> None:
    url = published(folder)
    other = sqlite3.connect(folder / "knockon.db", isolation_level=None)
    with open_store(url) as writing:
        writing.publish(bundle(technique("b")), author="ada", message="")

    with only_read(folder), open_store(url, is_read_only=True) as store:
        latest = store.require_latest()
    other.execute("SELECT number FROM revision").fetchall()
    other.close()

    assert latest.number == 2


def test_changes_that_were_copied_without_their_index_are_told(folder: Path) -> None:
    url = published(folder)
    path = folder / "knockon.db"
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA wal_autocheckpoint = 0")
    other.execute("CREATE TABLE more (a)")
    shutil.copy(f"{path}-wal", folder / "kept")
    other.close()
    (folder / "kept").rename(f"{path}-wal")

    with only_read(folder), open_store(url, is_read_only=True) as store, pytest.raises(StoreError) as refused:
        store.latest()

    assert refused.value.code == "changes-beside"
    assert str(refused.value) == (
        f"the database {url} has changes that are still in knockon.db-wal, and may not be written; "
        "expected a file that its writer has closed; "
        "close it with the program that writes it, or copy it with knockon.db-wal to a folder that may be written"
    )


def test_without_the_setting_the_refusal_names_it(folder: Path) -> None:
    url = published(folder)

    with only_read(folder), open_store(url) as store:
        with pytest.raises(StoreError) as read:
            store.latest()
        with pytest.raises(StoreError) as migrated:
            store.migrate()

    for refused in (read, migrated):
        assert refused.value.code == "database-read-only"
        assert refused.value.problem.fix == ("check the permissions, or set KNOCKON_READ_ONLY=true to only read it")


def test_with_the_setting_a_file_that_may_be_written_is_not(tmp_path: Path) -> None:
    url = published(tmp_path)
    before = everything(url)

    with open_store(url, is_read_only=True) as store:
        refusals = []
        for write in (
            store.migrate,
            lambda: store.publish(bundle(), author="ada", message=""),
            lambda: store.keep(RUN, since=None),
        ):
            with pytest.raises(StoreError) as refused:
                write()
            refusals.append(refused.value)
        latest = store.require_latest()

    assert may_write(tmp_path / "knockon.db")
    assert latest.number == 1
    assert [said.code for said in refusals] == ["read-only"] * 3
    assert str(refusals[0]) == (
        f"the database {url} is not to be written: KNOCKON_READ_ONLY says so; expected to only read it; "
        "write it without that setting"
    )
    assert everything(url) == before
