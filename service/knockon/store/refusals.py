"""What a database refuses, in Knock-on's words: which database, what is wrong, what was expected, what to do."""

import sqlite3
from dataclasses import dataclass, replace

from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError

from knockon.terms.errors import Problem, StoreError


@dataclass(frozen=True, slots=True)
class _Refusal:
    """One kind of refusal; `what` goes on after "the database …", and `{said}` in it is the driver's own first line."""

    code: str
    what: str
    expected: str
    fix: str


_LOCKED = _Refusal(
    "database-locked",
    "is locked by another program",
    "to write within the busy timeout",
    "wait until the other program is done, or stop it, and try again",
)
_READ_ONLY = _Refusal(
    "database-read-only",
    "cannot be written",
    "a file and a folder that this user may write",
    "check the permissions",
)
_REFUSED_BY_FILE = _Refusal(
    "database-error",
    "refused a statement: {said}",
    "tables made by Knock-on's own migrations",
    "nothing was changed; restore the file from a copy, or load the catalog into a new one",
)
_UNREACHABLE = _Refusal(
    "database-unreachable",
    "does not answer: {said}",
    "a PostgreSQL server that lets this user in",
    "check that the server runs and that the URL's host, port, database, user and password are right",
)
_OTHER = _Refusal(
    "database-error",
    "refused a statement: {said}",
    "tables made by Knock-on's own migrations",
    "nothing was changed; check the database's own log",
)

# By SQLite's primary result code (sqlite.org/rescode.html): what an operator can do something about.
_SQLITE = {
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_PERM: _READ_ONLY,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: _Refusal(
        "database-unreadable",
        "cannot be opened",
        "a file in a folder that this user may read and write",
        "check the path and its permissions",
    ),
    sqlite3.SQLITE_CORRUPT: _Refusal(
        "database-corrupt",
        "is damaged",
        "a sound SQLite file",
        "restore it from a copy, or move it away and load the catalog into a new one",
    ),
    sqlite3.SQLITE_NOTADB: _Refusal(
        "not-a-database",
        "is not an SQLite database",
        "a file that Knock-on made",
        "check the path; the file was left as it is",
    ),
    sqlite3.SQLITE_FULL: _Refusal("disk-full", "has no room to grow", "free disk space", "make room and try again"),
    sqlite3.SQLITE_IOERR: _Refusal("disk-error", "cannot be read or written", "a working disk", "check the disk"),
}
# An extended result code keeps its primary code in the lowest byte.
_PRIMARY = 0xFF

# SQLSTATE, from PostgreSQL's appendix A; read without psycopg, which those who use SQLite need not import.
_LOCK_NOT_AVAILABLE = "55P03"
# Classes: none at all (no server said it), connection exception, invalid authorization, operator intervention.
_NO_SERVER = frozenset({"", "08", "28", "57"})


def shown(url: URL) -> str:
    """The URL as people may see it: without user, password and options, which may hold secrets."""
    return URL.create(url.drivername, host=url.host, port=url.port, database=url.database).render_as_string()


def refusal(url: URL, *, code: str, what: str, expected: str = "", fix: str = "") -> StoreError:
    """A refusal of the database at `url`; `what` goes on after "the database …"."""
    return StoreError(Problem(code=code, what=f"the database {shown(url)} {what}", expected=expected, fix=fix))


def not_to_be_written(url: URL) -> StoreError:
    """A write to a database that the settings say to read only."""
    return refusal(
        url,
        code="read-only",
        what="is not to be written: KNOCKON_READ_ONLY says so",
        expected="to only read it",
        fix="write it without that setting",
    )


def may_only_be_read(said: StoreError) -> StoreError:
    """The refusal of an SQLite file that may be read but not written, with the setting that reads it."""
    fix = f"{said.problem.fix}, or set KNOCKON_READ_ONLY=true to only read it"
    return StoreError(replace(said.problem, fix=fix))


def unread_changes(url: URL, beside: str) -> StoreError:
    """The refusal of an SQLite file that cannot be read alone: its last changes are in the file `beside` it."""
    return refusal(
        url,
        code="changes-beside",
        what=f"has changes that are still in {beside}, and may not be written",
        expected="a file that its writer has closed",
        fix=f"close it with the program that writes it, or copy it with {beside} to a folder that may be written",
    )


def refused(error: SQLAlchemyError, url: URL) -> StoreError:
    """Turn what SQLAlchemy or a driver raised into Knock-on's words."""
    kind = _kind_of(error)
    origin = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    said = next(iter(str(origin).strip().splitlines()), type(origin).__name__)
    return refusal(url, code=kind.code, what=kind.what.format(said=said), expected=kind.expected, fix=kind.fix)


def _kind_of(error: SQLAlchemyError) -> _Refusal:
    origin = error.orig if isinstance(error, DBAPIError) else None
    if isinstance(origin, sqlite3.Error):
        # Errors that Python's sqlite3 raises by itself carry no code.
        return _SQLITE.get(getattr(origin, "sqlite_errorcode", 0) & _PRIMARY, _REFUSED_BY_FILE)
    state = getattr(origin, "sqlstate", None) or ""
    if state == _LOCK_NOT_AVAILABLE:
        return _LOCKED
    return _UNREACHABLE if isinstance(error, OperationalError) and state[:2] in _NO_SERVER else _OTHER
