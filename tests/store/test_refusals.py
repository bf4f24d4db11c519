"""Databases that are locked, missing, damaged, unreachable or something else: a clear word, and nothing changed."""

import os
import socket
import sqlite3
from pathlib import Path

import psycopg
import pytest

from knockon.store.database import PUBLISH_LOCK
from knockon.store.store import open_store
from knockon.terms.errors import StoreError
from tests.store.bundles import bundle, everything, technique


def refusal(url: str, *, migrate: bool = False) -> StoreError:
    """What the store says when it is asked for the latest revision, or to migrate."""
    with open_store(url, busy_timeout_s=0.05) as store, pytest.raises(StoreError) as refused:
        store.migrate() if migrate else store.latest()
    return refused.value


def test_a_locked_file_is_read_but_not_written(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/knockon.db"
    store = open_store(url, busy_timeout_s=0.05)
    store.migrate()
    given = bundle(technique("a"))
    store.publish(given, author="ada", message="")
    before = everything(url)

    other = sqlite3.connect(tmp_path / "knockon.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError) as refused:
        store.publish(bundle(technique("b")), author="ada", message="")
    assert store.read() == given
    other.execute("ROLLBACK")
    other.close()

    assert refused.value.code == "database-locked"
    assert str(refused.value) == (
        f"the database {url} is locked by another program; expected to write within the busy timeout; "
        "wait until the other program is done, or stop it, and try again"
    )
    assert everything(url) == before
    assert store.publish(bundle(technique("b")), author="ada", message="").number == 2


def test_a_program_that_keeps_reading_a_file_does_not_hold_up_a_publisher(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/knockon.db", busy_timeout_s=0.05)
    store.migrate()
    store.publish(bundle(technique("a")), author="ada", message="")
    numbers = "SELECT number FROM revision ORDER BY number"

    other = sqlite3.connect(tmp_path / "knockon.db", isolation_level=None)
    other.execute("BEGIN")
    before = other.execute(numbers).fetchall()
    store.publish(bundle(technique("b")), author="ada", message="")
    meanwhile = other.execute(numbers).fetchall()
    other.execute("COMMIT")
    after = other.execute(numbers).fetchall()
    other.close()

    assert (before, meanwhile, after) == ([(1,)], [(1,)], [(1,), (2,)])


@pytest.mark.postgres
def test_a_publisher_waits_no_longer_than_its_timeout_for_another(postgres_url: str) -> None:
    store = open_store(postgres_url, busy_timeout_s=0.05)
    store.migrate()
    given = bundle(technique("a"))
    store.publish(given, author="ada", message="")
    before = everything(postgres_url)

    with psycopg.connect(postgres_url.replace("+psycopg", "")) as other:
        other.execute("SELECT pg_advisory_xact_lock(%s)", [PUBLISH_LOCK])
        with pytest.raises(StoreError) as refused:
            store.publish(bundle(technique("b")), author="ada", message="")
        assert store.read() == given

    assert refused.value.code == "database-locked"
    assert everything(postgres_url) == before
    assert store.publish(bundle(technique("b")), author="ada", message="").number == 2
    store.close()


def test_a_missing_file_is_named_and_not_made(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/knockon.db"
    store = open_store(url)

    for ask in (store.latest, store.read, store.revisions, lambda: store.publish(bundle(), author="a", message="")):
        with pytest.raises(StoreError) as refused:
            ask()
        assert refused.value.code == "database-missing"
        assert str(refused.value) == (
            f"the database {url} is not there; expected an SQLite file that Knock-on made; "
            "check the path, or let `knockon serve` make it"
        )
    assert list(tmp_path.iterdir()) == []


def test_a_missing_folder_is_named_and_not_made(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/nowhere/knockon.db"

    said = refusal(url, migrate=True)

    assert said.code == "folder-missing"
    assert str(said) == (
        f"the database {url} cannot be made: its folder is not there; expected a folder that this user may write; "
        f"make the folder {tmp_path}/nowhere first"
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("migrate", [False, True], ids=["read", "migrate"])
def test_a_file_that_is_no_database_is_left_as_it_is(tmp_path: Path, migrate: bool) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database, but somebody's notes\n" * 100)
    before = path.read_bytes()

    said = refusal(f"sqlite:///{path}", migrate=migrate)

    assert said.code == "not-a-database"
    assert str(said) == (
        f"the database sqlite:///{path} is not an SQLite database; expected a file that Knock-on made; "
        "check the path; the file was left as it is"
    )
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("migrate", [False, True], ids=["read", "migrate"])
def test_a_folder_is_no_database(tmp_path: Path, migrate: bool) -> None:
    said = refusal(f"sqlite:///{tmp_path}", migrate=migrate)

    assert said.code == "database-unreadable"
    assert said.problem.what == f"the database sqlite:///{tmp_path} cannot be opened"


def test_a_file_cut_short_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "knockon.db"
    store = open_store(f"sqlite:///{path}")
    store.migrate()
    store.publish(bundle(*(technique(f"t-{n}", text="x" * 500) for n in range(200))), author="ada", message="")
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    with path.open("r+b") as file:
        file.truncate(8 * 4096)

    with pytest.raises(StoreError) as refused:
        store.read()

    assert refused.value.code == "database-corrupt"
    assert refused.value.problem.fix == "restore it from a copy, or move it away and load the catalog into a new one"


def test_somebody_elses_database_is_not_taken_for_ours(tmp_path: Path) -> None:
    path = tmp_path / "music.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE node (title TEXT)")
    connection.close()

    assert refusal(f"sqlite:///{path}").code == "schema-missing"
    said = refusal(f"sqlite:///{path}", migrate=True)

    assert said.code == "not-of-knock-on"
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT sql FROM sqlite_master").fetchall() == [("CREATE TABLE node (title TEXT)",)]
    connection.close()


def test_a_server_that_does_not_answer_is_named_without_its_password() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]

        said = refusal(f"postgresql://ada:s3cret@127.0.0.1:{port}/knockon?application_name=s3cret")

    assert said.code == "database-unreachable"
    assert said.problem.what.startswith(
        f"the database postgresql+psycopg://127.0.0.1:{port}/knockon does not answer: connection failed: "
    )
    assert "s3cret" not in str(said)
    assert said.problem.fix == (
        "check that the server runs and that the URL's host, port, database, user and password are right"
    )


@pytest.mark.postgres
def test_a_database_the_server_does_not_have_is_named(postgres_url: str) -> None:
    said = refusal(f"{postgres_url}_not")

    assert said.code == "database-unreachable"
    assert said.problem.what.endswith('_not" does not exist')


@pytest.mark.postgres
def test_a_statement_the_server_refuses_is_not_called_unreachable(postgres_url: str) -> None:
    store = open_store(postgres_url)
    store.migrate()
    before = everything(postgres_url)

    with pytest.raises(StoreError) as refused:
        store.publish(bundle(technique("a" + "\x00")), author="ada", message="")

    assert refused.value.code == "database-error"
    assert refused.value.problem.what.endswith(
        "refused a statement: PostgreSQL text fields cannot contain NUL (0x00) bytes"
    )
    assert everything(postgres_url) == before
    store.close()


@pytest.mark.parametrize(
    ("url", "what"),
    [
        pytest.param("mysql://ada:s3cret@h/db", "a database of kind 'mysql' is not supported", id="another kind"),
        pytest.param(
            "postgresql+asyncpg://h/db",
            "a database of kind 'postgresql+asyncpg' is not supported",
            id="another driver",
        ),
        pytest.param("knockon.db", "the database URL cannot be read", id="a path"),
        pytest.param("", "the database URL cannot be read", id="nothing"),
        pytest.param("postgresql://ada:s3cret@h:port/db", "the database URL cannot be read", id="a port of letters"),
        *(
            pytest.param(url, "an SQLite database without a file would be another one for every thread", id=url)
            for url in ("sqlite://", "sqlite:///:memory:", "sqlite:///file:knockon?mode=memory&uri=true")
        ),
    ],
)
def test_a_url_of_no_use_is_refused_at_once(url: str, what: str) -> None:
    with pytest.raises(StoreError) as refused:
        open_store(url)

    assert refused.value.code == "database-url"
    assert str(refused.value) == (
        f"{what}; expected sqlite:///path/to/file.db or postgresql+psycopg://user@host:5432/name; correct the URL"
    )


@pytest.mark.parametrize(
    "made",
    [
        "CREATE TABLE foo (a INTEGER)",
        "CREATE VIEW foo AS SELECT 1",
        # It migrates with Alembic, too.
        "CREATE TABLE alembic_version (version_num TEXT); CREATE TABLE foo (a INTEGER)",
    ],
)
def test_a_file_of_another_program_is_left_as_it_is(tmp_path: Path, made: str) -> None:
    file = tmp_path / "other.db"
    with sqlite3.connect(file) as other:
        other.executescript(made)
    other.close()
    before = file.read_bytes()

    refused = refusal(f"sqlite:///{file}", migrate=True)

    assert refused.code == "not-of-knock-on"
    assert str(refused) == (
        f"the database sqlite:///{file} is of another program: it holds foo; expected a file that Knock-on "
        "made, or one that is not there yet; name another file; nothing was changed"
    )
    assert file.read_bytes() == before


@pytest.mark.parametrize("migrate", [False, True])
def test_a_pipe_or_a_device_is_no_database(tmp_path: Path, *, migrate: bool) -> None:
    os.mkfifo(tmp_path / "pipe.db")

    for path in (tmp_path / "pipe.db", Path(os.devnull)):
        refused = refusal(f"sqlite:///{path}", migrate=migrate)
        assert refused.code == "not-a-database"
        assert str(refused).startswith(f"the database sqlite:///{path} is a pipe or a device; ")


def test_a_statement_that_a_file_refuses_is_no_matter_of_a_log(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/knockon.db"
    with open_store(url) as store:
        store.migrate()
    with sqlite3.connect(tmp_path / "knockon.db") as other:
        other.execute("DROP TABLE revision")
    other.close()

    refused = refusal(url)

    assert refused.code == "database-error"
    assert " log" not in str(refused)
    assert str(refused).endswith("restore the file from a copy, or load the catalog into a new one")
