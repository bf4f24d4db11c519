"""What to measure next: readings that were not measured, those first that would separate most hypotheses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from knockon.backends.python.reasons import lacking
from knockon.expr.names import names_in
from knockon.rules.hypothesis import Hypothesis
from knockon.rules.rule import DiagnoseRule
from knockon.rules.rulebook import Rulebook
from knockon.terms.reading import Reading
from knockon.terms.words import RuleId, Scalar, WallId


@dataclass(frozen=True, slots=True)
class Lack:
    """A reading that was not measured, with the rules it would decide."""

    name: str
    checklist: str
    decides: tuple[RuleId, ...]
    how: Mapping[str, str]
    separates: tuple[WallId, ...] = ()
    """The walls for or against which it would speak."""


def missing_of(
    rulebook: Rulebook,
    undecided: Sequence[DiagnoseRule],
    hypotheses: Sequence[Hypothesis],
    failed: Sequence[Reading],
    values: Mapping[str, Scalar],
) -> tuple[Lack, ...]:
    """Readings not measured, the most telling first: by walls they separate, then by rules they decide.

    What the surest hypothesis lacks comes before everything else: a doubt that exists is settled before others are
    sought. `failed` are readings that a source has and could not give.
    """
    open_rules: dict[str, list[DiagnoseRule]] = {}
    for rule in undecided:
        for name in lacking(rule.when, values):
            open_rules.setdefault(name, []).append(rule)
    for hypothesis in hypotheses:
        for name in hypothesis.not_checked:
            open_rules.setdefault(name, []).append(hypothesis.rule)
    for name in {reading.name for reading in failed} - values.keys() - open_rules.keys():
        if rules := [rule for rule in rulebook.diagnose if name in (*names_in(rule.when), *rule.observes)]:
            open_rules[name] = rules
    first = hypotheses[0].not_checked if hypotheses else ()
    lacks = [
        Lack(
            name,
            kind.checklist,
            tuple(sorted({rule.id for rule in rules})),
            kind.how,
            tuple(sorted({rule.wall for rule in rules})),
        )
        for name, rules in open_rules.items()
        if (kind := rulebook.readings.get(name)) is not None
    ]
    return tuple(
        sorted(lacks, key=lambda lack: (lack.name not in first, -len(lack.separates), -len(lack.decides), lack.name))
    )
