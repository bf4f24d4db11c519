"""Couple rules on the facts of one deployment: what fires, what cannot be told, and the way out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

from knockon.backends.python.reasons import Atom, evidence
from knockon.backends.python.walk import judge_one, value_of
from knockon.expr.names import names_in
from knockon.expr.vocabulary import Vocabulary
from knockon.rules.fill import filled
from knockon.rules.rule import CoupleRule, Fix
from knockon.rules.rulebook import Rulebook
from knockon.terms.fact import Fact, values_of
from knockon.terms.place import Position
from knockon.terms.truth import Truth
from knockon.terms.words import CheckVerdict, QuantityId, RuleId, Scalar, TechniqueId, Text

_WHOLE_MAX = 2**63 - 1
_GRAVEST_FIRST = (
    CheckVerdict.CONFLICT, CheckVerdict.DEGRADED, CheckVerdict.UNKNOWN, CheckVerdict.NOTE, CheckVerdict.FINE
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class DerivationStep:
    """One line of a derivation. `value` is None where a fact it needs is not known."""

    name: str
    expression: str
    value: Scalar | None
    unit: str
    origin: str
    says: Text


@dataclass(frozen=True, slots=True)
class CostShift:
    """A cost that landed: gained on `gains`, paid on `onto` through `quantity`; `factor` 0.5 means halved."""

    gains: str
    onto: str
    quantity: QuantityId
    factor: Scalar | None


@dataclass(frozen=True, slots=True)
class OfferedFix:
    """A change that takes the finding away, with values computed for this deployment."""

    says: Text
    technique: TechniqueId | None
    sets: Mapping[str, Scalar]
    range: tuple[Scalar, Scalar] | None
    knock_on: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """A couple rule that fired."""

    rule: CoupleRule
    verdict: CheckVerdict
    says: Text
    derivation: tuple[DerivationStep, ...]
    evidence: tuple[Atom, ...]
    shifts: tuple[CostShift, ...]
    fixes: tuple[OfferedFix, ...]
    remarks: tuple[Text, ...]
    at: Position | None
    """Where the setting stands that the finding is about, where it stands in a file or command."""


@dataclass(frozen=True)
class Undecided:
    """A rule that could not be told TRUE or FALSE."""

    rule: CoupleRule
    asks: Callable[[], tuple[str, ...]] = field(repr=False, compare=False)

    @cached_property
    def needs(self) -> tuple[str, ...]:
        """The facts that would decide it; found out when somebody asks, for most of what is judged is never told."""
        return self.asks()


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the couple rules say, each list in the order of rule ids."""

    findings: tuple[Finding, ...]
    undecided: tuple[Undecided, ...]
    not_asked: tuple[Undecided, ...]
    """Rules whose question was not put, for want of the facts in `asked_with`."""

    @property
    def verdict(self) -> CheckVerdict:
        """The gravest thing found; UNKNOWN when nothing grave was found and something could not be told."""
        said = {finding.verdict for finding in self.findings}
        if CheckVerdict.CONFLICT in said:
            return CheckVerdict.CONFLICT
        if CheckVerdict.DEGRADED in said:
            return CheckVerdict.DEGRADED
        return CheckVerdict.UNKNOWN if self.undecided else CheckVerdict.FINE


def judge(rulebook: Rulebook, facts: Mapping[str, Fact], truths: Sequence[Truth] | None = None) -> Judgement:
    """Judge every couple rule on `facts` (by name; types as in the vocabulary).

    `truths` are those of the rules where they are known already.
    """
    values = values_of(facts)
    vocabulary = rulebook.vocabulary
    findings: list[Finding] = []
    undecided: list[Undecided] = []
    not_asked: list[Undecided] = []
    for rule, truth in _not_false(rulebook, rulebook.judged_couple(values) if truths is None else truths):
        if truth is Truth.TRUE:
            findings.append(finding_of(rule, facts, vocabulary))
        elif absent := tuple(name for name in rule.asked_with if name not in values):
            not_asked.append(Undecided(rule, partial(tuple, absent)))
        else:
            undecided.append(Undecided(rule, partial(rulebook.lacking, rule, values)))
    return Judgement(tuple(findings), tuple(undecided), tuple(not_asked))


def verdict_in(rulebook: Rulebook, values: Mapping[str, Scalar], truths: Sequence[Truth]) -> CheckVerdict:
    """The verdict of what `judge` would say, without putting it into words."""
    found = CheckVerdict.FINE
    for rule, truth in _not_false(rulebook, truths):
        said = rule.verdict if truth is Truth.TRUE else CheckVerdict.UNKNOWN
        if truth is Truth.TRUE or all(name in values for name in rule.asked_with):
            found = min(found, said, key=_GRAVEST_FIRST.index)
    return CheckVerdict.FINE if found is CheckVerdict.NOTE else found


def conflicts_in(rulebook: Rulebook, truths: Sequence[Truth]) -> frozenset[RuleId]:
    """The rules that find a conflict."""
    fired = (rule for rule, truth in _not_false(rulebook, truths) if truth is Truth.TRUE)
    return frozenset(rule.id for rule in fired if rule.verdict is CheckVerdict.CONFLICT)


def _not_false(rulebook: Rulebook, truths: Sequence[Truth]) -> list[tuple[CoupleRule, Truth]]:
    """The rules that fire or cannot be told: a few of hundreds."""
    false, rules = Truth.FALSE, rulebook.couple
    return [(rules[place], truth) for place, truth in enumerate(truths) if truth is not false]


def finding_of(rule: CoupleRule, facts: Mapping[str, Fact], vocabulary: Vocabulary) -> Finding:
    """What a rule that fires on `facts` says of them."""
    values = values_of(facts)
    known = dict(values)
    steps = []
    for step in rule.derive:
        value = _readable(value_of(step.value, known))
        if value is not None:
            known[step.name] = value
        source = facts.get(step.value_text)
        steps.append(
            DerivationStep(
                name=step.name,
                expression=step.value_text,
                value=value,
                unit=step.unit,
                origin=source.origin.text if source else "derived",
                says=filled(step.says, known),
            )
        )
    return Finding(
        rule=rule,
        verdict=rule.verdict,
        says=filled(rule.says, known),
        derivation=tuple(steps),
        evidence=evidence(rule.when, values, vocabulary=vocabulary),
        shifts=tuple(
            CostShift(shift.gains, shift.onto, shift.quantity, value_of(shift.factor, known) if shift.factor else None)
            for shift in rule.shifts
        ),
        fixes=tuple(offered for fix in rule.fixes if (offered := _offered(fix, known, vocabulary)) is not None),
        remarks=tuple(filled(remark, known) for remark in rule.remarks),
        at=_place_of(rule, facts),
    )


def _offered(fix: Fix, known: Mapping[str, Scalar], vocabulary: Vocabulary) -> OfferedFix | None:
    if fix.when is not None and judge_one(fix.when, known, vocabulary=vocabulary) is not Truth.TRUE:
        return None
    sets = {name: value for name, node in fix.sets.items() if (value := value_of(node, known)) is not None}
    if len(sets) < len(fix.sets):
        return None
    bounds = fix.range and (value_of(fix.range[0], known), value_of(fix.range[1], known))
    return OfferedFix(
        says=filled(fix.says, {**known, **sets}),
        technique=fix.technique,
        sets={name: _whole(value) for name, value in sets.items()},
        range=(_whole(bounds[0]), _whole(bounds[1]))
        if bounds and bounds[0] is not None and bounds[1] is not None
        else None,
        knock_on=tuple(filled(text, known) for text in fix.knock_on),
    )


def _readable(value: Scalar | None) -> Scalar | None:
    # Answers go to programs whose integers have 64 bits; a product of facts at their limits has more.
    return float(value) if isinstance(value, int) and abs(value) > _WHOLE_MAX else value


def _whole(value: Scalar) -> Scalar:
    # Division gives floats; a setting of 2.0 ranks is 2 ranks.
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) <= _WHOLE_MAX else value


def _place_of(rule: CoupleRule, facts: Mapping[str, Fact]) -> Position | None:
    # The setting someone wrote is what a reader can change: the last one written wins over defaults and model facts.
    placed = [fact.origin.at for name in sorted(names_in(rule.when)) if (fact := facts.get(name)) and fact.origin.at]
    return max(placed, default=None)
