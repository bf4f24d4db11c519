"""Proofs about conditions by name: can they hold together, with values on which they do."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import z3

from knockon.backends.z3.base import Answer
from knockon.backends.z3.formula import Symbols, number, truths
from knockon.expr.check import check_condition
from knockon.expr.names import names_in
from knockon.expr.nodes import Node
from knockon.expr.normal import normal
from knockon.expr.vocabulary import Vocabulary
from knockon.terms.words import Scalar

# What the solver may spend on one question, in units of its own, so that a busy machine leaves no more of them open
# than a quiet one. Those about shipped rules take a hundredth of it; products of variables may take for ever.
_RESOURCES_MAX = 5_000_000
_DIGITS = 6


class Prover:
    """Conditions as formulas, with the ranges of their names, under fixed thresholds. See `base.Proofs`."""

    def __init__(
        self,
        conditions: Mapping[str, Node],
        vocabulary: Vocabulary,
        fixed: Mapping[str, Scalar],
        also: Sequence[Node] = (),
    ) -> None:
        for condition in conditions.values():
            check_condition(condition, vocabulary)
        nodes = {key: normal(condition) for key, condition in conditions.items()}
        self._symbols = Symbols([*nodes.values(), *also], vocabulary)
        self._truths = {key: truths(node, self._symbols) for key, node in nodes.items()}
        self._names = {key: names_in(node) for key, node in nodes.items()}
        self._fixed = {name: held for name, held in fixed.items() if vocabulary.get(name) is not None}
        self._texts = {code: text for text, code in self._symbols.codes.items()}
        self._solver = z3.Solver()
        self._solver.set("rlimit", _RESOURCES_MAX)
        self._told: set[str] = set()

    def can(
        self,
        *,
        hold: Sequence[str] = (),
        fail: Sequence[str] = (),
        without: Sequence[str] = (),
        given: Mapping[str, bool] = MappingProxyType({}),
    ) -> Answer:
        """Whether all of `hold` can be TRUE while all of `fail` are FALSE and none of `without` is TRUE."""
        names = frozenset(given).union(*(self._names[key] for key in (*hold, *fail, *without)))
        formulas = [self._truths[key].true for key in hold]
        formulas += [self._truths[key].false for key in fail]
        formulas += [z3.Not(self._truths[key].true) for key in without]
        for name, truth in given.items():
            formulas += [self._symbols.known(name), self._symbols.variable(name) == truth]
        return self._asked(names, formulas)

    def can_all(self, conditions: Sequence[Node]) -> Answer:
        """Whether all of these conditions, as they were parsed, can be TRUE."""
        nodes = [normal(condition) for condition in conditions]
        names = frozenset[str]().union(*map(names_in, nodes))
        return self._asked(names, [truths(node, self._symbols).true for node in nodes])

    def _asked(self, names: frozenset[str], formulas: Sequence[Any]) -> Answer:
        # In one order, or the solver would take other ways in every run.
        for name in sorted(names - self._told):
            # Ranges hold whatever is asked, so they are told once.
            self._solver.add(*self._symbols.domain(name), *self._given(name))
            self._told.add(name)
        self._solver.push()
        try:
            self._solver.add(*formulas)
            found = self._solver.check()
            if found == z3.unsat:
                return Answer(can=False, witness={})
            if found == z3.unknown:
                return Answer(can=None, witness={})
            return Answer(can=True, witness=self._witness(self._solver.model(), names))
        finally:
            self._solver.pop()

    def _given(self, name: str) -> list[Any]:
        if name not in self._fixed:
            return []
        return [self._symbols.known(name), self._symbols.variable(name) == number(float(self._fixed[name]))]

    def _witness(self, model: Any, names: frozenset[str]) -> Mapping[str, Scalar]:
        found: dict[str, Scalar] = {}
        for name in sorted(names - self._fixed.keys()):
            if z3.is_true(model.eval(self._symbols.known(name), model_completion=True)):
                found[name] = self._scalar(name, model.eval(self._symbols.variable(name), model_completion=True))
        return found

    def _scalar(self, name: str, term: Any) -> Scalar:
        match self._symbols.vocabulary.info(name).type:
            case "bool":
                return bool(z3.is_true(term))
            case "int":
                return int(term.as_long())
            case "text":
                return self._texts.get(int(term.as_long()), "some other text")
            case "version":
                return self._symbols.version_at(term.as_fraction())
            case _:
                exact = term if z3.is_rational_value(term) else term.approx(_DIGITS)
                return float(exact.as_fraction())
