"""What is served: one immutable snapshot of the latest revision, swapped whole when a new one is published.

Read requests look only here, so none of them asks the database.
"""

import asyncio
import contextlib
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from knockon.jobs.functions import with_functions
from knockon.jobs.knowledge import Knowledge
from knockon.jobs.load import knowledge_at
from knockon.store.revision import Revision
from knockon.store.store import Store
from knockon.terms.errors import KnockonError, LimitExceeded, NotFound
from knockon.terms.limits import PAGE_SIZE_MAX, REVISION_CACHE_MAX

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One revision, ready to be asked."""

    knowledge: Knowledge
    known: tuple[Revision, ...]
    """It and every revision before it, newest first."""

    @property
    def revision(self) -> Revision:
        """The revision it is of."""
        return self.known[0]

    def missing(self, number: int) -> NotFound:
        """The complaint about a revision that is not there."""
        return NotFound("revision", str(number), fix=f"the latest one is {self.revision.number}")


@dataclass(frozen=True, slots=True)
class View:
    """What one request sees: the snapshot it began with, and the older revisions it names."""

    snapshot: Snapshot
    older: Mapping[int, Knowledge]

    @property
    def known(self) -> Sequence[Revision]:
        """Every revision up to the snapshot's, newest first."""
        return self.snapshot.known

    def knowledge(self, number: int | None) -> Knowledge:
        """The knowledge of a revision, the snapshot's when None; raises NotFound."""
        if number is None or number == self.snapshot.revision.number:
            return self.snapshot.knowledge
        if number not in self.older:
            raise self.snapshot.missing(number)
        return self.older[number]


class Snapshots:
    """The current snapshot, and a few older revisions that were asked for."""

    def __init__(self, store: Store, *, when_swapped: Callable[[], None] = lambda: None) -> None:
        """Serve from `store`; nothing is read before `refresh`, which calls `when_swapped` after each swap."""
        self._store = store
        self._when_swapped = when_swapped
        self._older: OrderedDict[int, Knowledge] = OrderedDict()
        self._refreshing = threading.Lock()
        self.current: Snapshot | None = None
        """None until a revision was read. Swapped whole: hold on to it for the length of a request."""
        self.trouble: KnockonError | None = None
        """Why the last look at the database failed; None when it did not."""

    def refresh(self) -> bool:
        """Read the latest revision if it is not the current one; says whether the snapshot was swapped.

        Raises:
            StoreError: the database cannot be read, or holds nothing; the current snapshot stays.
        """
        with self._refreshing:
            latest = self._store.latest()
            current = self.current
            if current is not None and latest is not None and latest.number == current.revision.number:
                return False
            started = time.perf_counter()
            if latest is None:
                # An empty database cannot be read; where this one can, somebody published since it was looked at.
                number = knowledge_at(self._store, None).number
                latest = self._store.latest()
                assert latest is not None, f"revision {number} was just read"
            knowledge = _warm(with_functions(knowledge_at(self._store, latest.number)))
            known = (
                *self._newer_than(current.known[0].number if current else 0, latest),
                *(current.known if current else ()),
            )
            self.current = Snapshot(knowledge, known)
            self._when_swapped()
            log.info(
                "revision loaded",
                extra={
                    "revision": latest.number,
                    "digest": latest.digest,
                    "techniques": len(knowledge.catalog.techniques),
                    "ms": round((time.perf_counter() - started) * 1000),
                },
            )
            return True

    async def keep_fresh(self, every_s: float, *, ended: asyncio.Event) -> None:
        """Look for a new revision until `ended`; a database that does not answer is logged once and asked again.

        A look under way is waited for: cancelled, its thread would go on, and keep a connection past the store's end.
        """
        while not ended.is_set():
            try:
                await asyncio.to_thread(self.refresh)
            except KnockonError as error:
                if self.trouble is None:
                    log.warning("database not readable, the current revision stays: %s", error)
                self.trouble = error
            else:
                self.trouble = None
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(ended.wait(), every_s)

    async def view(self, snapshot: Snapshot, numbers: Iterable[int]) -> View:
        """The view of a request that names these revisions; those not in memory are read in a thread.

        Raises:
            LimitExceeded: more older revisions at once than are kept in memory. StoreError: the database fails.
        """
        existing = {one.number for one in snapshot.known[1:]}
        wanted = sorted(existing.intersection(numbers))
        if len(wanted) > REVISION_CACHE_MAX:
            raise LimitExceeded(
                "the number of older revisions in one request",
                limit=REVISION_CACHE_MAX,
                found=len(wanted),
                fix="send several requests",
            )
        older = {}
        for number in wanted:
            held = self._older.get(number)
            older[number] = held if held is not None else await asyncio.to_thread(knowledge_at, self._store, number)
            self._older[number] = older[number]
            self._older.move_to_end(number)
        while len(self._older) > REVISION_CACHE_MAX:
            self._older.popitem(last=False)
        return View(snapshot, older)

    def _newer_than(self, number: int, latest: Revision) -> Sequence[Revision]:
        """The revisions from `latest` down to the one after `number`, newest first."""
        found: list[Revision] = [latest]
        while found[-1].number > number + 1:
            found += [
                one for one in self._store.revisions(PAGE_SIZE_MAX, before=found[-1].number) if one.number > number
            ]
        return found


def _warm(knowledge: Knowledge) -> Knowledge:
    """Work out what the first questions would otherwise have to wait for."""
    _ = (
        knowledge.catalog.live,
        knowledge.catalog.citations.values(),
        knowledge.catalog.models.values(),
        knowledge.catalog.loops,
        knowledge.rulebook.prepared(),
    )
    return replace(knowledge, detection=knowledge.detection.prepared())
