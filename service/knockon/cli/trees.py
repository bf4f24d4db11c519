"""The trees and the database that curators name on the command line."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from knockon.assets import catalog_dir, rules_dir
from knockon.cli.paths import is_folder
from knockon.terms.bundle import Bundle
from knockon.terms.errors import IntakeError, Problem

if TYPE_CHECKING:
    from knockon.store.store import Store

# As long as the store waits by itself: another publisher's whole write of a large catalog.
WAIT_S = 10.0


def trees(catalog: str | None, rules: str | None) -> tuple[Path, Path]:
    """The two folders; the shipped ones where none is named.

    Raises:
        IntakeError: a folder that was named is none.
    """
    return (
        catalog_dir() if catalog is None else _folder("--catalog", catalog),
        rules_dir() if rules is None else _folder("--rules", rules),
    )


def within(folders: tuple[Path, Path], files: Iterable[Path]) -> frozenset[Path]:
    """The files as resolved paths.

    Raises:
        IntakeError: one of them is no YAML file of these folders.
    """
    resolved = {file: file.resolve() for file in files}
    for file, path in resolved.items():
        inside = any(path.is_relative_to(folder.resolve()) for folder in folders)
        if not (inside and path.is_file() and path.suffix in (".yaml", ".yml")):
            where = " or ".join(map(str, folders))
            raise IntakeError(Problem("not-of-the-tree", f"{file} is no file of the trees", f"a YAML file in {where}"))
    return frozenset(resolved.values())


def _folder(option: str, name: str) -> Path:
    folder = Path(name)
    if not name or not is_folder(folder):
        what = f"{option} {name!r} is no folder" if folder.exists() else f"{option} {name!r} does not exist"
        raise IntakeError(Problem("no-such-folder", what, f"the {option[2:]} folder", "check the path"))
    return folder


def store_at(database_url: str | None, *, wait_s: float = WAIT_S) -> "Store":
    """The database at the URL, or the user's own, whose folder is made where it is not there; see KNOCKON_READ_ONLY.

    Raises:
        StoreError: it cannot be used. IntakeError: the folder cannot be made.
    """
    # The database's library costs more than linting a whole tree, and most verbs need none.
    from knockon.cli.settled import settings_with
    from knockon.store.store import open_store

    is_read_only = settings_with().read_only
    if database_url is None:
        from knockon.settings import data_dir, default_database_url

        database_url = default_database_url()
        own = data_dir()
        try:
            if not is_read_only:
                own.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            what = f"the folder {own} cannot be made: {error.strerror}"
            problem = Problem("folder-missing", what, fix="name a database with --database-url")
            raise IntakeError(problem) from error
    return open_store(database_url, busy_timeout_s=wait_s, is_read_only=is_read_only)


def state_named(name: str, database_url: str | None) -> Bundle:
    """A state of catalog and rules: a revision by its number, `shipped`, or a folder that holds both trees.

    Raises:
        IntakeError: it is none of these.
        CurationError: a tree cannot be read. NotFound, StoreError: the database has no such revision.
    """
    if name.isdecimal():
        with store_at(database_url) as store:
            return store.read(int(name))
    if name == "shipped":
        from knockon.curate.cache import cached_bundle

        return cached_bundle(catalog_dir(), rules_dir())
    folder = Path(name)
    if not is_folder(folder / "catalog") or not is_folder(folder / "rules"):
        expected = "a revision's number, `shipped`, or a folder with catalog/ and rules/ in it"
        raise IntakeError(Problem("no-such-state", f"{name!r} is no state of the catalog", expected))
    from knockon.curate.tree import read_tree

    return read_tree(folder / "catalog", folder / "rules")
