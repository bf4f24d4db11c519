"""A rulebook as one Python function, built from nodes of Python's `ast` and compiled once. No text is ever run.

The function looks at the values once. When all are there and every term is finite, it judges in two-valued logic;
otherwise it starts over in three-valued logic, which never raises.
"""

import ast
import marshal
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from types import CodeType, FunctionType
from typing import cast

from knockon.backends.python.emit import Emitter, Kind
from knockon.backends.python.load import ENVIRONMENT
from knockon.backends.python.syntax import (
    assign,
    attempt,
    attribute,
    both,
    call,
    choice,
    compare,
    constant,
    function,
    give,
    listed,
    load,
    row,
    unpack,
    when,
    within,
)
from knockon.expr.names import mentions, parts
from knockon.expr.nodes import Node, Not, Or
from knockon.expr.normal import leaves, normal
from knockon.expr.show import show
from knockon.expr.vocabulary import Vocabulary
from knockon.terms.truth import Truth
from knockon.terms.words import Scalar

Judge = Callable[[Mapping[str, Scalar]], list[Truth]]


@dataclass(frozen=True, slots=True)
class Said:
    """What does not change in the evidence of one condition: its comparisons as texts, and the names it mentions."""

    texts: tuple[str, ...]
    names: tuple[str, ...]


Told = tuple[Said, tuple[Truth, ...], tuple[object, ...]]
"""The evidence of a condition that is TRUE: the truth of each text, and the value seen of each name.

A value is NaN or None where it is unknown; of a version it is the sort key.
"""
Explain = Callable[[Mapping[str, Scalar]], list[Truth | Told]]


@dataclass(frozen=True, slots=True)
class Generated:
    """One function over several conditions, and what it was made of."""

    judge: Judge
    module: ast.Module
    code: CodeType
    names: Mapping[Kind, tuple[str, ...]]
    """The names it reads, by kind, in the order in which it takes them."""

    def frozen(self) -> bytes:
        """The function as bytes that `thawed` understands, under the very same Python and the same back-end."""
        return marshal.dumps((self.code, dict(self.names)))

    @property
    def source(self) -> str:
        """The function as Python text, for reading only."""
        return ast.unparse(self.module)


def thawed(data: bytes) -> Judge:
    """The function that `Generated.frozen` made bytes of.

    Args:
        data: whole and unchanged, from this Python and this back-end; anything else may end the process.

    Raises:
        ValueError, TypeError, EOFError: it is plainly something else.
    """
    code, names = marshal.loads(data)  # noqa: S302  the caller vouches for the bytes, see above
    if not isinstance(code, CodeType) or not isinstance(names, dict) or code.co_freevars:
        raise ValueError("these bytes are no function")
    return FunctionType(code, _environment(names))


def _environment(names: Mapping[Kind, tuple[str, ...]]) -> dict[str, object]:
    """Everything that a function over these names can reach."""
    environment: dict[str, object] = dict(ENVIRONMENT)
    for kind, held in names.items():
        if kind == "number":
            # With one name `itemgetter` gives the bare value; asked for it twice, it gives a tuple as always.
            environment["TAKE_NUMBERS"] = itemgetter(*held * _times(held))
        environment[f"{kind.upper()}_NAMES"] = held
    return environment


def _times(numbers: Sequence[str]) -> int:
    return 2 if len(numbers) == 1 else 1


def generate(conditions: Sequence[Node], vocabulary: Vocabulary) -> Generated:
    """Make one function of `conditions`, which hold against `vocabulary`; they need no normal form."""
    return _Function([normal(condition) for condition in conditions], vocabulary).generated()


def generate_explained(conditions: Sequence[Node], vocabulary: Vocabulary) -> Explain:
    """Make one function that gives the evidence of every condition that is TRUE, and the truth of every other one."""
    return _Explaining([normal(condition) for condition in conditions], vocabulary).explain()


class _Function:
    """The parts of one function, in the order in which they run."""

    def __init__(self, conditions: list[Node], vocabulary: Vocabulary) -> None:
        self._conditions = conditions
        self._emitter = Emitter(conditions, vocabulary)
        self._numbers = self._emitter.names["number"]

    def generated(self) -> Generated:
        """Put the function together and compile it."""
        body = [*self._loads(), self._two_valued(), *self._three_valued()]
        module = function("judge", "values", body)
        code = compile(module, "<rulebook>", "exec")
        inner = next(part for part in code.co_consts if isinstance(part, CodeType))
        names: dict[Kind, tuple[str, ...]] = {kind: tuple(held) for kind, held in self._emitter.names.items() if held}
        return Generated(judge=FunctionType(inner, _environment(names)), module=module, code=inner, names=names)

    def _loads(self) -> Iterator[ast.stmt]:
        """`get = values.get`, then the names that are no numbers."""
        yield assign("get", attribute(load("values"), "get"))
        for kind in ("truth", "text", "version"):
            yield from self._load(kind)

    def _load(self, kind: Kind) -> Iterator[ast.stmt]:
        """`[name0, name1, …] = kinds = loaded_kinds(get, KIND_NAMES)`, or nothing when there are no names."""
        names = self._emitter.names[kind]
        if names:
            value = call(load(f"loaded_{kind}s"), load("get"), load(f"{kind.upper()}_NAMES"))
            yield unpack(list(names.values()), f"{kind}s", value)

    def _two_valued(self) -> ast.stmt:
        """Try to judge with everything known; a missing name or a division by zero ends the attempt."""
        verdicts = [
            choice(self._emitter.bare(condition), self._told(index, knows_all=True), load("FALSE"))
            for index, condition in enumerate(self._conditions)
        ]
        judged = [*self._emitter.bare_terms()]
        terms = [load(local) for local in self._emitter.terms.values()]
        # One sum finds any infinity among the terms; should it overflow by itself, the long way is still right.
        answer = give(listed(verdicts))
        judged.append(when(within("<", call(load("sum"), row(terms))), [answer]) if terms else answer)
        tests = [*self._all_known()]
        body = [*self._take_numbers(), *([when(both(*tests), judged)] if tests else judged)]
        return attempt(body, "KeyError", "ZeroDivisionError", "OverflowError")

    def _take_numbers(self) -> Iterator[ast.stmt]:
        """`[number0, number1, …] = numbers = TAKE_NUMBERS(values)`, which raises KeyError when one is absent."""
        if self._numbers:
            targets = list(self._numbers.values()) * _times(list(self._numbers))
            yield unpack(targets, "numbers", call(load("TAKE_NUMBERS"), load("values")))

    def _all_known(self) -> Iterator[ast.expr]:
        """The tests that no value is unknown."""
        if self._numbers:
            types = call(load("map"), load("type"), load("numbers"))
            yield call(attribute(load("PLAIN"), "issuperset"), types)
            yield within("<", call(load("sum"), load("numbers")))
        for kind in ("truth", "text", "version"):
            if self._emitter.names[kind]:
                yield compare("not in", constant(None), load(f"{kind}s"))

    def _three_valued(self) -> Iterator[ast.stmt]:
        """Judge with what is known."""
        yield from self._load("number")
        yield from self._emitter.guarded_terms()
        verdicts: list[ast.expr] = []
        for index, condition in enumerate(self._conditions):
            is_false = self._emitter.surely(normal(Not(condition)))
            otherwise = choice(is_false, load("FALSE"), load("UNKNOWN"))
            told = self._told(index, knows_all=False)
            verdicts.append(choice(self._emitter.surely(condition), told, otherwise))
        yield give(listed(verdicts))

    def _told(self, index: int, *, knows_all: bool) -> ast.expr:
        """What the function gives for the condition at `index` when it is TRUE."""
        del index, knows_all
        return load("TRUE")


class _Explaining(_Function):
    """The same function, giving evidence in place of TRUE: what it needs is in its locals already."""

    def __init__(self, conditions: list[Node], vocabulary: Vocabulary) -> None:
        super().__init__(conditions, vocabulary)
        self._atoms = [tuple(leaves(condition)) for condition in conditions]
        self._seen = [tuple(dict.fromkeys(mentions(condition))) for condition in conditions]

    def explain(self) -> Explain:
        """Put the function together and compile it."""
        generated = self.generated()
        reached = _environment(generated.names)
        for index, atoms in enumerate(self._atoms):
            reached[f"SAID{index}"] = Said(tuple(map(show, atoms)), self._seen[index])
            # Of a conjunction that is TRUE, every part is.
            reached[f"ALL{index}"] = (Truth.TRUE,) * len(atoms)
        return cast("Explain", FunctionType(generated.code, reached))

    def _told(self, index: int, *, knows_all: bool) -> ast.expr:
        is_flat = not isinstance(self._conditions[index], Or) and all(
            not isinstance(item, Or) for item in parts(self._conditions[index])
        )
        truths = load(f"ALL{index}") if is_flat else row([self._truth(atom, knows_all) for atom in self._atoms[index]])
        locals_of = {name: local for group in self._emitter.names.values() for name, local in group.items()}
        return row([load(f"SAID{index}"), truths, row([load(locals_of[name]) for name in self._seen[index]])])

    def _truth(self, atom: Node, knows_all: bool) -> ast.expr:
        if knows_all:
            return choice(self._emitter.bare(atom), load("TRUE"), load("FALSE"))
        is_false = self._emitter.surely(normal(Not(atom)))
        return choice(self._emitter.surely(atom), load("TRUE"), choice(is_false, load("FALSE"), load("UNKNOWN")))
