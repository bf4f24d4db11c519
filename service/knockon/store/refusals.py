"""What a database refuses, in Knock-on's words: which database, what is wrong, what was expected, what to do."""

import sqlite3

import psycopg
from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from knockon.terms.errors import Problem, StoreError

# SQLite's primary result codes (sqlite.org/rescode.html) that an operator can do something about.
_SQLITE: dict[int, tuple[str, str, str, str]] = {
    sqlite3.SQLITE_BUSY: (
        "database-locked",
        "is locked by another program",
        "to write within the busy timeout",
        "wait until the other program is done, or stop it, and try again",
    ),
    sqlite3.SQLITE_CANTOPEN: (
        "database-unreadable",
        "cannot be opened",
        "a file in a folder that this user may read and write",
        "check the path and its permissions",
    ),
    sqlite3.SQLITE_CORRUPT: (
        "database-corrupt",
        "is damaged",
        "a sound SQLite file",
        "restore it from a copy, or move it away and load the catalog into a new one",
    ),
    sqlite3.SQLITE_FULL: ("disk-full", "has no room to grow", "free disk space", "make room and try again"),
    sqlite3.SQLITE_IOERR: ("disk-error", "cannot be read or written", "a working disk", "check the disk"),
    sqlite3.SQLITE_NOTADB: (
        "not-a-database",
        "is not an SQLite database",
        "a file that Knock-on made",
        "check the path; the file was left as it is",
    ),
    sqlite3.SQLITE_READONLY: (
        "database-read-only",
        "cannot be written",
        "a file and a folder that this user may write",
        "check the permissions",
    ),
}
_SQLITE[sqlite3.SQLITE_LOCKED] = _SQLITE[sqlite3.SQLITE_BUSY]
_SQLITE[sqlite3.SQLITE_PERM] = _SQLITE[sqlite3.SQLITE_READONLY]

# Classes of SQLSTATE (PostgreSQL's appendix A): none at all, connection exception, authorization, intervention.
_NO_SERVER = frozenset({"", "08", "28", "57"})

# An extended result code keeps its primary code in the lowest byte.
_PRIMARY = 0xFF


def shown(url: URL) -> str:
    """The URL as people may see it: without user, password and options, which may hold secrets."""
    return URL.create(url.drivername, host=url.host, port=url.port, database=url.database).render_as_string()


def refusal(url: URL, *, code: str, what: str, expected: str = "", fix: str = "") -> StoreError:
    """A refusal of the database at `url`; `what` goes on after "the database …"."""
    return StoreError(Problem(code=code, what=f"the database {shown(url)} {what}", expected=expected, fix=fix))


def refused(error: SQLAlchemyError, url: URL) -> StoreError:
    """Turn what SQLAlchemy or a driver raised into Knock-on's words."""
    origin = error.orig if isinstance(error, DBAPIError) else None
    if isinstance(origin, sqlite3.Error):
        # Errors that Python's sqlite3 raises on its own carry no code.
        known = _SQLITE.get(getattr(origin, "sqlite_errorcode", 0) & _PRIMARY)
        if known is not None:
            code, what, expected, fix = known
            return refusal(url, code=code, what=what, expected=expected, fix=fix)
    if isinstance(origin, psycopg.errors.LockNotAvailable):
        code, what, expected, fix = _SQLITE[sqlite3.SQLITE_BUSY]
        return refusal(url, code=code, what=what, expected=expected, fix=fix)
    if isinstance(origin, psycopg.OperationalError) and (origin.sqlstate or "")[:2] in _NO_SERVER:
        return refusal(
            url,
            code="database-unreachable",
            what=f"does not answer: {_first_line(origin)}",
            expected="a PostgreSQL server that lets this user in",
            fix="check that the server runs and that the URL's host, port, database, user and password are right",
        )
    return refusal(
        url,
        code="database-error",
        what=f"refused a statement: {_first_line(origin or error)}",
        expected="tables made by Knock-on's own migrations",
        fix="nothing was changed; check the database's own log",
    )


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)
