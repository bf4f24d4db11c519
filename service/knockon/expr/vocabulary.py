"""The vocabulary: every name an expression may use, with type, unit, range and meaning."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from knockon.terms.errors import NotFound
from knockon.terms.likeness import has_all_words, shares_enough
from knockon.terms.limits import SUGGESTIONS_MAX
from knockon.terms.unit import ONE, Unit
from knockon.terms.words import Text

NameKind = Literal["fact", "reading", "threshold"]
Type = Literal["int", "number", "bool", "text", "version"]

# Similarity of 0..100 under which a suggestion puzzles more than it helps; found by trying misspelt names.
_SIMILARITY_MIN = 65
# What a name scores that holds the whole word: what WRatio gives a part of a long name.
_PART_SIMILARITY = 90
_UNSAID = Text("", "")
# A suggestion this much worse than the best one is noise beside it.
_SIMILARITY_SPREAD = 10


@dataclass(frozen=True, slots=True)
class NameInfo:
    """One name. `unit`, `minimum`, `maximum` (both inclusive) and `above` matter for numbers, `options` for texts."""

    name: str
    kind: NameKind
    type: Type
    unit: Unit = ONE
    minimum: float | None = None
    maximum: float | None = None
    above: float | None = None
    """A bound that is itself impossible."""
    options: tuple[str, ...] = ()
    """The texts the value may be; empty means any."""
    means: Text = _UNSAID
    group_or_class: str = ""
    """The group of a fact ("parallelism"), the class of a reading ("kpi", "resource", "context")."""
    how: Mapping[str, str] = field(default_factory=dict)
    """How to obtain the value, by engine; `any` where it is the same everywhere."""

    @property
    def is_numeric(self) -> bool:
        """Whether values are numbers."""
        return self.type in ("int", "number")


@dataclass(frozen=True)
class Vocabulary:
    """All names, each under itself."""

    names: Mapping[str, NameInfo]

    @cached_property
    def readings(self) -> tuple[str, ...]:
        """The names of readings, in the order of the vocabulary."""
        return tuple(name for name, info in self.names.items() if info.kind == "reading")

    def info(self, name: str) -> NameInfo:
        """What is known of `name`.

        Raises:
            NotFound: with the nearest names.
        """
        found = self.names.get(name)
        if found is None:
            raise NotFound("name", name, suggestions=self.nearest(name))
        return found

    def get(self, name: str) -> NameInfo | None:
        """What is known of `name`, None when nothing is."""
        return self.names.get(name)

    def nearest(self, name: str) -> tuple[str, ...]:
        """The names most like `name`, best first; empty when none is near."""
        return nearest(name, self.names)


def nearest(word: str, known: Mapping[str, object] | tuple[str, ...]) -> tuple[str, ...]:
    """The members of `known` most like `word`, best first; empty when none is near."""
    # Only ever needed on the way to an error, and rapidfuzz costs more to import than this whole package.
    from rapidfuzz import fuzz, process  # noqa: PLC0415  see above

    found = process.extract(word, tuple(known), scorer=fuzz.WRatio, score_cutoff=_SIMILARITY_MIN, limit=None)
    # WRatio rewards a part of a name only when the name is half as long again: a longer one would come first.
    scores = {
        name: max(score, _PART_SIMILARITY) if word in name else score
        for name, score, _at in found
        if shares_enough(word, name)
    }
    for name in known:
        if has_all_words(word, name):
            scores[name] = max(scores.get(name, 0), _PART_SIMILARITY)
    # Equal scores in the order of the vocabulary would hang on the order of the file; the whole likeness decides first.
    ranked = sorted(scores, key=lambda name: (-scores[name], -fuzz.ratio(word, name), name))
    return tuple(name for name in ranked[:SUGGESTIONS_MAX] if scores[name] >= scores[ranked[0]] - _SIMILARITY_SPREAD)
