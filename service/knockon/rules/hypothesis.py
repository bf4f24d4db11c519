"""One rule that fired as a hypothesis: evidence for, evidence against, what was not checked, and how sure it may be.

Confidence is the rule's own precision, lowered by what was not observed and by values that nobody measured, moved by
the evidence on both sides, and raised where an independent rule agrees. A symptom that several walls give is a
suspicion, whatever the precision, while nothing is known that tells them apart (`told_apart_by`).
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from knockon.backends.python.reasons import Atom, evidence, lacking
from knockon.backends.python.walk import judge_one
from knockon.expr.names import names_in
from knockon.expr.nodes import Node
from knockon.rules.fill import filled, shown
from knockon.rules.intake import Observed
from knockon.rules.rule import DiagnoseRule
from knockon.terms.reading import ReadingQuality
from knockon.terms.truth import Truth
from knockon.terms.words import Scalar, Text, WallId

# Each piece of evidence against takes this factor off, each observation that was not made this one.
_AGAINST_FACTOR = 0.6
_UNOBSERVED_FACTOR = 0.75
_SUPPORT_BONUS = 0.05
# Another rule that comes to the same wall from other readings.
_AGREEMENT_BONUS = 0.05
_CONFIDENCE_MAX = 0.95

# What the worst value behind a verdict leaves of its confidence. On reports that nobody had tuned for (sets 6 and 7 of
# tests/curated/diagnosis_public.yaml) hypotheses on what people had estimated were right in 21 of 31.
_QUALITY_FACTOR: Mapping[ReadingQuality, float] = {
    "measured": 1.0,
    "derived": 1.0,
    "reported": 0.95,
    "estimated": 0.85,
    "assumed": 0.6,
}
# Under what speaks (SPEAK_MIN): of the public reports whose cause nobody found, what is told is where the time goes.
_SUSPICION_MAX = 0.39
# A verdict on something estimated or supposed is never a confident one, however good the rule.
_MOST: Mapping[ReadingQuality, float] = {"estimated": 0.6, "assumed": 0.45}

_NOT_TOLD_APART = Text(
    "other walls give the same symptom, and nothing is known that tells them apart",
    "其他瓶颈也会呈现同样症状，而已知信息不足以区分",
)
_GIVES_WAY = Text("what the readings say themselves goes before likeness", "读数自身的判断先于相似案例")


@dataclass(frozen=True, slots=True)
class Observation:
    """One reading a verdict rests on, as it was seen; `value` None where it was not measured."""

    name: str
    value: Scalar | None
    origin: str

    def __str__(self) -> str:
        return f"{self.name} = {shown(self.value)}" if self.value is not None else f"{self.name} was not measured"


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One wall that the readings point to, by one rule."""

    rule: DiagnoseRule
    wall: WallId
    confidence: float
    """0..1, rounded to two places."""
    says: Text
    observations: tuple[Observation, ...]
    """The two (or more) readings the verdict rests on."""
    for_: tuple[Atom, ...]
    against: tuple[Atom, ...]
    not_checked: tuple[str, ...]
    """Names of readings that would have been evidence and were not measured."""
    quality: ReadingQuality = "measured"
    """The worst quality among the values it rests on."""
    doubts: tuple[Text, ...] = ()
    """Why it is less sure than its own readings make it."""


def hypothesis_of(
    rule: DiagnoseRule,
    observed: Mapping[str, Observed],
    values: Mapping[str, Scalar],
    refutations: Sequence[Node] = (),
    unusable: AbstractSet[str] = frozenset(),
) -> Hypothesis:
    """What `rule`, which fired on `values`, says about its wall.

    `unusable` are readings that somebody measured and that cannot be used: what one of them would have said of the wall
    was there to be seen, which is a worse doubt than what nobody looked at.

    `refutations` are the experiments that speak against that wall: evidence against where somebody made them, and
    never asked for.
    """
    for_ = list(evidence(rule.when, values))
    not_checked: list[str] = []
    confidence = rule.confidence
    for node in rule.supports:
        match judge_one(node, values):
            case Truth.TRUE:
                confidence += _SUPPORT_BONUS
                for_ += evidence(node, values)
            case Truth.UNKNOWN:
                not_checked += lacking(node, values)
            case Truth.FALSE:
                pass
    confidence = min(confidence, _CONFIDENCE_MAX)
    judged = [(node, judge_one(node, values)) for node in (*rule.against, *refutations)]
    speaking = [node for node, truth in judged if truth is Truth.TRUE]
    against = [atom for node in speaking for atom in evidence(node, values)]
    confidence *= _AGAINST_FACTOR ** len(speaking)
    for node, truth in judged[: len(rule.against)]:
        if truth is Truth.UNKNOWN:
            not_checked += lacking(node, values)
    unobserved = [name for name in rule.observes if name not in values]
    confidence *= _UNOBSERVED_FACTOR ** len(unobserved)
    if not unusable.isdisjoint((*unobserved, *not_checked)):
        confidence *= _UNOBSERVED_FACTOR
    quality = _quality(rule, observed)
    confidence *= _QUALITY_FACTOR[quality]
    confidence = min(confidence, _MOST.get(quality, _CONFIDENCE_MAX))
    is_apart = not rule.told_apart_by or any(name in values for name in rule.told_apart_by)
    apart = () if is_apart else rule.told_apart_by
    if not is_apart:
        confidence = min(confidence, _SUSPICION_MAX)
    return Hypothesis(
        rule=rule,
        wall=rule.wall,
        confidence=round(confidence, 2),
        says=filled(rule.says, values),
        observations=tuple(_observation(name, observed, values) for name in rule.observes),
        for_=tuple(atom for atom in for_ if atom.truth is Truth.TRUE),
        against=tuple(against),
        not_checked=tuple(dict.fromkeys((*apart, *unobserved, *not_checked))),
        quality=quality,
        doubts=() if is_apart else (_NOT_TOLD_APART,),
    )


def agreed(hypotheses: Sequence[Hypothesis]) -> list[Hypothesis]:
    """The same hypotheses, each a little surer where a rule of its wall comes to it from entirely other readings.

    One that is not told apart from other walls stays a suspicion: who agrees saw the same symptom.
    """
    return [
        replace(one, confidence=round(min(one.confidence + _AGREEMENT_BONUS, _limit(one)), 2))
        if not one.doubts and any(_is_independent(one, other) for other in hypotheses)
        else one
        for one in hypotheses
    ]


def _limit(one: Hypothesis) -> float:
    return max(one.confidence, _MOST.get(one.quality, _CONFIDENCE_MAX))


def _is_independent(one: Hypothesis, other: Hypothesis) -> bool:
    # What gives way goes by the same readings, as others told them.
    gives_way = one.rule.gives_way or other.rule.gives_way
    return one.wall == other.wall and not gives_way and not _rests_on(one.rule) & _rests_on(other.rule)


def giving_way(hypotheses: Sequence[Hypothesis], speak_min: float) -> list[Hypothesis]:
    """The same hypotheses; once one of them speaks, those that give way are suspicions."""
    speaks = any(one.confidence >= speak_min and not one.rule.gives_way for one in hypotheses)
    return [_silenced(one) if speaks and one.rule.gives_way else one for one in hypotheses]


def _silenced(one: Hypothesis) -> Hypothesis:
    return replace(one, confidence=min(one.confidence, _SUSPICION_MAX), doubts=(*one.doubts, _GIVES_WAY))


def _rests_on(rule: DiagnoseRule) -> frozenset[str]:
    return frozenset(name for name in (*names_in(rule.when), *rule.observes) if not name.startswith("threshold."))


def _quality(rule: DiagnoseRule, observed: Mapping[str, Observed]) -> ReadingQuality:
    seen = [observed[name].quality for name in _rests_on(rule) if name in observed]
    return min(seen, key=lambda quality: _QUALITY_FACTOR[quality], default="measured")


def _observation(name: str, observed: Mapping[str, Observed], values: Mapping[str, Scalar]) -> Observation:
    if seen := observed.get(name):
        return Observation(name, seen.value, seen.origin)
    # A fact of the deployment may be one of the two observations: a configured limit that is reached.
    return Observation(name, values[name], "the deployment") if name in values else Observation(name, None, "")
