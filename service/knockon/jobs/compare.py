"""compare: two runs side by side, where load and configuration allow it: what changed, what moved, and why."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from knockon.backends.python.walk import judge_one
from knockon.catalog.technique import Shift, Technique
from knockon.jobs.check import techniques_in_use
from knockon.jobs.deployment import Asked
from knockon.jobs.diagnose import DiagnoseAnswer, diagnose
from knockon.jobs.knowledge import Knowledge
from knockon.rules.intake import Intake
from knockon.sources.base import Taken
from knockon.terms.fact import Fact, values_of
from knockon.terms.served import is_same_model
from knockon.terms.truth import Truth
from knockon.terms.words import Change, Effect, Scalar, Text, WallId

Context = Literal["load", "model", "hardware", "config"]

# Two loads are one where lengths and concurrency differ by less than people set them apart.
_SAME_LOAD = 0.05
# Runs of one configuration differ by some per cent; where nobody measured by how much, less than this says nothing.
_SPREAD_ASSUMED = 0.05
_SPREAD = "run_to_run_spread_ratio"
# A client that reports no median of its lengths reports their mean.
_LENGTHS = (("prompt_tokens_p50", "prompt_tokens_mean"), ("output_tokens_p50", "output_tokens_mean"))
# A rate that was asked for is the load: what was in flight under it follows from the latency that is compared.
_OFFERED = ("requested_requests_per_s", "concurrency_count", "requests_per_s")
_MODEL = ("model_type", "parameter_count", "num_hidden_layers", "hidden_size", "checkpoint_quantization")
_HARDWARE = ("gpu_name", "gpu_count")
_SETTINGS = frozenset({"engine", "parallelism"})
_WRITTEN = frozenset({"flag", "env", "file", "set"})


@dataclass(frozen=True, slots=True)
class Run:
    """One of the two: what was measured, and on what."""

    taken: Sequence[Taken]
    sets: Sequence[str] = ()
    asked: Asked | None = None


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why the two cannot be compared; `context` is what `--allow-different` takes."""

    context: Context
    why: Text


@dataclass(frozen=True, slots=True)
class Changed:
    """A setting that differs; None where it is not known."""

    name: str
    before: Scalar | None
    after: Scalar | None


@dataclass(frozen=True, slots=True)
class Moved:
    """A reading in both runs."""

    name: str
    before: float
    after: float
    ratio: float | None
    """After over before; None where before is 0."""
    is_telling: bool
    """Whether it moved by more than runs of one configuration differ."""


@dataclass(frozen=True, slots=True)
class Explained:
    """A shift of a technique that was turned on or off, held against the readings."""

    technique: Technique
    turned_on: bool
    shift: Shift
    reading: str
    seen: Literal["as expected", "opposite", "not moved", "not measured"]


@dataclass(frozen=True, slots=True)
class CompareAnswer:
    """The whole answer; where `obstacles` is not empty nothing was compared."""

    before: DiagnoseAnswer
    after: DiagnoseAnswer
    obstacles: tuple[Obstacle, ...]
    overridden: tuple[Obstacle, ...]
    """Obstacles that a person set aside: what follows may be due to them alone."""
    changed: tuple[Changed, ...]
    moved: tuple[Moved, ...]
    """Most moved first."""
    spread: float
    """Relative difference up to which a move says nothing."""
    spread_is_known: bool
    explained: tuple[Explained, ...]
    notes: tuple[Text, ...]

    @property
    def walls(self) -> tuple[WallId | None, WallId | None]:
        """The wall before and after; None where none could be told."""
        first, second = self.before.diagnosis.finest, self.after.diagnosis.finest
        return first, second

    @property
    def revision(self) -> str:
        """The revision of what it was asked of."""
        return self.after.revision


def compare(
    knowledge: Knowledge,
    before: Run,
    after: Run,
    *,
    profile: str = "default",
    allow_different: Sequence[Context] = (),
) -> CompareAnswer:
    """Compare two runs. Errors are those of `diagnose`."""
    first, second = (
        diagnose(knowledge, run.taken, profile=profile, sets=run.sets, asked=run.asked) for run in (before, after)
    )
    facts = _facts(before, first), _facts(after, second)
    found = tuple(_obstacles(knowledge, first, second, *facts))
    obstacles = tuple(one for one in found if one.context not in allow_different)
    overridden = tuple(one for one in found if one.context in allow_different)
    spread, is_known = _spread(first.intake, second.intake)
    if obstacles:
        return CompareAnswer(first, second, obstacles, overridden, (), (), spread, is_known, (), ())
    changed = tuple(_changed(knowledge, *facts))
    moved = tuple(sorted(_moved(first.intake, second.intake, spread), key=_by_move))
    explained = tuple(_explained(knowledge, first, second, moved))
    notes = tuple(_notes(changed, is_known=is_known))
    return CompareAnswer(first, second, (), overridden, changed, moved, spread, is_known, explained, notes)


def _facts(run: Run, answer: DiagnoseAnswer) -> dict[str, Fact]:
    known = {fact.name: fact for part in run.taken for fact in part.facts}
    return known | dict(answer.deployment.facts if answer.deployment else {})


def _obstacles(
    knowledge: Knowledge,
    first: DiagnoseAnswer,
    second: DiagnoseAnswer,
    facts: Mapping[str, Fact],
    others: Mapping[str, Fact],
) -> Iterator[Obstacle]:
    for names in (*_LENGTHS, _OFFERED):
        yield from _load(first.intake, second.intake, names)
    yield from _models(first, second, facts, others)
    yield from _engines(first, second)
    yield from _same(facts, others, _HARDWARE, "hardware", Text("the hardware", "硬件"))
    vocabulary = knowledge.rulebook.vocabulary.names
    if not all(any(_is_setting(vocabulary.get(name)) for name in held) for held in (facts, others)):
        en = "the configuration is not known on both sides: describe both deployments"
        yield Obstacle("config", Text(en, "双方的配置并非都已知：请描述两个部署"))


def _load(first: Intake, second: Intake, names: Sequence[str]) -> Iterator[Obstacle]:
    """One part of the load, told by the first of `names` that both runs measured."""
    both = [
        (name, first.values[name], second.values[name])
        for name in names
        if name in first.values and name in second.values
    ]
    if not both:
        said = " or ".join(names)
        yield Obstacle("load", Text(f"{said} is not known on both sides", f"双方的 {said} 并非都已知"))
        return
    name, one, other = both[0]
    if isinstance(one, str) or isinstance(other, str) or abs(one - other) <= _SAME_LOAD * max(abs(one), abs(other)):
        return
    yield Obstacle("load", Text(f"{name} is {one:g} and {other:g}", f"{name} 分别为 {one:g} 与 {other:g}"))


def _models(
    first: DiagnoseAnswer, second: DiagnoseAnswer, facts: Mapping[str, Fact], others: Mapping[str, Fact]
) -> Iterator[Obstacle]:
    """What is known of the models, else their names: a load generator and an exporter say them."""
    is_known = any(name in facts and name in others for name in _MODEL)
    if is_known or first.model is None or second.model is None:
        yield from _same(facts, others, _MODEL, "model", Text("the model", "模型"))
    if first.model is None or second.model is None:
        return
    told = is_same_model(first.model, second.model)
    if told is False or (told is None and not is_known):
        said = Text(f"the model is {first.model} and {second.model}", f"模型分别为 {first.model} 与 {second.model}")
        yield Obstacle("model", said)


def _engines(first: DiagnoseAnswer, second: DiagnoseAnswer) -> Iterator[Obstacle]:
    """Another engine is no obstacle where somebody says so by describing both deployments."""
    one, other = first.engine, second.engine
    is_said = first.deployment is not None and second.deployment is not None
    if one and other and one != other and not is_said:
        yield Obstacle("config", Text(f"the engine is {one} and {other}", f"引擎分别为 {one} 与 {other}"))


def _same(
    facts: Mapping[str, Fact], others: Mapping[str, Fact], names: Sequence[str], context: Context, what: Text
) -> Iterator[Obstacle]:
    both = [name for name in names if name in facts and name in others]
    if not both:
        yield Obstacle(context, Text(f"{what.en} is not known on both sides", f"双方的{what.zh}并非都已知"))
    for name in both:
        one, other = facts[name].value, others[name].value
        if one != other:
            yield Obstacle(context, Text(f"{name} is {one} and {other}", f"{name} 分别为 {one} 与 {other}"))


def _is_setting(info: object) -> bool:
    return getattr(info, "group_or_class", "") in _SETTINGS


def _changed(knowledge: Knowledge, facts: Mapping[str, Fact], others: Mapping[str, Fact]) -> Iterator[Changed]:
    """Settings that somebody wrote on either side and that are not the same on both."""
    vocabulary = knowledge.rulebook.vocabulary.names
    for name in sorted(facts.keys() | others.keys()):
        one, other = facts.get(name), others.get(name)
        is_written = any(held is not None and held.origin.kind in _WRITTEN for held in (one, other))
        if is_written and _is_setting(vocabulary.get(name)) and (one and one.value) != (other and other.value):
            yield Changed(name, one.value if one else None, other.value if other else None)


def _spread(first: Intake, second: Intake) -> tuple[float, bool]:
    known = [value for intake in (first, second) if not isinstance(value := intake.values.get(_SPREAD, ""), str | bool)]
    return (max(known), True) if known else (_SPREAD_ASSUMED, False)


def _moved(first: Intake, second: Intake, spread: float) -> Iterator[Moved]:
    for name, one in first.values.items():
        other = second.values.get(name)
        # What is expected was not measured.
        if (
            name == _SPREAD
            or name.startswith("expected_")
            or isinstance(one, str | bool)
            or other is None
            or isinstance(other, str | bool)
        ):
            continue
        ratio = other / one if one else None
        relative = abs(other - one) / max(abs(one), abs(other)) if one or other else 0.0
        yield Moved(name, float(one), float(other), ratio, relative > spread)


def _by_move(moved: Moved) -> tuple[float, str]:
    far = math.inf if not moved.ratio or moved.ratio < 0 else abs(math.log(moved.ratio))
    return (-far if moved.is_telling else 0.0, moved.name)


def _explained(
    knowledge: Knowledge, first: DiagnoseAnswer, second: DiagnoseAnswer, moved: Sequence[Moved]
) -> Iterator[Explained]:
    """What the catalog says of every technique that was turned on or off, beside what was seen of it."""
    if first.deployment is None or second.deployment is None:
        return
    used, uses = (
        {one.id: one for one in techniques_in_use(knowledge, answer.deployment)}
        for answer in (first, second)
        if answer.deployment is not None
    )
    for key in sorted(used.keys() ^ uses.keys()):
        turned_on = key in uses
        technique = uses[key] if turned_on else used[key]
        held = second.deployment if turned_on else first.deployment
        values = values_of(held.facts)
        for effect in (Effect.GAIN, Effect.COST):
            for shift in technique.shifts_of(effect):
                if shift.when is None or judge_one(shift.when, values) is not Truth.FALSE:
                    yield _held_against(technique, shift, moved, turned_on=turned_on)


def _held_against(technique: Technique, shift: Shift, moved: Sequence[Moved], *, turned_on: bool) -> Explained:
    of_it = [one for one in moved if one.name == shift.quantity or one.name.startswith(f"{shift.quantity}_p")]
    if not of_it:
        return Explained(technique, turned_on, shift, "", "not measured")
    seen = next((one for one in of_it if one.is_telling), of_it[0])
    if not seen.is_telling:
        return Explained(technique, turned_on, shift, seen.name, "not moved")
    rose = seen.after > seen.before
    agrees = rose == ((shift.change is Change.UP) == turned_on)
    return Explained(technique, turned_on, shift, seen.name, "as expected" if agrees else "opposite")


def _notes(changed: Sequence[Changed], *, is_known: bool) -> Iterator[Text]:
    if not is_known:
        percent = f"{_SPREAD_ASSUMED:.0%}"
        yield Text(
            f"how much runs of one configuration differ was not measured; less than {percent} is taken for nothing "
            f"({_SPREAD} says it)",
            f"未测量同一配置多次运行的差异；小于 {percent} 视为无变化（可用 {_SPREAD} 给出）",
        )
    if len(changed) > 1:
        yield Text(
            f"{len(changed)} settings changed at once: which of them moved a reading cannot be told",
            f"同时改变了 {len(changed)} 个设置：无法判断是哪一个引起变化",
        )
