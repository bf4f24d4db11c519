"""Conditions that decide nothing: the same whatever is known, or never anything at all."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from knockon.expr.names import names_in, parts
from knockon.expr.nodes import (
    And,
    Arithmetic,
    Bool,
    Call,
    Compare,
    Member,
    Name,
    Negative,
    Node,
    Not,
    Number,
    Or,
    Text,
)
from knockon.expr.normal import normal
from knockon.expr.show import show
from knockon.expr.vocabulary import Vocabulary
from knockon.terms.place import Span


class Found(NamedTuple):
    """What is wrong, and which part of the expression it is."""

    what: str
    span: Span


def constant_of(node: Node, vocabulary: Vocabulary) -> Found | None:
    """Why a condition decides nothing, None when it does; the condition holds against the vocabulary."""
    for found in values_missing(node):
        return found
    if not names_in(node):
        word = "always holds" if normal(node) == Bool(True) else "never holds"
        return Found(f"`{show(node)}` names nothing and {word}", node.span)
    return next(_settled(normal(node), vocabulary), None)


def values_missing(node: Node) -> Iterator[Found]:
    """The innermost parts that never have a value, such as a division by zero: what is made of them is UNKNOWN."""
    inner = [found for part in parts(node) for found in values_missing(part)]
    yield from inner
    if inner or not isinstance(node, Arithmetic | Call | Negative):
        return
    if isinstance(node, Arithmetic) and node.operator in ("/", "%") and normal(node.right) == Number(0):
        yield Found(f"`{show(node)}` divides by zero and never has a value", node.span)
    elif not names_in(node) and not isinstance(normal(node), Number):
        yield Found(f"`{show(node)}` is too large for a number and never has a value", node.span)


def _settled(node: Node, vocabulary: Vocabulary) -> Iterator[Found]:
    """The parts of a normal form that are never true, or never false."""
    match node:
        case Bool(value=value):
            yield Found("the condition always holds" if value else "the condition never holds", node.span)
        case Compare(operator=sign, left=left, right=right) if left == right:
            word = "always" if sign in ("==", "<=", ">=") else "never"
            yield Found(f"`{show(node)}` compares a thing with itself and {word} holds", node.span)
        case And(items=items):
            if _exclude_one_another(_of_one_thing(items), vocabulary):
                yield Found(f"`{show(node)}` never holds: its parts exclude one another", node.span)
            yield from (found for item in items for found in _settled(item, vocabulary))
        case Or(items=items):
            # An `or` always holds where its parts cannot all be false.
            if _exclude_one_another([normal(Not(item)) for item in _of_one_thing(items)], vocabulary):
                yield Found(f"`{show(node)}` always holds: one of its parts does", node.span)
            yield from (found for item in items for found in _settled(item, vocabulary))


@dataclass(slots=True)
class _Left:
    """What the parts of an `and` leave of the values of one thing."""

    above: tuple[float, bool] = (float("-inf"), False)
    """The lower bound, and whether it is excluded; larger is tighter."""
    below: tuple[float, bool] = (float("inf"), True)
    """The upper bound, and whether it is included; smaller is tighter."""
    allowed: set[object] | None = None
    refused: set[object] = field(default_factory=set)

    @property
    def is_nothing(self) -> bool:
        """Whether no value is left."""
        (low, is_open), (high, is_closed) = self.above, self.below
        if low > high or (low == high and (is_open or not is_closed)):
            return True
        return self.allowed is not None and not any(self._takes(value) for value in self.allowed)

    def _takes(self, value: object) -> bool:
        if value in self.refused:
            return False
        if isinstance(value, bool) or not isinstance(value, int | float):
            return True
        return self.above <= (value, False) and (value, True) <= self.below

    def allow(self, values: Iterable[object]) -> None:
        """Leave only these."""
        self.allowed = set(values) if self.allowed is None else self.allowed.intersection(values)


def _of_one_thing(items: Sequence[Node]) -> list[Node]:
    """The items that can exclude another, or make it needless: they name just what another names, or nothing."""
    named = [names_in(item) for item in items]
    counts = Counter(named)
    return [item for item, names in zip(items, named, strict=True) if counts[names] > 1 or not names]


def _exclude_one_another(items: Sequence[Node], vocabulary: Vocabulary) -> bool:
    """Whether no values make all `items`, in normal form, true."""
    said = {show(item) for item in items}
    if any((isinstance(item, Bool) and not item.value) or show(normal(Not(item))) in said for item in items):
        return True
    left: dict[str, _Left] = {}
    for item in items:
        if isinstance(item, Compare | Member) and not _is_version(item.left, vocabulary):
            _narrow(left.setdefault(show(item.left), _Left()), item)
    return any(one.is_nothing for one in left.values())


def _is_version(node: Node, vocabulary: Vocabulary) -> bool:
    """Versions that differ as texts may be equal: 1.2 and 1.2.0."""
    info = vocabulary.get(node.id) if isinstance(node, Name) else None
    return info is not None and info.type == "version"


def _narrow(left: _Left, item: Compare | Member) -> None:
    if isinstance(item, Member):
        values = [option.value for option in item.options]
        if item.negated:
            left.refused.update(values)
        else:
            left.allow(values)
        return
    if not isinstance(item.right, Number | Text | Bool):
        return
    value = item.right.value
    match item.operator:
        case "==":
            left.allow([value])
        case "!=":
            left.refused.add(value)
        case ">" | ">=" if isinstance(value, int | float):
            left.above = max(left.above, (value, item.operator == ">"))
        case "<" | "<=" if isinstance(value, int | float):
            left.below = min(left.below, (value, item.operator == "<="))
