"""What does it break? The walk's hops, with what is pushed both ways and what comes back to itself."""

from collections.abc import Iterator, Mapping, Sequence

from knockon.catalog.catalog import Catalog
from knockon.catalog.hop import Ambiguity, Breaks, Coupling, End, EndKind, FeedbackLoop, path_to
from knockon.catalog.technique import Technique
from knockon.catalog.walk import Walk
from knockon.expr.condition import condition
from knockon.expr.nodes import And, Bool, Compare, Name, Node, Number, Text
from knockon.expr.vocabulary import Vocabulary
from knockon.terms.errors import IntakeError, LimitExceeded, Problem
from knockon.terms.limits import BREAKS_DEPTH_MAX
from knockon.terms.truth import Truth, all_of
from knockon.terms.words import QuantityId, Scalar


def breaks(
    catalog: Catalog,
    technique: Technique,
    *,
    depth: int,
    facts: Mapping[str, Scalar] | None = None,
    rules: Sequence[Coupling] = (),
    vocabulary: Vocabulary | None = None,
) -> Breaks:
    """Follow the effects of turning a technique on.

    Args:
        catalog: Where to look.
        technique: The one that is turned on; what its `detect` fixes by equality is taken as a fact.
        depth: How many hops to go, 1 to `BREAKS_DEPTH_MAX`.
        facts: Of the deployment; None when none is meant, then conditions that name a fact stay UNKNOWN.
        rules: Couple rules to watch.
        vocabulary: Types of the facts; without it versions are compared as texts.

    Raises:
        IntakeError: `depth` is under 1.
        LimitExceeded: `depth` is over the limit.
    """
    if depth < 1:
        raise IntakeError(Problem("depth-too-small", f"a depth of {depth} follows nothing", "a depth of 1 or more"))
    if depth > BREAKS_DEPTH_MAX:
        raise LimitExceeded("depth", limit=BREAKS_DEPTH_MAX, found=depth, fix="ask for fewer hops")
    assumed = facts_of_use(technique)
    walk = Walk(catalog, {**(facts or {}), **assumed}, rules, vocabulary)
    walk.run(technique, depth=depth)
    return Breaks(
        technique=technique,
        depth=depth,
        assumed=assumed,
        hops=tuple(walk.hops),
        does_not_apply=tuple(walk.refused),
        ambiguous=tuple(_ambiguities(walk)),
        loops=tuple(_loops(catalog, walk)),
        eased_by=walk.easing,
        truncated=walk.truncated,
    )


def facts_of_use(technique: Technique) -> dict[str, Scalar]:
    """The facts that hold wherever the technique is used: what its `detect` states by name or by equality, and-ed."""
    return dict(_stated(condition(technique.detect_text))) if technique.detect_text else {}


def _stated(node: Node) -> Iterator[tuple[str, Scalar]]:
    match node:
        case And(items=items):
            for item in items:
                yield from _stated(item)
        case Name(id=name):
            yield name, True
        case Compare(
            operator="==", left=Name(id=name), right=Number(value=value) | Text(value=value) | Bool(value=value)
        ):
            yield name, value
        case _:
            return


def _ambiguities(walk: Walk) -> Iterator[Ambiguity]:
    """Quantities reached in both directions, in the order in which the second direction was reached."""
    for end, index in sorted(walk.reached.items(), key=lambda item: item[1]):
        opposite = walk.reached.get(End(end.kind, end.id, -end.sign))
        if end.kind is not EndKind.QUANTITY or opposite is None or opposite > index:
            continue
        paths = {end.sign: path_to(walk.hops, index), -end.sign: path_to(walk.hops, opposite)}
        before = [walk.hops[path[-1]].source for path in paths.values()]
        # One quantity, moving both ways, at the last step of both paths: the doubt is older than this quantity.
        inherited = before[0].kind is EndKind.QUANTITY and before[0].id == before[1].id and before[0] != before[1]
        yield Ambiguity(QuantityId(end.id), paths[1], paths[-1], inherited)


def _loops(catalog: Catalog, walk: Walk) -> Iterator[FeedbackLoop]:
    """The loops all of whose influences were followed."""
    if not walk.followed:
        return
    for loop in catalog.loops:
        truths = [walk.followed.get(id(influence), Truth.FALSE) for influence in loop.influences]
        if Truth.FALSE not in truths:
            yield FeedbackLoop(loop, all_of(truths))
