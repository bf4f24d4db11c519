"""Which reading each threshold is the level of, and on which side of it the rules fire: read from their conditions."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from knockon.expr.nodes import And, Compare, Name, Node, Not, Or
from knockon.expr.normal import normal
from knockon.rules.rule import DiagnoseRule
from knockon.rules.rulebook import Rulebook
from knockon.terms.words import RuleId

Side = Literal["above", "below"]

_PREFIX = "threshold."
_SIDES: dict[str, Side] = {">": "above", ">=": "above", "<": "below", "<=": "below"}
_TURNED = {">": "<", ">=": "<=", "<": ">", "<=": ">="}


@dataclass(frozen=True, slots=True)
class Level:
    """One threshold as the level of one reading."""

    threshold: str
    """Plain key: "kv_full"."""
    reading: str
    side: Side | None
    """Where the reading lies when it is a wall; None where rules compare both ways and the key does not say it."""
    rules: tuple[RuleId, ...]
    """The rules that compare the two, whichever way."""


def levels_of(rulebook: Rulebook) -> tuple[Level, ...]:
    """Every reading that a condition compares with a threshold alone, by threshold, most used first.

    A key that ends in high, full or low says the side itself, for rules also ask that another wall is *not* hit.
    """
    seen: dict[tuple[str, str], list[tuple[Side, RuleId]]] = {}
    for rule in rulebook.diagnose:
        for threshold, reading, side in _compared(rule):
            if (kind := rulebook.vocabulary.get(reading)) is not None and kind.kind == "reading":
                seen.setdefault((threshold, reading), []).append((side, rule.id))
    found = [
        Level(
            threshold, reading, _side(threshold, [side for side, _ in uses]), tuple(dict.fromkeys(r for _, r in uses))
        )
        for (threshold, reading), uses in seen.items()
    ]
    return tuple(sorted(found, key=lambda one: (one.threshold, -len(one.rules), one.reading)))


def _side(threshold: str, sides: list[Side]) -> Side | None:
    if threshold.endswith(("_high", "_full")):
        return "above"
    if threshold.endswith("_low"):
        return "below"
    return sides[0] if len(set(sides)) == 1 else None


def _compared(rule: DiagnoseRule) -> Iterator[tuple[str, str, Side]]:
    """(threshold, reading, side) of every comparison of the condition."""
    for node in _atoms(normal(rule.when)):
        if not isinstance(node, Compare) or not isinstance(node.left, Name) or not isinstance(node.right, Name):
            continue
        left, right, sign = node.left.id, node.right.id, str(node.operator)
        if left.startswith(_PREFIX):
            left, right, sign = right, left, _TURNED.get(sign, sign)
        if right.startswith(_PREFIX) and not left.startswith(_PREFIX) and sign in _SIDES:
            yield right.removeprefix(_PREFIX), left, _SIDES[sign]


def _atoms(node: Node) -> Iterator[Node]:
    match node:
        case And(items=items) | Or(items=items):
            for item in items:
                yield from _atoms(item)
        case Not(item=item):
            yield from _atoms(item)
        case _:
            yield node
