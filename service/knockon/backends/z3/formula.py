"""Nodes to formulas. Three truths are two formulas: when the condition is TRUE, and when it is FALSE.

A name is a variable and a flag that says whether it is known. Numbers are reals, so a proof holds for exact arithmetic;
texts are numbers of the literals they are held against, versions their ranks among those literals.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, assert_never

import z3

from knockon.expr.arithmetic import LARGEST, in_base
from knockon.expr.names import parts
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
from knockon.expr.version import version_key
from knockon.expr.vocabulary import Vocabulary

Formula = Any  # z3 has no types for mypy.


@dataclass(frozen=True, slots=True)
class Value:
    """What an expression comes to: `value` where `known` holds."""

    value: Formula
    known: Formula


@dataclass(frozen=True, slots=True)
class Truths:
    """When a condition is TRUE and when it is FALSE; UNKNOWN is neither."""

    true: Formula
    false: Formula


class Symbols:
    """The variables of one vocabulary, and the numbers of the texts and versions that the conditions mention."""

    def __init__(self, conditions: Iterable[Node], vocabulary: Vocabulary, *, is_bounded: bool = False) -> None:
        """Number the texts and versions of `conditions`.

        Args:
            conditions: every condition that will be asked for, in normal form.
            vocabulary: types, ranges and options of the names.
            is_bounded: whether results that no machine number holds are UNKNOWN, as they are at run time. No range of
                a vocabulary comes near them, and proofs are much slower with it.
        """
        self.vocabulary = vocabulary
        self.is_bounded = is_bounded
        said = [node.value for condition in conditions for node in _texts_in(condition)]
        options = [option for info in vocabulary.names.values() for option in info.options]
        self.codes: Mapping[str, int] = {text: code for code, text in enumerate(dict.fromkeys((*said, *options)))}
        keys = sorted({key for text in said if (key := version_key(text)) is not None})
        # What lies between two versions that are mentioned has a rank between theirs.
        self.ranks = {key: 2 * rank + 1 for rank, key in enumerate(keys)}

    def version_at(self, rank: Fraction) -> str:
        """A version of that rank: the one that is mentioned there, or one just after the one below."""
        below = max((key for key, each in self.ranks.items() if each <= rank), default=None)
        if below is None:
            return "0"
        text = ".".join(map(str, below[0]))
        return text if self.ranks[below] == rank else f"{text}.post1"

    def variable(self, name: str) -> Formula:
        """The value of a name."""
        match self.vocabulary.info(name).type:
            case "bool":
                return z3.Bool(name)
            # At run time a whole number may come as any number; in a proof it is one.
            case "int":
                return z3.Real(name) if self.is_bounded else z3.Int(name)
            case "text":
                return z3.Int(name)
            case _:
                return z3.Real(name)

    def known(self, name: str) -> Formula:
        """Whether a name has a value."""
        return z3.Bool(f"known {name}")

    def domain(self, name: str) -> list[Formula]:
        """What the vocabulary says of the values of a name."""
        info = self.vocabulary.info(name)
        variable = self.variable(name)
        if info.type == "text":
            allowed = [self.codes[option] for option in info.options]
            # Without options any text may come; those that no condition mentions are the numbers under 0.
            return [z3.Or([variable == code for code in allowed])] if allowed else [variable < len(self.codes)]
        if info.type == "version":
            return [variable >= 0, variable <= 2 * len(self.ranks)]
        if not info.is_numeric:
            return []
        bounds = []
        if info.minimum is not None:
            bounds.append(variable >= number(info.minimum))
        if info.maximum is not None:
            bounds.append(variable <= number(info.maximum))
        if info.above is not None:
            bounds.append(variable > number(info.above))
        return bounds


def number(value: float) -> Formula:
    """A number as it is written: 0.97 is 97/100, so that 0.97 times 100 is 97 here as it is to rounding arithmetic."""
    fraction = Fraction(repr(value))
    return z3.RealVal(f"{fraction.numerator}/{fraction.denominator}")


def truths(node: Node, symbols: Symbols) -> Truths:
    """The formulas of one condition."""
    match node:
        case And(items=items):
            found = [truths(item, symbols) for item in items]
            return Truths(z3.And([one.true for one in found]), z3.Or([one.false for one in found]))
        case Or(items=items):
            found = [truths(item, symbols) for item in items]
            return Truths(z3.Or([one.true for one in found]), z3.And([one.false for one in found]))
        case Not(item=item):
            held = truths(item, symbols)
            return Truths(held.false, held.true)
        case Compare(operator=sign, left=left, right=right):
            return _decided(_sides(left, right, symbols), _COMPARISONS[sign])
        case Member(left=left, options=options, negated=negated):
            hits = [_decided(_sides(left, option, symbols), _COMPARISONS["=="]) for option in options]
            hit = Truths(z3.Or([one.true for one in hits]), z3.And([one.false for one in hits]))
            return Truths(hit.false, hit.true) if negated else hit
        case _:
            held_value = value(node, symbols)
            return Truths(
                z3.And(held_value.known, held_value.value), z3.And(held_value.known, z3.Not(held_value.value))
            )


def value(node: Node, symbols: Symbols) -> Value:
    """The formula of one expression."""
    match node:
        case Number():
            base = in_base(node)
            return Value(number(0 if base is None else base), z3.BoolVal(base is not None))
        case Text(value=text):
            return Value(z3.IntVal(symbols.codes[text]), z3.BoolVal(True))
        case Bool(value=truth):
            return Value(z3.BoolVal(truth), z3.BoolVal(True))
        case Name(id=name):
            variable = symbols.variable(name)
            is_whole = symbols.vocabulary.info(name).type == "int" and z3.is_int(variable)
            return Value(z3.ToReal(variable) if is_whole else variable, symbols.known(name))
        case Negative(operand=operand):
            held = value(operand, symbols)
            return Value(-held.value, held.known)
        case Arithmetic(operator=operator, left=left, right=right):
            computed = _computed(operator, value(left, symbols), value(right, symbols))
            return _bounded(computed) if symbols.is_bounded else computed
        case Call(function=function, arguments=arguments):
            held_all = [value(argument, symbols) for argument in arguments]
            return Value(_applied(function, [one.value for one in held_all]), z3.And([one.known for one in held_all]))
        case Compare() | Member() | And() | Or() | Not():
            held_truths = truths(node, symbols)
            return Value(held_truths.true, z3.Or(held_truths.true, held_truths.false))
        case _:
            assert_never(node)


_COMPARISONS: Mapping[str, Callable[[Formula, Formula], Formula]] = {
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
    "==": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
}


def _decided(sides: tuple[Value, Value], holds: Callable[[Formula, Formula], Formula]) -> Truths:
    left, right = sides
    known, held = z3.And(left.known, right.known), holds(left.value, right.value)
    return Truths(z3.And(known, held), z3.And(known, z3.Not(held)))


def _sides(left: Node, right: Node, symbols: Symbols) -> tuple[Value, Value]:
    """Both sides; a text beside a version is a version."""
    versions = [isinstance(side, Name) and symbols.vocabulary.info(side.id).type == "version" for side in (left, right)]
    sides = []
    for side in (left, right):
        if any(versions) and isinstance(side, Text):
            key = version_key(side.value)
            sides.append(Value(z3.RealVal(symbols.ranks.get(key, 0) if key else 0), z3.BoolVal(key is not None)))
        else:
            sides.append(value(side, symbols))
    return sides[0], sides[1]


def _bounded(held: Value) -> Value:
    largest = number(LARGEST)
    return Value(held.value, z3.And(held.known, held.value <= largest, held.value >= -largest))


def _computed(operator: str, left: Value, right: Value) -> Value:
    known = z3.And(left.known, right.known)
    match operator:
        case "+":
            return Value(left.value + right.value, known)
        case "-":
            return Value(left.value - right.value, known)
        case "*":
            return Value(left.value * right.value, known)
        case "/":
            return Value(left.value / right.value, z3.And(known, right.value != 0))
        case _:
            whole = z3.ToReal(z3.ToInt(left.value / right.value))
            return Value(left.value - right.value * whole, z3.And(known, right.value != 0))


def _applied(function: str, given: list[Formula]) -> Formula:
    match function:
        case "abs":
            return z3.If(given[0] < 0, -given[0], given[0])
        case "floor":
            return z3.ToReal(z3.ToInt(given[0]))
        case "ceil":
            return -z3.ToReal(z3.ToInt(-given[0]))
        case _:
            best = given[0]
            for one in given[1:]:
                better = one < best if function == "min" else one > best
                best = z3.If(better, one, best)
            return best


def _texts_in(node: Node) -> Iterable[Text]:
    if isinstance(node, Text):
        yield node
    if isinstance(node, Member):
        yield from (option for option in node.options if isinstance(option, Text))
    for part in parts(node):
        yield from _texts_in(part)
