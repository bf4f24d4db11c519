"""check: does this deployment contradict itself? Techniques in use, sizes, findings with their way out, the ledger."""

import math
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from knockon.backends.python.walk import judge_one
from knockon.catalog.technique import Technique
from knockon.engines.base import Effective, Refused
from knockon.jobs.deployment import Asked, Deployment, deployment_of
from knockon.jobs.knowledge import Knowledge
from knockon.jobs.ledger import LedgerEntry, LedgerLine, ledger_of
from knockon.jobs.ranges import is_possible
from knockon.jobs.releases import ByRelease, by_release
from knockon.jobs.tries import Tries
from knockon.jobs.verdict import verdict_of
from knockon.jobs.wayout import Nearby, SettingChange, nearest_passing, smallest_conflict
from knockon.rules.couple import Finding, Judgement, OfferedFix, Undecided, judge
from knockon.terms.fact import Fact, values_of
from knockon.terms.truth import Truth
from knockon.terms.words import CheckVerdict, RuleId, Text


@dataclass(frozen=True, slots=True)
class CheckedFix:
    """A fix, applied to the deployment and checked again before it is shown."""

    offered: OfferedFix
    verdict: CheckVerdict
    """What `check` says of the deployment with the fix."""
    knock_on: tuple[Text, ...]
    """What the fix costs: the rule's own words, then the findings that appear only with it."""
    ledger: tuple[LedgerEntry, ...]


@dataclass(frozen=True, slots=True)
class CheckedFinding:
    """A finding with its checked fixes."""

    finding: Finding
    fixes: tuple[CheckedFix, ...]
    settings: tuple[Fact, ...] = ()
    """The smallest set of written settings that the finding hangs on; empty for notes, and where no setting matters."""
    by_release: ByRelease | None = None
    """Which releases find it, where nobody named one and not all do."""


@dataclass(frozen=True, slots=True)
class CheckedNearby:
    """A near deployment that passes, with what becomes worse in it."""

    changes: tuple[SettingChange, ...]
    verdict: CheckVerdict
    worse: tuple[Text, ...]
    """Findings and costs that the asked deployment does not have."""
    ledger: tuple[LedgerEntry, ...]


@dataclass(frozen=True, slots=True)
class CheckAnswer:
    """The whole answer; lists in the order of rule ids, conflicts before degradations before notes."""

    verdict: CheckVerdict
    findings: tuple[CheckedFinding, ...]
    cannot_tell: tuple[Undecided, ...]
    not_asked: tuple[Undecided, ...]
    techniques: tuple[Technique, ...]
    refused: tuple[Refused, ...]
    """Settings the engine itself will not start with, whatever the rules say."""
    deployment: Deployment
    effective: tuple[Effective, ...]
    """What the engine will run after its own defaults and overrides, where that can be derived."""
    ledger: tuple[LedgerEntry, ...]
    other_releases: tuple[ByRelease, ...]
    """What only other releases than the newest find, where nobody named one; it does not count for the verdict."""
    nearest: tuple[CheckedNearby, ...]
    """Up to three deployments near this one in which nothing conflicts, nearest first; empty when nothing conflicts."""
    revision: str


_SEVERITY = {CheckVerdict.CONFLICT: 0, CheckVerdict.DEGRADED: 1, CheckVerdict.NOTE: 2}


def check(
    knowledge: Knowledge, asked: Asked, *, finds_ways_out: bool = True, compares_releases: bool = True
) -> CheckAnswer:
    """Judge the deployment described by `asked`; raises what `deployment_of` raises.

    The way out (the settings each finding hangs on, the nearest deployments that pass) takes most of the time of a
    conflict; `finds_ways_out` False leaves both empty. `compares_releases` False leaves out what other releases say.
    """
    deployment = deployment_of(knowledge, asked)
    judgement = judge(knowledge.rulebook, deployment.facts)
    techniques = techniques_in_use(knowledge, deployment)
    findings = sorted(judgement.findings, key=lambda finding: (_SEVERITY[finding.verdict], finding.rule.id))
    refused = _refused(asked)
    ledger = ledger_of(knowledge.catalog, techniques, judgement.findings, values_of(deployment.facts))
    differing = by_release(knowledge, asked, deployment) if compares_releases else ()
    here = {one.rule.id: one for one in differing if one.finding is None}
    tries = Tries(knowledge, deployment)
    checked = tuple(
        replace(
            _with_fixes(knowledge, tries, deployment, judgement, finding, refused, finds_settings=finds_ways_out),
            by_release=here.get(finding.rule.id),
        )
        for finding in findings
    )
    conflicts = [(one.finding, one.settings) for one in checked if one.finding.verdict is CheckVerdict.CONFLICT]
    return CheckAnswer(
        verdict=CheckVerdict.CONFLICT if refused else verdict_of(judgement, deployment),
        findings=checked,
        cannot_tell=judgement.undecided,
        not_asked=judgement.not_asked,
        techniques=techniques,
        refused=refused,
        deployment=deployment,
        effective=deployment.effective,
        ledger=ledger,
        other_releases=tuple(one for one in differing if one.finding is not None),
        nearest=tuple(
            _nearby(knowledge, deployment, judgement, ledger, near)
            for near in nearest_passing(tries, knowledge.rulebook.vocabulary, deployment, conflicts)
        )
        # No other value of what the rules speak of helps an engine that does not read its command.
        if conflicts and finds_ways_out and not refused
        else (),
        revision=knowledge.revision,
    )


def techniques_in_use(knowledge: Knowledge, deployment: Deployment) -> tuple[Technique, ...]:
    """The techniques whose `detect` is TRUE on the deployment's facts, by id."""
    values = values_of(deployment.facts)
    return tuple(
        technique
        for technique in map(knowledge.catalog.techniques.__getitem__, knowledge.catalog.may_detect)
        if technique.detect is not None
        and judge_one(technique.detect, values, vocabulary=knowledge.rulebook.vocabulary) is Truth.TRUE
    )


def _refused(asked: Asked) -> tuple[Refused, ...]:
    """What the engine will not start with; a flag that is meant though it is not known is none of it."""
    refused = asked.configured.refused if asked.configured else ()
    return tuple(one for one in refused if not (asked.allows_unknown and one.is_unknown))


def _with_fixes(
    knowledge: Knowledge,
    tries: Tries,
    deployment: Deployment,
    before: Judgement,
    finding: Finding,
    refused: Sequence[Refused],
    *,
    finds_settings: bool,
) -> CheckedFinding:
    checked = (_checked(knowledge, tries, deployment, before, finding, offered) for offered in finding.fixes)
    fixes = tuple(_under_refusals(fix, refused) for fix in checked if fix is not None)
    graves = (CheckVerdict.CONFLICT, CheckVerdict.DEGRADED)
    is_grave = finds_settings and finding.verdict in graves
    settings = smallest_conflict(tries, deployment, finding) if is_grave else ()
    return CheckedFinding(finding, fixes, settings)


def _under_refusals(fix: CheckedFix, refused: Sequence[Refused]) -> CheckedFix:
    """The fix with the verdict CONFLICT where it leaves a setting in place that the engine refuses."""
    stays = any(not one.facts or not fix.offered.sets.keys() >= set(one.facts) for one in refused)
    return replace(fix, verdict=CheckVerdict.CONFLICT) if stays else fix


def _nearby(
    knowledge: Knowledge, deployment: Deployment, before: Judgement, ledger: Sequence[LedgerEntry], near: Nearby
) -> CheckedNearby:
    changed, judgement = near.tried.deployment, near.tried.judgement
    after = ledger_of(knowledge.catalog, techniques_in_use(knowledge, changed), judgement.findings, near.tried.values)
    known = {finding.rule.id for finding in before.findings}
    paid = {(entry.onto, line.cause, line.quantity) for entry in ledger for line in entry.costs}
    return CheckedNearby(
        changes=near.changes,
        verdict=near.tried.verdict,
        worse=_distinct(
            [
                *(finding.says for finding in judgement.findings if finding.rule.id not in known),
                *(line.says for entry in after for line in entry.costs if _is_new(entry, line, paid)),
                *_more_devices(deployment, changed),
            ]
        ),
        ledger=after,
    )


def _more_devices(before: Deployment, after: Deployment) -> Iterator[Text]:
    held, wanted = _devices(before), _devices(after)
    if wanted > held:
        yield Text(f"It takes {wanted} devices instead of {held}", f"需要 {wanted} 张卡而不是 {held} 张")


def _devices(deployment: Deployment) -> int:
    axes = ("tensor_parallel_size", "pipeline_parallel_size", "data_parallel_size", "prefill_context_parallel_size")
    sizes = (deployment.facts[name].value for name in axes if name in deployment.facts)
    return math.prod(size for size in sizes if isinstance(size, int))


def _is_new(entry: LedgerEntry, line: LedgerLine, paid: AbstractSet[tuple[str, str, str]]) -> bool:
    return (entry.onto, line.cause, line.quantity) not in paid and line.holds is Truth.TRUE


def _checked(
    knowledge: Knowledge,
    tries: Tries,
    deployment: Deployment,
    before: Judgement,
    finding: Finding,
    offered: OfferedFix,
) -> CheckedFix | None:
    """The fix with what becomes of the deployment; None where it leaves the conflict in place or makes another one."""
    if not offered.sets:
        return CheckedFix(offered, verdict_of(before, deployment), offered.knock_on, ())
    known_names = knowledge.rulebook.vocabulary.names
    if not all(name in known_names and is_possible(known_names[name], value) for name, value in offered.sets.items()):
        return None
    tried = tries.with_settings(offered.sets)
    judgement = tried.judgement
    if not _conflicts(judgement) <= _conflicts(before) - {finding.rule.id}:
        return None
    known = {finding.rule.id for finding in before.findings}
    appeared = [finding for finding in judgement.findings if finding.rule.id not in known]
    return CheckedFix(
        offered=offered,
        verdict=verdict_of(judgement, tried.deployment),
        knock_on=_distinct((*offered.knock_on, *(finding.says for finding in appeared))),
        ledger=ledger_of(
            knowledge.catalog, techniques_in_use(knowledge, tried.deployment), judgement.findings, tried.values
        ),
    )


def _conflicts(judgement: Judgement) -> set[RuleId]:
    return {finding.rule.id for finding in judgement.findings if finding.verdict is CheckVerdict.CONFLICT}


def _distinct(texts: Sequence[Text]) -> tuple[Text, ...]:
    return tuple(dict.fromkeys(texts))
