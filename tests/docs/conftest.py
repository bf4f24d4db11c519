"""What tests of pages share: a home folder."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a home folder of its own, so that the examples of all pages share a cache and touch nothing else."""
    return tmp_path_factory.mktemp("home")
