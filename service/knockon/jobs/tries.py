"""Other settings for one deployment, tried: what it would then be and what the rules would say, each worked out once.

The way out of a conflict tries dozens of changes and most of them more than once: as the fix of a rule, as a setting
that is left out, as another value. Of most tries only one rule's truth is wanted, so everything else waits to be asked.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from knockon.backends.python.walk import judge_one
from knockon.engines import defaults_of
from knockon.expr.condition import condition, names_of
from knockon.jobs.deployment import Deployment, Stated, completed, restated
from knockon.jobs.knowledge import Knowledge
from knockon.jobs.verdict import verdict_with
from knockon.rules.couple import Judgement, conflicts_in, judge, verdict_in
from knockon.rules.rule import CoupleRule
from knockon.terms.fact import Fact, values_of
from knockon.terms.truth import Truth
from knockon.terms.words import CheckVerdict, RuleId, Scalar


class Try:
    """A deployment with some of its settings changed."""

    def __init__(self, knowledge: Knowledge, before: Deployment, stated: Mapping[str, Fact]) -> None:
        """Nothing is asked of it yet.

        Args:
            knowledge: catalog and rules.
            before: the deployment that is changed.
            stated: what is stated with the change.
        """
        self._knowledge = knowledge
        self._before = before
        self._known = Stated.of(stated)

    @cached_property
    def deployment(self) -> Deployment:
        """The whole deployment."""
        return completed(self._known, self._knowledge.rulebook.vocabulary, self._before)

    @cached_property
    def values(self) -> Mapping[str, Scalar]:
        """The facts of the whole deployment by name."""
        return values_of(self.deployment.facts)

    @cached_property
    def conflicts(self) -> frozenset[RuleId]:
        """The rules that find a conflict in it."""
        return conflicts_in(self._knowledge.rulebook, self._truths)

    @cached_property
    def verdict(self) -> CheckVerdict:
        """What `check` says of it."""
        return verdict_with(verdict_in(self._knowledge.rulebook, self.values, self._truths), self.deployment)

    @cached_property
    def judgement(self) -> Judgement:
        """What every rule says of it."""
        return judge(self._knowledge.rulebook, self.deployment.facts, self._truths)

    def fires(self, rule: CoupleRule) -> bool:
        """Whether one rule does."""
        vocabulary = self._knowledge.rulebook.vocabulary
        is_settled = all(map(self._known.settles, names_of(rule.when_text)))
        values = values_of(self._known.facts) if is_settled else self.values
        return judge_one(condition(rule.when_text), values, vocabulary=vocabulary) is Truth.TRUE

    @cached_property
    def _truths(self) -> Sequence[Truth]:
        return self._knowledge.rulebook.judged_couple(self.values)


class Tries:
    """Every change tried on one deployment. Lives inside one call of `check`."""

    def __init__(self, knowledge: Knowledge, deployment: Deployment) -> None:
        """Nothing is tried yet."""
        self._knowledge = knowledge
        self._deployment = deployment
        self._held: dict[tuple[object, ...], Try] = {}

    def with_settings(self, wish: Mapping[str, Scalar | None]) -> Try:
        """The deployment with these values by fact name; None takes a setting away, so that its default holds."""
        # 1, 1.0 and true are equal, and not the same.
        key = tuple(sorted((name, type(value).__name__, value) for name, value in wish.items()))
        held = self._held.get(key)
        if held is None:
            sets = {name: value for name, value in wish.items() if value is not None}
            dropped = self._defaults_of(name for name, value in wish.items() if value is None)
            stated = restated(self._deployment, sets, dropped=dropped)
            held = self._held[key] = Try(self._knowledge, self._deployment, stated)
        return held

    def _defaults_of(self, names: Iterable[str]) -> dict[str, Fact | None]:
        stated = self._deployment.stated
        engine, version = stated.get("engine"), stated.get("engine_version")
        defaults = defaults_of(str(engine.value), version=str(version.value) if version else None) if engine else {}
        return {name: defaults.get(name) for name in names}
