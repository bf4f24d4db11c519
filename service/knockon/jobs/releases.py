"""What other releases of the engine make of a deployment whose release nobody named: findings that come or go with it.

The newest release known decides; where an earlier one answers otherwise, both answers are told with their releases.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from knockon.backends.python.walk import judge_one
from knockon.engines import stages_of_engine
from knockon.engines.dated import releases
from knockon.engines.release import release_of
from knockon.expr.condition import condition
from knockon.expr.names import parts
from knockon.expr.nodes import Compare, Member, Name, Node
from knockon.expr.nodes import Text as Literal
from knockon.jobs.deployment import Asked, Deployment, deployment_of
from knockon.jobs.knowledge import Knowledge
from knockon.rules.couple import Finding, finding_of
from knockon.rules.rule import CoupleRule
from knockon.terms.fact import values_of
from knockon.terms.truth import Truth
from knockon.terms.words import Text

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
    stages = asked.configured.stages if asked.configured else stages_of_engine(str(engine.value))
    if not stages:
        return ()
    timelines: dict[int, list[_Segment]] = {}
    for since, before in zip(stages, (*stages[1:], None), strict=True):
        then = deployment if before is None else _as_of(knowledge, asked, since)
        if then is not None:
            for index, segment in _judged(knowledge, str(engine.value), then, since, before):
                timelines.setdefault(index, []).append(segment)
    found = (_told(knowledge, index, timelines[index], stages[0]) for index in sorted(timelines))
    return tuple(one for one in found if one is not None)


def _as_of(knowledge: Knowledge, asked: Asked, release: str) -> Deployment | None:
    """The deployment as an earlier release has it; None where that lacks a flag of the command."""
    configured = asked.configured
    if configured is not None and configured.as_of is not None:
        held = {(one.flag, one.at) for one in configured.refused if one.is_missing}
        configured = configured.as_of(release)
        if any(one.is_missing and (one.flag, one.at) not in held for one in configured.refused):
            return None
    return deployment_of(knowledge, replace(asked, configured=configured, engine_version=release))


def _judged(
    knowledge: Knowledge, engine: str, deployment: Deployment, since: str, before: str | None
) -> Iterator[tuple[int, _Segment]]:
    """What each rule comes to in one stage, by its place in the rulebook, split where its condition names a release."""
    rules, vocabulary = knowledge.rulebook.couple, knowledge.rulebook.vocabulary
    values = values_of(deployment.facts)
    values.pop(_VERSION, None)
    for index, truth in enumerate(knowledge.rulebook.judged_couple(values)):
        when = rules[index].when_text
        if truth is not Truth.UNKNOWN or _VERSION not in when:
            yield index, _Segment(since, before, truth, deployment)
            continue
        node = condition(when)
        starts = [since, *_between(_bounds(node), engine, since, before)]
        for start, end in zip(starts, (*starts[1:], before), strict=True):
            then = judge_one(node, {**values, _VERSION: start}, vocabulary=vocabulary)
            yield index, _Segment(start, end, then, deployment)


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


def _between(bounds: Iterator[str], engine: str, since: str, before: str | None) -> list[str]:
    """The known releases inside a stage at which a condition may turn: those named, and the one after each."""
    known = sorted((one for one, _ in releases(engine)), key=release_of)
    turns: set[str] = set()
    for bound in bounds:
        after = [one for one in known if release_of(one) >= release_of(bound)]
        turns.update(after[:2])
    low, high = release_of(since), None if before is None else release_of(before)
    inside = (one for one in turns if low < release_of(one) and (high is None or release_of(one) < high))
    return sorted(inside, key=release_of)


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
