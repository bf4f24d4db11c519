"""The catalog and rules that come with the program."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import knockon.backends.python
import knockon.expr
from knockon.assets import catalog_dir, rules_dir
from knockon.curate.cache import cached_bundle
from knockon.jobs.knowledge import Knowledge, knowledge_of
from knockon.kept import kept, sources_in
from knockon.terms.errors import ExpressionError


def shipped_knowledge() -> Knowledge:
    """The shipped catalog and rules, from the cache where nothing changed; raises CurationError."""
    knowledge = knowledge_of(cached_bundle(catalog_dir(), rules_dir()))
    function = kept("rules", _what_decides(knowledge), lambda: _function_of(knowledge))
    return replace(knowledge, rulebook=knowledge.rulebook.thawed(function)) if function else knowledge


def _function_of(knowledge: Knowledge) -> bytes:
    """The function over the rules; nothing for a tree that somebody is working on: its sound rules can be walked."""
    try:
        return knowledge.rulebook.frozen()
    except ExpressionError:
        return b""


def _what_decides(knowledge: Knowledge) -> Iterator[bytes]:
    """Everything that the function over the rules follows from: the rules, the language, the back-end."""
    yield knowledge.digest.encode()
    for package in (knockon.expr, knockon.backends.python):
        yield from sources_in(Path(next(iter(package.__path__))))
