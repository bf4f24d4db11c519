"""What tests of pages share: a home folder."""

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def new_home(tmp_path_factory: pytest.TempPathFactory, cache_dir: Path) -> Callable[[], Path]:
    """Give a function that gives a home folder in which nothing is but the cache of the run."""

    def make() -> Path:
        folder = tmp_path_factory.mktemp("home")
        (folder / ".cache").mkdir()
        (folder / ".cache" / "knockon").symlink_to(cache_dir, target_is_directory=True)
        return folder

    return make


@pytest.fixture(scope="session")
def home(new_home: Callable[[], Path]) -> Path:
    """Give the home folder of the examples of all pages, so that they touch nothing else."""
    return new_home()
