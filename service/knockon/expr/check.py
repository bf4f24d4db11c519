"""Types and units of an expression against the vocabulary. Units are compared, never silently converted."""

from typing import NoReturn, assert_never

from knockon.expr.fit import Fit, Typed, unit_problem
from knockon.expr.functions import FUNCTIONS
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
from knockon.expr.parse import parse
from knockon.expr.scan import THRESHOLD_PREFIX
from knockon.expr.show import show
from knockon.expr.vocabulary import Type, Vocabulary
from knockon.terms.errors import ExpressionError, NameProblem, Problem
from knockon.terms.unit import LITERAL_UNITS, ONE, divide, multiply


def check(node: Node, vocabulary: Vocabulary, *, text: str = "") -> Typed:
    """Give the type and unit of `node`, whose spans are in `text`.

    Without `text` the node is written out first, so that a caret has something to stand under.

    Raises:
        NameProblem: a name the vocabulary does not have.
        UnitProblem: types or units that do not fit together, a text that is no option, a literal out of range.
    """
    if text:
        return _Checker(vocabulary, text).typed(node)
    try:
        return _Checker(vocabulary, "").typed(node)
    except ExpressionError:
        written = show(node)
        return _Checker(vocabulary, written).typed(parse(written))


def check_condition(node: Node, vocabulary: Vocabulary, *, text: str = "") -> None:
    """Do as `check`, and refuse what is no condition.

    Raises:
        NameProblem, UnitProblem: as `check`; UnitProblem also when the value is not a truth.
    """
    if text:
        _Checker(vocabulary, text).condition(node)
        return
    try:
        _Checker(vocabulary, "").condition(node)
    except ExpressionError:
        written = show(node)
        _Checker(vocabulary, written).condition(parse(written))


class _Checker:
    """Goes down one expression; `text` is for the carets."""

    def __init__(self, vocabulary: Vocabulary, text: str) -> None:
        self._vocabulary = vocabulary
        self._text = text
        self._fit = Fit(vocabulary, text)

    def typed(self, node: Node) -> Typed:  # noqa: C901  one case for each kind of node
        """The type of `node`, once everything under it holds."""
        match node:
            case Number():
                return _typed_number(node)
            case Text():
                return Typed("text")
            case Bool():
                return Typed("bool")
            case Name():
                return self._name(node)
            case Negative(operand=operand):
                return self._number(operand, "`-`")
            case Arithmetic():
                return self._arithmetic(node)
            case Call():
                return self._call(node)
            case Compare(left=left, right=right):
                self._fit.compare(node, self.typed(left), self.typed(right))
                return Typed("bool")
            case Member(left=left):
                self._fit.member(node, self.typed(left), [_typed_option(option) for option in node.options])
                return Typed("bool")
            case And(items=items) | Or(items=items):
                for item in items:
                    self.condition(item)
                return Typed("bool")
            case Not(item=item):
                self.condition(item)
                return Typed("bool")
            case _:
                assert_never(node)

    def condition(self, node: Node) -> None:
        """Refuse `node` when it is not true or false."""
        typed = self.typed(node)
        if typed.type != "bool":
            raise unit_problem(
                self._text,
                node,
                "type-mismatch",
                f"`{show(node)}` is {typed}, not a condition",
                expected="something that is true or false",
                fix="compare it with a value",
            )

    def _name(self, node: Name) -> Typed:
        info = self._vocabulary.get(node.id)
        if info is None:
            self._refuse_name(node)
        return Typed(info.type, info.unit if info.is_numeric else ONE)

    def _refuse_name(self, node: Name) -> NoReturn:
        near = self._vocabulary.nearest(node.id)
        meant = f"did you mean {' or '.join(repr(name) for name in near)}?" if near else ""
        where = "a profile" if node.id.startswith(THRESHOLD_PREFIX) else "rules/vocabulary.yaml"
        problem = Problem(
            code="unknown-name",
            what=f"no name is called {node.id!r}",
            expected="" if near else f"a name of {where}",
            fix=meant or f"add it to {where}",
        )
        raise NameProblem(problem, text=self._text, span=node.span)

    def _number(self, node: Node, by: str) -> Typed:
        """The type of `node`, refused when it is no number."""
        typed = self.typed(node)
        if not typed.is_numeric:
            what = f"{by} needs numbers, and `{show(node)}` is {typed}"
            raise unit_problem(self._text, node, "type-mismatch", what, expected="a number")
        return typed

    def _arithmetic(self, node: Arithmetic) -> Typed:
        by = f"`{node.operator}`"
        left, right = self._number(node.left, by), self._number(node.right, by)
        whole: Type = "int" if left.type == right.type == "int" else "number"
        match node.operator:
            case "*":
                return Typed(whole, multiply(left.unit, right.unit), is_bare=left.is_bare and right.is_bare)
            case "/":
                return Typed("number", divide(left.unit, right.unit), is_bare=left.is_bare and right.is_bare)
            case "+" | "-":
                return self._fit.alike(node, (left, right), by)
            case "%":
                if whole != "int":
                    what = f"`%` needs whole numbers, and the sides are {left} and {right}"
                    raise unit_problem(self._text, node, "type-mismatch", what, fix="round with `floor` first")
                return self._fit.alike(node, (left, right), by)

    def _call(self, node: Call) -> Typed:
        by = f"`{node.function}`"
        typed = [self._number(argument, by) for argument in node.arguments]
        alike = self._fit.alike(node, typed, by)
        return Typed("int", alike.unit, is_bare=alike.is_bare) if FUNCTIONS[node.function].gives_int else alike


def _typed_number(node: Number) -> Typed:
    if not node.unit:
        return Typed("int" if isinstance(node.value, int) else "number", is_bare=True)
    literal = LITERAL_UNITS[node.unit]
    is_int = isinstance(node.value, int) and literal.per == 1
    return Typed("int" if is_int else "number", literal.unit)


def _typed_option(option: Number | Text | Bool) -> Typed:
    return (
        _typed_number(option) if isinstance(option, Number) else Typed("text" if isinstance(option, Text) else "bool")
    )
