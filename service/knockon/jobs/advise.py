"""advise: from the wall that is hit to the techniques that move it away, each checked again in the deployment."""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from knockon.backends.python.walk import judge_one, value_of
from knockon.catalog.technique import Shift, Switch, Technique
from knockon.jobs.check import techniques_in_use
from knockon.jobs.deployment import Asked, Deployment, changed
from knockon.jobs.diagnose import DiagnoseAnswer, diagnose
from knockon.jobs.fitting import beyond_all, beyond_gpus, rests_on_unused, taken_back, without_switch
from knockon.jobs.knowledge import Knowledge
from knockon.jobs.ledger import LedgerEntry, ledger_of
from knockon.jobs.ranges import is_possible
from knockon.jobs.timeline import TimeAsked
from knockon.jobs.verdict import verdict_of
from knockon.rules.couple import Judgement, judge
from knockon.rules.hierarchy import AMBIGUOUS, HEALTHY, INSUFFICIENT, Relief, relief_of
from knockon.sources.base import Taken
from knockon.terms.errors import NotFound
from knockon.terms.fact import values_of
from knockon.terms.truth import Truth
from knockon.terms.words import CheckVerdict, Effect, Scalar, Text, WallId

Stage = Literal["macro", "service", "operator"]

STAGES: tuple[Stage, ...] = ("macro", "service", "operator")
"""In the order in which they are worked through."""

_SERVICE_LAYERS = frozenset({"L6", "L7"})
_OPERATOR_LAYERS = frozenset({"L1", "L2", "L3"})
_MODEL_LAYER = "L4"
_SERVED = "inference"
_MEASUREMENT = WallId("measurement")
_GRAVITY = {
    CheckVerdict.FINE: 0,
    CheckVerdict.NOTE: 0,
    CheckVerdict.UNKNOWN: 1,
    CheckVerdict.DEGRADED: 2,
    CheckVerdict.CONFLICT: 3,
}


@dataclass(frozen=True, slots=True)
class Advised:
    """One technique that moves the wall away, with what becomes of the deployment."""

    technique: Technique
    stage: Stage
    gains: tuple[Shift, ...]
    """Why it helps here; those whose condition does not hold are left out."""
    costs: tuple[Shift, ...]
    """What it costs here; the same holds."""
    switch: Switch | None
    """How the engine turns it on, where that is known."""
    sets: Mapping[str, Scalar]
    """The facts it was tried with; empty where it was not tried."""
    verdict: CheckVerdict | None
    """What `check` says of the deployment with it; None where it could not be checked again."""
    appeared: tuple[Text, ...]
    """What `check` finds only with it."""
    ledger: tuple[LedgerEntry, ...]
    unchecked: Text | None = None
    """Why it could not be checked again."""
    takes_more: bool = False
    """Whether it takes devices beyond those that were told."""
    fits: bool = True
    """Whether all that it needs is known to hold; False where some of it cannot be told."""


@dataclass(frozen=True, slots=True)
class RuledOut:
    """A technique that would help and is not for this deployment, with the reason."""

    technique: Technique
    why: Text


@dataclass(frozen=True, slots=True)
class AdviseAnswer:
    """The whole answer; `advised` is in the order in which to try."""

    diagnosed: DiagnoseAnswer
    walls: tuple[WallId, ...]
    """What the advice is against: one wall, or several that cannot be told apart."""
    measure_first: Text | None
    """What has to come before any technique; the readings are `missing` of the diagnosis."""
    advised: tuple[Advised, ...]
    ruled_out: tuple[RuledOut, ...]

    @property
    def revision(self) -> str:
        """The revision of what it was asked of."""
        return self.diagnosed.revision


@dataclass(frozen=True, slots=True)
class _Place:
    """What the techniques are tried on."""

    knowledge: Knowledge
    deployment: Deployment | None
    before: Judgement | None
    values: Mapping[str, Scalar]
    engine: str
    in_use: frozenset[str]
    is_open: bool


def advise(
    knowledge: Knowledge,
    taken: Sequence[Taken],
    *,
    profile: str = "default",
    sets: Sequence[str] = (),
    asked: Asked | None = None,
    time_asked: TimeAsked | None = None,
) -> AdviseAnswer:
    """Diagnose, then say what to change. Arguments and errors are those of `diagnose`."""
    answer = diagnose(knowledge, taken, profile=profile, sets=sets, asked=asked, time_asked=time_asked)
    walls = _walls(answer)
    first = _measure_first(answer)
    if not walls:
        return AdviseAnswer(answer, (), first, (), ())
    place = _place(knowledge, answer)
    reliefs = [relief_of(knowledge.rulebook.walls, wall) for wall in walls]
    advised: list[Advised] = []
    ruled_out: list[RuledOut] = []
    for technique in knowledge.catalog.techniques.values():
        gains = _gains_on_all(technique, reliefs)
        if technique.tombstone is not None or not gains or technique.id in place.in_use:
            continue
        tried = _tried(place, technique, gains)
        if isinstance(tried, Advised):
            advised.append(tried)
        elif tried is not None:
            ruled_out.append(tried)
    return AdviseAnswer(answer, walls, first, tuple(sorted(advised, key=_order)), tuple(ruled_out))


def _walls(answer: DiagnoseAnswer) -> tuple[WallId, ...]:
    """The walls that the advice is against; none where nothing can be advised before something is measured."""
    diagnosis = answer.diagnosis
    if diagnosis.between:
        return () if _MEASUREMENT in diagnosis.between else diagnosis.between
    if diagnosis.verdict in (HEALTHY, AMBIGUOUS, INSUFFICIENT, _MEASUREMENT) or diagnosis.finest is None:
        return ()
    return (diagnosis.finest,)


def _measure_first(answer: DiagnoseAnswer) -> Text | None:
    diagnosis = answer.diagnosis
    lacks = ", ".join(lack.name for lack in diagnosis.missing[:_NAMED_MAX])
    if diagnosis.verdict == INSUFFICIENT:
        return Text(f"the wall cannot be told yet: measure {lacks}", f"尚无法判断瓶颈：请测量 {lacks}")
    if diagnosis.verdict == _MEASUREMENT:
        said = diagnosis.hypotheses[0]
        return Text(
            f"the numbers themselves are in doubt: {said.rule.confirm.en}", f"数据本身存疑：{said.rule.confirm.zh}"
        )
    if diagnosis.between:
        walls = ", ".join(diagnosis.between)
        more = (f": measure {lacks}", f"：请测量 {lacks}") if lacks else ("", "")
        return Text(
            f"{walls} cannot be told apart; only what helps against all of them is listed{more[0]}",
            f"{walls} 无法区分；仅列出对它们都有效的技术{more[1]}",
        )
    return None


_NAMED_MAX = 3


def _place(knowledge: Knowledge, answer: DiagnoseAnswer) -> _Place:
    deployment = answer.deployment
    values = _known(knowledge, answer)
    engine = str(values.get("engine") or answer.engine or "")
    in_use = frozenset(one.id for one in knowledge.detection(values))
    before = judge(knowledge.rulebook, deployment.facts) if deployment else None
    return _Place(knowledge, deployment, before, values, engine, in_use, answer.diagnosis.gate.open)


def _known(knowledge: Knowledge, answer: DiagnoseAnswer) -> dict[str, Scalar]:
    """What is known of the deployment; where nobody described it, also what a hub's name in the readings says."""
    values = values_of(answer.facts)
    if answer.deployment is None and answer.model is not None and "/" in answer.model:
        with suppress(NotFound):
            values = {**values_of(knowledge.models(answer.model)[0]), **values}
    return values


def _gains_on_all(technique: Technique, reliefs: Sequence[Relief]) -> tuple[Shift, ...]:
    """The gains that move the wall of every one of `reliefs` away; none where one of them is not moved."""
    stages = {str(cell.stage) for cell in technique.cells}
    each = [
        [shift for shift in technique.shifts_of(Effect.GAIN) if _relieves(shift, relief)]
        if not stages.isdisjoint(relief.stages)
        else []
        for relief in reliefs
    ]
    return tuple(dict.fromkeys(shift for gains in each for shift in gains)) if all(each) else ()


def _relieves(shift: Shift, relief: Relief) -> bool:
    return shift.quantity in relief.quantities if relief.quantities else shift.onto == relief.dimension


def _tried(place: _Place, technique: Technique, gains: Sequence[Shift]) -> Advised | RuledOut | None:
    """The technique in the deployment; None where nothing says that it would help there."""
    is_served = any(cell.stage == _SERVED for cell in technique.cells)
    # What is no part of serving is switched on elsewhere, by whatever is named there.
    switch = next((one for one in technique.switches if one.engine == place.engine or not is_served), None)
    if why := without_switch(technique, switch, place.values, place.engine):
        return RuledOut(technique, why)
    stage = _stage_of(technique)
    if not technique.enable and technique.cells[0].layer == _MODEL_LAYER:
        why = Text("part of the model or its algorithm, no setting turns it on", "属于模型或算法本身，没有设置可启用")
        return RuledOut(technique, why)
    if place.engine and is_served and not technique.switches and not technique.enable and stage != "service":
        return RuledOut(
            technique, Text(f"no switch of {place.engine} for it is known", f"未知 {place.engine} 的对应开关")
        )
    catalog, vocabulary = place.knowledge.catalog, place.knowledge.rulebook.vocabulary
    if why := rests_on_unused(technique, catalog, place.values, vocabulary):
        return RuledOut(technique, why)
    if stage == "operator" and not place.is_open:
        return RuledOut(technique, Text("the operator gate is closed", "算子闸门关闭"))
    sets = _sets(place, technique)
    if sets is not None and place.deployment is not None and place.before is not None:
        return _checked(place, place.deployment, place.before, technique, stage, switch, sets, gains)
    holding = _holding(place, gains, place.values)
    if not holding or _lacks_need(place, technique, place.values):
        return None
    beyond = beyond_all(technique, place.values)
    return Advised(
        technique=technique,
        stage=stage,
        gains=holding,
        costs=_holding(place, technique.shifts_of(Effect.COST), place.values),
        switch=switch,
        sets={},
        verdict=None,
        appeared=(),
        ledger=(),
        unchecked=beyond or _why_unchecked(place, technique),
        takes_more=beyond is not None,
        fits=_is_met(place, technique, place.values),
    )


def _checked(
    place: _Place,
    deployment: Deployment,
    before: Judgement,
    technique: Technique,
    stage: Stage,
    switch: Switch | None,
    sets: Mapping[str, Scalar],
    gains: Sequence[Shift],
) -> Advised | RuledOut | None:
    knowledge = place.knowledge
    if all(place.values.get(name) == value for name, value in sets.items()):
        return None
    after = changed(deployment, sets, knowledge.rulebook.vocabulary)
    values = values_of(after.facts)
    holding = _holding(place, gains, values)
    if not holding:
        return None
    if _lacks_need(place, technique, values):
        return RuledOut(technique, Text("what it needs does not hold here", "此处不满足其前提"))
    judgement = judge(knowledge.rulebook, after.facts)
    known = {finding.rule.id for finding in before.findings}
    appeared = [finding for finding in judgement.findings if finding.rule.id not in known]
    if against := taken_back(appeared, sets, place.values):
        return RuledOut(technique, against.says)
    # The rules' own words first: they know what the engine does then, and say where that stands.
    if why := beyond_gpus(place.values, values):
        return RuledOut(technique, why)
    return Advised(
        technique=technique,
        stage=stage,
        gains=holding,
        costs=_holding(place, technique.shifts_of(Effect.COST), values),
        switch=switch,
        sets=sets,
        verdict=verdict_of(judgement, after),
        appeared=tuple(dict.fromkeys(finding.says for finding in appeared)),
        ledger=ledger_of(
            knowledge.catalog,
            (*techniques_in_use(knowledge, deployment), technique),
            judgement.findings,
            values,
        ),
    )


def _sets(place: _Place, technique: Technique) -> dict[str, Scalar] | None:
    """The facts that turn it on; None where nothing is said of them, or their values cannot be told."""
    names = place.knowledge.rulebook.vocabulary.names
    # A parallel size that nobody gave is 1, as sizing takes it.
    values = {name: 1 for name in names if name.endswith("_parallel_size")} | dict(place.values)
    found: dict[str, Scalar] = {}
    for name, node in technique.enable.items():
        value = value_of(node, values)
        if value is None:
            return None
        found[name] = int(value) if isinstance(value, float) and value == int(value) else value
        if name not in names or not is_possible(names[name], found[name]):
            return None
    return found or None


def _why_unchecked(place: _Place, technique: Technique) -> Text:
    if place.deployment is None:
        return Text("no deployment was described to check it in", "未描述部署，无法复核")
    if not technique.enable:
        return Text("no single setting turns it on", "没有单一设置可启用它")
    names = ", ".join(technique.enable)
    return Text(f"{names} of this deployment is not known", f"未知该部署的 {names}")


def _holding(place: _Place, shifts: Sequence[Shift], values: Mapping[str, Scalar]) -> tuple[Shift, ...]:
    vocabulary = place.knowledge.rulebook.vocabulary
    return tuple(
        shift
        for shift in shifts
        if shift.when is None or judge_one(shift.when, values, vocabulary=vocabulary) is not Truth.FALSE
    )


def _is_met(place: _Place, technique: Technique, values: Mapping[str, Scalar]) -> bool:
    vocabulary = place.knowledge.rulebook.vocabulary
    return all(
        need.when is None or judge_one(need.when, values, vocabulary=vocabulary) is Truth.TRUE
        for need in technique.needs
    )


def _lacks_need(place: _Place, technique: Technique, values: Mapping[str, Scalar]) -> bool:
    vocabulary = place.knowledge.rulebook.vocabulary
    return any(
        need.when is not None and judge_one(need.when, values, vocabulary=vocabulary) is Truth.FALSE
        for need in technique.needs
    )


def _stage_of(technique: Technique) -> Stage:
    """A setting of the engine is a macro parameter wherever it works; what has none is told by its home layer.

    A data loader or a checkpoint is no operator, however low it sits: the gate is about what a served step computes.
    """
    layer = technique.cells[0].layer
    if technique.enable:
        return "macro"
    if layer in _SERVICE_LAYERS:
        return "service"
    is_served = any(cell.stage == _SERVED for cell in technique.cells)
    return "operator" if layer in _OPERATOR_LAYERS and is_served else "macro"


def _order(one: Advised) -> tuple[float | str, ...]:
    # What was not checked again comes behind what was; then what may not fit, what nobody knows how to turn on, and at
    # the end what takes more than there is.
    gravity = _GRAVITY[one.verdict] if one.verdict is not None else max(_GRAVITY.values())
    unknown = one.verdict is None and one.switch is None
    return (
        STAGES.index(one.stage),
        one.takes_more,
        gravity,
        not one.fits,
        unknown,
        -_effect(one.gains),
        len(one.costs),
        one.technique.id,
    )


def _effect(gains: Sequence[Shift]) -> float:
    """How far the best-known gain moves its quantity, in doublings; 0 where no source gives a factor."""
    factors = (gain.size.factor for gain in gains if gain.size is not None and gain.size.factor)
    return max((abs(math.log2(factor)) for factor in factors), default=0.0)


def stages_of(answer: AdviseAnswer) -> Iterator[tuple[Stage, tuple[Advised, ...]]]:
    """What is advised, stage by stage, without empty stages."""
    for stage in STAGES:
        found = tuple(one for one in answer.advised if one.stage == stage)
        if found:
            yield stage, found
