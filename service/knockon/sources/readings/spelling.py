"""How free names are compared: without case and signs."""

import re

_SIGNS = re.compile(r"[\W_]+")


def plain(name: str) -> str:
    """A name without case and signs: "KV-usage (%)" is "kv usage"."""
    return _SIGNS.sub(" ", name.lower()).strip()


def joined(name: str) -> str:
    """A plain name without its blanks: Chinese is written with and without them beside Latin letters."""
    return name.replace(" ", "")
