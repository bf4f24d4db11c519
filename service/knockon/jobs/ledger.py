"""The ledger: per dimension and burden, what the techniques in use gain and what they cost, with the path of each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from knockon.backends.python.walk import judge_one
from knockon.catalog.catalog import Catalog
from knockon.catalog.technique import Technique
from knockon.rules.couple import Finding
from knockon.terms.citation import Cite
from knockon.terms.truth import Truth
from knockon.terms.words import Change, Effect, QuantityId, Scalar, Text


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """One gain or cost: who causes it, through which quantity, and whether its condition holds here."""

    cause: str
    """A technique id, or the id of the rule that fired."""
    quantity: QuantityId
    change: Change | None
    factor: Scalar | None
    when: str
    holds: Truth
    says: Text
    cite: tuple[Cite, ...]


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One dimension or burden with what lands on it."""

    onto: str
    gains: tuple[LedgerLine, ...]
    costs: tuple[LedgerLine, ...]


def ledger_of(
    catalog: Catalog, techniques: Sequence[Technique], findings: Sequence[Finding], values: Mapping[str, Scalar]
) -> tuple[LedgerEntry, ...]:
    """The ledger in the order of the axes; empty entries and shifts whose condition is FALSE are left out."""
    lines: dict[str, tuple[list[LedgerLine], list[LedgerLine]]] = {}
    for technique in techniques:
        for shift in technique.shifts:
            holds = judge_one(shift.when, values) if shift.when is not None else Truth.TRUE
            if holds is Truth.FALSE:
                continue
            gains, costs = lines.setdefault(shift.onto, ([], []))
            (gains if shift.effect is Effect.GAIN else costs).append(
                LedgerLine(
                    technique.id,
                    shift.quantity,
                    shift.change,
                    shift.size.factor if shift.size else None,
                    shift.when_text,
                    holds,
                    shift.says,
                    shift.cite,
                )
            )
    for finding in findings:
        for cost in finding.shifts:
            lines.setdefault(cost.onto, ([], []))[1].append(
                LedgerLine(
                    finding.rule.id,
                    cost.quantity,
                    None,
                    cost.factor,
                    finding.rule.when_text,
                    Truth.TRUE,
                    finding.says,
                    finding.rule.cite,
                )
            )
    order = [*catalog.axes.dimensions, *catalog.axes.burdens]
    return tuple(
        LedgerEntry(onto, tuple(lines[onto][0]), tuple(lines[onto][1]))
        for onto in sorted(lines, key=lambda name: order.index(name) if name in order else len(order))
    )
