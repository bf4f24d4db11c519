"""The cache gives what reading would give, is never stale, and never makes anything fail."""

import os
from pathlib import Path

import pytest

from knockon.curate import tree
from knockon.curate.cache import cached_bundle
from knockon.curate.tree import read_tree
from knockon.kept import hold_in
from knockon.terms.errors import CurationError
from tests.curate.trees import TECHNIQUE, TREE, changed, written

MORE = "x: {title: X, kind: experience, checked: 2026-01-01, depth: read}\n"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {"KNOCKON_CACHE_DIR": str(tmp_path / "cache")}


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The catalogs that were really read, in order."""
    seen: list[Path] = []

    def counted(catalog_dir: Path, rules_dir: Path):  # type: ignore[no-untyped-def]
        seen.append(catalog_dir)
        return read_tree(catalog_dir, rules_dir)

    monkeypatch.setattr(tree, "read_tree", counted)
    return seen


def test_second_asking_reads_no_yaml(tmp_path: Path, environment: dict[str, str], readings: list[Path]) -> None:
    folders = written(tmp_path)

    first = cached_bundle(*folders, environment=environment)
    second = cached_bundle(*folders, environment=environment)

    assert readings == [folders[0]]
    assert second == first == read_tree(*folders)
    assert second.digest == first.digest


def test_changed_file_of_same_size_and_times_is_read_anew(tmp_path: Path, environment: dict[str, str]) -> None:
    folders = written(tmp_path)
    file = tmp_path / TECHNIQUE
    times = file.stat()
    cached_bundle(*folders, environment=environment)

    file.write_text(TREE[TECHNIQUE].replace("en: Sharding", "en: Sharping"), encoding="utf-8")
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))

    bundle = cached_bundle(*folders, environment=environment)
    assert bundle.by_kind["technique"]["sharding"]["name"] == {"en": "Sharping", "zh": "切分"}


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({TECHNIQUE: TREE[TECHNIQUE] + "# a remark\n"}, id="edited"),
        pytest.param(
            {"catalog/citations/more.yaml": MORE},
            id="added",
        ),
    ],
)
def test_tree_that_changed_is_read_anew(
    tmp_path: Path, environment: dict[str, str], readings: list[Path], change: dict[str, str]
) -> None:
    folders = written(tmp_path)
    cached_bundle(*folders, environment=environment)

    written(tmp_path, change)

    assert cached_bundle(*folders, environment=environment) == read_tree(*folders)
    assert len(readings) == 2


def test_removed_file_is_noticed(tmp_path: Path, environment: dict[str, str]) -> None:
    folders = written(tmp_path)
    cached_bundle(*folders, environment=environment)

    (tmp_path / TECHNIQUE).unlink()

    assert set(cached_bundle(*folders, environment=environment).by_kind["technique"]) == {"copying"}


def test_same_tree_elsewhere_shares_the_file(tmp_path: Path, environment: dict[str, str], readings: list[Path]) -> None:
    for name in ("one", "two"):
        cached_bundle(*written(tmp_path / name), environment=environment)

    assert readings == [tmp_path / "one" / "catalog"]


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda file: file.write_bytes(b""), id="empty"),
        pytest.param(lambda file: file.write_bytes(file.read_bytes()[:-40]), id="cut off"),
        pytest.param(lambda file: file.write_bytes(file.read_bytes().replace(b"Sharding", b"Shirking")), id="tampered"),
        pytest.param(lambda file: file.write_bytes(os.urandom(500)), id="noise"),
        pytest.param(lambda file: (file.unlink(), file.mkdir()), id="a folder"),
    ],
)
def test_broken_cache_file_is_ignored(tmp_path: Path, environment: dict[str, str], damage) -> None:  # type: ignore[no-untyped-def]
    folders = written(tmp_path)
    bundle = cached_bundle(*folders, environment=environment)
    (file,) = (tmp_path / "cache").iterdir()

    damage(file)

    assert cached_bundle(*folders, environment=environment) == bundle


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b"null",
        b"[1,2]",
        b'["x",[]]\n',
        b'["x",[["technique","x",3]]]\nabc',
        b'["x",[["axes","axes",2]]]\n{}more',
        b'["x",[["axes","axes","2"]]]\n[]',
        b'["x",[["moons","x",2]]]\n{}',
    ],
)
def test_whole_file_of_another_shape_is_ignored(tmp_path: Path, environment: dict[str, str], content: bytes) -> None:
    folders = written(tmp_path)
    bundle = cached_bundle(*folders, environment=environment)
    (file,) = (tmp_path / "cache").iterdir()

    hold_in(file, content)

    assert cached_bundle(*folders, environment=environment) == bundle


@pytest.mark.parametrize(
    "environment",
    [
        pytest.param({}, id="no home"),
        pytest.param({"KNOCKON_CACHE_DIR": ""}, id="turned off"),
        # Not even root may make a folder there.
        pytest.param({"KNOCKON_CACHE_DIR": "/proc/knockon"}, id="read-only"),
        pytest.param({"KNOCKON_CACHE_DIR": "/dev/null/knockon"}, id="under a file"),
    ],
)
def test_cache_that_cannot_be_written_costs_only_time(tmp_path: Path, environment: dict[str, str]) -> None:
    folders = written(tmp_path)

    assert cached_bundle(*folders, environment=environment) == read_tree(*folders)


def test_tree_with_problems_is_never_cached(tmp_path: Path, environment: dict[str, str]) -> None:
    folders = written(tmp_path, changed(TECHNIQUE, "effect: gain", "effect: win"))

    for _ in range(2):
        with pytest.raises(CurationError, match="'win' stands here"):
            cached_bundle(*folders, environment=environment)

    assert not (tmp_path / "cache").exists()


def test_only_the_newest_files_are_kept_and_none_half_written(tmp_path: Path, environment: dict[str, str]) -> None:
    for number in range(12):
        written(tmp_path, {TECHNIQUE: f"{TREE[TECHNIQUE]}# {number}\n"})
        cached_bundle(tmp_path / "catalog", tmp_path / "rules", environment=environment)

    names = sorted(file.name for file in (tmp_path / "cache").iterdir())
    assert (len(names), {name[:7] for name in names}) == (8, {"bundle-"})
