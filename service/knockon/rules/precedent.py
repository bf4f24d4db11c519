"""Precedents: reports of slow systems whose cause was found, and how much a new report is like them.

What a person tells of a system says more than its numbers: what is mentioned at all is what struck somebody. So two
reports are alike where they mention the same readings, at like levels, in like words. The model is complement naive
Bayes over tf-idf weights ("Tackling the poor assumptions of naive Bayes text classifiers", ICML 2003): each wall is
known by what reports of the *other* walls say, which bears walls with few reports. It is counted, not trained, so that
one more precedent is one more line of YAML.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import nlargest
from math import exp, log, sqrt

from knockon.terms.words import Scalar, WallId

OPEN = WallId("open")
"""Stands for the wall where the cause of a report was never established."""

Features = frozenset[str]

# Counts that every feature has with every wall before anything was seen; 0.3 to 1 are right equally often.
_SMOOTHING = 0.5
# How steeply shares fall from the best wall to the others. A share orders reports, it is no probability: the level from
# which one speaks was chosen by how often it was right (decision 0039).
_SURENESS = 5.0
_LOW, _HIGH = 0.25, 0.75
_SAME_FROM, _SAME_TO = 0.9, 1.1
_FEW_MAX = 16
_WORD = re.compile(r"[a-z]{2,}")
_ENDINGS = ("ing", "ed", "es", "s")
_STEM_MIN = 3
# They stand in every report and say nothing of it.
_EMPTY_WORDS = """
an the of to and in is are it its with on for at by as than that this be or not no from each per one two only all has
have
"""
_EMPTY = frozenset(_EMPTY_WORDS.split())
# Parts of names of readings that say how something is counted, and not what.
_MEASURES = frozenset(("ratio", "s", "factor", "count", "per", "seen", "of", "is"))


@dataclass(frozen=True, slots=True)
class Precedent:
    """One report, as it was told before anybody knew its cause."""

    id: str
    source: str
    """The address of the report."""
    wall: WallId
    """The wall that was found to be the cause; `OPEN` where none was."""
    told: str
    """What was said, in words; empty where only readings are kept."""
    readings: Mapping[str, Scalar]

    @property
    def features(self) -> Features:
        """What it mentions."""
        return frozenset((*features_of(self.readings), *features_told(self.told)))


@dataclass(frozen=True, slots=True)
class Alike:
    """A precedent beside what is asked about. `likeness` is the cosine of both, 0..1."""

    precedent: Precedent
    likeness: float


@dataclass(frozen=True, slots=True)
class Resemblance:
    """What the precedents make of a report."""

    wall: WallId
    """The wall it is most like; `OPEN` where reports like it stayed without a cause."""
    share: float
    """0..1: how far that wall goes before the others."""
    nearest: tuple[Alike, ...]
    """The precedents of that wall that are most alike, the most alike first."""


@dataclass(frozen=True, slots=True)
class _Counts:
    """What the precedents mention, in weights."""

    weights: Mapping[str, float]
    """Feature → how telling it is: the fewer mention it, the more."""
    lengths: Sequence[float]
    """Of each precedent, in their order."""
    total: Mapping[str, float]
    by_wall: Mapping[WallId, Mapping[str, float]]
    outside: Mapping[WallId, float]
    """All weight in the reports of other walls, with what is there before anything was seen."""


class Precedents:
    """All precedents of a revision; counted when first asked."""

    def __init__(self, held: Sequence[Precedent]) -> None:
        """`held`, each with an id of its own."""
        self.held = held

    def without(self, ids: Collection[str]) -> "Precedents":
        """All but these: what they would have said of one another."""
        return Precedents([one for one in self.held if one.id not in ids])

    def resemblance(self, features: Features, *, nearest: int = 3) -> Resemblance | None:
        """Which wall's reports `features` are most like; None where no precedent mentions any of them."""
        counts = self._counts
        known = {feature: counts.weights[feature] for feature in features if feature in counts.weights}
        if not known:
            return None
        length = sqrt(sum(weight * weight for weight in known.values()))
        scores = {
            wall: _SURENESS
            / length
            * sum(
                weight * log(outside / (counts.total[feature] - counts.by_wall[wall].get(feature, 0.0) + _SMOOTHING))
                for feature, weight in known.items()
            )
            for wall, outside in counts.outside.items()
        }
        best = min(scores, key=lambda wall: (-scores[wall], wall))
        share = 1 / sum(exp(score - scores[best]) for score in scores.values())
        return Resemblance(best, share, tuple(self._alike(known, length, best, nearest)))

    def _alike(self, known: Mapping[str, float], length: float, wall: WallId, most: int) -> Iterator[Alike]:
        weights = self._counts.weights
        found = []
        for one, features, own in zip(self.held, self._features, self._counts.lengths, strict=True):
            if one.wall == wall and (shared := features & known.keys()):
                found.append(Alike(one, sum(weights[feature] ** 2 for feature in shared) / (own * length)))
        yield from nlargest(most, found, key=lambda alike: (alike.likeness, alike.precedent.id))

    @cached_property
    def _features(self) -> tuple[Features, ...]:
        return tuple(one.features for one in self.held)

    @cached_property
    def _counts(self) -> _Counts:
        mentioned = Counter(feature for features in self._features for feature in features)
        many = len(self.held) + 1
        weights = {feature: log(many / (count + 1)) + 1 for feature, count in mentioned.items()}
        total: dict[str, float] = dict.fromkeys(weights, 0.0)
        by_wall: dict[WallId, dict[str, float]] = {}
        lengths = [sqrt(sum(weights[feature] ** 2 for feature in features)) for features in self._features]
        for one, features, length in zip(self.held, self._features, lengths, strict=True):
            own = by_wall.setdefault(one.wall, {})
            for feature in features:
                weight = weights[feature] / length
                total[feature] += weight
                own[feature] = own.get(feature, 0.0) + weight
        whole = sum(total.values()) + _SMOOTHING * len(weights)
        outside = {wall: whole - sum(own.values()) for wall, own in by_wall.items()}
        return _Counts(weights, lengths, total, by_wall, outside)


def features_of(readings: Mapping[str, Scalar]) -> Iterator[str]:
    """What readings mention: each name, what the parts of it are about, and whether its value is low, high or none."""
    for name, value in readings.items():
        if value is False:
            yield f"{name}=no"
            continue
        yield name
        yield from (f"part:{part}" for part in name.split("_") if part not in _MEASURES)
        if isinstance(value, int | float) and not isinstance(value, bool) and (level := _level(name, value)):
            yield f"{name}:{level}"


def features_told(told: str) -> Iterator[str]:
    """What words mention; those that are not English say nothing here."""
    for word in _WORD.findall(told.lower().replace("_", " ")):
        if word not in _EMPTY:
            yield f"word:{_stem(word)}"


def _level(name: str, value: float) -> str:
    """Names end in how they are counted: a share, one over another, or a number of things."""
    if name.endswith("_ratio"):
        return "low" if value < _LOW else "high" if value >= _HIGH else "middle"
    if name.endswith("_factor"):
        return "same" if _SAME_FROM <= value <= _SAME_TO else "more" if value > 1 else "less"
    if name.endswith("_count"):
        return "none" if value == 0 else "one" if value <= 1 else "few" if value <= _FEW_MAX else "many"
    return ""


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _STEM_MIN:
            return word.removesuffix(ending)
    return word
