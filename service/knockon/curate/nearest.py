"""Did you mean: the known words nearest to a wrong one."""

from collections.abc import Iterable
from difflib import get_close_matches

from knockon.terms.limits import SUGGESTIONS_MAX


def meant(word: object, known: Iterable[str]) -> str:
    """`did you mean 'a' or 'b'?` with the nearest of `known`, best first; empty when none is near."""
    near = get_close_matches(str(word), sorted(known), n=SUGGESTIONS_MAX, cutoff=0.6)
    return f"did you mean {' or '.join(repr(name) for name in near)}?" if near else ""
