"""Conditions judged by their formulas: values are put in for the variables, and what is left is TRUE or it is not."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import z3

from knockon.backends.known import known
from knockon.backends.z3.formula import Symbols, number, truths
from knockon.expr.check import check_condition
from knockon.expr.names import names_in
from knockon.expr.nodes import Node
from knockon.expr.normal import normal
from knockon.expr.version import VersionKey, version_key
from knockon.expr.vocabulary import Vocabulary
from knockon.terms.truth import Truth
from knockon.terms.words import Scalar


def compiled(conditions: Sequence[Node], vocabulary: Vocabulary) -> "Judged":
    """The formulas of `conditions`; raises NameProblem and UnitProblem."""
    for condition in conditions:
        check_condition(condition, vocabulary)
    return Judged([normal(condition) for condition in conditions], vocabulary)


class Judged:
    """Conditions in normal form as formulas."""

    def __init__(self, conditions: Sequence[Node], vocabulary: Vocabulary) -> None:
        self._symbols = Symbols(conditions, vocabulary, is_bounded=True)
        self._names = sorted({name for condition in conditions for name in names_in(condition)})
        self._outcomes: list[tuple[str, str]] = []
        stated = []
        for index, condition in enumerate(conditions):
            found = truths(condition, self._symbols)
            names = f"!true {index}", f"!false {index}"
            stated += [z3.Bool(name) == formula for name, formula in zip(names, (found.true, found.false), strict=True)]
            self._outcomes.append(names)
        # One formula for all, so that values are put in and worked out once.
        self._all = z3.And(stated)

    def judge(self, values: Mapping[str, Scalar]) -> list[Truth]:
        """The truth of every condition, in the order they were compiled in."""
        vocabulary = self._symbols.vocabulary
        given = {name: known(name, values, vocabulary) for name in self._names}
        ranks = self._ranks(given)
        codes = dict(self._symbols.codes)
        put = []
        for name, value in given.items():
            put.append((self._symbols.known(name), z3.BoolVal(value is not None)))
            put.append((self._symbols.variable(name), _constant(vocabulary.info(name).type, value, ranks, codes)))
        left = z3.simplify(z3.substitute(self._all, *put))
        held = {str(part) for part in (left.children() if z3.is_and(left) else [left]) if z3.is_const(part)}
        return [
            Truth.TRUE if true in held else Truth.FALSE if false in held else Truth.UNKNOWN
            for true, false in self._outcomes
        ]

    def _ranks(self, given: Mapping[str, Scalar | None]) -> Mapping[VersionKey, Fraction]:
        """The rank of every version that is mentioned or given; between two mentioned ones they share the room."""
        ranks = {key: Fraction(rank) for key, rank in self._symbols.ranks.items()}
        infos = self._symbols.vocabulary
        keys = {version_key(str(value)) for name, value in given.items() if infos.info(name).type == "version"}
        fresh = sorted(key for key in keys if key is not None and key not in ranks)
        for index, key in enumerate(fresh, start=1):
            below = sum(1 for each in self._symbols.ranks if each < key)
            ranks[key] = 2 * below + Fraction(index, len(fresh) + 1)
        return ranks


def _constant(kind: str, value: Scalar | None, ranks: Mapping[VersionKey, Fraction], codes: dict[str, int]) -> Any:
    """The value as a term of its variable's sort; any term does where there is none."""
    match kind:
        case "bool":
            return z3.BoolVal(value is True)
        case "text":
            # Texts that no condition mentions get a number of their own under 0.
            return z3.IntVal(codes.setdefault(str(value), min((*codes.values(), 0)) - 1))
        case "version":
            key = version_key(str(value))
            return z3.RealVal(str(ranks[key])) if key is not None else z3.RealVal(0)
        case _:
            return number(float(value or 0))
