"""The catalog and rules that come with the program."""

from knockon.assets import catalog_dir, rules_dir
from knockon.curate.cache import cached_bundle
from knockon.jobs.functions import with_functions
from knockon.jobs.knowledge import Knowledge, knowledge_of


def shipped_knowledge() -> Knowledge:
    """The shipped catalog and rules, from the cache where nothing changed; raises CurationError."""
    return with_functions(knowledge_of(cached_bundle(catalog_dir(), rules_dir())))
