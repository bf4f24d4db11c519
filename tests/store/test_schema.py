"""Migrations: up on nothing, twice, down, from older, from newer, half way, and two programs at once."""

import contextlib
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic import command

from knockon.assets import alembic_dir
from knockon.store.database import Database
from knockon.store.schema import Schema, alembic_config
from knockon.store.store import Store, open_store
from knockon.terms.errors import StoreError
from tests.store.bundles import bundle, everything, execute, history, rows, table_names, technique
from tests.store.kept import run
from tests.store.writers import Line, writer

TABLES = ["alembic_version", "edge", "hypothesis", "node", "revision", "run"]

# Alters the table that every other one refers to, so SQLite has to copy it under its rows' feet.
LATER = """
import sqlalchemy as sa
from alembic import op
revision, down_revision = "9999", "{head}"
def upgrade():
    with op.batch_alter_table("revision") as batch:
        batch.add_column(sa.Column("reviewer", sa.Text(), nullable=False, server_default="nobody"))
        batch.alter_column("author", existing_type=sa.Text(), type_=sa.String(200))
def downgrade():
    raise NotImplementedError
"""


def migrate_when_told(line: Line, url: str) -> None:
    """Open the store, wait for a word, so that all of them begin at once, and say what the schema was."""
    store = open_store(url)
    line.say("opened")
    line.wait()
    line.say(store.migrate())


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    opened = Database(url, busy_timeout_s=10)
    yield opened
    opened.engine.dispose()


@pytest.fixture
def later(tmp_path: Path) -> Schema:
    """Give the schema of a later version of Knock-on: one migration more."""
    folder = tmp_path / "100% later"
    shutil.copytree(alembic_dir(), folder)
    (folder / "versions" / "9999_later.py").write_text(LATER.format(head=Schema(alembic_dir()).head))
    return Schema(folder)


def test_a_new_database_gets_all_tables_once(url: str) -> None:
    with open_store(url) as store:
        assert store.schema_state() == "missing"
        assert store.migrate() == "missing"
        assert store.schema_state() == "current"
        assert table_names(url) == TABLES
        assert store.migrate() == "current"
        assert table_names(url) == TABLES


def test_asking_for_the_state_of_a_missing_file_does_not_make_it(tmp_path: Path) -> None:
    path = tmp_path / "not-there.db"

    assert open_store(f"sqlite:///{path}").schema_state() == "missing"

    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_can_be_migrated(tmp_path: Path) -> None:
    path = tmp_path / "empty.db"
    path.touch()
    store = open_store(f"sqlite:///{path}")

    assert store.schema_state() == "missing"
    assert store.migrate() == "missing"
    assert store.schema_state() == "current"


def test_migrating_keeps_what_was_published(store: Store) -> None:
    given = bundle(technique("a"))
    store.publish(given, author="ada", message="")

    store.migrate()

    assert store.read() == given


def test_tables_and_migrations_do_not_differ(store: Store, database: Database) -> None:
    with database.writing() as connection:
        command.check(alembic_config(alembic_dir(), connection))


def test_downgrade_takes_everything_away_and_upgrade_brings_it_back(store: Store, database: Database, url: str) -> None:
    with database.migrating() as connection:
        command.downgrade(alembic_config(alembic_dir(), connection), "base")

    assert table_names(url) == ["alembic_version"]
    assert store.schema_state() == "missing"
    assert store.migrate() == "missing"
    assert table_names(url) == TABLES


def test_a_database_from_before_there_were_runs_keeps_its_revisions_and_takes_runs(
    store: Store, database: Database, url: str
) -> None:
    given = bundle(technique("a"))
    store.publish(given, author="ada", message="")
    with database.migrating() as connection:
        command.downgrade(alembic_config(alembic_dir(), connection), "0001")
    assert table_names(url) == ["alembic_version", "edge", "node", "revision"]
    assert store.schema_state() == "older"
    with pytest.raises(StoreError) as refused:
        store.keep(run(), since=None)
    assert refused.value.code == "schema-older"

    assert store.migrate() == "older"

    assert store.read() == given
    assert store.keep(run(), since=None) == run()


def test_going_back_to_before_there_were_runs_takes_them_and_nothing_else(
    store: Store, database: Database, url: str
) -> None:
    given = bundle(technique("a"))
    store.publish(given, author="ada", message="")
    store.keep(run(), since=None)

    with database.migrating() as connection:
        command.downgrade(alembic_config(alembic_dir(), connection), "0001")
    store.migrate()

    assert store.read() == given
    assert store.targets().targets == []


def test_a_database_without_tables_is_refused_until_migrated(url: str, tmp_path: Path) -> None:
    if url.startswith("sqlite"):
        (tmp_path / "knockon.db").touch()
    with open_store(url) as store:
        for ask in (store.latest, store.read, lambda: store.publish(bundle(), author="ada", message="")):
            with pytest.raises(StoreError) as refused:
                ask()
            assert refused.value.code == "schema-missing"
            assert str(refused.value) == (
                f"the database {store.shown_url} has no tables of Knock-on; expected a migrated database; "
                "let `knockon serve` migrate it"
            )
    assert table_names(url) == []


def test_a_newer_database_is_refused_and_left_alone(store: Store, url: str) -> None:
    store.publish(bundle(technique("a")), author="ada", message="")
    head = Schema(alembic_dir()).head
    execute(url, "UPDATE alembic_version SET version_num = '9999'")
    before = everything(url)

    assert store.schema_state() == "newer"
    for ask in (store.migrate, store.read, store.latest, lambda: store.publish(bundle(), author="ada", message="")):
        with pytest.raises(StoreError) as refused:
            ask()
        assert refused.value.code == "schema-newer"
        assert str(refused.value) == (
            f"the database {store.shown_url} is of a newer version of Knock-on than this program; "
            f"expected schema {head} or older; upgrade Knock-on, or use another database; nothing was changed"
        )
    assert everything(url) == before


def test_an_older_database_is_refused_until_migrated_and_loses_nothing(
    store: Store, database: Database, later: Schema, url: str
) -> None:
    given = [bundle(technique("a", n=n)) for n in range(3)]
    for one in given:
        store.publish(one, author="ada", message="")

    with database.reading() as connection:
        assert later.state(connection) == "older"
        with pytest.raises(StoreError) as refused:
            later.require(connection, database.url)
    assert refused.value.code == "schema-older"
    assert refused.value.problem.expected == "schema 9999"

    with database.migrating() as connection:
        assert later.migrate(connection, database.url) == "older"

    assert rows(url, "SELECT number, author, reviewer FROM revision ORDER BY number") == [
        (number, "ada", "nobody") for number in (1, 2, 3)
    ]
    assert rows(url, "SELECT count(*) FROM node") == [(3,)]
    assert store.schema_state() == "newer"
    # Back on the version this program knows, the added column does not disturb it.
    execute(url, f"UPDATE alembic_version SET version_num = '{Schema(alembic_dir()).head}'")
    assert history(url) == given


def test_a_migration_that_breaks_half_way_leaves_nothing(url: str) -> None:
    # The last of the tables to be made is there already, and is not ours.
    execute(url, "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
    execute(url, "CREATE TABLE edge (n INTEGER)")

    with open_store(url) as store:
        with pytest.raises(StoreError, match=r'edge"? already exists') as refused:
            store.migrate()

        assert refused.value.code == "database-error"
        assert table_names(url) == ["alembic_version", "edge"]
        execute(url, "DROP TABLE edge")
        assert store.migrate() == "missing"


def test_programs_that_migrate_at_once_wait_for_one_another(url: str) -> None:
    with contextlib.ExitStack() as stack:
        children = [stack.enter_context(writer(migrate_when_told, url)) for _ in range(4)]
        assert [child.heard() for child in children] == ["opened"] * 4
        for child in children:
            child.go_on()

        assert sorted(child.heard() for child in children) == ["current"] * 3 + ["missing"]
        assert [child.ended() for child in children] == [0] * 4


@pytest.mark.parametrize("busy_timeout_s", [10, 0.05])
def test_a_new_file_that_another_program_writes_to_is_waited_for(tmp_path: Path, busy_timeout_s: float) -> None:
    path = tmp_path / "knockon.db"
    # Before its first migration a file has a journal in which a writer keeps out who wants to change that.
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
    other.execute("BEGIN IMMEDIATE")
    other.execute("DROP TABLE alembic_version")
    timer = threading.Timer(0.2, other.execute, ["COMMIT"])
    store = open_store(f"sqlite:///{path}", busy_timeout_s=busy_timeout_s)
    timer.start()

    if busy_timeout_s > 1:
        assert store.migrate() == "missing"
    else:
        with pytest.raises(StoreError, match="is locked by another program"):
            store.migrate()

    timer.join()
    other.close()
    store.close()


def test_the_developers_command_needs_a_database_named(tmp_path: Path) -> None:
    database = f"url=sqlite:///{tmp_path}/dev.db"

    nameless = _alembic("upgrade", "head")
    upgraded = _alembic("-x", database, "upgrade", "head")
    checked = _alembic("-x", database, "check")

    assert nameless.returncode != 0
    assert "say which database: alembic -x url=sqlite:///knockon.db" in nameless.stderr + nameless.stdout
    assert (upgraded.returncode, upgraded.stderr) == (0, "")
    assert (checked.returncode, checked.stdout) == (0, "No new upgrade operations detected.\n")


def _alembic(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Alembic's command as a developer does: in the checkout, which configures it in pyproject.toml."""
    checkout = alembic_dir().parent
    return subprocess.run(
        [sys.executable, "-m", "alembic", *arguments], cwd=checkout, capture_output=True, text=True, check=False
    )
