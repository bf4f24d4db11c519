"""Expressions by their text: parsed when first asked for, then shared by everything that states the same one.

Catalog and rules hold thousands of them and one question reads a few dozen, so building either parses none.
"""

import re
from functools import lru_cache

from knockon.expr.names import names_in
from knockon.expr.nodes import Node
from knockon.expr.normal import normal
from knockon.expr.parse import parse

_WORD = re.compile(r"[a-z_][a-z0-9_]*(?:\.[a-z0-9_]+)?")
# Distinct expressions kept parsed; the largest catalog planned for has 30,000 techniques, most conditions repeat.
CONDITIONS_KEPT = 20_000


@lru_cache(maxsize=CONDITIONS_KEPT)
def parsed(text: str) -> Node:
    """The expression a text states, as written: what is shown to people keeps its own words.

    Raises:
        ExpressionError, LimitExceeded: the text is not in the language, or too deep. Curation refuses such texts
            before they get here.
    """
    return parse(text)


@lru_cache(maxsize=CONDITIONS_KEPT)
def condition(text: str) -> Node:
    """The condition a text states, in normal form, units converted.

    Raises:
        ExpressionError, LimitExceeded: the text is not in the language, or too deep. Curation refuses such texts
            before they get here.
    """
    return normal(parsed(text))


@lru_cache(maxsize=CONDITIONS_KEPT)
def names_of(text: str) -> frozenset[str]:
    """The names a condition mentions; none for the empty text, which always holds."""
    return names_in(condition(text)) if text else frozenset()


def words_of(text: str) -> tuple[str, ...]:
    """Every word of a condition that may be a name, each once: more than its names, but nothing has to be parsed."""
    return tuple(dict.fromkeys(_WORD.findall(text)))
