"""Did you mean: the known words nearest to a wrong one."""

from collections.abc import Iterable

from knockon.terms.likeness import shares_enough
from knockon.terms.limits import SUGGESTIONS_MAX

# Of 0..100.
_LIKENESS_MIN = 60.0


def meant(word: object, known: Iterable[str]) -> str:
    """`did you mean 'a' or 'b'?` with the nearest of `known`, best first; empty when none is near."""
    # Only something wrong needs it.
    from rapidfuzz import fuzz, process  # noqa: PLC0415  see above

    found = process.extract(str(word), tuple(known), scorer=fuzz.ratio, score_cutoff=_LIKENESS_MIN, limit=None)
    ranked = [name for name, _, _ in sorted(found, key=lambda one: (-one[1], one[0]))]
    near = [name for name in ranked if shares_enough(str(word), name)][:SUGGESTIONS_MAX]
    return f"did you mean {' or '.join(repr(name) for name in near)}?" if near else ""
