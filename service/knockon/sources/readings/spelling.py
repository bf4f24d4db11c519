"""How free names are compared: without case and signs."""

import re
from functools import lru_cache

_SIGNS = re.compile(r"[\W_]+")
# "kvCacheUsage", "KvCacheUsage"; nothing that has a sign or two capitals in a row: "vLLM" and "GiB" are words.
_CAMEL = re.compile(r"(?:[a-z]+\d*|[A-Z][a-z]+\d*)(?:[A-Z][a-z]+\d*)+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


# The same names are compared with each of some hundred others.
_REMEMBERED_MAX = 4_096


@lru_cache(maxsize=_REMEMBERED_MAX)
def plain(name: str) -> str:
    """A name without case and signs: "KV-usage (%)" is "kv usage", "kvUsage" too."""
    spaced = _HUMP.sub(" ", name) if _CAMEL.fullmatch(name) else name
    return _SIGNS.sub(" ", spaced.lower()).strip()


def joined(name: str) -> str:
    """A plain name without its blanks: Chinese is written with and without them beside Latin letters."""
    return name.replace(" ", "")
