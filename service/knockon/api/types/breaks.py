"""The answer of `breaks`: what follows from turning a technique on, hop by hop."""

from typing import Any

import strawberry

from knockon.api.context import Info, count_link, knowledge_of
from knockon.api.shape import Resolver, field, nonempty, pairs, shows
from knockon.api.types.kinds import LoopKind
from knockon.api.types.quantity import Influence, Quantity
from knockon.api.types.revision import REVISION, Revision, revision_of
from knockon.api.types.rule import CoupleRule
from knockon.api.types.source import SOURCES, STALE, STALE_FROM, Source, is_stale, sources_of, stale_from
from knockon.api.types.technique import INFERRED, RelationOf, Size, Technique, quantity_of, technique_named
from knockon.api.types.words import Assigned, Setting, Text
from knockon.catalog import feedback, hop
from knockon.catalog.hop import EndKind, HopKind
from knockon.terms.truth import Truth
from knockon.terms.words import Change, Effect


def _change(root: hop.End) -> str | None:
    return {1: "up", -1: "down"}.get(root.sign)


def _technique(root: hop.End, info: Info) -> Any:
    return technique_named(info, root.id) if root.kind is EndKind.TECHNIQUE else None


def _quantity(root: hop.End, info: Info) -> Any:
    count_link(info)
    return knowledge_of(info).catalog.quantity(root.id) if root.kind is EndKind.QUANTITY else None


def _rule(root: hop.End, info: Info) -> Any:
    return knowledge_of(info).rulebook.rule(root.id) if root.kind is EndKind.RULE else None


@shows(hop.End)
class End:
    """One end of a hop."""

    kind: EndKind = field("What stands there.")
    id: strawberry.ID = field("Its id.")
    change: Change | None = field("Which way the quantity moves; null for everything else.", resolver=_change)
    technique: Technique | None = field("The technique; null unless it is one.", resolver=_technique)
    quantity: Quantity | None = field("The quantity; null unless it is one.", resolver=_quantity)
    rule: CoupleRule | None = field("The rule; null unless it is one.", resolver=_rule)


@shows(hop.Hop)
class Hop:
    """One step away from the technique that was asked about."""

    kind: HopKind = field("How one end reaches the other.")
    source: End = field("Where it starts.")
    target: End = field("Where it leads.")
    depth: int = field("1 for what the technique does itself.")
    truth: Truth = field("Of this hop's own condition; UNKNOWN where too little of the deployment is known.")
    along: Truth = field("Of this hop and all before it.")
    after: int | None = field("Index in `hops` of the hop before it on the shortest path; null at depth 1.")
    when: str | None = field("The condition; null when it always holds.", resolver=nonempty("when_text"))
    says: Text = field("The hop in words.")
    onto: str | None = field(
        "The dimension or burden the effect lands on; null where the target is no quantity.", resolver=nonempty("onto")
    )
    effect: Effect | None = field("Gain or cost; null unless the hop is a shift.")
    size: Size | None = field("How much; null where no source says.")
    worsens: bool | None = field(
        "Whether the quantity moves the way an operator does not want; null where the target is no quantity."
    )
    inferred: bool = field(INFERRED)
    stale: bool = field(STALE, resolver=is_stale)
    stale_from: str = field(STALE_FROM, resolver=stale_from)
    sources: list[Source] = field(SOURCES, resolver=sources_of)


@shows(hop.Ambiguity)
class Ambiguity:
    """A quantity that is pushed both ways; which push is stronger is not known."""

    quantity: Quantity = field("The quantity.", resolver=quantity_of)
    rising: list[int] = field("Indexes in `hops` of the path that makes it rise.")
    falling: list[int] = field("Indexes in `hops` of the path that makes it fall.")
    inherited: bool = field("True when both paths only carry on the ambiguity of the quantity before.")


def _loop(attribute: str) -> Resolver:
    def resolver(root: hop.FeedbackLoop) -> Any:
        return getattr(root.loop, attribute)

    return resolver


def _quantities(root: hop.FeedbackLoop, info: Info) -> Any:
    loop: feedback.Loop = root.loop
    count_link(info, len(loop.quantities))
    return [knowledge_of(info).catalog.quantity(key) for key in loop.quantities]


@shows(hop.FeedbackLoop)
class FeedbackLoop:
    """A loop between quantities that the technique sets going."""

    kind: LoopKind = field("How a rise comes back.", resolver=_loop("kind"))
    quantities: list[Quantity] = field("The quantities, in the order of the loop.", resolver=_quantities)
    influences: list[Influence] = field(
        "`influences[i]` leads from `quantities[i]` to the next one.", resolver=_loop("influences")
    )
    truth: Truth = field("Of all its influences together.")


@shows(hop.Breaks)
class Breaks:
    """What a technique breaks. A deeper question has all hops of a shallower one first."""

    technique: Technique = field("The technique.")
    depth: int = field("How many hops were followed.")
    assumed: list[Setting] = field(
        "Facts taken for granted because the technique is taken to be on.", resolver=pairs("assumed", Assigned)
    )
    hops: list[Hop] = field("The hops, by depth.")
    does_not_apply: list[Hop] = field(
        "Hops whose condition is FALSE for the deployment; nothing behind them was followed."
    )
    ambiguous: list[Ambiguity] = field("Quantities that are pushed both ways.")
    loops: list[FeedbackLoop] = field("Feedback loops that it sets going.")
    eased_by: list[RelationOf] = field("What others do to mitigate its cost.")
    truncated: bool = field("True when there was more than one answer holds; the deepest hops are missing then.")
    revision: Revision = field(REVISION, resolver=revision_of)
