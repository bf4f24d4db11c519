"""How old is what an answer says? A claim rests on the newest of its sources, a rule on its own day."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from knockon.catalog.hop import Hop, HopKind
from knockon.jobs.knowledge import Knowledge
from knockon.rules.rule import CoupleRule, DiagnoseRule
from knockon.terms.age import rule_stale_from
from knockon.terms.citation import Cite
from knockon.terms.words import RuleId


class Cited(Protocol):
    """A claim with sources: a shift, a need, a relation, an influence, a hop."""

    @property
    def cite(self) -> tuple[Cite, ...]:
        """Who says so."""


def today() -> str:
    """The ISO day of this machine, in UTC: the day that lint compares with too."""
    return datetime.now(UTC).date().isoformat()


@dataclass(frozen=True, slots=True)
class Ages:
    """Tells what is stale on one day."""

    knowledge: Knowledge
    day: str = ""
    """ISO; empty where no day is asked about, as in an export."""

    def stale_from(self, claim: Cited) -> str:
        """The first ISO day on which a claim or a rule is stale; "" where that is not known."""
        if isinstance(claim, Hop) and claim.kind is HopKind.FIRES:
            rule = self.knowledge.rulebook.by_id.get(RuleId(claim.target.id))
            return rule_stale_from(rule.checked) if rule is not None else ""
        if isinstance(claim, CoupleRule | DiagnoseRule):
            return rule_stale_from(claim.checked)
        return self.knowledge.catalog.stale_from(claim.cite)

    def is_stale(self, claim: Cited) -> bool:
        """Whether it is, on this day."""
        return "" < self.stale_from(claim) <= self.day
