"""check: does this deployment contradict itself? Techniques in use, sizes, findings with their way out, the ledger."""

from collections.abc import Sequence
from dataclasses import dataclass

from knockon.backends.python.walk import judge_one
from knockon.catalog.technique import Technique
from knockon.engines.base import Effective, Refused
from knockon.jobs.deployment import Asked, Deployment, changed, deployment_of
from knockon.jobs.knowledge import Knowledge
from knockon.jobs.ledger import LedgerEntry, ledger_of
from knockon.rules.couple import Finding, Judgement, OfferedFix, Undecided, judge
from knockon.terms.fact import values_of
from knockon.terms.truth import Truth
from knockon.terms.words import CheckVerdict, Text


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
    revision: str


_SEVERITY = {CheckVerdict.CONFLICT: 0, CheckVerdict.DEGRADED: 1, CheckVerdict.NOTE: 2}


def check(knowledge: Knowledge, asked: Asked) -> CheckAnswer:
    """Judge the deployment described by `asked`; raises what `deployment_of` raises."""
    deployment = deployment_of(knowledge, asked)
    judgement = judge(knowledge.rulebook, deployment.facts)
    techniques = techniques_in_use(knowledge, deployment)
    findings = sorted(judgement.findings, key=lambda finding: (_SEVERITY[finding.verdict], finding.rule.id))
    refused = asked.configured.refused if asked.configured else ()
    return CheckAnswer(
        verdict=CheckVerdict.CONFLICT if refused else _verdict(judgement),
        findings=tuple(_with_fixes(knowledge, deployment, judgement, finding) for finding in findings),
        cannot_tell=judgement.undecided,
        not_asked=judgement.not_asked,
        techniques=techniques,
        refused=refused,
        deployment=deployment,
        effective=deployment.effective,
        ledger=ledger_of(knowledge.catalog, techniques, judgement.findings, values_of(deployment.facts)),
        revision=knowledge.revision,
    )


def techniques_in_use(knowledge: Knowledge, deployment: Deployment) -> tuple[Technique, ...]:
    """The techniques whose `detect` is TRUE on the deployment's facts, by id."""
    values = values_of(deployment.facts)
    return tuple(
        technique
        for technique in knowledge.catalog.techniques.values()
        if technique.detect is not None
        and judge_one(technique.detect, values, vocabulary=knowledge.rulebook.vocabulary) is Truth.TRUE
    )


def _verdict(judgement: Judgement) -> CheckVerdict:
    said = {finding.verdict for finding in judgement.findings}
    if CheckVerdict.CONFLICT in said:
        return CheckVerdict.CONFLICT
    if CheckVerdict.DEGRADED in said:
        return CheckVerdict.DEGRADED
    return CheckVerdict.UNKNOWN if judgement.undecided else CheckVerdict.FINE


def _with_fixes(knowledge: Knowledge, deployment: Deployment, before: Judgement, finding: Finding) -> CheckedFinding:
    fixes = tuple(_checked(knowledge, deployment, before, offered) for offered in finding.fixes)
    return CheckedFinding(finding, fixes)


def _checked(knowledge: Knowledge, deployment: Deployment, before: Judgement, offered: OfferedFix) -> CheckedFix:
    if not offered.sets:
        return CheckedFix(offered, _verdict(before), offered.knock_on, ())
    after = changed(deployment, offered.sets, knowledge.rulebook.vocabulary)
    judgement = judge(knowledge.rulebook, after.facts)
    known = {finding.rule.id for finding in before.findings}
    appeared = [finding for finding in judgement.findings if finding.rule.id not in known]
    return CheckedFix(
        offered=offered,
        verdict=_verdict(judgement),
        knock_on=_distinct((*offered.knock_on, *(finding.says for finding in appeared))),
        ledger=ledger_of(
            knowledge.catalog, techniques_in_use(knowledge, after), judgement.findings, values_of(after.facts)
        ),
    )


def _distinct(texts: Sequence[Text]) -> tuple[Text, ...]:
    return tuple(dict.fromkeys(texts))
