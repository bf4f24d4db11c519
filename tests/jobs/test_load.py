"""load: the whole tree or nothing, on real trees in a real database."""

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from knockon.assets import catalog_dir, rules_dir
from knockon.jobs.load import knowledge_at, load
from knockon.store.revision import Revision
from knockon.store.store import Store, open_store
from knockon.terms.errors import CurationError
from tests.shipped import shipped


def opened(folder: Path) -> Store:
    """A migrated SQLite store in `folder`."""
    store = open_store(f"sqlite:///{folder / 'knockon.db'}")
    store.migrate()
    return store


@pytest.fixture(scope="module")
def as_shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the shipped trees as the first revision of a store."""
    folder = tmp_path_factory.mktemp("loaded")
    shutil.copytree(catalog_dir(), folder / "catalog")
    shutil.copytree(rules_dir(), folder / "rules")
    with opened(folder) as store:
        load(store, folder / "catalog", folder / "rules", author="curator", message="as shipped")
    return folder


@pytest.fixture
def folder(as_shipped: Path) -> Iterator[Path]:
    """The folder, whose database is afterwards as it was: read at another place, trees would be read anew."""
    database = as_shipped / "knockon.db"
    kept = database.read_bytes()
    yield as_shipped
    for file in as_shipped.glob("knockon.db*"):
        file.unlink()
    database.write_bytes(kept)


@contextlib.contextmanager
def written(file: Path, text: str) -> Iterator[None]:
    """A file of the trees with another text for a while."""
    before = file.read_bytes() if file.exists() else None
    file.write_text(text, encoding="utf-8")
    try:
        yield
    finally:
        file.unlink() if before is None else file.write_bytes(before)


def loaded(store: Store, folder: Path, message: str) -> Revision:
    """The revision after the trees of `folder` were loaded."""
    return load(store, folder / "catalog", folder / "rules", author="curator", message=message)


def test_tree_that_needs_only_tidying_is_published(folder: Path) -> None:
    spare = (
        "spare-paper:\n  title: A paper nobody cites yet\n  kind: paper\n  url: https://arxiv.org/abs/2401.00001\n"
        "  checked: 2026-11-29\n  depth: abstract\n"
    )
    with written(folder / "catalog" / "citations" / "spare.yaml", spare), opened(folder) as store:
        revision = loaded(store, folder, "one more source")

        assert (revision.number, revision.changed) == (2, True)
        assert "spare-paper" in knowledge_at(store).catalog.citations


def test_tree_with_one_broken_rule_is_refused_whole_and_the_old_revision_stands(folder: Path) -> None:
    rule = folder / "rules" / "couple" / "K003-dcp-communicates.yaml"
    broken = rule.read_text(encoding="utf-8").replace("decode_context_parallel_size > 1", "dcp_sise > 1")
    with written(rule, broken), opened(folder) as store:
        with pytest.raises(CurationError, match=r"K003-dcp-communicates\.yaml:4:7: .*dcp_sise"):
            loaded(store, folder, "broken")

        assert [revision.number for revision in store.revisions()] == [1]
        assert knowledge_at(store).digest == shipped().digest


def test_same_tree_again_changes_nothing(folder: Path) -> None:
    with opened(folder) as store:
        assert loaded(store, folder, "again").changed is False
        assert [revision.number for revision in store.revisions()] == [1]
