"""The shipped catalog and rules, built once for all tests that read them."""

from dataclasses import replace
from functools import cache

from knockon.assets import catalog_dir, rules_dir
from knockon.curate.tree import read_tree
from knockon.jobs.knowledge import Knowledge, knowledge_of


@cache
def shipped() -> Knowledge:
    """Built from the trees themselves, past every cache file."""
    knowledge = knowledge_of(read_tree(catalog_dir(), rules_dir()))
    knowledge.rulebook.prepared()
    return replace(knowledge, detection=knowledge.detection.prepared())
