"""Validity before rules: readings a validity rule does not trust are taken out, with what it says as the reason."""

from collections.abc import Mapping
from dataclasses import replace

from knockon.rules.fill import filled
from knockon.rules.intake import Intake, Observed
from knockon.rules.rulebook import Rulebook
from knockon.terms.reading import Reading
from knockon.terms.truth import Truth
from knockon.terms.words import RuleId, Scalar


def trusted(rulebook: Rulebook, intake: Intake, known: Mapping[str, Scalar]) -> tuple[Intake, frozenset[RuleId]]:
    """`intake` without the readings that are not to be trusted, and the validity rules that fired.

    `known` are thresholds and facts. What was derived from a reading that is taken out goes with it.
    """
    values = {**known, **intake.values}
    truths = rulebook.judged_validity(values)
    fired = [rule for rule, truth in zip(rulebook.validity, truths, strict=True) if truth is Truth.TRUE]
    reasons: dict[str, str] = {}
    for rule in fired:
        for name in rule.invalidates:
            reasons.setdefault(name, f"{rule.id}: {filled(rule.says, values).en}")
    if not reasons:
        return intake, frozenset(rule.id for rule in fired)
    kept = {name: seen for name, seen in intake.observed.items() if not _is_touched(name, seen, reasons)}
    void = [_voided(name, seen, reasons[name]) for name, seen in intake.observed.items() if name in reasons]
    return replace(intake, observed=kept, invalid=(*intake.invalid, *void)), frozenset(rule.id for rule in fired)


def _is_touched(name: str, seen: Observed, reasons: Mapping[str, str]) -> bool:
    return name in reasons or any(reading.name in reasons for reading in seen.from_readings)


def _voided(name: str, seen: Observed, why: str) -> Reading:
    return Reading(name, None, seen.origin, state="invalid", why=why, raw=str(seen.value))
