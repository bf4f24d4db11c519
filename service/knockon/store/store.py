"""The store: open a database, migrate it, publish bundles, keep runs, read them back. The other files serve this."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property
from itertools import pairwise
from typing import Self

from sqlalchemy import Connection

from knockon.assets import alembic_dir
from knockon.expr.vocabulary import nearest
from knockon.store.database import Database
from knockon.store.history import bundle_of, changes_between, latest_revision, revision_of, revisions_before
from knockon.store.publish import publish
from knockon.store.refusals import refusal, shown
from knockon.store.revision import Changes, Revision
from knockon.store.run import WHOLE, KeptRun, Part, RunKey, RunPage, TargetPage
from knockon.store.runs import is_target, keep_run, run_called, runs_of, target_names, targets_of
from knockon.store.schema import Schema, SchemaState
from knockon.terms.bundle import Bundle
from knockon.terms.errors import IntakeError, LimitExceeded, NotFound, Problem, StoreError
from knockon.terms.limits import PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX, REVISION_TEXT_MAX, TARGETS_SOUGHT_MAX

# Long enough for another publisher's whole write of a large catalog, short enough for a person who waits.
BUSY_TIMEOUT_S = 10.0


def open_store(
    url: str,
    *,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    busy_timeout_s: float = BUSY_TIMEOUT_S,
    is_read_only: bool = False,
) -> "Store":
    """Open the database at `url`; nothing is read or made before the first question.

    Args:
        url: `sqlite:///path`, `postgresql+psycopg://user@host:5432/name`, or the short `postgresql://…`.
        clock: Gives the time of a publish, with its zone.
        busy_timeout_s: Seconds to wait for another program's write to end, before `database-locked`.
        is_read_only: Refuse every write (`read-only`); a file that may only be read can then be read.

    Raises:
        StoreError: The URL cannot be read, or names another kind of database.
    """
    return Store(Database(url, busy_timeout_s=busy_timeout_s, is_read_only=is_read_only), clock=clock)


class Store:
    """Every published revision and the runs that were kept, in one database.

    May be used from several threads; `with` closes it at the end.

    Every method raises StoreError when the database is missing, locked, unreachable, damaged or of another version
    than this program; then nothing was changed.
    """

    def __init__(self, database: Database, *, clock: Callable[[], datetime]) -> None:
        """Use `open_store`."""
        self._database = database
        self._clock = clock

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    @property
    def shown_url(self) -> str:
        """The URL without user, password and options."""
        return shown(self._database.url)

    def migrate(self) -> SchemaState:
        """Bring the tables to this program's version, whole or not at all; gives the state they were in.

        Programs that migrate at once wait for one another. An SQLite file that is not there is made; its folder is not.
        Not to be called from two threads of one program: Alembic keeps the migration it runs in a global.
        """
        schema = self._schema
        with self._database.migrating() as connection:
            return schema.migrate(connection, self._database.url)

    def schema_state(self) -> SchemaState:
        """Compare the tables' version with this program's; a file that is not there is `missing`, and is not made."""
        if self._database.is_missing:
            return "missing"
        with self._database.reading() as connection:
            return self._schema.state(connection)

    def publish(self, bundle: Bundle, *, author: str, message: str) -> Revision:
        """Make `bundle` the next revision: all of it or, when anything goes wrong at any point, nothing of it.

        Returns:
            The new revision, or the latest one with `changed=False` when it holds the same bundle already.

        Raises:
            LimitExceeded: The author or the message is longer than REVISION_TEXT_MAX characters.
            StoreError: As for every method; also two entries of one kind and key (`duplicate-entry`).
        """
        for name, words in (("author", author), ("message", message)):
            if len(words) > REVISION_TEXT_MAX:
                raise LimitExceeded(f"the {name} of a revision", limit=REVISION_TEXT_MAX, found=len(words))
        bundle = self._in_order(bundle)
        with self._database.writing() as connection:
            self._schema.require(connection, self._database.url)
            return publish(connection, bundle, author=author, message=message, at=self._clock())

    def latest(self) -> Revision | None:
        """The newest revision; None before the first publish."""
        with self._reading() as connection:
            return latest_revision(connection)

    def require_latest(self) -> Revision:
        """The newest revision; raises StoreError where nothing was published yet (`store-empty`)."""
        latest = self.latest()
        if latest is None:
            raise self._empty()
        return latest

    def read(self, number: int | None = None) -> Bundle:
        """The bundle of revision `number`, or of the latest, checked against the revision's digest.

        Raises:
            NotFound: No revision has that number.
            StoreError: Nothing was published yet (`store-empty`); what is stored does not have the digest
                that was published (`digest-mismatch`).
        """
        with self._reading() as connection:
            revision = latest_revision(connection) if number is None else revision_of(connection, number)
            if revision is None:
                raise self._empty()
            bundle = bundle_of(connection, revision.number)
        if bundle is None or bundle.digest != revision.digest:
            raise refusal(
                self._database.url,
                code="digest-mismatch",
                what=f"does not hold revision {revision.number} as it was published; something else changed its nodes",
                expected=f"digest {revision.digest}",
                fix="restore the database from a copy, or load the catalog into a new one",
            )
        return bundle

    def revisions(self, limit: int = PAGE_SIZE_DEFAULT, *, before: int | None = None) -> tuple[Revision, ...]:
        """Up to `limit` revisions, newest first, those numbered below `before` where it is given.

        Raises:
            LimitExceeded: `limit` is over PAGE_SIZE_MAX.
        """
        limit = _page(limit, "the page of revisions")
        with self._reading() as connection:
            return revisions_before(connection, before, limit=limit)

    def changes(self, before: int, after: int) -> Changes:
        """What revision `after` has that `before` does not, and the other way round; raises NotFound for either."""
        with self._reading() as connection:
            for number in (before, after):
                revision_of(connection, number)
            return changes_between(connection, before, after)

    def keep(self, run: KeptRun, *, since: datetime | None) -> KeptRun:
        """Keep a run: all of it or, when anything goes wrong at any point, nothing of it.

        Args:
            run: the run; the same one again changes nothing.
            since: runs measured before it are old, and some of them are removed with this write; None keeps all.

        Returns:
            The run, or with `is_new=False` the one that was kept before under its id.

        Raises:
            LimitExceeded: it is over RUN_BYTES_MAX. StoreError: as for every method.
        """
        with self._database.writing() as connection:
            self._schema.require(connection, self._database.url)
            return keep_run(connection, run, since=since)

    def runs(
        self,
        target: str,
        limit: int = PAGE_SIZE_DEFAULT,
        *,
        part: Part[RunKey] = WHOLE,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> RunPage:
        """Up to `limit` runs of a target, newest first: those in `part`, measured from `since` and before `until`.

        Raises:
            NotFound: no run of that target is kept, at no time. LimitExceeded: `limit` is over PAGE_SIZE_MAX.
        """
        limit = _page(limit, "the page of runs")
        with self._reading() as connection:
            if not is_target(connection, target):
                known = target_names(connection, limit=TARGETS_SOUGHT_MAX)
                fix = "" if known else "no run was kept yet"
                raise NotFound("target", target, suggestions=nearest(target, known), fix=fix)
            return runs_of(connection, target, limit=limit, part=part, since=since, until=until)

    def run(self, start: str) -> KeptRun | None:
        """The run whose id begins with `start`; None where there is none.

        Raises:
            IntakeError: several begin so.
        """
        with self._reading() as connection:
            found = run_called(connection, start, limit=2)
        if len(found) > 1:
            what = f"more than one run is called {start}…"
            raise IntakeError(Problem("several-runs", what, "more of its id", "`knockon history TARGET` shows it"))
        return found[0] if found else None

    def targets(self, limit: int = PAGE_SIZE_DEFAULT, *, part: Part[str] = WHOLE) -> TargetPage:
        """Up to `limit` targets that runs are kept of, by name, those in `part`; raises LimitExceeded."""
        limit = _page(limit, "the page of targets")
        with self._reading() as connection:
            return targets_of(connection, limit=limit, part=part)

    def close(self) -> None:
        """Let go of the connections; the store may be used again, it then opens new ones."""
        self._database.engine.dispose()

    def _empty(self) -> StoreError:
        return refusal(
            self._database.url,
            code="store-empty",
            what="holds no revision yet",
            expected="a published catalog",
            fix="load one with `knockon catalog load`",
        )

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with self._database.reading() as connection:
            self._schema.require(connection, self._database.url)
            yield connection

    def _in_order(self, bundle: Bundle) -> Bundle:
        """The bundle in its canonical order, in which its digest is taken; refuses two entries of one kind and key."""
        ordered = Bundle.of(bundle.entries)
        for one, next_one in pairwise(ordered.entries):
            if (one.kind, one.key) == (next_one.kind, next_one.key):
                raise refusal(
                    self._database.url,
                    code="duplicate-entry",
                    what=f"cannot take two entries of kind {one.kind} that are called {one.key!r}",
                    expected="one entry for each kind and key",
                    fix="rename or drop one; nothing was published",
                )
        return ordered

    @cached_property
    def _schema(self) -> Schema:
        # Reading the migrations takes a while and is not needed to open a store.
        return Schema(alembic_dir())


def _page(limit: int, what: str) -> int:
    if limit > PAGE_SIZE_MAX:
        raise LimitExceeded(what, limit=PAGE_SIZE_MAX, found=limit, fix="ask for the next page")
    return max(0, limit)
