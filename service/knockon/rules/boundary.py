"""Where the truth of a condition turns, and whether values stand exactly there.

`a > b` turns where a and b are equal, and only there do `>` and `>=` differ. So do sums, divisions without remainder
(`a % b == 0`), numbers out of a list, and releases in their order. Words, truths and architectures have no such point.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from knockon.backends.python.walk import judge_one, value_of
from knockon.expr.nodes import And, Arithmetic, Call, Compare, Member, Name, Negative, Node, Not, Number, Or
from knockon.expr.vocabulary import Vocabulary
from knockon.terms.truth import Truth
from knockon.terms.words import Scalar

# Two ways to compute one number may differ in its last digits.
_REL_TOL = 1e-12


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """One comparison of a condition that turns as its values grow."""

    of: Compare | Member
    """As the condition writes it; under a `not` it turns at the same point."""
    beside: tuple[tuple[Node, Truth], ...]
    """The rest of the condition, and the truth each part of it has while this comparison decides."""

    def is_at(self, values: Mapping[str, Scalar], vocabulary: Vocabulary) -> bool:
        """Whether `values` stand exactly at the point."""
        return _is_at(self.of, values, vocabulary)

    def decides(self, values: Mapping[str, Scalar], vocabulary: Vocabulary) -> bool:
        """Whether the rest of the condition leaves the outcome to this comparison, so that a wrong sign shows."""
        return all(judge_one(part, values, vocabulary=vocabulary) is truth for part, truth in self.beside)


def turning_points(condition: Node, vocabulary: Vocabulary) -> tuple[TurningPoint, ...]:
    """Every turning point of a condition, left to right; none where it consists of words, truths and presence.

    A comparison that no possible value turns asks only whether its name is known (`x >= 0` of what is never negative).
    """
    return tuple(_points(condition, (), vocabulary))


def _points(node: Node, beside: tuple[tuple[Node, Truth], ...], vocabulary: Vocabulary) -> Iterator[TurningPoint]:
    match node:
        case And(items=items) | Or(items=items):
            undecided = Truth.TRUE if isinstance(node, And) else Truth.FALSE
            for item in items:
                others = tuple((other, undecided) for other in items if other is not item)
                yield from _points(item, (*beside, *others), vocabulary)
        case Not(item=item):
            yield from _points(item, beside, vocabulary)
        case Compare() if _turns(node, vocabulary):
            yield TurningPoint(node, beside)
        case Member(left=left) if _is_number(left, vocabulary):
            yield TurningPoint(node, beside)


def _turns(node: Compare, vocabulary: Vocabulary) -> bool:
    if _is_version(node.left, vocabulary) or _is_version(node.right, vocabulary):
        # An architecture is a word; only releases in their order turn.
        return node.operator not in ("==", "!=")
    if not (_is_number(node.left, vocabulary) and _is_number(node.right, vocabulary)):
        return False
    return not _asks_presence(node, vocabulary)


def _asks_presence(node: Compare, vocabulary: Vocabulary) -> bool:
    """Whether the range of its name decides the comparison, so that it only asks whether there is a value."""
    if not isinstance(node.left, Name) or node.operator in ("==", "!="):
        return False
    info, bound = vocabulary.get(node.left.id), value_of(node.right, {})
    if info is None or bound is None or isinstance(bound, str):
        return False
    low, high = info.minimum, info.maximum
    if info.above is not None:
        return bound <= info.above
    if low is not None and (bound < low or (bound == low and node.operator in (">=", "<"))):
        return True
    return high is not None and (bound > high or (bound == high and node.operator in ("<=", ">")))


def _is_number(node: Node, vocabulary: Vocabulary) -> bool:
    if isinstance(node, Name):
        info = vocabulary.get(node.id)
        return info is not None and info.is_numeric
    return isinstance(node, Number | Negative | Arithmetic | Call)


def _is_version(node: Node, vocabulary: Vocabulary) -> bool:
    info = vocabulary.get(node.id) if isinstance(node, Name) else None
    return info is not None and info.type == "version"


def _is_at(node: Compare | Member, values: Mapping[str, Scalar], vocabulary: Vocabulary) -> bool:
    left = value_of(node.left, values, vocabulary=vocabulary)
    if left is None:
        return False
    if isinstance(node, Member):
        return any(value_of(option, {}) == left for option in node.options)
    right = value_of(node.right, values, vocabulary=vocabulary)
    if right is None:
        return False
    if isinstance(left, str) or isinstance(right, str):
        return judge_one(Compare("==", node.left, node.right), values, vocabulary=vocabulary) is Truth.TRUE
    return math.isclose(left, right, rel_tol=_REL_TOL)
