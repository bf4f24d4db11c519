"""Conditions in normal form to PromQL that returns a sample exactly where the condition is surely TRUE.

PromQL has no false and no unknown: a comparison keeps the samples for which it holds and drops the others. So TRUE is a
sample, and FALSE and UNKNOWN are none, which is what an alert wants; that a condition is surely FALSE is asked by its
complement. Nothing may fire on a value that is not there:

- an absent series leaves its comparison empty, `and` needs both sides, `or` needs one: Kleene's connectives;
- NaN fails every comparison but `!=`, and infinity passes some, so both are dropped first (`finite`);
- a division by zero gives infinity or NaN and is dropped in the same way.

All vectors of one expression carry the same labels, so nothing is said about matching.
"""

from collections.abc import Callable
from functools import reduce

from knockon.backends.bounds import is_always_finite
from knockon.backends.promql.terms import NEVER, finite, number, unsupported
from knockon.expr.arithmetic import in_base
from knockon.expr.names import names_in
from knockon.expr.nodes import And, Arithmetic, Bool, Call, Compare, Member, Name, Negative, Node, Number, Or
from knockon.expr.vocabulary import Vocabulary

Selectors = Callable[[str], str]
"""The PromQL of a name: a vector of finite numbers, or of 0 and 1 for a truth."""


class Emitter:
    """Writes conditions; `selector` gives the PromQL of each name."""

    def __init__(self, selector: Selectors, vocabulary: Vocabulary) -> None:
        self._selector = selector
        self._vocabulary = vocabulary

    def holds(self, node: Node) -> str:
        """PromQL with a sample where `node` is surely TRUE.

        Raises:
            Unsupported: a text or a version, which PromQL cannot compare.
        """
        match node:
            case And(items=items):
                return " and ".join(self._joined(item) for item in items)
            case Or(items=items):
                return " or ".join(self._joined(item) for item in items)
            case Bool(value=value):
                return "vector(1)" if value else NEVER
            case Name():
                return f"{self._truth(node)} == 1"
            case Compare(operator="==", left=Name() as name, right=Bool(value=False)):
                return f"{self._truth(name)} == 0"
            case Compare(operator=operator, left=left, right=right):
                return self._compared(operator, left, right)
            case Member():
                return self._member(node)
            case _:
                raise unsupported(node)

    def _joined(self, item: Node) -> str:
        text = self.holds(item)
        return f"({text})" if isinstance(item, And | Or | Member) else text

    def _compared(self, operator: str, left: Node, right: Node) -> str:
        if self._is_truth(left) and self._is_truth(right):
            # Both sides one by one: a sample that is neither 0 nor 1 is UNKNOWN even where both are equal.
            one, other = self._truth(left), self._truth(right)
            pairs = ((1, 1), (0, 0)) if operator == "==" else ((1, 0), (0, 1))
            return "(" + " or ".join(f"{one} == {first} and {other} == {second}" for first, second in pairs) + ")"
        if _has_no_value(left) or _has_no_value(right):
            return NEVER
        return f"{self._term(left)} {operator} {self._term(right)}"

    def _member(self, node: Member) -> str:
        if self._is_truth(node.left):
            hits = [option.value for option in node.options if isinstance(option, Bool)]
            kept = [value for value in (True, False) if (value in hits) != node.negated]
            of = self._truth(node.left)
            return " or ".join(f"{of} == {value:d}" for value in kept) or NEVER
        if _has_no_value(node.left):
            return NEVER
        left, options = self._term(node.left), [self._term(option) for option in node.options]
        if node.negated:
            return " ".join([left, *(f"!= {option}" for option in options)])
        return " or ".join(f"{left} == {option}" for option in options)

    def _is_truth(self, node: Node) -> bool:
        return isinstance(node, Name) and self._vocabulary.info(node.id).type == "bool"

    def _truth(self, node: Node) -> str:
        """A vector of 0 and 1; a sample that is neither compares with neither, and that is UNKNOWN."""
        if isinstance(node, Name) and self._is_truth(node):
            return self._selector(node.id)
        raise unsupported(node)

    def _term(self, node: Node) -> str:
        """A vector of finite numbers, or a number; binds tighter than every comparison."""
        match node:
            case Name(id=name) if self._vocabulary.info(name).is_numeric:
                return self._selector(name)
            case Number():
                value = in_base(node)
                return number(value if value is not None else node.value)
            case Negative(operand=operand):
                # `0 -` in place of a sign: a sign before a selector keeps the name of the metric.
                return f"(0 - {self._term(operand)})"
            case Arithmetic(operator="%", left=left, right=right):
                divisor = self._term(right)
                # PromQL's remainder has the sign of the left side, the language's that of the right.
                return finite(f"({self._term(left)} % {divisor} + {divisor}) % {divisor}")
            case Arithmetic(operator=operator, left=left, right=right):
                text = f"{self._term(left)} {operator} {self._term(right)}"
                return f"({text})" if is_always_finite(node, self._vocabulary) else finite(text)
            case Call(function=function, arguments=arguments):
                return self._called(function, arguments)
            case _:
                raise unsupported(node)

    def _called(self, function: str, arguments: tuple[Node, ...]) -> str:
        if function not in ("min", "max"):
            return f"{function}({self._term(arguments[0])})"
        # Constants last, together: `clamp_max` takes a vector and a number.
        vectors = [self._term(argument) for argument in arguments if names_in(argument)]
        constants = [self._term(argument) for argument in arguments if not names_in(argument)]
        first, second = ("<=", "<") if function == "min" else (">=", ">")
        term = reduce(lambda one, other: f"({one} {first} {other} or {other} {second} {one})", vectors)
        clamp = "clamp_max" if function == "min" else "clamp_min"
        return reduce(lambda inner, limit: f"{clamp}({inner}, {limit})", constants, term)


def _has_no_value(node: Node) -> bool:
    """Whether `node` holds a constant without a value, such as `1 / 0`; folding has computed every other one."""
    match node:
        case Number():
            return in_base(node) is None
        case Negative(operand=operand):
            return _has_no_value(operand)
        case Arithmetic(left=left, right=right):
            return not names_in(node) or _has_no_value(left) or _has_no_value(right)
        case Call(arguments=arguments):
            return not names_in(node) or any(map(_has_no_value, arguments))
        case _:
            return False
