"""Run the examples that rules ship with, by any back-end."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from knockon.backends.base import Asked, Backend
from knockon.backends.python.walk import judge_one
from knockon.expr.vocabulary import Vocabulary
from knockon.rules.rule import DiagnoseRule, Example, Rule
from knockon.rules.rulebook import Rulebook
from knockon.rules.thresholds import values_in_force
from knockon.terms.truth import Truth
from knockon.terms.words import Scalar

OUTCOMES = {Truth.TRUE: "fires", Truth.FALSE: "silent", Truth.UNKNOWN: "unknown"}
UNSUPPORTED = "unsupported"

Judges = Callable[[Sequence[Asked], Vocabulary], Sequence[Truth | None]]
"""Gives the truth of every condition on its values; None where it has no words for the condition."""


@dataclass(frozen=True, slots=True)
class ExampleResult:
    """One example and what its rule did on it."""

    rule: Rule
    example: Example
    got: str
    """What the rule did, or "unsupported" where the back-end has no words for its condition."""

    @property
    def passed(self) -> bool:
        """Whether the rule did what the example expects; a back-end without words for it says nothing else."""
        return self.got in (self.example.expect, UNSUPPORTED)


def run_examples(
    rulebook: Rulebook, *, profile: str = "default", judges: Judges | None = None
) -> tuple[ExampleResult, ...]:
    """Every example of every rule, couple rules first; diagnose rules see the thresholds of `profile`.

    Without `judges` the nodes are walked, which needs no preparation.
    """
    thresholds: dict[str, Scalar] = dict(values_in_force(rulebook.profiles, profile))
    rules: list[Rule] = [*rulebook.couple, *rulebook.diagnose]
    examples = [(rule, example) for rule in rules for example in rule.examples]
    asked = [
        Asked(rule.when, {**thresholds, **example.given} if isinstance(rule, DiagnoseRule) else example.given)
        for rule, example in examples
    ]
    truths = (judges or _walked)(asked, rulebook.vocabulary)
    return tuple(
        ExampleResult(rule, example, UNSUPPORTED if truth is None else OUTCOMES[truth])
        for (rule, example), truth in zip(examples, truths, strict=True)
    )


def judged_by(backend: Backend) -> Judges:
    """The judgement of a back-end that runs in this process; each condition is compiled once."""

    def judges(asked: Sequence[Asked], vocabulary: Vocabulary) -> list[Truth | None]:
        distinct = dict.fromkeys(one.condition for one in asked)
        conditions = {each: backend.compile([each], vocabulary) for each in distinct}
        return [conditions[one.condition].judge(one.values)[0] for one in asked]

    return judges


def _walked(asked: Sequence[Asked], vocabulary: Vocabulary) -> list[Truth | None]:
    return [judge_one(one.condition, one.values, vocabulary=vocabulary) for one in asked]
