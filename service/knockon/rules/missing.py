"""What to measure next: readings that were not measured, those first that would separate most hypotheses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from knockon.rules.hypothesis import Hypothesis
from knockon.rules.intake import Intake
from knockon.rules.rule import DiagnoseRule
from knockon.rules.rulebook import Rulebook
from knockon.terms.words import RuleId, Scalar, WallId

_WALL = 2.0
"""What one more wall to separate weighs beside what is told of the rules, in nats of `rarity`: so that of what the
insufficient public reports lack as much stands among the first twelve as by walls alone (68 and 71 of 84), and what
only the report at hand asks for stands there, too."""


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
    unknown: Sequence[DiagnoseRule],
    hypotheses: Sequence[Hypothesis],
    sound: Intake,
    values: Mapping[str, Scalar],
) -> tuple[Lack, ...]:
    """Readings not measured, the most telling first.

    What the surest hypothesis lacks comes before everything else: a doubt that exists is settled before others are
    sought. The others go by the walls they separate and by how much is told already of the rules they decide.

    Args:
        rulebook: all rules.
        unknown: the rules that cannot be told. One whose own question was not asked (`asked_with`) lacks nothing,
            unless something it looks at was measured.
        hypotheses: what was found, the surest first.
        sound: the readings; those that a source has and could not give are missing in any case.
        values: all that is known, thresholds and facts too.
    """
    open_rules, told = _asked(rulebook, unknown, sound, values)
    for hypothesis in hypotheses:
        for name in hypothesis.not_checked:
            open_rules.setdefault(name, []).append(hypothesis.rule)
    for name in {reading.name for reading in sound.missing} - values.keys() - open_rules.keys():
        if rules := rulebook.decided_by.get(name):
            open_rules[name] = [*rules]
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
        sorted(
            lacks,
            key=lambda lack: (
                lack.name not in first,
                -round(told.get(lack.name, 0.0) + _WALL * len(lack.separates), 6),
                -len(lack.decides),
                lack.name,
            ),
        )
    )


def _asked(
    rulebook: Rulebook, unknown: Sequence[DiagnoseRule], sound: Intake, values: Mapping[str, Scalar]
) -> tuple[dict[str, list[DiagnoseRule]], dict[str, float]]:
    """The rules that hang on each reading, and how much is told of them already."""
    open_rules: dict[str, list[DiagnoseRule]] = {}
    told: dict[str, float] = {}
    pointing: dict[RuleId, float] = {}
    for name in sound.values:
        # The fewer rules look at something that was measured, the more it points at each of them.
        for looking in rulebook.looking.get(name, ()):
            pointing[looking] = pointing.get(looking, 0.0) + rulebook.rarity[name]
    for rule in unknown:
        speaking = pointing.get(rule.id, 0.0)
        if not speaking and not all(name in values for name in rule.asked_with):
            continue
        names = rulebook.lacking(rule, values)
        for name in names:
            open_rules.setdefault(name, []).append(rule)
            told[name] = told.get(name, 0.0) + speaking / len(names)
    return open_rules, told
