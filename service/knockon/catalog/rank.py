"""Search as people type: the techniques that fit some words best, over names, aliases and text in both languages.

Nothing is looked up outside: the same catalog and words give the same answer.
"""

from knockon.catalog.catalog import Catalog
from knockon.catalog.fitting import FoundIn, Hit, best_of, fitting
from knockon.catalog.names import fold
from knockon.catalog.said import names_of
from knockon.catalog.technique import Technique
from knockon.terms.words import TechniqueId

_EXACT = 100.0


def search(catalog: Catalog, words: str, *, limit: int) -> tuple[Hit, ...]:
    """The techniques that fit best, best first, at most `limit`; none where nothing fits.

    Raises:
        LimitExceeded: the words are longer than any name.
    """
    if not fold(words):
        return ()
    called = (catalog.techniques[TechniqueId(key)] for key in catalog.indexes.technique_names.find(words))
    hits = {hit.technique: hit for hit in fitting(catalog.said, words)}
    hits |= {one.id: _exact(one, words) for one in called if one.tombstone is None}
    return best_of(hits.values())[:limit]


def _exact(one: Technique, asked: str) -> Hit:
    written, is_alias = next(name for name in names_of(one).items() if fold(name[0]) == fold(asked))
    return Hit(one.id, _EXACT, written, FoundIn.ALIAS if is_alias else FoundIn.NAME)
