"""check: does this deployment contradict itself? Techniques in use, sizes, findings with their way out, the ledger."""

import math
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property

from knockon.catalog.technique import Technique
from knockon.engines.base import Effective, Refused
from knockon.jobs.deployment import Asked, Deployment, deployment_of
from knockon.jobs.knowledge import Knowledge
from knockon.jobs.ledger import LedgerEntry, LedgerLine, ledger_of
from knockon.jobs.ranges import is_possible
from knockon.jobs.releases import ByRelease, by_release
from knockon.jobs.tries import Tries, Try
from knockon.jobs.verdict import verdict_of
from knockon.jobs.wayout import Nearby, SettingChange, nearest_passing, smallest_conflict
from knockon.rules.couple import Finding, Judgement, OfferedFix, Undecided, judge
from knockon.terms.fact import Fact, values_of
from knockon.terms.truth import Truth
from knockon.terms.words import CheckVerdict, Text


@dataclass(frozen=True, slots=True)
class _Around:
    """What the parts of an answer are worked out from that wait until somebody asks for them."""

    knowledge: Knowledge
    deployment: Deployment
    judgement: Judgement
    refused: tuple[Refused, ...]
    tries: Tries

    def ledger(self, tried: Try) -> tuple[LedgerEntry, ...]:
        """The ledger of a changed deployment."""
        techniques = self.knowledge.detection(tried.values)
        return ledger_of(self.knowledge.catalog, techniques, tried.judgement.findings, tried.values)


@dataclass(frozen=True)
class CheckedFix:
    """A fix, applied to the deployment and checked again before it is shown."""

    offered: OfferedFix
    tried: Try | None = field(repr=False)
    """The deployment with the fix; None where it changes no setting."""
    _around: _Around = field(repr=False, compare=False)

    @cached_property
    def verdict(self) -> CheckVerdict:
        """What `check` says of the deployment with the fix."""
        around = self._around
        # A setting stays in place that the engine refuses.
        if any(not one.facts or not self.offered.sets.keys() >= set(one.facts) for one in around.refused):
            return CheckVerdict.CONFLICT
        return self.tried.verdict if self.tried else verdict_of(around.judgement, around.deployment)

    @cached_property
    def knock_on(self) -> tuple[Text, ...]:
        """What the fix costs: the rule's own words, then the findings that appear only with it."""
        if self.tried is None:
            return self.offered.knock_on
        known = {finding.rule.id for finding in self._around.judgement.findings}
        appeared = [finding for finding in self.tried.judgement.findings if finding.rule.id not in known]
        return _distinct((*self.offered.knock_on, *(finding.says for finding in appeared)))

    @cached_property
    def ledger(self) -> tuple[LedgerEntry, ...]:
        """The ledger with the fix; empty where it changes no setting."""
        return self._around.ledger(self.tried) if self.tried else ()


@dataclass(frozen=True)
class CheckedFinding:
    """A finding with its way out, which is searched when somebody asks for it: it takes most of the time."""

    finding: Finding
    by_release: ByRelease | None
    """Which releases find it, where nobody named one and not all do."""
    _around: _Around = field(repr=False, compare=False)

    @cached_property
    def fixes(self) -> tuple[CheckedFix, ...]:
        """The fixes that leave the conflict behind and make no other one."""
        checked = (_checked(self._around, self.finding, offered) for offered in self.finding.fixes)
        return tuple(fix for fix in checked if fix is not None)

    @cached_property
    def settings(self) -> tuple[Fact, ...]:
        """The smallest set of written settings that the finding hangs on; empty for notes, or if no setting matters."""
        if self.finding.verdict not in (CheckVerdict.CONFLICT, CheckVerdict.DEGRADED):
            return ()
        return smallest_conflict(self._around.tries, self._around.deployment, self.finding)


@dataclass(frozen=True, slots=True)
class CheckedNearby:
    """A near deployment that passes, with what becomes worse in it."""

    changes: tuple[SettingChange, ...]
    verdict: CheckVerdict
    worse: tuple[Text, ...]
    """Findings and costs that the asked deployment does not have."""
    ledger: tuple[LedgerEntry, ...]


@dataclass(frozen=True)
class CheckAnswer:
    """The whole answer; lists in the order of rule ids, conflicts before degradations before notes."""

    verdict: CheckVerdict
    findings: tuple[CheckedFinding, ...]
    cannot_tell: tuple[Undecided, ...]
    """Without the rules on a setting that the engine refuses: `refused` says what it takes."""
    not_asked: tuple[Undecided, ...]
    techniques: tuple[Technique, ...]
    refused: tuple[Refused, ...]
    """Settings the engine itself will not start with, whatever the rules say."""
    deployment: Deployment
    effective: tuple[Effective, ...]
    """What the engine will run after its own defaults and overrides, where that can be derived."""
    other_releases: tuple[ByRelease, ...]
    """What only other releases than the newest find, where nobody named one; it does not count for the verdict."""
    revision: str
    _around: _Around = field(repr=False, compare=False)

    @cached_property
    def ledger(self) -> tuple[LedgerEntry, ...]:
        """What the techniques in use and the findings gain and cost, per dimension and burden."""
        catalog, values = self._around.knowledge.catalog, values_of(self.deployment.facts)
        return ledger_of(catalog, self.techniques, self._around.judgement.findings, values)

    @cached_property
    def nearest(self) -> tuple[CheckedNearby, ...]:
        """Up to three deployments near this one in which nothing conflicts, nearest first; searched when asked for.

        Empty when nothing conflicts. No other value of what the rules speak of helps an engine that does not read its
        command.
        """
        found = [(one.finding, one.settings) for one in self.findings if one.finding.verdict is CheckVerdict.CONFLICT]
        if not found or self.refused:
            return ()
        around = self._around
        near = nearest_passing(around.tries, around.knowledge.rulebook.vocabulary, self.deployment, found)
        return tuple(_nearby(around, self.ledger, each) for each in near)


_SEVERITY = {CheckVerdict.CONFLICT: 0, CheckVerdict.DEGRADED: 1, CheckVerdict.NOTE: 2}


def check(knowledge: Knowledge, asked: Asked, *, compares_releases: bool = True) -> CheckAnswer:
    """Judge the deployment described by `asked`; raises what `deployment_of` raises.

    `compares_releases` False leaves out what other releases say.
    """
    deployment = deployment_of(knowledge, asked)
    judgement = judge(knowledge.rulebook, deployment.facts)
    refused = _refused(asked)
    around = _Around(knowledge, deployment, judgement, refused, Tries(knowledge, deployment))
    differing = by_release(knowledge, asked, deployment) if compares_releases else ()
    here = {one.rule.id: one for one in differing if one.finding is None}
    findings = sorted(judgement.findings, key=lambda finding: (_SEVERITY[finding.verdict], finding.rule.id))
    return CheckAnswer(
        verdict=CheckVerdict.CONFLICT if refused else verdict_of(judgement, deployment),
        findings=tuple(CheckedFinding(finding, here.get(finding.rule.id), around) for finding in findings),
        cannot_tell=tuple(_to_be_told(judgement, refused)),
        not_asked=judgement.not_asked,
        techniques=techniques_in_use(knowledge, deployment),
        refused=refused,
        deployment=deployment,
        effective=deployment.effective,
        other_releases=tuple(one for one in differing if one.finding is not None),
        revision=knowledge.revision,
        _around=around,
    )


def techniques_in_use(knowledge: Knowledge, deployment: Deployment) -> tuple[Technique, ...]:
    """The techniques whose `detect` is TRUE on the deployment's facts, by id."""
    return knowledge.detection(values_of(deployment.facts))


def _refused(asked: Asked) -> tuple[Refused, ...]:
    """What the engine will not start with; a flag that is meant though it is not known is none of it."""
    refused = asked.configured.refused if asked.configured else ()
    return tuple(one for one in refused if not (asked.allows_unknown and one.is_unknown))


def _to_be_told(judgement: Judgement, refused: Sequence[Refused]) -> Iterator[Undecided]:
    """The undecided rules that somebody can tell more of: not those that ask for what the engine refuses."""
    held = {fact for one in refused for fact in one.facts}
    return (one for one in judgement.undecided if held.isdisjoint(one.needs))


def _nearby(around: _Around, ledger: Sequence[LedgerEntry], near: Nearby) -> CheckedNearby:
    after = around.ledger(near.tried)
    known = {finding.rule.id for finding in around.judgement.findings}
    paid = {(entry.onto, line.cause, line.quantity) for entry in ledger for line in entry.costs}
    return CheckedNearby(
        changes=near.changes,
        verdict=near.tried.verdict,
        worse=_distinct(
            [
                *(finding.says for finding in near.tried.judgement.findings if finding.rule.id not in known),
                *(line.says for entry in after for line in entry.costs if _is_new(entry, line, paid)),
                *_more_devices(around.deployment, near.tried.deployment),
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


def _checked(around: _Around, finding: Finding, offered: OfferedFix) -> CheckedFix | None:
    """The fix with what becomes of the deployment; None where it leaves the conflict in place or makes another one."""
    if not offered.sets:
        return CheckedFix(offered, None, around)
    names = around.knowledge.rulebook.vocabulary.names
    if not all(name in names and is_possible(names[name], value) for name, value in offered.sets.items()):
        return None
    tried = around.tries.with_settings(offered.sets)
    before = {one.rule.id for one in around.judgement.findings if one.verdict is CheckVerdict.CONFLICT}
    return CheckedFix(offered, tried, around) if tried.conflicts <= before - {finding.rule.id} else None


def _distinct(texts: Sequence[Text]) -> tuple[Text, ...]:
    return tuple(dict.fromkeys(texts))
