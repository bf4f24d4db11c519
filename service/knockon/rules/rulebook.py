"""The rulebook: every rule, wall and profile of one revision, with their conditions compiled once."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import log

from knockon.backends import BACKENDS
from knockon.backends.base import Compiled
from knockon.backends.python.generate import Judge, generate, thawed
from knockon.backends.python.reasons import lacking_in_normal
from knockon.backends.python.walk import judge_one
from knockon.expr.check import check_condition
from knockon.expr.condition import condition, words_of
from knockon.expr.names import names_in
from knockon.expr.vocabulary import Vocabulary
from knockon.rules.profile import Profile
from knockon.rules.rule import CoupleRule, DiagnoseRule
from knockon.rules.wall import Wall
from knockon.terms.errors import NotFound
from knockon.terms.remembered import Remembered
from knockon.terms.truth import Truth
from knockon.terms.words import RuleId, Scalar, WallId

_RULE_ID = re.compile(r"([A-Za-z])0*([0-9]{1,6})", re.ASCII)
# What one rule lacks is the same wherever the few values are that it reads; questions differ in a handful of ways.
_LACKING_MAX = 32


@dataclass(frozen=True, slots=True)
class ReadingKind:
    """What the rules need to know of a reading beside its type and unit."""

    name: str
    checklist: str
    """"kpi", "resource" or "context": its class in the collection checklist."""
    item: str | None
    """The checklist item it fills; None where it fills none."""
    over_replicas: str
    """How several replicas become one value: "mean", "max", "min", "sum" or "any"."""
    how: Mapping[str, str]
    """How to obtain it, by engine name; "any" where it does not depend on the engine."""
    quantile: tuple[str, float] | None = None
    """(distribution, share of it that is not above the reading); None where it is no quantile."""


@dataclass(frozen=True)
class Rulebook:
    """All rules of one revision. Rules stand in the order of their ids."""

    vocabulary: Vocabulary
    readings: Mapping[str, ReadingKind]
    couple: Sequence[CoupleRule]
    diagnose: Sequence[DiagnoseRule]
    walls: Mapping[WallId, Wall]
    profiles: Mapping[str, Profile]
    by_id: Mapping[RuleId, CoupleRule | DiagnoseRule] = field(repr=False)
    couple_judge: Judge | None = field(default=None, repr=False, compare=False)
    """The function over `couple` from an earlier run of the program, where it was kept; see `frozen`."""

    @cached_property
    def couple_compiled(self) -> Compiled:
        """The conditions of `couple`, in its order, as one generated function."""
        return BACKENDS["python"].compile([rule.when for rule in self.couple], self.vocabulary)

    @cached_property
    def diagnose_compiled(self) -> Compiled:
        """The conditions of `diagnose`, in its order, as one generated function."""
        return BACKENDS["python"].compile([rule.when for rule in self.diagnose], self.vocabulary)

    def judged_couple(self, values: Mapping[str, Scalar]) -> Sequence[Truth]:
        """The truth of every couple rule, in their order.

        A rulebook that was prepared runs its generated function; for one question, generating it would cost ten times
        what it saves, so an unprepared one runs the function that an earlier run kept, or else walks over the nodes.
        """
        if "couple_compiled" in self.__dict__:
            return self.couple_compiled.judge(values)
        if self.couple_judge is not None:
            return self.couple_judge(values)
        return [judge_one(condition(rule.when_text), values, vocabulary=self.vocabulary) for rule in self.couple]

    def lacking(self, rule: CoupleRule | DiagnoseRule, values: Mapping[str, Scalar]) -> tuple[str, ...]:
        """The names without a usable value that matter to a rule which cannot be told, in order of mention."""
        asked = self._lacking.get(rule.id)
        if asked is None:
            node, vocabulary = condition(rule.when_text), self.vocabulary
            asked = self._lacking[rule.id] = Remembered(
                lambda seen: lacking_in_normal(node, seen, vocabulary=vocabulary), most=_LACKING_MAX
            )
        return asked(values)

    @cached_property
    def _lacking(self) -> dict[RuleId, Remembered[tuple[str, ...]]]:
        return {}

    def judged_diagnose(self, values: Mapping[str, Scalar]) -> Sequence[Truth]:
        """The truth of every diagnose rule, in their order; prepared or not as in `judged_couple`."""
        if "diagnose_compiled" in self.__dict__:
            return self.diagnose_compiled.judge(values)
        return [judge_one(condition(rule.when_text), values, vocabulary=self.vocabulary) for rule in self.diagnose]

    @cached_property
    def looking(self) -> Mapping[str, Sequence[RuleId]]:
        """The diagnose rules that have to do with a reading: in their condition, observed, for them or against them."""
        found: dict[str, list[RuleId]] = {}
        for one in self.diagnose:
            texts = (one.when_text, *one.support_texts, *one.against_texts)
            words = {word for text in texts for word in words_of(text)}
            for name in self.readings.keys() & {*one.observes, *one.told_apart_by, *words}:
                found.setdefault(name, []).append(one.id)
        return found

    @cached_property
    def decided_by(self) -> Mapping[str, Sequence[DiagnoseRule]]:
        """The diagnose rules whose condition has a name in it, or that observe it."""
        rules: dict[str, list[DiagnoseRule]] = {}
        for rule in self.diagnose:
            for name in dict.fromkeys((*names_in(rule.when), *rule.observes)):
                rules.setdefault(name, []).append(rule)
        return rules

    @cached_property
    def rarity(self) -> Mapping[str, float]:
        """How few diagnose rules look at a reading, in nats: the log of all of them over those that do."""
        return {name: log(len(self.diagnose) / len(rules)) for name, rules in self.looking.items()}

    @cached_property
    def validity(self) -> tuple[DiagnoseRule, ...]:
        """The diagnose rules that take readings out, in the order of their ids."""
        return tuple(rule for rule in self.diagnose if rule.invalidates)

    @cached_property
    def validity_compiled(self) -> Compiled:
        """The conditions of `validity`, in its order, as one generated function."""
        return BACKENDS["python"].compile([rule.when for rule in self.validity], self.vocabulary)

    def judged_validity(self, values: Mapping[str, Scalar]) -> Sequence[Truth]:
        """The truth of every rule of `validity`, in their order; prepared or not as in `judged_couple`."""
        if "validity_compiled" in self.__dict__:
            return self.validity_compiled.judge(values)
        return [judge_one(rule.when, values, vocabulary=self.vocabulary) for rule in self.validity]

    def frozen(self) -> bytes:
        """The function over `couple` as bytes, for `thawed` in a later run of the program with the same rules.

        Raises:
            NameProblem, UnitProblem: a condition that does not hold.
        """
        conditions = [rule.when for rule in self.couple]
        for each in conditions:
            check_condition(each, self.vocabulary)
        return generate(conditions, self.vocabulary).frozen()

    def thawed(self, data: bytes) -> "Rulebook":
        """The same rulebook with the function that `frozen` of an equal one gave, under the same Python and program."""
        return replace(self, couple_judge=thawed(data))

    def prepared(self) -> "Rulebook":
        """The same rulebook with its functions at hand, for programs that answer over and over."""
        if self.couple_judge is None:
            _ = self.couple_compiled
        return self.prepared_to_diagnose()

    def prepared_to_diagnose(self) -> "Rulebook":
        """The same with those over `diagnose` alone, for a program that asks over and over and only of readings."""
        _ = self.diagnose_compiled, self.validity_compiled
        return self

    def rule(self, rule_id: str) -> CoupleRule | DiagnoseRule:
        """The rule called `rule_id`; raises NotFound."""
        found = self.by_id.get(RuleId(rule_id.upper()))
        if found is None:
            raise NotFound("rule", rule_id, suggestions=self._meant(rule_id), fix="`knockon rules list` shows every id")
        return found

    def _meant(self, rule_id: str) -> tuple[str, ...]:
        """The rule of that number, with too many zeros or too few; no other id is nearer than the next."""
        spelled = _RULE_ID.fullmatch(rule_id.strip())
        meant = f"{spelled[1].upper()}{int(spelled[2]):03}" if spelled else ""
        return (meant,) if meant in self.by_id else ()
