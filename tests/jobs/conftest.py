"""What tests of the questions share: the shipped catalog and rules, read once."""

import pytest

from knockon.assets import catalog_dir, rules_dir
from knockon.curate.tree import read_tree
from knockon.jobs.knowledge import Knowledge, knowledge_of


@pytest.fixture(scope="session")
def shipped() -> Knowledge:
    """Give the shipped catalog and rules, straight from their YAML."""
    return knowledge_of(read_tree(catalog_dir(), rules_dir()))
