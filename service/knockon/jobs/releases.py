"""What other releases of the engine make of a deployment whose release nobody named: findings that come or go with it.

The newest release known decides; where an earlier one answers otherwise, both answers are told with their releases.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from knockon.backends.python.walk import judge_one
from knockon.engines import stages_of_engine
from knockon.engines.dated import releases
from knockon.engines.release import release_of
from knockon.expr.condition import CONDITIONS_KEPT, condition
from knockon.expr.names import parts
from knockon.expr.nodes import Compare, Member, Name, Node
from knockon.expr.nodes import Text as Literal
from knockon.jobs.deployment import Asked, Deployment, in_release
from knockon.jobs.knowledge import Knowledge
from knockon.rules.couple import Finding, finding_of
from knockon.rules.rule import CoupleRule
from knockon.terms.fact import values_of
from knockon.terms.truth import Truth
from knockon.terms.words import Scalar, Text

_VERSION = "engine_version"


@dataclass(frozen=True, slots=True)
class Span:
    """Releases from `since` on, before `before`; None leaves that end open."""

    since: str | None
    before: str | None

    @property
    def says(self) -> Text:
        """For people: "before 0.11.0", "from 0.11.0 on", "from 0.11.0 to before 0.15.0"."""
        if self.since is None:
            return Text(f"before {self.before}", f"{self.before} 之前") if self.before else Text("all", "所有版本")
        if self.before is None:
            return Text(f"from {self.since} on", f"自 {self.since} 起")
        return Text(f"from {self.since} to before {self.before}", f"{self.since} 起至 {self.before} 之前")


@dataclass(frozen=True, slots=True)
class ByRelease:
    """A rule whose answer depends on the release."""

    rule: CoupleRule
    finding: Finding | None
    """What it finds in earlier releases, nearest to the newest; None where the newest one finds it itself."""
    found_in: tuple[Span, ...]
    not_found_in: tuple[Span, ...]
    """Releases that are surely without it; in those of neither list it cannot be told."""


@dataclass(frozen=True, slots=True)
class _Stage:
    """The deployment in the releases from one on, before another, and what every rule comes to where none is named."""

    since: str
    before: str | None
    deployment: Deployment
    values: Mapping[str, Scalar]
    truths: Sequence[Truth]


@dataclass(frozen=True, slots=True)
class _Segment:
    """What one rule comes to in the releases from one on, before another."""

    since: str
    before: str | None
    truth: Truth
    deployment: Deployment


def by_release(knowledge: Knowledge, asked: Asked, deployment: Deployment) -> tuple[ByRelease, ...]:
    """The rules that earlier releases answer otherwise than the newest one, by id; none where a release is named.

    Releases that lack a flag of the command which the newest one has are left out: they never run it.

    Args:
        knowledge: catalog and rules.
        asked: what describes the deployment.
        deployment: what it is in the newest release.
    """
    engine = deployment.stated.get("engine")
    if engine is None or _VERSION in deployment.stated:
        return ()
    since = asked.configured.stages if asked.configured else stages_of_engine(str(engine.value))
    if not since:
        return ()
    stages = [
        _judged(knowledge, then, start, end)
        for start, end in zip(since, (*since[1:], None), strict=True)
        if (then := deployment if end is None else _as_of(knowledge, asked, deployment, start)) is not None
    ]
    found = (
        _told(knowledge, index, list(_segments(knowledge, index, stages, str(engine.value))), since[0])
        for index in _worth_telling(knowledge, stages)
    )
    return tuple(one for one in found if one is not None)


def _as_of(knowledge: Knowledge, asked: Asked, deployment: Deployment, release: str) -> Deployment | None:
    """The deployment as an earlier release has it; None where that lacks a flag of the command."""
    configured = asked.configured
    if configured is not None and configured.as_of is not None:
        held = {(one.flag, one.at) for one in configured.refused if one.is_missing}
        configured = configured.as_of(release)
        if any(one.is_missing and (one.flag, one.at) not in held for one in configured.refused):
            return None
    return in_release(knowledge, replace(asked, configured=configured, engine_version=release), deployment)


def _judged(knowledge: Knowledge, deployment: Deployment, since: str, before: str | None) -> _Stage:
    values = values_of(deployment.facts)
    values.pop(_VERSION, None)
    return _Stage(since, before, deployment, values, knowledge.rulebook.judged_couple(values))


def _worth_telling(knowledge: Knowledge, stages: Sequence[_Stage]) -> Iterator[int]:
    """The places in the rulebook of the rules that some releases may find and others not."""
    rules = knowledge.rulebook.couple
    for index, truths in enumerate(zip(*(stage.truths for stage in stages), strict=True)):
        has_fired = Truth.TRUE in truths
        is_open = Truth.UNKNOWN in truths and _VERSION in rules[index].when_text
        if is_open or (has_fired and any(truth is not Truth.TRUE for truth in truths)):
            yield index


def _segments(knowledge: Knowledge, index: int, stages: Sequence[_Stage], engine: str) -> Iterator[_Segment]:
    """What one rule comes to, stage by stage, each split where its condition names a release."""
    text, vocabulary = knowledge.rulebook.couple[index].when_text, knowledge.rulebook.vocabulary
    names_release = _VERSION in text
    for stage in stages:
        since, before, truth = stage.since, stage.before, stage.truths[index]
        if truth is not Truth.UNKNOWN or not names_release:
            yield _Segment(since, before, truth, stage.deployment)
            continue
        starts = [since, *_between(_turns(text, engine), since, before)]
        for start, end in zip(starts, (*starts[1:], before), strict=True):
            then = judge_one(condition(text), {**stage.values, _VERSION: start}, vocabulary=vocabulary)
            yield _Segment(start, end, then, stage.deployment)


@lru_cache(maxsize=CONDITIONS_KEPT)
def _turns(text: str, engine: str) -> tuple[str, ...]:
    """The known releases at which a condition may turn, oldest first: those it names, and the one after each."""
    known = sorted((one for one, _ in releases(engine)), key=release_of)
    turns: set[str] = set()
    for bound in _bounds(condition(text)):
        after = [one for one in known if release_of(one) >= release_of(bound)]
        turns.update(after[:2])
    return tuple(sorted(turns, key=release_of))


def _bounds(node: Node) -> Iterator[str]:
    """The releases that a condition holds the engine's version against."""
    match node:
        case Compare(left=Name(id="engine_version"), right=Literal(value=text)):
            yield text
        case Compare(left=Literal(value=text), right=Name(id="engine_version")):
            yield text
        case Member(left=Name(id="engine_version"), options=options):
            yield from (one.value for one in options if isinstance(one, Literal))
        case _:
            for part in parts(node):
                yield from _bounds(part)


def _between(turns: Iterable[str], since: str, before: str | None) -> list[str]:
    """Those inside a stage."""
    low, high = release_of(since), None if before is None else release_of(before)
    return [one for one in turns if low < release_of(one) and (high is None or release_of(one) < high)]


def _told(knowledge: Knowledge, index: int, segments: Sequence[_Segment], oldest: str) -> ByRelease | None:
    """One rule's answer; None where it is the same in every release that can be told."""
    rule, vocabulary = knowledge.rulebook.couple[index], knowledge.rulebook.vocabulary
    fires = [one for one in segments if one.truth is Truth.TRUE]
    silent = [one for one in segments if one.truth is Truth.FALSE and not _is_unread(rule, one.since)]
    now = segments[-1].truth
    if not fires or (now is Truth.TRUE and not silent):
        return None
    facts = fires[-1].deployment.facts
    return ByRelease(
        rule=rule,
        finding=None if now is Truth.TRUE else finding_of(rule, facts, vocabulary),
        found_in=_spans(fires, oldest),
        not_found_in=_spans(silent, oldest),
    )


def _is_unread(rule: CoupleRule, release: str) -> bool:
    """Whether the rule's bound stands where its source was read, so that nothing is known of what was before."""
    return bool(rule.read_in) and release_of(release) < release_of(rule.read_in)


def _spans(segments: Sequence[_Segment], oldest: str) -> tuple[Span, ...]:
    """Segments of one truth, those that follow one another joined."""
    joined: list[Span] = []
    for one in segments:
        if joined and joined[-1].before == one.since:
            joined[-1] = Span(joined[-1].since, one.before)
        else:
            joined.append(Span(None if one.since == oldest else one.since, one.before))
    return tuple(joined)
