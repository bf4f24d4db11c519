"""The walk behind `breaks`: from a technique, breadth first, to what its effects reach.

States are quantities with a direction, and techniques put out of use. Each state is left once, by the shortest way to
it, so the work is bounded by the number of edges however dense the catalog is. Ways that are sure go first.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from knockon.backends.python.walk import judge_one
from knockon.catalog.catalog import Catalog
from knockon.catalog.hop import Claim, Coupling, End, EndKind, Hop, HopKind
from knockon.catalog.indexes import RelationOf
from knockon.catalog.polarity import leanings
from knockon.catalog.quantity import Quantity
from knockon.catalog.technique import Technique
from knockon.catalog.watched import watched
from knockon.expr.condition import CONDITIONS_KEPT, condition, names_of
from knockon.expr.vocabulary import Vocabulary
from knockon.terms.citation import Cite
from knockon.terms.limits import BREAKS_HOPS_MAX
from knockon.terms.truth import Truth
from knockon.terms.words import Change, QuantityId, Scalar, TechniqueId, Text

# Facts that name the surroundings of a technique; sharing one of them connects nothing.
_SURROUNDINGS = frozenset(("engine", "engine_version"))
_DIRECTIONS: Mapping[Change, int] = {Change.UP: 1, Change.DOWN: -1}
# Relations by which a technique takes something away from the one it names, or asks something of it.
_STATED: Mapping[str, HopKind] = {
    "conflicts": HopKind.CONFLICTS,
    "degrades": HopKind.DEGRADES,
    "requires": HopKind.REQUIRES,
}
# Who states one of these of a technique loses nothing by its costs: it eases them, or is not there without it.
_RESTING = frozenset(("mitigates", "requires"))
# A technique reached by one of these can no longer be counted on.
_LOSING = frozenset((HopKind.CONFLICTS, HopKind.VIOLATES))


class Walk:
    """One walk; made, run and read within one call of `breaks`."""

    def __init__(
        self,
        catalog: Catalog,
        values: Mapping[str, Scalar],
        rules: Sequence[Coupling],
        vocabulary: Vocabulary | None,
    ) -> None:
        """Start with nothing reached; `values` are the facts every condition is judged on."""
        self.hops: list[Hop] = []
        self.refused: list[Hop] = []
        """Hops whose condition is FALSE."""
        self.truncated = False
        self.reached: dict[End, int] = {}
        """The hop by which each state was first reached, sure ways before others of the same length."""
        self.easing: tuple[RelationOf, ...] = ()
        """Relations by which other techniques mitigate the cost of the one that is turned on."""
        self.followed: dict[int, Truth] = {}
        """Truth of each influence that was followed, by the identity of its value."""
        self._catalog = catalog
        self._values = values
        self._watched = watched(rules)
        self._vocabulary = vocabulary
        self._truths: dict[str, Truth] = {"": Truth.TRUE}
        self._frontier: list[End] = []
        self._stages: frozenset[str] = frozenset()
        self._resting: frozenset[TechniqueId] = frozenset()
        # The hop that first reached the state which is left now, and the truth of the way to it.
        self._after: int | None = None
        self._along = Truth.TRUE

    def run(self, technique: Technique, *, depth: int) -> None:
        """Walk `depth` hops from a technique that is turned on."""
        self.easing = tuple(
            held
            for held in self._catalog.indexes.relations_to.get(technique.id, ())
            if held.relation.kind == "mitigates" and self.judged(held.relation.when_text) is not Truth.FALSE
        )
        self._resting = frozenset(
            held.technique
            for held in self._catalog.indexes.relations_to.get(technique.id, ())
            if held.relation.kind in _RESTING and self.judged(held.relation.when_text) is not Truth.FALSE
        )
        self._stages = technique.stages
        self._take(self._from_start(technique))
        for at_depth in range(2, depth + 1):
            self._take(self._from_frontier(at_depth))

    def judged(self, text: str) -> Truth:
        """The truth of a condition for the deployment."""
        truth = self._truths.get(text)
        if truth is None:
            # Most conditions name nothing that is known here: then they say what they say of no deployment at all.
            untouched = names_of(text).isdisjoint(self._values)
            truth = (
                _blank_truth(text)
                if untouched
                else judge_one(condition(text), self._values, vocabulary=self._vocabulary)
            )
            self._truths[text] = truth
        return truth

    def _take(self, found: Iterable[Hop]) -> None:
        """Take in the hops of one depth; what they are the first to reach is where the next depth starts."""
        start = len(self.hops)
        for hop in found:
            if len(self.hops) + len(self.refused) == BREAKS_HOPS_MAX:
                self.truncated = True
                break
            (self.refused if hop.truth is Truth.FALSE else self.hops).append(hop)
        self._frontier = []
        for index in sorted(range(start, len(self.hops)), key=lambda at: self.hops[at].along is not Truth.TRUE):
            hop = self.hops[index]
            if hop.target not in self.reached and (hop.target.kind is EndKind.QUANTITY or hop.kind in _LOSING):
                self.reached[hop.target] = index
                self._frontier.append(hop.target)

    def _from_start(self, technique: Technique) -> Iterator[Hop]:
        origin = End(EndKind.TECHNIQUE, technique.id)
        for shift in technique.shifts:
            yield self._hop(HopKind.SHIFT, origin, _moved(shift.quantity, _DIRECTIONS[shift.change]), shift, 1)
        for relation in technique.relations:
            if relation.kind in _STATED:
                yield self._hop(_STATED[relation.kind], origin, _technique(relation.to), relation, 1)
        named = {relation.to for relation in technique.relations if relation.kind == "conflicts"}
        for held in self._catalog.indexes.relations_to.get(technique.id, ()):
            # A conflict holds both ways, whichever side states it.
            if held.relation.kind == "conflicts" and held.technique not in named:
                yield self._hop(HopKind.CONFLICTS, origin, _technique(held.technique), held.relation, 1)
        yield from self._turned(technique, origin)

    def _turned(self, technique: Technique, origin: End) -> Iterator[Hop]:
        """Needs and rules that look at the very facts by which the technique is turned on."""
        knobs = self._knobs(technique)
        for needing in self._catalog.needs_naming(knobs):
            text = needing.need.when_text
            if needing.technique != technique.id and _leans(text, knobs, towards=-1):
                target = _technique(needing.technique)
                yield self._hop(HopKind.VIOLATES, origin, target, needing.need, 1, truth=~self.judged(text))
        for rule in self._watched.about(technique.id, knobs):
            if technique.id in rule.because or _leans(rule.when_text, knobs, towards=1):
                yield self._rule(rule, origin, 1, truth=self.judged(rule.when_text))

    def _knobs(self, technique: Technique) -> Mapping[str, frozenset[int]]:
        """The facts that turn a technique on, each with the directions in which it does."""
        names = names_of(technique.detect_text) - _SURROUNDINGS
        return {name: _leanings(technique.detect_text, name) for name in names}

    def _from_frontier(self, depth: int) -> Iterator[Hop]:
        for end in self._frontier:
            self._after = self.reached[end]
            self._along = self.hops[self._after].along
            yield from self._from_state(end, depth)

    def _from_state(self, end: End, depth: int) -> Iterator[Hop]:
        if end.kind is EndKind.QUANTITY:
            yield from self._from_quantity(end, depth)
        else:
            yield from self._from_lost(end, depth)

    def _from_quantity(self, end: End, depth: int) -> Iterator[Hop]:
        quantity = self._catalog.quantities.get(QuantityId(end.id))
        for influence in quantity.influences if quantity else ():
            if not influence.holds_in(self._stages):
                # What a serving engine does to activations sets no batch of training.
                continue
            hop = self._hop(HopKind.INFLUENCE, end, _moved(influence.on, end.sign * influence.sign), influence, depth)
            if hop.truth is not Truth.FALSE:
                self.followed[id(influence)] = hop.truth
            yield hop
        yield from self._eaten(end, quantity, depth)
        for needing in self._catalog.needs_naming((end.id,)):
            leans = _leans(needing.need.when_text, {end.id: frozenset((end.sign,))}, towards=-1)
            if leans and self._meets(self._catalog.techniques[needing.technique].stages):
                truth = self._pushed(needing.need.when_text, towards=Truth.FALSE)
                yield self._hop(HopKind.VIOLATES, end, _technique(needing.technique), needing.need, depth, truth=truth)
        for rule in self._watched.naming(end.id):
            if _leans(rule.when_text, {end.id: frozenset((end.sign,))}, towards=1):
                yield self._rule(rule, end, depth, truth=self._pushed(rule.when_text, towards=Truth.TRUE))

    def _eaten(self, end: End, quantity: Quantity | None, depth: int) -> Iterator[Hop]:
        """The techniques whose gain it is that the quantity goes the other way."""
        burden = self._catalog.axes.burdens.get(quantity.of) if quantity is not None else None
        is_carried = burden is not None and burden.is_carried
        for held in self._catalog.indexes.gains_lost_by.get((QuantityId(end.id), end.sign), ()):
            # What is there to cure the technique's cost, or is not there without it, loses nothing by that cost.
            if held.technique not in self._resting and (is_carried or self._meets(held.stages)):
                yield self._hop(HopKind.EATS, end, _technique(held.technique), held.shift, depth)

    def _meets(self, stages: frozenset[str]) -> bool:
        """Whether one is of the technique that is followed: what is of none takes place in another system."""
        return not self._stages or not self._stages.isdisjoint(stages)

    def _from_lost(self, end: End, depth: int) -> Iterator[Hop]:
        """What a technique that can no longer be counted on leaves behind."""
        lost = self._catalog.techniques.get(TechniqueId(end.id))
        for held in self._catalog.indexes.relations_to.get(TechniqueId(end.id), ()):
            if held.relation.kind == "requires":
                yield self._hop(HopKind.STRANDS, end, _technique(held.technique), held.relation, depth)
        for relation in lost.relations if lost else ():
            if relation.kind == "mitigates":
                yield self._hop(HopKind.UNRELIEVES, end, _technique(relation.to), relation, depth)

    def _pushed(self, text: str, *, towards: Truth) -> Truth:
        """TRUE when a condition stands already where it is pushed to; else how far it is from there is not known."""
        return Truth.TRUE if self.judged(text) is towards else Truth.UNKNOWN

    def _rule(self, rule: Coupling, source: End, depth: int, *, truth: Truth) -> Hop:
        return self._hop(HopKind.FIRES, source, End(EndKind.RULE, rule.id), _Said.by(rule), depth, truth=truth)

    def _hop(
        self, kind: HopKind, source: End, target: End, claim: Claim, depth: int, *, truth: Truth | None = None
    ) -> Hop:
        own = self.judged(claim.when_text) if truth is None else truth
        quantity = self._catalog.quantities.get(QuantityId(target.id)) if target.sign else None
        along = _both(own, self._along)
        if quantity is None:
            return Hop(kind, source, target, depth, own, along, self._after, claim)
        worsens = (target.sign > 0) != (quantity.better == "up")
        return Hop(kind, source, target, depth, own, along, self._after, claim, quantity.of, worsens)


@dataclass(frozen=True, slots=True)
class _Said:
    """A couple rule as a claim: a rule's own sentence has fields to fill, its name has none."""

    when_text: str
    says: Text
    cite: tuple[Cite, ...]
    inferred: bool = False

    @staticmethod
    def by(rule: Coupling) -> "_Said":
        return _Said(rule.when_text, rule.name, rule.cite)


def _both(one: Truth, other: Truth) -> Truth:
    """Kleene's `and` of two, asked once a hop: half of the walk's time if it went over a set."""
    if one is Truth.TRUE:
        return other
    return one if one is Truth.FALSE or other is Truth.TRUE else other


# Ends are the same in every walk, and made by the thousand in each.
@lru_cache(maxsize=CONDITIONS_KEPT)
def _moved(quantity: QuantityId, sign: int) -> End:
    return End(EndKind.QUANTITY, quantity, sign)


@lru_cache(maxsize=CONDITIONS_KEPT)
def _technique(key: TechniqueId) -> End:
    return End(EndKind.TECHNIQUE, key)


def _leans(text: str, moves: Mapping[str, frozenset[int]], *, towards: int) -> bool:
    """Whether a condition can be pushed towards TRUE (+1) or FALSE (-1) by names that move in the given directions."""
    return any(
        towards * direction in _leanings(text, name)
        for name in moves.keys() & names_of(text)
        for direction in moves[name]
    )


@lru_cache(maxsize=CONDITIONS_KEPT)
def _leanings(text: str, name: str) -> frozenset[int]:
    return leanings(condition(text), name)


@lru_cache(maxsize=CONDITIONS_KEPT)
def _blank_truth(text: str) -> Truth:
    """The truth of a condition none of whose names is known; types decide nothing then, so no vocabulary is needed."""
    return judge_one(condition(text), {})
