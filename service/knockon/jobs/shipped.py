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

_SIZE_BYTES = 8
# Says how the functions lie in the file of the cache; another one where that changes.
_FORM = b"rules, detection"


def shipped_knowledge() -> Knowledge:
    """The shipped catalog and rules, from the cache where nothing changed; raises CurationError."""
    knowledge = knowledge_of(cached_bundle(catalog_dir(), rules_dir()))
    functions = kept("rules", _what_decides(knowledge), lambda: _functions_of(knowledge))
    if not functions:
        return knowledge
    size = int.from_bytes(functions[:_SIZE_BYTES], "big") + _SIZE_BYTES
    return replace(
        knowledge,
        rulebook=knowledge.rulebook.thawed(functions[_SIZE_BYTES:size]),
        detection=knowledge.detection.thawed(functions[size:]),
    )


def _functions_of(knowledge: Knowledge) -> bytes:
    """The functions over the rules and over what tells techniques, behind the size of the first.

    Nothing for a tree that somebody is working on: its sound conditions can be walked.
    """
    try:
        rules, detection = knowledge.rulebook.frozen(), knowledge.detection.frozen()
    except ExpressionError:
        return b""
    return len(rules).to_bytes(_SIZE_BYTES, "big") + rules + detection


def _what_decides(knowledge: Knowledge) -> Iterator[bytes]:
    """Everything that the functions follow from: catalog and rules, the language, the back-end, how they are kept."""
    yield knowledge.digest.encode()
    yield _FORM
    for package in (knockon.expr, knockon.backends.python):
        yield sources_in(Path(next(iter(package.__path__))))
