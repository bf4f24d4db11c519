"""What tests of the questions share: the shipped catalog and rules, read once."""

import pytest

from knockon.jobs.knowledge import Knowledge
from tests import shipped as built


@pytest.fixture(scope="session")
def shipped() -> Knowledge:
    """Give the shipped catalog and rules, straight from their YAML."""
    return built.shipped()
