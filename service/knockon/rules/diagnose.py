"""Diagnose rules on readings: ranked hypotheses with evidence, what is missing, and the operator gate."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from knockon.backends.python.reasons import Atom, evidence, lacking
from knockon.backends.python.walk import judge_one
from knockon.rules.fill import filled, shown
from knockon.rules.intake import Intake, Observed
from knockon.rules.rule import DiagnoseRule
from knockon.rules.rulebook import Rulebook
from knockon.terms.truth import Truth
from knockon.terms.words import RuleId, Scalar, Text, WallId

HEALTHY = "healthy"
AMBIGUOUS = "ambiguous"
INSUFFICIENT = "insufficient_data"

# The operator gate guards the wall of single operators: it is open exactly when a rule of this wall fires.
GATED_WALL = WallId("kernel")

# Two walls whose confidence lies within this margin cannot be told apart (toplev of pmu-tools uses 5 points).
AMBIGUITY_MARGIN = 0.05
# Each piece of evidence against takes this factor off, each observation that was not made this one.
_AGAINST_FACTOR = 0.6
_UNOBSERVED_FACTOR = 0.75
_SUPPORT_BONUS = 0.05
_CONFIDENCE_MAX = 0.95


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


@dataclass(frozen=True, slots=True)
class Lack:
    """A reading that was not measured, with the rules it would decide."""

    name: str
    checklist: str
    decides: tuple[RuleId, ...]
    how: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class OutrankedRule:
    """A rule that fired and was overruled by another one."""

    rule: DiagnoseRule
    by: RuleId


@dataclass(frozen=True, slots=True)
class Gate:
    """Whether operators may be tuned now, and why."""

    open: bool
    why: Text


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What the readings say. `verdict` is a wall, or healthy, ambiguous, insufficient_data."""

    verdict: str
    hypotheses: tuple[Hypothesis, ...]
    outranked: tuple[OutrankedRule, ...]
    missing: tuple[Lack, ...]
    gate: Gate


def diagnose(rulebook: Rulebook, intake: Intake, thresholds: Mapping[str, Scalar]) -> Diagnosis:
    """Judge every diagnose rule on `intake` under `thresholds` (`threshold.x` → value)."""
    values = {**thresholds, **intake.values}
    judged = tuple(zip(rulebook.diagnose, rulebook.judged_diagnose(values), strict=True))
    fired = [rule for rule, truth in judged if truth is Truth.TRUE]
    outranked = _outranked(fired)
    overruled = {item.rule.id for item in outranked}
    hypotheses = sorted(
        (_hypothesis(rule, intake.observed, values) for rule in fired if rule.id not in overruled),
        key=lambda hypothesis: (-hypothesis.confidence, hypothesis.rule.id),
    )
    undecided = [rule for rule, truth in judged if truth is Truth.UNKNOWN]
    return Diagnosis(
        verdict=_verdict(hypotheses, undecided),
        hypotheses=tuple(hypotheses),
        outranked=outranked,
        missing=_missing(rulebook, undecided, hypotheses, values),
        gate=_gate(rulebook, judged, overruled, values),
    )


def _outranked(fired: Sequence[DiagnoseRule]) -> tuple[OutrankedRule, ...]:
    return tuple(
        OutrankedRule(rule, winner.id)
        for rule in fired
        if (winner := next((other for other in fired if rule.id in other.outranks), None)) is not None
    )


def _hypothesis(rule: DiagnoseRule, observed: Mapping[str, Observed], values: Mapping[str, Scalar]) -> Hypothesis:
    for_ = list(evidence(rule.when, values))
    against: list[Atom] = []
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
    for node in rule.against:
        match judge_one(node, values):
            case Truth.TRUE:
                confidence *= _AGAINST_FACTOR
                against += evidence(node, values)
            case Truth.UNKNOWN:
                not_checked += lacking(node, values)
            case Truth.FALSE:
                pass
    unobserved = [name for name in rule.observes if name not in observed]
    confidence *= _UNOBSERVED_FACTOR ** len(unobserved)
    return Hypothesis(
        rule=rule,
        wall=rule.wall,
        confidence=round(confidence, 2),
        says=filled(rule.says, values),
        observations=tuple(_observation(name, observed) for name in rule.observes),
        for_=tuple(atom for atom in for_ if atom.truth is Truth.TRUE),
        against=tuple(against),
        not_checked=tuple(dict.fromkeys((*unobserved, *not_checked))),
    )


def _observation(name: str, observed: Mapping[str, Observed]) -> Observation:
    seen = observed.get(name)
    return Observation(name, seen.value, seen.origin) if seen else Observation(name, None, "")


def _verdict(hypotheses: Sequence[Hypothesis], undecided: Sequence[DiagnoseRule]) -> str:
    if not hypotheses:
        return INSUFFICIENT if undecided else HEALTHY
    best = hypotheses[0]
    rivals = [other for other in hypotheses if other.wall != best.wall]
    if rivals and best.confidence - rivals[0].confidence < AMBIGUITY_MARGIN:
        return AMBIGUOUS
    return best.wall


def _missing(
    rulebook: Rulebook,
    undecided: Sequence[DiagnoseRule],
    hypotheses: Sequence[Hypothesis],
    values: Mapping[str, Scalar],
) -> tuple[Lack, ...]:
    decides: dict[str, list[RuleId]] = {}
    for rule in undecided:
        for name in lacking(rule.when, values):
            decides.setdefault(name, []).append(rule.id)
    for hypothesis in hypotheses:
        for name in hypothesis.not_checked:
            decides.setdefault(name, []).append(hypothesis.rule.id)
    lacks = [
        Lack(name, kind.checklist, tuple(sorted(set(ids))), kind.how)
        for name, ids in decides.items()
        if (kind := rulebook.readings.get(name)) is not None
    ]
    return tuple(sorted(lacks, key=lambda lack: (-len(lack.decides), lack.name)))


def _gate(
    rulebook: Rulebook,
    judged: Sequence[tuple[DiagnoseRule, Truth]],
    overruled: set[RuleId],
    values: Mapping[str, Scalar],
) -> Gate:
    gated = [(rule, truth) for rule, truth in judged if rule.wall == GATED_WALL]
    if not gated:
        return Gate(False, Text("no rule guards the operator gate", "没有规则守护算子闸门"))
    for rule, truth in gated:
        if truth is Truth.TRUE and rule.id not in overruled:
            return Gate(True, filled(rule.says, values))
    rule, truth = gated[0]
    if truth is Truth.UNKNOWN:
        needs = ", ".join(lacking(rule.when, values))
        return Gate(False, Text(f"closed: cannot tell, needs {needs}", f"关闭：无法判断，需要 {needs}"))
    if truth is Truth.TRUE:
        return Gate(False, Text("closed: another wall explains the readings", "关闭：已有其他瓶颈解释这些读数"))
    failed = [atom for atom in evidence(rule.when, values) if atom.truth is Truth.FALSE]
    said = [(atom.text, ", ".join(f"{name} = {shown(value)}" for name, value in atom.seen.items())) for atom in failed]
    return Gate(
        False,
        Text(
            "closed: " + "; ".join(f"{text} does not hold ({seen})" for text, seen in said),
            "关闭：" + "；".join(f"{text} 不成立（{seen}）" for text, seen in said),
        ),
    )
