"""What the tables of all engines hold as words: every flag, and every text beside the facts that flags state.

Scanned, not read: a table takes a second to read, and who only asks whether a word is there need not.
"""

import re
from functools import cache
from pathlib import Path

_FLAG = re.compile(r"--[A-Za-z][\w-]*")
# Facts of flags that list their values; where any value will do there is nothing to hold against.
_FACT = re.compile(r"\bfact: (\w+)(?:, (?:words: \{[^}]*\}, )?|\s+)options:")
_WORD = re.compile(r"[A-Za-z0-9_][\w.+-]*")
# A switch is turned off by these in front of the rest of its name, in one engine or another.
_FORMS = ("--no-", "--enable-", "--disable-")


def flags_listed() -> dict[str, frozenset[str]]:
    """The flags of each engine by its name, with what turns switches off; those that are gone among them."""
    return {engine: frozenset(_with_forms(set(_FLAG.findall(text)))) for engine, text in _texts().items()}


def values_listed() -> dict[str, frozenset[str]]:
    """For each fact that a flag states from a list: the words of all tables in small letters, values among them."""
    texts = _texts().values()
    words = frozenset(word.casefold() for text in texts for word in _WORD.findall(text))
    return dict.fromkeys((fact for text in texts for fact in _FACT.findall(text)), words)


@cache
def _texts() -> dict[str, str]:
    files = sorted(Path(__file__).parent.glob("*/flags.yaml"))
    return {file.parent.name: file.read_text("utf-8") for file in files}


def _with_forms(flags: set[str]) -> set[str]:
    bare = {flag.removeprefix(form) for flag in flags for form in ("--", *_FORMS) if flag.startswith(form)}
    return flags | {f"{form}{name}" for name in bare for form in _FORMS}
