"""load: the whole tree or nothing, on real trees in a real database."""

import shutil
from pathlib import Path

import pytest

from knockon.assets import catalog_dir, rules_dir
from knockon.jobs.load import knowledge_at, load
from knockon.store.store import Store, open_store
from knockon.terms.errors import CurationError
from tests.shipped import shipped


@pytest.fixture
def trees(tmp_path: Path) -> tuple[Path, Path]:
    """A copy of the shipped trees that a test may change."""
    catalog = shutil.copytree(catalog_dir(), tmp_path / "catalog")
    return catalog, shutil.copytree(rules_dir(), tmp_path / "rules")


def opened(folder: Path) -> Store:
    """A migrated SQLite store in `folder`."""
    store = open_store(f"sqlite:///{folder / 'knockon.db'}")
    store.migrate()
    return store


def test_tree_that_needs_only_tidying_is_published(tmp_path: Path, trees: tuple[Path, Path]) -> None:
    (trees[0] / "citations" / "spare.yaml").write_text(
        "spare-paper:\n  title: A paper nobody cites yet\n  kind: paper\n  url: https://arxiv.org/abs/2401.00001\n"
        "  checked: 2026-11-29\n  depth: abstract\n",
        encoding="utf-8",
    )
    with opened(tmp_path) as store:
        revision = load(store, *trees, author="curator", message="one more source")

        assert (revision.number, revision.changed) == (1, True)
        assert "spare-paper" in knowledge_at(store).catalog.citations


def test_tree_with_one_broken_rule_is_refused_whole_and_the_old_revision_stands(
    tmp_path: Path, trees: tuple[Path, Path]
) -> None:
    with opened(tmp_path) as store:
        load(store, *trees, author="curator", message="as shipped")
        rule = trees[1] / "couple" / "K003-dcp-communicates.yaml"
        rule.write_text(
            rule.read_text(encoding="utf-8").replace("decode_context_parallel_size > 1", "dcp_sise > 1"), "utf-8"
        )

        with pytest.raises(CurationError, match=r"K003-dcp-communicates\.yaml:4:7: .*dcp_sise"):
            load(store, *trees, author="curator", message="broken")

        assert [revision.number for revision in store.revisions()] == [1]
        assert knowledge_at(store).digest == shipped().digest


def test_same_tree_again_changes_nothing(tmp_path: Path, trees: tuple[Path, Path]) -> None:
    with opened(tmp_path) as store:
        load(store, *trees, author="curator", message="as shipped")

        assert load(store, *trees, author="curator", message="again").changed is False
        assert [revision.number for revision in store.revisions()] == [1]
