"""What earlier runs worked out, kept in the cache folder."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from knockon.kept import cache_folder, held_in, hold_in, kept, untrusted_folder


def test_content_is_made_once_for_equal_parts(tmp_path: Path) -> None:
    environment = {"KNOCKON_CACHE_DIR": str(tmp_path / "cache")}
    made: list[bytes] = []

    def asked(*parts: bytes) -> bytes | None:
        def make() -> bytes:
            made.append(b"|".join(parts))
            return made[-1]

        return kept("thing", parts, make, environment=environment)

    assert [asked(b"a"), asked(b"a"), asked(b"b"), asked(b"a", b"b")] == [b"a", b"a", b"b", b"a|b"]
    assert made == [b"a", b"b", b"a|b"]


def test_files_of_one_kind_never_push_out_those_of_another(tmp_path: Path) -> None:
    environment = {"KNOCKON_CACHE_DIR": str(tmp_path)}
    kept("flags", [b"all"], lambda: b"table", environment=environment)
    for number in range(12):
        kept("rules", [bytes([number])], lambda: b"function", environment=environment)

    kinds = [file.name.rpartition("-")[0] for file in tmp_path.iterdir()]
    assert (kinds.count("flags"), kinds.count("rules"), len(kinds)) == (1, 8, 9)


def test_without_a_folder_nothing_is_made() -> None:
    assert kept("thing", [b"a"], lambda: b"never", environment={"KNOCKON_CACHE_DIR": ""}) is None


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"KNOCKON_CACHE_DIR": "/a", "XDG_CACHE_HOME": "/b", "HOME": "/c"}, Path("/a")),
        ({"XDG_CACHE_HOME": "/b", "HOME": "/c"}, Path("/b/knockon")),
        ({"HOME": "/c"}, Path("/c/.cache/knockon")),
    ],
)
def test_folder_follows_the_environment(
    environment: dict[str, str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", "linux")

    assert cache_folder(environment) == folder


def test_content_kept_under_another_name_is_not_there(tmp_path: Path) -> None:
    hold_in(tmp_path / "rules-1.bin", b"function")
    (tmp_path / "rules-1.bin").rename(tmp_path / "rules-2.bin")

    assert held_in(tmp_path / "rules-2.bin") is None


@pytest.mark.parametrize(("mode", "who"), [(0o700, ""), (0o755, ""), (0o770, "group"), (0o777, "others")])
def test_folder_that_others_may_write_to_is_left_alone(tmp_path: Path, mode: int, who: str) -> None:
    environment = {"KNOCKON_CACHE_DIR": str(tmp_path)}
    tmp_path.chmod(mode)

    assert (untrusted_folder(environment) or (None, ""))[1] == who
    assert cache_folder(environment) == (None if who else tmp_path)
    assert kept("thing", [b"a"], lambda: b"made", environment=environment) == (None if who else b"made")


def test_folder_of_another_user_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 4321)
    monkeypatch.setattr(Path, "stat", lambda _: SimpleNamespace(st_uid=1234, st_mode=0o40700))

    assert untrusted_folder({"KNOCKON_CACHE_DIR": str(tmp_path)}) == (tmp_path, "owner")
    assert cache_folder({"KNOCKON_CACHE_DIR": str(tmp_path)}) is None
