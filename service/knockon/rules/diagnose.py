"""Diagnose rules on readings: ranked hypotheses with evidence, what is missing, and the operator gate."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from knockon.rules.doubt import doubted, level_with_first
from knockon.rules.gate import Gate, gate_of
from knockon.rules.hierarchy import SPEAK_MIN, lineage, out_of_reach, verdict_of
from knockon.rules.hypothesis import Hypothesis, agreed, giving_way, hypothesis_of
from knockon.rules.intake import Intake, Observed
from knockon.rules.missing import Lack, missing_of
from knockon.rules.rule import DiagnoseRule
from knockon.rules.rulebook import Rulebook
from knockon.rules.validity import trusted
from knockon.terms.truth import Truth
from knockon.terms.words import RuleId, Scalar, WallId


@dataclass(frozen=True, slots=True)
class OutrankedRule:
    """A rule that fired and was overruled by another one."""

    rule: DiagnoseRule
    by: RuleId


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What the readings say. `verdict` is a wall, or healthy, ambiguous, insufficient_data."""

    verdict: str
    hypotheses: tuple[Hypothesis, ...]
    """The surest first; those under SPEAK_MIN are suspicions and decide nothing."""
    outranked: tuple[OutrankedRule, ...]
    missing: tuple[Lack, ...]
    gate: Gate
    intake: Intake
    """The readings that were judged: those that a validity rule does not trust are among its invalid ones."""
    finest: WallId | None = None
    """The wall that was told, or the part of it where that can be told: the verdict is the wall as a whole."""
    between: tuple[WallId, ...] = ()
    """Walls that explain the readings about equally well; then the verdict is the wall they are parts of, if any."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What every rule whose wall is in reach says of one snapshot."""

    sound: Intake
    """The readings that are to be trusted."""
    truths: tuple[tuple[DiagnoseRule, Truth], ...]
    values: Mapping[str, Scalar]
    """What the conditions were judged on."""


@dataclass(frozen=True, slots=True)
class Held:
    """What time says of rules that wait before they fire, or before they stop: it decides over their condition."""

    pending: frozenset[RuleId] = frozenset()
    """Their condition was not seen to hold for long enough: while it holds they cannot be told yet."""
    silent: frozenset[RuleId] = frozenset()
    """Their condition was seen not to hold."""
    kept: Mapping[RuleId, Intake] = field(default_factory=dict)
    """They fire; with the readings of the last instant at which their own condition held, which they speak of."""


NOTHING_HELD = Held()


def judge(rulebook: Rulebook, intake: Intake, known: Mapping[str, Scalar]) -> Judged:
    """The truth of every diagnose rule on `intake`; `known` are thresholds (`threshold.x` → value) and facts.

    Rules that invalidate readings come first and see all of them; the others see what is left. Rules of a wall that is
    out of reach are left out.
    """
    sound, distrusting = trusted(rulebook, intake, known)
    values = {**known, **sound.values}
    closed = out_of_reach(rulebook.walls, values)
    truths = [
        # A validity rule was judged on the very readings it takes out.
        (rule, Truth.TRUE if rule.id in distrusting else truth)
        for rule, truth in zip(rulebook.diagnose, rulebook.judged_diagnose(values), strict=True)
        if rule.wall not in closed
    ]
    return Judged(sound, tuple(truths), values)


def diagnose(
    rulebook: Rulebook, intake: Intake, known: Mapping[str, Scalar], *, held: Held = NOTHING_HELD
) -> Diagnosis:
    """Judge every diagnose rule on `intake`; see `judge`.

    Rules whose own question was not asked (`asked_with`) are left out. `held` is what time says of some rules.
    """
    found = judge(rulebook, intake, known)
    sound, values = found.sound, found.values
    said = dict.fromkeys(held.kept, Truth.FALSE) | {rule.id: truth for rule, truth in found.truths}
    judged = [(rule, _in_time(rule, said[rule.id], held)) for rule in rulebook.diagnose if rule.id in said]
    then = {rule: seen for rule, seen in held.kept.items() if said[rule] is not Truth.TRUE}
    fired = [rule for rule, truth in judged if truth is Truth.TRUE]
    outranked = _outranked(fired)
    overruled = {item.rule.id for item in outranked}
    hypotheses = sorted(
        giving_way(
            agreed(
                [
                    _hypothesis(rulebook, rule, then.get(rule.id, intake), then.get(rule.id, sound), known)
                    for rule in fired
                    if rule.id not in overruled
                ]
            ),
            SPEAK_MIN,
        ),
        key=lambda hypothesis: (-hypothesis.confidence, hypothesis.rule.id),
    )
    unknown = [rule for rule, truth in judged if truth is Truth.UNKNOWN]
    undecided = [rule for rule in unknown if all(map(values.__contains__, rule.asked_with))]
    verdict = verdict_of(rulebook.walls, hypotheses, undecided)
    in_doubt = doubted(rulebook.walls, hypotheses, [item.rule for item in outranked])
    return Diagnosis(
        verdict=verdict.word,
        hypotheses=in_doubt,
        outranked=outranked,
        missing=missing_of(rulebook, unknown, hypotheses, sound, values),
        gate=gate_of(judged, overruled, values),
        intake=sound,
        finest=verdict.finest,
        between=verdict.between or level_with_first(rulebook.walls, in_doubt),
    )


def _in_time(rule: DiagnoseRule, truth: Truth, held: Held) -> Truth:
    if rule.id in held.kept:
        return Truth.TRUE
    if rule.id in held.silent:
        return Truth.FALSE
    return Truth.UNKNOWN if rule.id in held.pending and truth is Truth.TRUE else truth


def _hypothesis(
    rulebook: Rulebook, rule: DiagnoseRule, raw: Intake, sound: Intake, known: Mapping[str, Scalar]
) -> Hypothesis:
    seen: Mapping[str, Observed] = (raw if rule.invalidates else sound).observed
    walls = (rulebook.walls.get(wall) for wall in lineage(rulebook.walls, rule.wall))
    refutations = [node for wall in walls if wall is not None for node in wall.refuted_by]
    values = {**known, **{name: one.value for name, one in seen.items()}}
    unusable = frozenset(one.name for one in (*raw.missing, *raw.invalid)) - seen.keys()
    return hypothesis_of(rule, seen, values, refutations, unusable)


def _outranked(fired: Sequence[DiagnoseRule]) -> tuple[OutrankedRule, ...]:
    return tuple(
        OutrankedRule(rule, winner.id)
        for rule in fired
        if (winner := next((other for other in fired if rule.id in other.outranks), None)) is not None
    )
