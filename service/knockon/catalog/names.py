"""How people's names for things are matched: case, width, dashes, underscores and spaces do not count."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from knockon.terms.errors import LimitExceeded
from knockon.terms.limits import ASKED_TEXT_MAX, SUGGESTIONS_MAX

_SEPARATORS = re.compile(r"[\s_\-‐‑‒–—―−·]+")
# Below this similarity (0..100) a suggestion reads like a random word of the catalog.
_SIMILARITY_MIN = 60
# A name that is part of another one is worth suggesting, unless it is so short that it is part of many.
_PART_MIN = 4
_PART_SIMILARITY = 80


def fold(name: str) -> str:
    """The name as it is compared: `--Tensor_Parallel Size` and `tensor-parallel-size` fold to the same text.

    Raises:
        LimitExceeded: it is longer than any name.
    """
    if len(name) > ASKED_TEXT_MAX:
        raise LimitExceeded("a name", limit=ASKED_TEXT_MAX, found=len(name), fix="ask with fewer characters")
    return folded(name)


def folded(text: str) -> str:
    """A text of any length in the same form, for the catalog's own."""
    return _SEPARATORS.sub("", unicodedata.normalize("NFKC", text).casefold())


@dataclass(frozen=True, slots=True)
class NameIndex:
    """Ids by every name they go by, and the names as they are written, for suggestions."""

    ids: Mapping[str, tuple[str, ...]]
    """By folded name; several ids when a name is ambiguous, sorted."""
    written: Mapping[str, str]
    """By folded name, as it is written."""

    @staticmethod
    def of(names: Iterable[tuple[str, str]]) -> "NameIndex":
        """An index over (id, name) pairs."""
        ids: dict[str, list[str]] = {}
        written: dict[str, str] = {}
        for key, name in names:
            folded = fold(name)
            holders = ids.setdefault(folded, [])
            if key not in holders:
                holders.append(key)
            written.setdefault(folded, name)
        return NameIndex({folded: tuple(sorted(holders)) for folded, holders in ids.items()}, written)

    def find(self, name: str) -> tuple[str, ...]:
        """The ids that go by `name`, sorted; empty when none does."""
        return self.ids.get(fold(name), ())

    def nearest(self, name: str) -> tuple[str, ...]:
        """The written names most like `name`, best first, each id at most once."""
        return nearest(name, self.written, ids=self.ids)


def nearest(
    name: str, written: Mapping[str, str], *, ids: Mapping[str, Sequence[str]] | None = None
) -> tuple[str, ...]:
    """The names of `written` (folded → written) most like `name`, best first, at most `SUGGESTIONS_MAX`.

    With `ids` (folded → what the name stands for) no two of them stand for the same thing.
    """
    # Only a failed look-up needs it, and importing it costs more than all of a successful one.
    from rapidfuzz import fuzz, process  # noqa: PLC0415

    asked = fold(name)
    compared = process.extract(asked, list(written), scorer=fuzz.ratio, limit=None)
    scores = {folded: score for folded, score, _at in compared}
    for folded in written:
        if min(len(asked), len(folded)) >= _PART_MIN and (asked in folded or folded in asked):
            scores[folded] = max(scores[folded], _PART_SIMILARITY)
    likely = [(-score, folded) for folded, score in scores.items() if score >= _SIMILARITY_MIN]
    picked: list[str] = []
    seen: set[object] = set()
    for _score, folded in sorted(likely):
        stands_for = tuple(ids[folded]) if ids is not None else folded
        if stands_for not in seen:
            seen.add(stands_for)
            picked.append(written[folded])
    return tuple(picked[:SUGGESTIONS_MAX])
