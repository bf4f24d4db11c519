"""Whether a known word may be what a wrong one means: one bar for facts, flags, options and ids in files.

What ranks above it is each asker's own. Names of the catalog's things, which people type in many forms, have a bar of
their own (catalog/names.py).
"""

import re

_WORDS = re.compile(r"[a-z]+|[0-9]+")
# Of a word's letters, one in so many may be wrong: of forty words of other trades three came near a name, of 27 before.
_LETTERS_PER_SLIP = 3
# Shorter words differ from many others by one letter.
_SHORT_MAX = 4
_BEGINNING_MIN = 3
_PAIR = 2


def shares_enough(asked: str, known: str) -> bool:
    """Whether they are one slip or two apart, or one has nearly all words of the other.

    A text that is not in ASCII is let through: it has no such words.
    """
    if not (asked.isascii() and known.isascii()):
        return True
    ours, theirs = _words(asked), _words(known)
    if not ours or not theirs or _is_slip("".join(ours), "".join(theirs)) or _is_slip(asked.lower(), known.lower()):
        return True
    # A single letter is a unit, which people leave out and add.
    telling = [word for word in ours if len(word) > 1]
    found = sum(any(_is_nearly(word, other) for other in theirs) for word in telling)
    # Of several words one may be short for what stands there: `num_kv_heads`.
    if telling and found >= len(telling) - (len(telling) > _PAIR):
        return True
    return len(theirs) > 1 and all(any(_is_nearly(other, word) for word in ours) for other in theirs)


def has_all_words(asked: str, known: str) -> bool:
    """Whether every word of several, or its beginning, is one of the known name: `gpu_util`."""
    ours, theirs = _words(asked), _words(known)
    return len(ours) > 1 and all(any(other.startswith(word) for other in theirs) for word in ours)


def _words(text: str) -> list[str]:
    return [_singular(word) for word in _WORDS.findall(text.lower())]


def _singular(word: str) -> str:
    return f"{word[:-3]}y" if word.endswith("ies") else word.removesuffix("s") if len(word) > _SHORT_MAX else word


def _is_nearly(word: str, other: str) -> bool:
    shorter, longer = sorted((word, other), key=len)
    if word == other or (len(shorter) >= _BEGINNING_MIN and longer.startswith(shorter)):
        return True
    return len(shorter) > _SHORT_MAX and _is_slip(word, other)


def _is_slip(one: str, other: str) -> bool:
    from rapidfuzz.distance import OSA  # noqa: PLC0415  only something wrong needs it

    slips_max = max(1, min(len(one), len(other)) // _LETTERS_PER_SLIP)
    return OSA.distance(one, other, score_cutoff=slips_max) <= slips_max
