"""What `breaks` answers with: hops, each with its condition, direction, size and sources; ambiguities and loops."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from knockon.catalog.feedback import Loop
from knockon.catalog.indexes import RelationOf
from knockon.catalog.technique import Shift, Size, Technique
from knockon.terms.citation import Cite
from knockon.terms.truth import Truth
from knockon.terms.words import CheckVerdict, Effect, QuantityId, RuleId, TechniqueId, Text


class Coupling(Protocol):
    """What `breaks` needs of a couple rule."""

    @property
    def id(self) -> RuleId:
        """Id of the rule."""

    @property
    def name(self) -> Text:
        """What it is about."""

    @property
    def verdict(self) -> CheckVerdict:
        """What it says when it fires."""

    @property
    def when_text(self) -> str:
        """When it fires."""

    @property
    def because(self) -> tuple[TechniqueId, ...]:
        """The techniques it speaks of."""

    @property
    def cite(self) -> tuple[Cite, ...]:
        """Who says so."""


class Claim(Protocol):
    """What shifts, influences, needs and relations have in common: a sentence, its condition and its sources."""

    @property
    def when_text(self) -> str:
        """The condition; empty when it always holds."""

    @property
    def says(self) -> Text:
        """The claim in words."""

    @property
    def cite(self) -> tuple[Cite, ...]:
        """Who says so."""

    @property
    def inferred(self) -> bool:
        """Whether the source implies it but does not state it."""


class HopKind(StrEnum):
    """How one thing reaches the next."""

    SHIFT = "shift"
    """A technique moves a quantity."""
    INFLUENCE = "influence"
    """A quantity pulls another along."""
    EATS = "eats"
    """A quantity moves against what a technique is used for."""
    VIOLATES = "violates"
    """What a technique assumes does not hold, or is brought nearer to not holding."""
    CONFLICTS = "conflicts"
    """Two techniques exclude one another."""
    DEGRADES = "degrades"
    """A technique makes another worth less."""
    REQUIRES = "requires"
    """A technique takes another along."""
    STRANDS = "strands"
    """A technique loses the one it requires."""
    UNRELIEVES = "unrelieves"
    """A technique loses the one that mitigates its cost."""
    FIRES = "fires"
    """A couple rule fires, or is brought nearer to firing."""


class EndKind(StrEnum):
    """What stands at an end of a hop."""

    TECHNIQUE = "technique"
    QUANTITY = "quantity"
    RULE = "rule"


@dataclass(frozen=True, slots=True)
class End:
    """One end of a hop. `sign` is the direction a quantity moves in, +1 or -1; 0 for everything else."""

    kind: EndKind
    id: str
    sign: int = 0


@dataclass(frozen=True, slots=True)
class Hop:
    """One step away from the technique that was asked about."""

    kind: HopKind
    source: End
    target: End
    depth: int
    """1 for what the technique does itself."""
    truth: Truth
    """Of this hop's own condition for the deployment; UNKNOWN where no deployment, or too little of it, is known."""
    along: Truth
    """Of this hop and of all before it on the shortest path."""
    after: int | None
    """Index in `Breaks.hops` of the hop before it on the shortest path; None at depth 1."""
    claim: Claim
    """What says so. A walk makes hops by the thousand, so what it says is not copied into each."""
    onto: str = ""
    """The dimension or burden the effect lands on; empty where the target is no quantity."""
    worsens: bool | None = None
    """Whether a quantity moves the way an operator does not want; None where the target is no quantity."""

    @property
    def when_text(self) -> str:
        """The condition; empty when it always holds."""
        return self.claim.when_text

    @property
    def says(self) -> Text:
        """The claim in words."""
        return self.claim.says

    @property
    def cite(self) -> tuple[Cite, ...]:
        """Who says so."""
        return self.claim.cite

    @property
    def inferred(self) -> bool:
        """Whether the source implies it but does not state it."""
        return self.claim.inferred

    @property
    def effect(self) -> Effect | None:
        """Gain or cost, for a shift."""
        return self.claim.effect if self.kind is HopKind.SHIFT and isinstance(self.claim, Shift) else None

    @property
    def size(self) -> Size | None:
        """How much, where a shift says so."""
        return self.claim.size if isinstance(self.claim, Shift) else None


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """A quantity that is pushed both ways; which push is stronger is not known. Paths are indexes in `Breaks.hops`."""

    quantity: QuantityId
    rising: tuple[int, ...]
    falling: tuple[int, ...]
    inherited: bool
    """True when both paths only carry on the ambiguity of the quantity before."""


@dataclass(frozen=True, slots=True)
class FeedbackLoop:
    """A loop that the technique sets going."""

    loop: Loop
    truth: Truth
    """Of all its influences together."""


@dataclass(frozen=True, slots=True)
class Breaks:
    """The whole answer. Hops are ordered by depth; a deeper question has all hops of a shallower one first."""

    technique: Technique
    depth: int
    assumed: Mapping[str, bool | int | float | str]
    """Facts taken for granted because the technique is taken to be on."""
    hops: tuple[Hop, ...]
    does_not_apply: tuple[Hop, ...]
    """Hops whose condition is FALSE for the deployment; nothing behind them was followed."""
    ambiguous: tuple[Ambiguity, ...]
    loops: tuple[FeedbackLoop, ...]
    eased_by: tuple[RelationOf, ...]
    """What other techniques do to mitigate the cost of this one."""
    truncated: bool
    """True when there was more than terms/limits.py allows in one answer; the deepest hops are missing then."""

    def path(self, index: int) -> tuple[Hop, ...]:
        """The hops that lead to a hop and the hop itself, first one first."""
        return tuple(self.hops[at] for at in path_to(self.hops, index))


def path_to(hops: tuple[Hop, ...] | list[Hop], index: int) -> tuple[int, ...]:
    """The indexes of the hops that lead to a hop and its own, first one first."""
    path: list[int] = []
    at: int | None = index
    while at is not None:
        path.append(at)
        at = hops[at].after
    return tuple(reversed(path))
