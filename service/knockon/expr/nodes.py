"""The nodes of the language, frozen. Spans do not count when two nodes are compared."""

from dataclasses import dataclass, field
from typing import Literal

from knockon.terms.place import Span

NOWHERE = Span(0, 0)

ArithmeticOperator = Literal["+", "-", "*", "/", "%"]
CompareOperator = Literal["<", "<=", ">", ">=", "==", "!="]


@dataclass(frozen=True, slots=True)
class Number:
    """A number as written, with the unit written behind it ("" when bare): `2s` is Number(2, "s")."""

    value: int | float
    unit: str = ""
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Text:
    """A string in quotes; compared as a version where the other side is of type version."""

    value: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Bool:
    """`True` or `False` (also written `true`, `false`)."""

    value: bool
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Name:
    """A fact, a reading, or `threshold.x`; `id` is the whole dotted name."""

    id: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Negative:
    """Arithmetic minus."""

    operand: "Node"
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """`left operator right`; division by zero is UNKNOWN."""

    operator: ArithmeticOperator
    left: "Node"
    right: "Node"
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Call:
    """One of the functions of expr/functions.py: min, max, abs, ceil, floor."""

    function: str
    arguments: tuple["Node", ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Compare:
    """One comparison; chains `a < b < c` are read as `a < b and b < c`."""

    operator: CompareOperator
    left: "Node"
    right: "Node"
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Member:
    """`left in (a, b, …)` or `left not in (…)`; the options are literals."""

    left: "Node"
    options: tuple[Number | Text | Bool, ...]
    negated: bool = False
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class And:
    """Kleene's and over two or more conditions."""

    items: tuple["Node", ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Or:
    """Kleene's or over two or more conditions."""

    items: tuple["Node", ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Not:
    """Kleene's not; gone after expr/normal.py."""

    item: "Node"
    span: Span = field(default=NOWHERE, compare=False)


Node = Number | Text | Bool | Name | Negative | Arithmetic | Call | Compare | Member | And | Or | Not
