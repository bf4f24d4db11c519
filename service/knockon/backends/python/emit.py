"""Conditions in normal form to nodes of Python's `ast`, for the function that generate.py puts together.

A condition is written twice. "Surely true" is the condition with every unknown comparison false; "surely false" is
the same for its complement. Unknown numbers are NaN and the rest None (load.py), so both cost hardly more than
two-valued logic, and UNKNOWN is where neither holds. Where all is known, the bare condition is enough.
"""

import ast
from collections.abc import Iterator, Mapping
from typing import Literal

from knockon.backends.python.syntax import (
    arithmetic,
    assign,
    both,
    call,
    choice,
    compare,
    constant,
    either,
    inverse,
    load,
    negative,
    when,
    within,
)
from knockon.expr.arithmetic import in_base
from knockon.expr.names import parts
from knockon.expr.nodes import And, Arithmetic, Bool, Call, Compare, Member, Name, Negative, Node, Number, Or, Text
from knockon.expr.version import version_key
from knockon.expr.vocabulary import Vocabulary

Kind = Literal["number", "truth", "text", "version"]
_KINDS: Mapping[str, Kind] = {
    "int": "number", "number": "number", "bool": "truth", "text": "text", "version": "version",
}  # fmt: skip
Term = Negative | Arithmetic | Call


class Emitter:
    """Writes the conditions of one rulebook; every name and every distinct term is a local of the function."""

    def __init__(self, conditions: list[Node], vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self.names: dict[Kind, dict[str, str]] = {"number": {}, "truth": {}, "text": {}, "version": {}}
        """The local of every name, by kind, in order of mention."""
        self.terms: dict[Term, str] = {}
        """The local of every distinct term; what a term is made of comes before it."""
        for condition in conditions:
            self._collect(condition)

    def _collect(self, node: Node) -> None:
        for part in parts(node):
            self._collect(part)
        if isinstance(node, Name):
            group = self.names[self._kind(node)]
            # The number in front keeps `threshold.a` and a name `threshold_a` apart.
            group.setdefault(node.id, f"{self._kind(node)}{len(group)}_{node.id.replace('.', '_')}")
        elif isinstance(node, Term):
            self.terms.setdefault(node, f"term{len(self.terms)}")

    def _kind(self, node: Node) -> Kind:
        match node:
            case Name(id=name):
                return _KINDS[self._vocabulary.info(name).type]
            case Text():
                return "text"
            case Number() | Negative() | Arithmetic() | Call():
                return "number"
            case _:
                return "truth"

    # Terms

    def bare_terms(self) -> Iterator[ast.stmt]:
        """The terms, for when all is known; they raise on a division by zero and may come out infinite."""
        for term, local in self.terms.items():
            yield assign(local, self._bare(term))

    def guarded_terms(self) -> Iterator[ast.stmt]:
        """The terms, NaN where they have no finite value."""
        for term, local in self.terms.items():
            yield assign(local, self._guarded(term))
            if isinstance(term, Arithmetic) and term.operator != "%":
                yield when(inverse(within("<=", load(local))), [assign(local, load("NAN"))])

    def _bare(self, term: Term) -> ast.expr:
        match term:
            case Negative(operand=operand):
                return negative(self._value(operand))
            case Arithmetic(operator=operator, left=left, right=right):
                return arithmetic(operator, self._value(left), self._value(right))
            case Call(function=function, arguments=arguments):
                return call(load(function), *(self._value(argument) for argument in arguments))

    def _guarded(self, term: Term) -> ast.expr:
        """The term itself where its operands let it have a value, else NaN."""
        needs: list[ast.expr] = []
        if isinstance(term, Arithmetic) and term.operator in ("/", "%") and not _is_nonzero(term.right):
            needs = [self._value(term.right)]
        elif isinstance(term, Call) and term.function != "abs":
            # `min`, `max`, `ceil` and `floor` must not see NaN.
            needs = [
                _same(self._value(part), self._value(part)) for part in term.arguments if not isinstance(part, Number)
            ]
        return choice(both(*needs), self._bare(term), load("NAN")) if needs else self._bare(term)

    def _value(self, node: Node) -> ast.expr:
        match node:
            case Name(id=name):
                return load(self.names[self._kind(node)][name])
            case Negative() | Arithmetic() | Call():
                return load(self.terms[node])
            case Number():
                value = in_base(node)
                return load("NAN") if value is None else constant(value)
            case Text(value=text):
                return constant(text)
            case Bool(value=truth):
                return constant(truth)
            case _:
                raise TypeError(f"{type(node).__name__} is no value; the checker lets none through")

    # Conditions

    def bare(self, node: Node) -> ast.expr:
        """The condition, for when all is known."""
        match node:
            case And(items=items):
                return both(*map(self.bare, items))
            case Or(items=items):
                return either(*map(self.bare, items))
            case Compare(operator="==", left=Name() as name, right=Bool(value=False)):
                return inverse(self._value(name))
            case Compare():
                return compare(node.operator, *self._sides(node))
            case Member(negated=negated):
                return compare("not in" if negated else "in", self._value(node.left), self._options(node))
            case _:
                return self._value(node)

    def surely(self, node: Node) -> ast.expr:
        """The condition, true only when it is so whatever the unknown values are."""
        match node:
            case And(items=items):
                return both(*map(self.surely, items))
            case Or(items=items):
                return either(*map(self.surely, items))
            case Compare() if self._kind(node.left) == "number":
                return self._surely_number(node)
            case Compare(operator="==", left=Name() as name, right=Bool(value=False)):
                return compare("is", self._value(name), constant(False))
            case Compare(operator="==", right=Text()):
                return self.bare(node)
            case Compare(left=left, right=right):
                return both(*self._known(left, right), self.bare(node))
            case Member(left=left, negated=True) if self._kind(left) == "number":
                return both(_same(self._value(left), self._value(left)), self.bare(node))
            case Member(left=left):
                known = self._known(left) if self._kind(left) != "number" else ()
                return both(*known, self.bare(node))
            case _:
                return self._value(node)

    def _surely_number(self, node: Compare) -> ast.expr:
        """Every comparison with NaN is false but `!=`, which is written as `<` or `>`."""
        left, right = self._sides(node)
        if node.operator != "!=":
            return compare(node.operator, left, right)
        return either(compare("<", left, right), compare(">", left, right))

    def _known(self, *nodes: Node) -> tuple[ast.expr, ...]:
        """That the names among `nodes` are known, for kinds where unknown is None."""
        return tuple(compare("is not", self._value(node), constant(None)) for node in nodes if isinstance(node, Name))

    def _sides(self, node: Compare) -> tuple[ast.expr, ast.expr]:
        is_version = "version" in (self._kind(node.left), self._kind(node.right))
        left, right = (self._version(side) if is_version else self._value(side) for side in (node.left, node.right))
        return left, right

    def _version(self, node: Node) -> ast.expr:
        return constant(version_key(node.value)) if isinstance(node, Text) else self._value(node)

    def _options(self, node: Member) -> ast.expr:
        if self._kind(node.left) == "version":
            keys = (version_key(option.value) for option in node.options if isinstance(option, Text))
            return constant(frozenset(keys))
        return constant(frozenset(option.value for option in node.options))


def _is_nonzero(node: Node) -> bool:
    return isinstance(node, Number) and node.value != 0


def _same(left: ast.expr, right: ast.expr) -> ast.expr:
    """Of one thing with itself: that it is not NaN."""
    return compare("==", left, right)
