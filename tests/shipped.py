"""The shipped catalog and rules, built once for all tests that read them."""

from dataclasses import replace
from functools import cache

from knockon.assets import catalog_dir, rules_dir
from knockon.curate.tree import read_tree
from knockon.jobs.knowledge import Knowledge, knowledge_of
from knockon.terms.bundle import Bundle


@cache
def shipped_bundle() -> Bundle:
    """Read from the trees themselves, past every cache file."""
    return read_tree(catalog_dir(), rules_dir())


@cache
def shipped() -> Knowledge:
    """Built from `shipped_bundle`, and ready to answer over and over."""
    knowledge = knowledge_of(shipped_bundle())
    knowledge.rulebook.prepared()
    return replace(knowledge, detection=knowledge.detection.prepared())
