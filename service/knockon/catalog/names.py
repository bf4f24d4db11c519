"""How people's names are matched: case, width, dashes, underscores, spaces and traditional characters do not count."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from knockon.catalog.stems import stems_of
from knockon.catalog.traditional import simplified
from knockon.terms.errors import LimitExceeded
from knockon.terms.limits import ASKED_TEXT_MAX, SUGGESTIONS_MAX

_SEPARATORS = re.compile(r"[\s_\-‐‑‒–—―−·]+")
# Below this similarity (0..100) a suggestion reads like a random word of the catalog.
_SIMILARITY_MIN = 75
# One slip of the finger in this many letters; names that differ by more only share an ending, as "data lineage" and
# "data age" do.
_SLIP_EVERY = 6
# So do short names as soon as more than one letter, or their first one, is another.
_SHORT_MAX = 4
# A name that is part of another one is worth suggesting, unless it is so short that it is part of many.
_PART_MIN = 4
_PART_SIMILARITY = 80
# A long beginning of a name is that name with its ending left off, before any that differs by a slip.
_BEGINNING_MIN = 8
_BEGINNING_SIMILARITY = 99
_PIECE = re.compile(r"[\x00-\x7f]+|[^\x00-\x7f]")


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
    return _SEPARATORS.sub("", simplified(unicodedata.normalize("NFKC", text)).casefold())


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
    likely: list[tuple[float, str]] = []
    for known, ratio, _at in process.extract(asked, list(written), scorer=fuzz.ratio, limit=None):
        likeness = (
            ratio
            if ratio >= _SIMILARITY_MIN and (_is_slip(asked, known) or stems_of(name) == stems_of(written[known]))
            else 0.0
        )
        if (asked in known and _begins_in(asked, written[known])) or (known in asked and _stands_in(known, name)):
            likeness = max(likeness, _PART_SIMILARITY + ratio / 100)
        if len(asked) >= _BEGINNING_MIN and known.startswith(asked):
            likeness = max(likeness, _BEGINNING_SIMILARITY + ratio / 100)
        if likeness >= _SIMILARITY_MIN:
            likely.append((-likeness, known))
    if name.isascii():
        # Who writes Latin letters alone is not helped by a name that ends in Chinese.
        likely = [one for one in likely if written[one[1]].isascii()] or likely
    picked: list[str] = []
    seen: set[object] = set()
    for _likeness, known in sorted(likely):
        stands_for = tuple(ids[known]) if ids is not None else known
        if stands_for not in seen:
            seen.add(stands_for)
            picked.append(written[known])
    return tuple(picked[:SUGGESTIONS_MAX])


def _begins_in(part: str, name: str) -> bool:
    """Whether some words of a name begin with this."""
    return len(part) >= _PART_MIN and any("".join(words).startswith(part) for words in _endings(_words(name)))


def _stands_in(part: str, name: str) -> bool:
    """Whether some words of a name are this."""
    return len(part) >= _PART_MIN and any(part in accumulate(words) for words in _endings(_words(name)))


def _endings(words: Sequence[str]) -> Iterator[Sequence[str]]:
    return (words[at:] for at in range(len(words)))


def _words(name: str) -> tuple[str, ...]:
    """The words of a name, each folded; every Chinese character may be one."""
    return tuple(piece for word in _SEPARATORS.split(name) for piece in _PIECE.findall(folded(word)))


def _is_slip(asked: str, known: str) -> bool:
    """Whether names differ by no more slips of the finger than their length makes likely."""
    from rapidfuzz.distance import OSA  # noqa: PLC0415

    slips = OSA.distance(asked, known)
    if min(len(asked), len(known)) > _SHORT_MAX:
        return slips <= max(1, round(len(known) / _SLIP_EVERY))
    return asked[:1] == known[:1] and slips <= 1
