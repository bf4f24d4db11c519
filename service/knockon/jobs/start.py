"""start: make a database ready to be served from; on the first start the shipped catalog and rules go into it."""

from dataclasses import dataclass

from knockon.assets import catalog_dir, rules_dir
from knockon.curate.cache import cached_bundle
from knockon.jobs.load import load
from knockon.store.revision import Revision
from knockon.store.store import Store
from knockon.terms.errors import CurationError

AUTHOR = "knockon"


@dataclass(frozen=True, slots=True)
class Started:
    """The revision to serve."""

    revision: Revision
    is_first: bool
    """Whether the database held none before."""
    is_shipped: bool
    """Whether it holds what came with the program; else someone published another one, or the program is newer."""


def start(store: Store, *, is_read_only: bool = False) -> Started:
    """Migrate the database, and load what is shipped where it holds no revision; neither where it is read only.

    What others published is never replaced: a newer program with another catalog leaves that to `knockon catalog load`.

    Raises:
        StoreError: the database cannot be used, or should only be read and is not ready; nothing was changed.
        CurationError: the shipped tree is broken.
    """
    if is_read_only:
        held = store.require_latest()
        return Started(held, is_first=False, is_shipped=held.digest == _shipped_digest())
    store.migrate()
    latest = store.latest()
    if latest is None:
        shipped = load(
            store, catalog_dir(), rules_dir(), author=AUTHOR, message="the catalog and rules of this program"
        )
        return Started(shipped, is_first=True, is_shipped=True)
    return Started(latest, is_first=False, is_shipped=latest.digest == _shipped_digest())


def _shipped_digest() -> str | None:
    try:
        return cached_bundle(catalog_dir(), rules_dir()).digest
    except CurationError:
        # A tree that somebody is working on: what is in the database can be served all the same.
        return None
