"""One database, its transactions, and its refusals: the place where SQLite and PostgreSQL differ."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Dialect, Engine, create_engine, event, make_url, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, OperationalError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry, NullPool

from knockon.store.refusals import may_only_be_read, not_to_be_written, refusal, refused, unread_changes
from knockon.store.sqlite_file import changes_beside, is_special, may_read, may_write, read_only_uri
from knockon.store.tables import metadata, revision
from knockon.terms.errors import Problem, StoreError

# One number for "Knock-on writes" among the advisory locks of a PostgreSQL database: the letters KNOCKON as bytes.
PUBLISH_LOCK = 0x4B4E4F434B4F4E
# A readiness probe waits ten seconds at most; a server that has not answered by then is down for us.
CONNECT_TIMEOUT_S = 5
_BETWEEN_TRIES_S = 0.01
# Alembic's; every database that Knock-on migrated has it.
_VERSION_TABLE = "alembic_version"

_DRIVERS = {
    "sqlite": "sqlite",
    "sqlite+pysqlite": "sqlite",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
}
# The execution option that says how a transaction begins on SQLite.
_BEGIN = "knockon_begin"
_SQLITE_MIGRATES = (
    # Readers go on reading the old revision while a new one is written. The file keeps this setting.
    "PRAGMA journal_mode = WAL",
    # Altering a table there means copying and dropping it, which must not touch the rows that refer to it.
    "PRAGMA foreign_keys = OFF",
)


class Database:
    """A database that may or may not be there yet; nothing is opened before the first transaction."""

    def __init__(self, url: str, *, busy_timeout_s: float, is_read_only: bool = False) -> None:
        """Read the URL.

        Args:
            url: `sqlite:///path`, `postgresql+psycopg://…`, or the short `postgresql://…`.
            busy_timeout_s: Seconds to wait for another program's write to end, at least 0.001.
            is_read_only: Write nothing; an SQLite file then need not be writable, nor its folder.

        Raises:
            StoreError: The URL cannot be read, or names another kind of database.
        """
        self.url = _read_url(url)
        self.is_read_only = is_read_only
        self._busy_timeout_ms = max(1, round(busy_timeout_s * 1000))
        self.engine = self._sqlite_engine() if self.is_sqlite else self._postgresql_engine()

    @property
    def is_sqlite(self) -> bool:
        """Whether it is a file; otherwise it is a PostgreSQL server."""
        return self.url.get_backend_name() == "sqlite"

    @property
    def is_missing(self) -> bool:
        """Whether it is an SQLite file that is not there. A server is asked, never guessed about."""
        try:
            return self.is_sqlite and not self._path.exists()
        except OSError:
            # There is something that we may not look at; opening it says what.
            return False

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees one state; raises StoreError for a file that is not there, and makes none."""
        self._require_file()
        with self._transaction("BEGIN") as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that waits for every other writer at its start, and commits whole or not at all."""
        self._require_writable()
        self._require_file()
        with self._alone() as connection:
            yield connection

    @contextmanager
    def migrating(self) -> Iterator[Connection]:
        """Like `writing`, but an SQLite file that is not there is made; its folder is not.

        References are not looked at before the end, where all of them must hold.
        """
        self._require_writable()
        self._require_folder()
        self._require_ours()
        with self._alone(*_SQLITE_MIGRATES) as connection:
            yield connection
            if self.is_sqlite and (broken := connection.exec_driver_sql("PRAGMA foreign_key_check").first()):
                raise refusal(
                    self.url,
                    code="migration-broken",
                    what=f"would lose what rows of {broken[0]} refer to in {broken[2]}",
                    expected="every reference to hold after a migration",
                    fix="report this; nothing was changed",
                )

    @contextmanager
    def _alone(self, *before: str) -> Iterator[Connection]:
        # A transaction that reads first and writes later fails with BUSY when another wrote in between;
        # IMMEDIATE takes the write lock at once and waits for it.
        with self._transaction(*before, "BEGIN IMMEDIATE") as connection:
            if not self.is_sqlite:
                # The lock ends with the transaction, so also when this program is killed.
                connection.execute(text(f"SET LOCAL lock_timeout = {self._busy_timeout_ms}"))
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": PUBLISH_LOCK})
            yield connection

    @contextmanager
    def _transaction(self, *begin: str) -> Iterator[Connection]:
        """A transaction; `begin` are the statements that begin it on SQLite."""
        try:
            with self.engine.execution_options(**{_BEGIN: begin}).begin() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise self._refused(error) from error

    def _refused(self, error: SQLAlchemyError) -> StoreError:
        said = refused(error, self.url)
        if not self.is_sqlite or said.code not in ("database-read-only", "database-unreadable"):
            return said
        if not may_read(self._path) or may_write(self._path):
            return said
        if not self.is_read_only:
            return may_only_be_read(said)
        beside = changes_beside(self._path)
        return said if beside is None else unread_changes(self.url, beside.name)

    def _require_writable(self) -> None:
        if self.is_read_only:
            raise not_to_be_written(self.url)

    def _require_ours(self) -> None:
        """Refuse a file of another program before anything of it is changed. A server's database may be shared."""
        self._require_regular()
        if not self.is_sqlite or self.is_missing:
            return
        with self._transaction("BEGIN") as connection:
            kept = connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
            # What SQLite keeps for itself is nobody's.
            names = {row[0] for row in kept if not row[0].startswith("sqlite_")}
        theirs = names - {_VERSION_TABLE, *metadata.tables}
        # Other programs migrate with Alembic as well.
        if names and (_VERSION_TABLE not in names or (theirs and revision.name not in names)):
            raise refusal(
                self.url,
                code="not-of-knock-on",
                what=f"is of another program: it holds {min(theirs or names)}",
                expected="a file that Knock-on made, or one that is not there yet",
                fix="name another file; nothing was changed",
            )

    def _require_regular(self) -> None:
        """Refuse a pipe or a device: SQLite would wait for it, or take it for a broken disk."""
        if self.is_sqlite and is_special(self._path):
            raise refusal(
                self.url,
                code="not-a-database",
                what="is a pipe or a device",
                expected="a file that Knock-on made, or one that is not there yet",
                fix="check the path",
            )

    def _require_file(self) -> None:
        self._require_regular()
        if self.is_missing:
            raise refusal(
                self.url,
                code="database-missing",
                what="is not there",
                expected="an SQLite file that Knock-on made",
                fix="check the path, or let `knockon serve` make it",
            )

    def _require_folder(self) -> None:
        if self.is_missing and not self._path.parent.is_dir():
            raise refusal(
                self.url,
                code="folder-missing",
                what="cannot be made: its folder is not there",
                expected="a folder that this user may write",
                fix=f"make the folder {self._path.parent} first",
            )

    @property
    def _path(self) -> Path:
        return Path(self.url.database or "")

    def _sqlite_engine(self) -> Engine:
        # A file opens in microseconds, and a kept connection would go on using a file that was replaced.
        engine = create_engine(self.url, poolclass=NullPool)
        busy_timeout_ms, is_read_only, path = self._busy_timeout_ms, self.is_read_only, self._path

        @event.listens_for(engine, "do_connect")
        def _open(_: Dialect, _entry: ConnectionPoolEntry, arguments: list[Any], options: dict[str, Any]) -> None:
            # Asked at every connection: another program may write the file that this one only reads.
            if is_read_only and not may_write(path):
                arguments[0] = read_only_uri(path)
                options["uri"] = True

        @event.listens_for(engine, "connect")
        def _prepare(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
            assert isinstance(connection, sqlite3.Connection)
            # Python's driver would begin transactions by itself, late and never IMMEDIATE; _begin does it instead.
            connection.isolation_level = None
            connection.execute(f"PRAGMA busy_timeout = {busy_timeout_ms}")
            connection.execute("PRAGMA foreign_keys = ON")
            if is_read_only:
                connection.execute("PRAGMA query_only = ON")

        @event.listens_for(engine, "begin")
        def _begin(connection: Connection) -> None:
            for statement in connection.get_execution_options()[_BEGIN]:
                _execute_in_time(connection, statement, seconds=busy_timeout_ms / 1000)

        return engine

    def _postgresql_engine(self) -> Engine:
        arguments = {} if "connect_timeout" in self.url.query else {"connect_timeout": CONNECT_TIMEOUT_S}
        # Requests are answered from memory: only publishing and looking for a new revision come here.
        return create_engine(self.url, pool_size=2, pool_pre_ping=True, connect_args=arguments)


def _execute_in_time(connection: Connection, statement: str, *, seconds: float) -> None:
    """Execute it, again and again for as long as other programs are in the way.

    SQLite waits by itself for most locks; to change the journal of a file that another program writes to it does not.
    """
    until = time.monotonic() + seconds
    while True:
        try:
            connection.exec_driver_sql(statement)
        except OperationalError as error:
            code = getattr(error.orig, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
            if code & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() >= until:
                raise
            time.sleep(_BETWEEN_TRIES_S)
        else:
            return


def _read_url(url: str) -> URL:
    try:
        read = make_url(url)
    except (ArgumentError, ValueError) as error:
        # The text is not repeated: it may hold a password.
        raise _bad_url("the database URL cannot be read") from error
    driver = _DRIVERS.get(read.drivername)
    if driver is None:
        raise _bad_url(f"a database of kind {read.drivername!r} is not supported")
    if driver == "sqlite" and (not read.database or read.database.startswith((":memory:", "file:"))):
        raise _bad_url("an SQLite database without a file would be another one for every thread")
    return read.set(drivername=driver)


def _bad_url(what: str) -> StoreError:
    return StoreError(
        Problem(
            code="database-url",
            what=what,
            expected="sqlite:///path/to/file.db or postgresql+psycopg://user@host:5432/name",
            fix="correct the URL",
        )
    )
