"""Quantities: things that rise or fall, and how they pull on one another."""

from dataclasses import dataclass

from knockon.expr.condition import condition
from knockon.expr.nodes import Node
from knockon.terms.citation import Cite
from knockon.terms.words import QuantityId, Text

_UNSAID = Text("", "")


@dataclass(frozen=True, slots=True)
class Influence:
    """When the owning quantity rises, `on` rises (sign +1) or falls (sign -1); `says` holds in both directions."""

    on: QuantityId
    sign: int
    says: Text
    cite: tuple[Cite, ...]
    when_text: str = ""
    inferred: bool = False
    loop: Text = _UNSAID
    """What ends the feedback loop that it closes; empty for most."""
    stages: tuple[str, ...] = ()
    """Stages of the work in which it holds; empty for any."""

    def holds_in(self, stages: frozenset[str]) -> bool:
        """Whether it holds in one of these stages."""
        return not self.stages or not stages.isdisjoint(self.stages)

    @property
    def when(self) -> Node | None:
        """Only then; None means always."""
        return condition(self.when_text) if self.when_text else None


@dataclass(frozen=True, slots=True)
class Quantity:
    """One thing that can rise or fall; it belongs to one dimension or burden."""

    id: QuantityId
    name: Text
    of: str
    """A dimension of axes.yaml or a burden."""
    unit: str
    better: str
    """"up" or "down": the direction an operator wants."""
    means: Text
    influences: tuple[Influence, ...]
