"""What the rules say together, proved with z3.

Rules that never fire or always do, rules that say what another says, walls that cannot be told apart, symptoms that no
base rule explains, fixes that lead in circles. Everything that can be is shown with values on which it is; overlaps are
tried again by the walk before they are told.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

from knockon.backends.python.walk import judge_one
from knockon.backends.z3.backend import proofs
from knockon.backends.z3.base import Answer, Proofs
from knockon.expr.names import names_in
from knockon.expr.nodes import Node
from knockon.expr.replace import replaced
from knockon.rules.hierarchy import AMBIGUITY_MARGIN
from knockon.rules.rule import CoupleRule, DiagnoseRule, Example, Rule
from knockon.rules.rulebook import Rulebook
from knockon.terms.truth import Truth
from knockon.terms.words import RuleId, Scalar

# What people come with. A wall that explains neither is no gap.
_SYMPTOMS = ("throughput_below_expectation", "e2e_slow")
# The base table, by which the readings that everybody has are judged.
_BASE = ("D001", "D002", "D003", "D004", "D005", "D006")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two rules, and values on which both fire; none where nothing has to be shown."""

    first: RuleId
    second: RuleId
    witness: Mapping[str, Scalar]


@dataclass(frozen=True, slots=True)
class Gap:
    """A symptom with values on which every rule of the base table is silent."""

    symptom: str
    witness: Mapping[str, Scalar]


@dataclass(frozen=True, slots=True)
class Analysis:
    """Every list in the order of rule ids."""

    rules: int
    """How many were looked at."""
    dead: tuple[RuleId, ...]
    """Fire on no values within their ranges."""
    constant: tuple[RuleId, ...]
    """Fire on all values within their ranges, once these are known."""
    shadowed: tuple[Pair, ...]
    """The first never speaks: whenever it fires, the second does, and outranks it."""
    repeated: tuple[Pair, ...]
    """Wherever the first fires, the second, of the same verdict, says so already."""
    overlaps: tuple[Pair, ...]
    """Two walls on shared readings that fire together with confidence so alike that the answer is ambiguous."""
    contradictions: tuple[Pair, ...]
    """Whatever fix is taken of the first, the second can fire on it, and each fix of that brings the first back."""
    gaps: tuple[Gap, ...]
    undecided: int
    """Questions that were given up in their time."""

    @property
    def defects(self) -> int:
        """How many of the findings are wrong whatever the rules are about."""
        return len(self.dead) + len(self.constant) + len(self.shadowed)


def analyse(rulebook: Rulebook, thresholds: Mapping[str, Scalar]) -> Analysis:
    """Analyse all rules of `rulebook` under `thresholds` (`threshold.x` → value).

    Raises:
        KnockonError: z3 is not installed, or a proof did not hold when it was tried.
    """
    rules: list[Rule] = [*rulebook.couple, *rulebook.diagnose]
    return _Analyst(rulebook, thresholds, {rule.id: rule for rule in rules}).analysis()


class _Analyst:
    """One analysis: the proofs, and how many questions were given up."""

    def __init__(self, rulebook: Rulebook, thresholds: Mapping[str, Scalar], rules: Mapping[RuleId, Rule]) -> None:
        self._rulebook, self._thresholds, self._rules = rulebook, thresholds, rules
        conditions = {str(key): rule.when for key, rule in rules.items()}
        self._names = {
            key: frozenset(name for name in names_in(node) if name not in thresholds)
            for key, node in conditions.items()
        }
        self._sets = {rule.id: _sets(rule) for rule in rulebook.couple}
        also = [node for sets in self._sets.values() for each in sets for node in each.values()]
        self._proofs: Proofs = proofs(conditions, rulebook.vocabulary, thresholds, also)
        self._undecided = 0

    def analysis(self) -> Analysis:
        rulebook = self._rulebook
        dead = tuple(key for key in self._rules if not self._can_be(key, Truth.TRUE))
        alive = {key: rule for key, rule in self._rules.items() if key not in dead}
        diagnose = [rule for rule in rulebook.diagnose if rule.id in alive]
        couple = [rule for rule in rulebook.couple if rule.id in alive]
        return Analysis(
            rules=len(self._rules),
            dead=dead,
            constant=tuple(key for key in alive if not self._can_be(key, Truth.FALSE)),
            shadowed=tuple(self._shadowed(diagnose)),
            repeated=tuple(self._repeated(couple)),
            overlaps=tuple(self._overlaps(diagnose)),
            contradictions=tuple(self._contradictions(couple)),
            gaps=tuple(self._gaps()),
            undecided=self._undecided,
        )

    def _can_be(self, key: RuleId, truth: Truth) -> bool:
        """Whether the condition of a rule can be `truth`: one of its examples shows it, or a proof is looked for."""
        rule = self._rules[key]
        if any(self._judged(rule, example) is truth for example in rule.examples):
            return True
        asked = self._proofs.can(hold=[key]) if truth is Truth.TRUE else self._proofs.can(fail=[key])
        return self._counted(asked).can is not False

    def _judged(self, rule: Rule, example: Example) -> Truth:
        values = {**example.given, **self._thresholds}
        return judge_one(rule.when, values, vocabulary=self._rulebook.vocabulary)

    def _counted(self, answer: Answer) -> Answer:
        self._undecided += answer.can is None
        return answer

    def _implies(self, first: Rule, second: Rule) -> bool:
        """Whether `second` fires wherever `first` does; only a rule on the same names can."""
        if not self._names[second.id] <= self._names[first.id]:
            return False
        for example in first.examples:
            if self._judged(first, example) is Truth.TRUE is not self._judged(second, example):
                return False
        return self._counted(self._proofs.can(hold=[first.id], without=[second.id])).can is False

    def _shadowed(self, rules: Sequence[DiagnoseRule]) -> Iterator[Pair]:
        for first, second in permutations(rules, 2):
            if first.id in second.outranks and self._implies(first, second):
                yield Pair(first.id, second.id, {})

    def _repeated(self, rules: Sequence[CoupleRule]) -> Iterator[Pair]:
        for first, second in permutations(rules, 2):
            alike = first.verdict is second.verdict and set(first.because) & set(second.because)
            if alike and self._implies(first, second):
                yield Pair(first.id, second.id, {})

    def _overlaps(self, rules: Sequence[DiagnoseRule]) -> Iterator[Pair]:
        for first, second in combinations(rules, 2):
            if (
                first.wall != second.wall
                and second.id not in first.outranks
                and first.id not in second.outranks
                and abs(first.confidence - second.confidence) < AMBIGUITY_MARGIN
                and self._names[first.id] & self._names[second.id]
            ):
                answer = self._counted(self._proofs.can(hold=[first.id, second.id]))
                if answer.can and self._fires(answer.witness, first, second):
                    yield Pair(first.id, second.id, answer.witness)

    def _contradictions(self, rules: Sequence[CoupleRule]) -> Iterator[Pair]:
        fixing = [rule for rule in rules if self._sets[rule.id] and all(self._sets[rule.id])]
        for first, second in combinations(fixing, 2):
            ways = [(one, other) for one in self._sets[first.id] for other in self._sets[second.id]]
            if not all(_clash(one, other) for one, other in ways):
                continue
            answers = [self._in_circles(first, second, one, other) for one, other in ways]
            if all(answer.can for answer in answers):
                yield Pair(first.id, second.id, answers[0].witness)

    def _in_circles(
        self, first: CoupleRule, second: CoupleRule, one: Mapping[str, Node], other: Mapping[str, Node]
    ) -> Answer:
        """Whether the fix of the first can bring about the second, whose fix brings the first about again."""
        after = {name: replaced(node, one) for name, node in other.items()}
        again = replaced(first.when, {**one, **after})
        return self._counted(self._proofs.can_all([first.when, replaced(second.when, one), again]))

    def _gaps(self) -> Iterator[Gap]:
        base = [key for key in _BASE if key in self._rules]
        for symptom in _SYMPTOMS:
            if self._rulebook.vocabulary.get(symptom) is None or len(base) < len(_BASE):
                continue
            answer = self._counted(self._proofs.can(fail=base, given={symptom: True}))
            if answer.can:
                yield Gap(symptom, answer.witness)

    def _fires(self, witness: Mapping[str, Scalar], *rules: Rule) -> bool:
        """Whether the walk agrees. A witness between two floats may round to a value on the other side of a level."""
        values = {**self._thresholds, **witness}
        return all(judge_one(rule.when, values, vocabulary=self._rulebook.vocabulary) is Truth.TRUE for rule in rules)


def _clash(one: Mapping[str, Node], other: Mapping[str, Node]) -> bool:
    """Whether two fixes set a fact to two constants."""
    # Values that are computed depend on the deployment; on a real one `check` tries every fix before it offers it.
    return any(
        one[name] != other[name] and not names_in(one[name]) and not names_in(other[name])
        for name in one.keys() & other.keys()
    )


def _sets(rule: CoupleRule) -> tuple[Mapping[str, Node], ...]:
    """What each fix of a rule sets, on facts alone: names of the derivation are replaced by what they stand for."""
    derived: dict[str, Node] = {}
    for step in rule.derive:
        derived[step.name] = replaced(step.value, derived)
    return tuple({name: replaced(node, derived) for name, node in fix.sets.items()} for fix in rule.fixes)
