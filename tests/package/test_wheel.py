"""The built distribution carries what it needs, and works from any folder without the checkout."""

import json
import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
BUNDLED = ("catalog", "rules", "alembic")

pytestmark = pytest.mark.wheel


def run(command: list[str | Path], *, cwd: Path) -> str:
    """Run a command as a stranger would: a home of its own, and no paths of the checkout in its environment."""
    ours = ("PYTHON", "KNOCKON_", "XDG_")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(ours)} | {"HOME": str(cwd)}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
    return done.stdout


def shipped_files(folder: str) -> set[str]:
    """The files under a folder of the checkout that git knows, or would add."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", folder],
        cwd=CHECKOUT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return {name for name in listed.stdout.split("\0") if name and (CHECKOUT / name).is_file()}


@pytest.fixture(scope="module")
def distribution(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The sdist, and the wheel built from that sdist."""
    folder = tmp_path_factory.mktemp("dist")
    run([sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, CHECKOUT], cwd=folder)
    return next(folder.glob("*.tar.gz")), next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(distribution: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` of a new environment with the wheel in it; this one lends its libraries, but not the checkout."""
    _sdist, wheel = distribution
    home = tmp_path_factory.mktemp("installed")
    venv.create(home, with_pip=False, symlinks=True)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    site = home / "lib" / version / "site-packages"
    # A line of a .pth file puts a folder on the path without reading that folder's own .pth files: the editable
    # install of the checkout stays behind.
    (site / "borrowed.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    run(
        [sys.executable, "-m", "pip", "--python", home / "bin" / "python", "install", "--quiet", "--no-deps",
         "--no-index", "--ignore-installed", "--disable-pip-version-check", wheel],
        cwd=home,
    )  # fmt: skip
    return home / "bin"


def test_wheel_holds_package_and_data_and_nothing_else(distribution: tuple[Path, Path]) -> None:
    _sdist, wheel = distribution
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}

    package = {name.removeprefix("service/") for name in shipped_files("service/knockon")}
    data = {f"knockon/_bundled/{name}" for folder in BUNDLED for name in shipped_files(folder)}
    assert names == package | data


def test_wheel_carries_its_licence(distribution: tuple[Path, Path]) -> None:
    _sdist, wheel = distribution

    licence = zipfile.ZipFile(wheel).read("knockon-0.1.0.dist-info/licenses/LICENSE")
    assert licence == (CHECKOUT / "LICENSE").read_bytes()


def test_source_distribution_has_the_checkouts_layout_without_tests(distribution: tuple[Path, Path]) -> None:
    sdist, _wheel = distribution
    with tarfile.open(sdist) as archive:
        tops = {name.split("/")[1] for name in archive.getnames() if "/" in name}

    allowed = {"service", *BUNDLED, "LICENSE", "README.md", "CHANGELOG.md", "pyproject.toml", "PKG-INFO", ".gitignore"}
    assert tops - allowed == set()
    assert {"service", *BUNDLED} - tops == set()


def test_installed_program_finds_its_folders_from_anywhere(installed: Path, tmp_path: Path) -> None:
    asked = "from knockon.assets import *; print(catalog_dir(), rules_dir(), alembic_dir(), sep='\\n')"
    said = run([installed / "python", "-c", asked], cwd=tmp_path)

    bundled = [Path(line) for line in said.splitlines()]
    assert [(path.parent.name, path.name) for path in bundled] == [("_bundled", name) for name in BUNDLED]
    assert [path for path in bundled if not path.is_relative_to(installed.parent)] == []


def test_installed_program_says_its_version(installed: Path, tmp_path: Path) -> None:
    assert run([installed / "knockon", "--version"], cwd=tmp_path).split()[-1] == "0.1.0"


def test_installed_program_passes_its_own_test(installed: Path, tmp_path: Path) -> None:
    said = json.loads(run([installed / "knockon", "selftest", "--format", "json"], cwd=tmp_path))

    assert (said["passed"], said["failures"]) == (True, [])
    assert {one["family"] for one in said["members"]} == {
        "backends", "engines", "manifests", "sources", "formats", "rules",
    }  # fmt: skip


def test_installed_program_answers_the_worked_example(installed: Path, tmp_path: Path) -> None:
    command = ["vllm", "serve", "Qwen/Qwen3-235B-A22B", "--tensor-parallel-size", "8"]
    said = run([installed / "knockon", "check", "--fail-on", "never", "--", *command], cwd=tmp_path)

    assert "degraded" in said
