"""What the diagnose rules say together: rules that can never fire, and pairs that name two walls for the same readings.

Exact where conditions compare one reading with constants and thresholds: the truth of such a comparison changes at its
level only, so trying each level, just beside it, and the ends of the range tries everything. Conditions that compare
readings with one another are tried on a grid; a witness found there is real, none found proves nothing, and the rule is
listed as `not_proved`. Not for couple rules.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from knockon.backends.python.walk import judge_one, value_of
from knockon.expr.condition import condition
from knockon.expr.names import names_in, parts
from knockon.expr.nodes import Compare, Name, Node
from knockon.expr.vocabulary import NameInfo
from knockon.rules.rule import DiagnoseRule
from knockon.rules.rulebook import Rulebook
from knockon.terms.errors import LimitExceeded
from knockon.terms.truth import Truth
from knockon.terms.words import RuleId, Scalar

# A condition of eight readings with eight levels each would take hours; the largest shipped one takes 1,024 tries.
TRIES_MAX = 200_000
# Where readings are compared with one another.
_GRID = (0.0, 0.5, 1.0, 2.0, 10.0, 1000.0)

Readings = tuple[tuple[str, Scalar], ...]


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two rules of different walls that both fire on `witness`, neither of which outranks the other."""

    first: RuleId
    second: RuleId
    witness: Mapping[str, Scalar]


@dataclass(frozen=True, slots=True)
class Analysis:
    """Every list in the order of rule ids."""

    dead: tuple[RuleId, ...]
    """Rules that fire on no readings at all under these thresholds."""
    overlaps: tuple[Overlap, ...]
    not_proved: tuple[RuleId, ...]
    """Rules whose conditions compare readings with one another: what is not found of them is not excluded."""


def analyse(rulebook: Rulebook, thresholds: Mapping[str, Scalar]) -> Analysis:
    """Analyse the diagnose rules of `rulebook` under `thresholds` (`threshold.x` → value).

    Raises:
        LimitExceeded: a condition has too many readings with too many levels.
    """
    levels = _levels(rulebook, thresholds)
    firing = {rule.id: _firing(rule, rulebook, thresholds, levels) for rule in rulebook.diagnose}
    overlaps = []
    for first, second in combinations(rulebook.diagnose, 2):
        if first.wall == second.wall or second.id in first.outranks or first.id in second.outranks:
            continue
        witness = _common(firing[first.id], firing[second.id])
        if witness is not None:
            overlaps.append(Overlap(first.id, second.id, witness))
    return Analysis(
        dead=tuple(key for key, found in firing.items() if not found),
        overlaps=tuple(overlaps),
        not_proved=tuple(rule.id for rule in rulebook.diagnose if _compares_readings(condition(rule.when_text))),
    )


def _levels(rulebook: Rulebook, thresholds: Mapping[str, Scalar]) -> Mapping[str, tuple[Scalar, ...]]:
    """For every reading of a diagnose rule, the values that tell its comparisons apart."""
    found: dict[str, set[float]] = {}
    for rule in rulebook.diagnose:
        node = condition(rule.when_text)
        for name in _readings(node):
            found.setdefault(name, set())
        for name, level in _compared(node, thresholds):
            found.setdefault(name, set()).add(level)
        if _compares_readings(node):
            for name in _readings(node):
                found[name] |= set(_GRID)
    return {name: _tried(rulebook.vocabulary.info(name), levels) for name, levels in found.items()}


def _tried(info: NameInfo, levels: Iterable[float]) -> tuple[Scalar, ...]:
    if info.type == "bool":
        return (False, True)
    low, high = info.minimum or 0.0, info.maximum if info.maximum is not None else math.inf
    values = {low, high} if math.isfinite(high) else {low}
    for level in levels:
        values |= {level, math.nextafter(level, -math.inf), math.nextafter(level, math.inf)}
    return tuple(sorted(value for value in values if low <= value <= high))


def _firing(
    rule: DiagnoseRule,
    rulebook: Rulebook,
    thresholds: Mapping[str, Scalar],
    levels: Mapping[str, tuple[Scalar, ...]],
) -> Sequence[Readings]:
    node = condition(rule.when_text)
    names = sorted(_readings(node))
    tries = math.prod(len(levels[name]) for name in names)
    if tries > TRIES_MAX:
        raise LimitExceeded(f"the readings of {rule.id} to try", limit=TRIES_MAX, found=tries, fix="split the rule")
    fires = [
        tuple(zip(names, values, strict=True))
        for values in product(*(levels[name] for name in names))
        if judge_one(node, {**thresholds, **dict(zip(names, values, strict=True))}, vocabulary=rulebook.vocabulary)
        is Truth.TRUE
    ]
    # Round numbers first: a witness is read by people.
    return sorted(fires, key=lambda readings: sum(len(repr(value)) for _, value in readings))


def _common(first: Sequence[Readings], second: Sequence[Readings]) -> Mapping[str, Scalar] | None:
    """Readings on which both fire: one of each that agree on what they share."""
    if not first or not second:
        return None
    shared = {name for name, _ in first[0]} & {name for name, _ in second[0]}
    by_shared = {tuple(pair for pair in readings if pair[0] in shared): readings for readings in second}
    for readings in first:
        other = by_shared.get(tuple(pair for pair in readings if pair[0] in shared))
        if other is not None:
            return {**dict(readings), **dict(other)}
    return None


def _readings(node: Node) -> frozenset[str]:
    return frozenset(name for name in names_in(node) if not name.startswith("threshold."))


def _compared(node: Node, thresholds: Mapping[str, Scalar]) -> Iterable[tuple[str, float]]:
    """(reading, level) of every comparison of one reading with something that needs no reading."""
    if isinstance(node, Compare):
        for one, other in ((node.left, node.right), (node.right, node.left)):
            level = value_of(other, thresholds) if isinstance(one, Name) and not _readings(other) else None
            if isinstance(one, Name) and isinstance(level, int | float) and not isinstance(level, bool):
                yield one.id, float(level)
    for part in parts(node):
        yield from _compared(part, thresholds)


def _compares_readings(node: Node) -> bool:
    if isinstance(node, Compare):
        sides = (node.left, node.right)
        return len(_readings(node)) > 1 or any(_readings(side) and not isinstance(side, Name) for side in sides)
    return any(_compares_readings(part) for part in parts(node))
