"""The answer of `check`: findings with their way out, the ledger, what cannot be told."""

from typing import Any

from knockon.api.context import Info, knowledge_of
from knockon.api.scalars import Value
from knockon.api.shape import field, nonempty, pairs, path, shows
from knockon.api.types.deployment import BadInput, Effective, Fact, RefusedSetting, Sizing, UnknownFlag
from knockon.api.types.quantity import Quantity
from knockon.api.types.revision import REVISION, Revision, revision_of
from knockon.api.types.rule import CoupleRule
from knockon.api.types.source import SOURCES, Source, sources_of
from knockon.api.types.technique import Technique, quantity_of, technique_named, techniques_named
from knockon.api.types.words import Assigned, Position, Setting, Text
from knockon.backends.python import reasons
from knockon.jobs import check, ledger, releases, wayout
from knockon.rules import couple
from knockon.terms.truth import Truth
from knockon.terms.words import Change, CheckVerdict


@shows(reasons.Atom)
class Atom:
    """One comparison of a condition, with what it saw."""

    text: str = field("The comparison.")
    truth: Truth = field("Whether it holds.")
    seen: list[Setting] = field("The values it looked at; absent ones are left out.", resolver=pairs("seen", Assigned))


@shows(couple.DerivationStep)
class DerivationStep:
    """One line of a derivation."""

    name: str = field("What is derived.")
    expression: str = field("How, in the language of rules.")
    value: Value | None = field("The value for this deployment; null where a fact is not known.")
    unit: str = field("Its unit; 1 for none.")
    from_: str = field("Where it came from: a flag, a config.json, or `derived`.", name="from", resolver=path("origin"))
    says: Text = field("The step in words.")


@shows(couple.CostShift)
class CostShift:
    """A cost that landed."""

    from_: str = field("The dimension that gained.", name="from", resolver=path("gains"))
    onto: str = field("The dimension or burden that pays.")
    quantity: Quantity = field("Through which quantity.", resolver=quantity_of)
    factor: Value | None = field("Factor on the quantity, 0.5 is halved; null where it is not known.")


def _cause_technique(root: ledger.LedgerLine, info: Info) -> Any:
    return technique_named(info, root.cause)


@shows(ledger.LedgerLine)
class LedgerLine:
    """One gain or cost."""

    cause: str = field("Id of the technique, or of the rule that fired.")
    technique: Technique | None = field("The technique; null where a rule is the cause.", resolver=_cause_technique)
    quantity: Quantity = field("Through which quantity.", resolver=quantity_of)
    change: Change | None = field("Which way it moves; null where a rule gives a factor instead.")
    factor: Value | None = field("Factor on the quantity; null where it is not known.")
    when: str | None = field("Its condition; null when it always holds.", resolver=nonempty("when"))
    holds: Truth = field("Whether the condition holds for this deployment.")
    says: Text = field("In words.")
    sources: list[Source] = field(SOURCES, resolver=sources_of)


@shows(ledger.LedgerEntry)
class LedgerEntry:
    """What lands on one dimension or burden."""

    dimension: str = field("The dimension or burden.", resolver=path("onto"))
    gains: list[LedgerLine] = field("What it gains.")
    costs: list[LedgerLine] = field("What it pays.")


def _fix_technique(root: check.CheckedFix, info: Info) -> Any:
    return technique_named(info, root.offered.technique) if root.offered.technique else None


def _sets(root: check.CheckedFix) -> list[Assigned]:
    return [Assigned(name, value) for name, value in root.offered.sets.items()]


@shows(check.CheckedFix)
class Fix:
    """A change that takes the finding away, applied to the deployment and checked before it is shown."""

    says: Text = field("What to do.", resolver=path("offered", "says"))
    technique: Technique | None = field(
        "The technique it turns on; null when it only changes a setting.", resolver=_fix_technique
    )
    set: list[Setting] = field("The settings it changes, with their new values.", resolver=_sets)
    range: list[Value] | None = field(
        "Least and greatest valid value of the setting; null where there is no range.",
        resolver=path("offered", "range"),
    )
    verdict: CheckVerdict = field("What `check` says of the deployment with the fix.")
    knock_on: list[Text] = field("What the fix costs, and what appears only with it.")
    ledger: list[LedgerEntry] = field("The ledger with the fix; empty when it changes no setting.")


def _rule(root: Any) -> Any:
    return root.finding.rule


def _says_then(root: releases.ByRelease) -> Any:
    return root.finding.says if root.finding else None


def _because(root: check.CheckedFinding, info: Info) -> Any:
    return techniques_named(info, root.finding.rule.because)


def _sources(root: check.CheckedFinding, info: Info) -> Any:
    return knowledge_of(info).catalog.sources(root.finding.rule.cite)


@shows(releases.Span)
class Releases:
    """Releases that follow one another."""

    since: str | None = field("The first of them; null where it is from the oldest looked at.")
    before: str | None = field("The first one after them; null where it is up to the newest.")
    says: Text = field("For people.")


@shows(releases.ByRelease)
class ByRelease:
    """A rule whose answer depends on the release, which nobody named."""

    rule: CoupleRule = field("The rule.")
    says: Text | None = field(
        "What is the matter there; null where the newest release finds it too.", resolver=_says_then
    )
    found_in: list[Releases] = field("The releases that find it.")
    not_found_in: list[Releases] = field("The releases that surely do not; of those in neither nobody can tell.")


@shows(check.CheckedFinding)
class Finding:
    """A rule that fired."""

    rule: CoupleRule = field("The rule.", resolver=_rule)
    verdict: CheckVerdict = field("CONFLICT, DEGRADED or NOTE.", resolver=path("finding", "verdict"))
    says: Text = field("What is the matter, with the values of this deployment.", resolver=path("finding", "says"))
    because: list[Technique] = field("The techniques that cause it.", resolver=_because)
    derivation: list[DerivationStep] = field("How it follows, step by step.", resolver=path("finding", "derivation"))
    evidence: list[Atom] = field("The condition, with the values seen.", resolver=path("finding", "evidence"))
    shifts: list[CostShift] = field("Where the cost lands.", resolver=path("finding", "shifts"))
    fixes: list[Fix] = field("Ways out; empty when none is known.")
    settings: list[Fact] = field(
        "The smallest set of written settings it hangs on; empty for notes, and where no setting matters."
    )
    by_release: ByRelease | None = field(
        "Which releases find it; null where one was named, and where all that can be told agree."
    )
    remarks: list[Text] = field("What else is worth knowing.", resolver=path("finding", "remarks"))
    at: Position | None = field(
        "Where the setting stands; null when it stands in no text.", resolver=path("finding", "at")
    )
    sources: list[Source] = field(SOURCES, resolver=_sources)


@shows(couple.Undecided)
class Undecided:
    """A rule that could not be decided."""

    rule: CoupleRule = field("The rule.")
    needs: list[str] = field("The facts that would decide it.")


@shows(wayout.SettingChange)
class SettingChange:
    """One setting put to another value."""

    name: str = field("The fact that is set.")
    before: Value = field("Its value in the asked deployment.")
    value: Value | None = field("Its new value; null when the setting is dropped and the engine's default holds.")


@shows(check.CheckedNearby)
class Nearby:
    """A deployment near the asked one in which nothing conflicts."""

    changes: list[SettingChange] = field("The settings that differ.")
    verdict: CheckVerdict = field("What `check` says of it.")
    worse: list[Text] = field("Findings and costs that the asked deployment does not have.")
    ledger: list[LedgerEntry] = field("Its ledger.")


def _facts(root: check.CheckAnswer) -> Any:
    return [fact for _name, fact in sorted(root.deployment.facts.items())]


@shows(check.CheckAnswer)
class CheckAnswer:
    """What `check` says of a deployment."""

    verdict: CheckVerdict = field("FINE only when every rule that applies was decided.")
    findings: list[Finding] = field("Conflicts first, then degradations, then notes.")
    cannot_tell: list[Undecided] = field("Rules that could not be decided, with what they need.")
    not_asked: list[Undecided] = field("Rules whose question was not put, for want of facts that only some give.")
    other_releases: list[ByRelease] = field(
        "What only earlier releases find, where none was named; it does not count for the verdict."
    )
    techniques: list[Technique] = field("Techniques in use, by id.")
    sizing: Sizing = field("Sizes on one GPU.", resolver=path("deployment", "sizing"))
    ledger: list[LedgerEntry] = field("Per dimension and burden, what the techniques in use gain and cost.")
    facts: list[Fact] = field("All that is known of the deployment, by name.", resolver=_facts)
    nearest: list[Nearby] = field("Up to three near deployments that pass, nearest first; empty without a conflict.")
    effective: list[Effective] = field(
        "What the engine will run after its own defaults and overrides, where that can be derived."
    )
    unknown_flags: list[UnknownFlag] = field("Flags that nobody knows.", resolver=path("deployment", "unknown_flags"))
    problems: list[BadInput] = field(
        "Bad input: names that nothing goes by. A deployment with any was not judged as it was meant.",
        resolver=path("deployment", "bad_input"),
    )
    refused: list[RefusedSetting] = field("Settings the engine itself will not start with; any makes a conflict.")
    notes: list[Text] = field(
        "What a reader should know: which model was taken, what was not read.", resolver=path("deployment", "notes")
    )
    revision: Revision = field(REVISION, resolver=revision_of)
