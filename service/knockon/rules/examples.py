"""Run the examples that rules ship with."""

from dataclasses import dataclass

from knockon.backends.python.walk import judge_one
from knockon.rules.rule import DiagnoseRule, Example, Rule
from knockon.rules.rulebook import Rulebook
from knockon.rules.thresholds import values_in_force
from knockon.terms.truth import Truth
from knockon.terms.words import Scalar

OUTCOMES = {Truth.TRUE: "fires", Truth.FALSE: "silent", Truth.UNKNOWN: "unknown"}


@dataclass(frozen=True, slots=True)
class ExampleResult:
    """One example and what its rule did on it."""

    rule: Rule
    example: Example
    got: str

    @property
    def passed(self) -> bool:
        """Whether the rule did what the example expects."""
        return self.got == self.example.expect


def run_examples(rulebook: Rulebook, *, profile: str = "default") -> tuple[ExampleResult, ...]:
    """Every example of every rule, couple rules first; diagnose rules see the thresholds of `profile`."""
    thresholds: dict[str, Scalar] = dict(values_in_force(rulebook.profiles, profile))
    results = []
    rules: list[Rule] = [*rulebook.couple, *rulebook.diagnose]
    for rule in rules:
        for example in rule.examples:
            known = {**thresholds, **example.given} if isinstance(rule, DiagnoseRule) else example.given
            results.append(
                ExampleResult(rule, example, OUTCOMES[judge_one(rule.when, known, vocabulary=rulebook.vocabulary)])
            )
    return tuple(results)
