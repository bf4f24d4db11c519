"""The trees and the database that curators name on the command line."""

from pathlib import Path

from knockon.assets import catalog_dir, rules_dir
from knockon.store.store import Store, open_store
from knockon.terms.bundle import Bundle
from knockon.terms.errors import IntakeError, Problem


def trees(catalog: str | None, rules: str | None) -> tuple[Path, Path]:
    """The two folders; the shipped ones where none is named."""
    return Path(catalog) if catalog else catalog_dir(), Path(rules) if rules else rules_dir()


def store_at(database_url: str | None) -> Store:
    """The database at the URL, or the one that the settings name; raises StoreError."""
    if database_url is None:
        from knockon.settings import Settings

        database_url = Settings().database_url
    return open_store(database_url)


def state_named(name: str, database_url: str | None) -> Bundle:
    """A state of catalog and rules: a revision by its number, `shipped`, or a folder that holds both trees.

    Raises:
        IntakeError: it is none of these.
        CurationError: a tree cannot be read. NotFound, StoreError: the database has no such revision.
    """
    from knockon.curate.cache import cached_bundle
    from knockon.curate.tree import read_tree

    if name.isdecimal():
        store = store_at(database_url)
        try:
            return store.read(int(name))
        finally:
            store.close()
    if name == "shipped":
        return cached_bundle(catalog_dir(), rules_dir())
    folder = Path(name)
    if not (folder / "catalog").is_dir() or not (folder / "rules").is_dir():
        expected = "a revision's number, `shipped`, or a folder with catalog/ and rules/ in it"
        raise IntakeError(Problem("no-such-state", f"{name!r} is no state of the catalog", expected))
    return read_tree(folder / "catalog", folder / "rules")
