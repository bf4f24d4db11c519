"""What is known of a tree from before changes no complaint, whatever has happened to the tree since."""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from knockon.curate import shelf, soundness, tree
from knockon.curate.lint import held_tree, lint_tree
from knockon.jobs import fmt
from knockon.terms.errors import CurationError
from tests.curate.test_complaints import CASES, change_of
from tests.curate.trees import COUPLE, TECHNIQUE, TODAY, TREE, VOCABULARY, changed, complaints, written


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, in which small trees are kept, too."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("KNOCKON_CACHE_DIR", str(folder))
    monkeypatch.setattr(shelf, "_WORTH_KEEPING", 1)
    return folder


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was really done: the files that were read, and `soundness` where files were held against one another."""
    done: list[str] = []

    def counted(real: Callable, name: Callable[..., str]) -> Callable:  # type: ignore[type-arg]
        def call(*arguments: object) -> object:
            done.append(name(*arguments))
            return real(*arguments)

        return call

    monkeypatch.setattr(tree, "read_bytes", counted(tree.read_bytes, lambda _, path: Path(path).name))
    monkeypatch.setattr(soundness, "problems_of", counted(soundness.problems_of, lambda *_: "soundness"))
    return done


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache in which the clean tree is known, written at another place."""
    place = tmp_path_factory.mktemp("known")
    with pytest.MonkeyPatch.context() as around:
        around.setenv("KNOCKON_CACHE_DIR", str(place / "cache"))
        around.setattr(shelf, "_WORTH_KEEPING", 1)
        assert lint_tree(*written(place), today=TODAY) == []
    return place / "cache"


@pytest.mark.parametrize("case", CASES)
def test_complaints_are_those_of_a_first_look(
    tmp_path: Path, kept: Path, known: Path, case: Mapping[str, str], work: list[str]
) -> None:
    shutil.copytree(known, kept)

    found = lint_tree(*written(tmp_path, change_of(case)), today=TODAY)

    # Files that did not change were not read.
    assert len(work) < len(TREE)
    assert "\n".join(str(problem).replace(f"{tmp_path}/", "") for problem in found) == case["says"]


def test_a_clean_tree_is_neither_read_nor_checked_again(tmp_path: Path, work: list[str]) -> None:
    folders = written(tmp_path)
    first = lint_tree(*folders, today=TODAY), held_tree(*folders)
    assert "soundness" in work
    work.clear()

    assert (lint_tree(*folders, today=TODAY), held_tree(*folders)) == first
    assert work == []


def test_what_is_wrong_is_told_at_every_look(tmp_path: Path) -> None:
    folders = written(tmp_path, changed(COUPLE, "  shard_size > head_count", "  shard_width > head_count"))

    first, second = (lint_tree(*folders, today=TODAY) for _ in range(2))

    assert first
    assert second == first


def test_what_was_published_is_not_checked_again(tmp_path: Path, work: list[str]) -> None:
    folders = written(tmp_path)
    first = held_tree(*folders)
    assert "soundness" in work
    work.clear()

    assert held_tree(*folders) == first
    assert work == []
    # Who publishes does not look for what asks to be tidied up.
    assert lint_tree(*folders, today=TODAY) == []
    assert work == ["soundness"]


def test_a_second_checkout_begins_with_what_the_first_one_knows(tmp_path: Path, work: list[str]) -> None:
    first = written(tmp_path / "first")
    lint_tree(*first, today=TODAY)
    work.clear()

    assert lint_tree(*written(tmp_path / "second"), today=TODAY) == []
    assert work == []
    second = written(tmp_path / "second", changed(TECHNIQUE, "en: Sharding", "en: Sharding of heads"))
    assert held_tree(*second) != held_tree(*first)


def test_a_changed_file_is_read_alone(tmp_path: Path, work: list[str]) -> None:
    folders = written(tmp_path)
    lint_tree(*folders, today=TODAY)
    work.clear()
    written(tmp_path, changed(TECHNIQUE, "en: Sharding", "en: Sharding of heads"))

    lint_tree(*folders, today=TODAY)

    assert work == ["sharding.yaml", "soundness"]


def test_a_name_that_is_gone_is_missed_in_files_that_did_not_change(tmp_path: Path) -> None:
    assert complaints(tmp_path, {}) == []
    without = changed(VOCABULARY, "  shard_size:", "  shard_width:")

    found = complaints(tmp_path, without)

    assert any(COUPLE in line and "shard_size" in line for line in found)
    assert complaints(tmp_path, {}) == []


def test_a_removed_file_is_missed_where_it_is_pointed_at(tmp_path: Path) -> None:
    folders = written(tmp_path)
    lint_tree(*folders, today=TODAY)

    (tmp_path / TECHNIQUE).unlink()

    assert {problem.code for problem in lint_tree(*folders, today=TODAY)} >= {"unknown-technique"}


def test_a_second_citation_of_one_page_is_found_in_a_file_of_its_own(tmp_path: Path) -> None:
    folders = written(tmp_path)
    lint_tree(*folders, today=TODAY)

    again = 'again: {title: Again, kind: paper, url: "https://example.org/paper", checked: 2026-11-29, depth: read}'
    (folders[0] / "citations" / "more.yaml").write_text(again, encoding="utf-8")

    assert "duplicate-address" in {problem.code for problem in lint_tree(*folders, today=TODAY)}


def test_a_file_of_another_name_is_another_file(tmp_path: Path) -> None:
    folders = written(tmp_path)
    lint_tree(*folders, today=TODAY)

    (tmp_path / TECHNIQUE).rename((tmp_path / TECHNIQUE).with_name("splitting.yaml"))

    assert [problem.code for problem in lint_tree(*folders, today=TODAY)] == ["misplaced-id"]


def test_days_go_by(tmp_path: Path) -> None:
    folders = written(tmp_path)
    assert lint_tree(*folders, today=TODAY) == []
    assert {problem.code for problem in lint_tree(*folders, today="2031-01-01")} == {"stale-claim"}


def test_the_record_of_translations_counts(tmp_path: Path) -> None:
    folders = written(tmp_path)
    assert lint_tree(*folders, today=TODAY) == []
    (folders[0] / "translations.lock").write_text("<<<<<<< ours\n", encoding="utf-8")

    assert [problem.code for problem in lint_tree(*folders, today=TODAY)] == ["bad-form"]


def test_what_is_in_its_form_is_not_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = written(tmp_path)
    for one in fmt.fmt(*folders):
        one.file.write_text(one.text, encoding="utf-8")
    assert not any(one.changed for one in fmt.fmt(*folders))
    asked: list[str] = []
    real = fmt.formatted
    monkeypatch.setattr(fmt, "formatted", lambda text, **words: asked.append(words["room"]) or real(text, **words))
    file = tmp_path / TECHNIQUE
    file.write_text(file.read_text("utf-8").replace("id: sharding", "id:   sharding"), encoding="utf-8")

    assert [one.file for one in fmt.fmt(*folders) if one.changed] == [file]
    assert asked == [TECHNIQUE]


@pytest.mark.parametrize("broken", [b"", b"{", b"no checksum\n[1]"])
def test_a_broken_cache_costs_only_time(tmp_path: Path, kept: Path, broken: bytes) -> None:
    folders = written(tmp_path)
    lint_tree(*folders, today=TODAY)
    [file] = kept.glob("files-*")
    file.write_bytes(broken)

    assert lint_tree(*folders, today=TODAY) == []


def test_a_refused_tree_is_refused_again(tmp_path: Path) -> None:
    folders = written(tmp_path, changed(COUPLE, "  shard_size > head_count", "  shard_sizes > head_count"))
    said = []
    for _ in range(2):
        with pytest.raises(CurationError) as refused:
            held_tree(*folders)
        said.append(str(refused.value))
    assert said[0] == said[1]


def test_trees_are_the_same_from_the_shelf(tmp_path: Path) -> None:
    folders = written(tmp_path)
    assert tree.read_tree(*folders).entries == tree.read_tree(*folders).entries


@pytest.mark.parametrize(
    "held",
    [
        b"null",
        b"3",
        b"{}",
        b"[{},{},{}]",
        b"[[],{},{},[]]",
        b"[{},{},{},[1]]",
        b'[{"a":[1]},{},{},[]]',
        b'[{"a":[[[],"k",[]]]},{},{},[]]',
    ],
)
def test_whole_file_of_another_shape_is_an_empty_shelf(held: bytes) -> None:
    empty = shelf.Shelf(None, held)

    assert (empty.said("a"), empty.lacks("a"), empty.is_formatted("1")) == (None, True, False)
