"""The functions generated from rules and catalog, kept from one run of the program to the next."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import knockon.backends.python
import knockon.expr
from knockon.jobs.knowledge import Knowledge
from knockon.kept import kept, sources_in
from knockon.terms.errors import ExpressionError

_SIZE_BYTES = 8
# Says how the functions lie in the file of the cache; another one where that changes.
_FORM = b"rules, detection"


def with_functions(knowledge: Knowledge) -> Knowledge:
    """The same knowledge with the functions over its couple rules and over what tells techniques.

    From the cache where an earlier run kept them; unchanged where there is no cache.
    """
    functions = kept("rules", _what_decides(knowledge), lambda: _functions_of(knowledge))
    if not functions:
        return knowledge
    size = int.from_bytes(functions[:_SIZE_BYTES], "big") + _SIZE_BYTES
    try:
        rulebook = knowledge.rulebook.thawed(functions[_SIZE_BYTES:size])
        detection = knowledge.detection.thawed(functions[size:])
    except (ValueError, EOFError, TypeError):
        # Whatever is the matter with the file, the functions can be done without.
        return knowledge
    return replace(knowledge, rulebook=rulebook, detection=detection)


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
