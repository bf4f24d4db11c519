"""What tests of pages share: a home folder."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory, cache_dir: Path) -> Path:
    """Give a home folder of its own with the cache of the run, so that the examples of all pages touch nothing else."""
    folder = tmp_path_factory.mktemp("home")
    (folder / ".cache").mkdir()
    (folder / ".cache" / "knockon").symlink_to(cache_dir, target_is_directory=True)
    return folder
