"""Laws of `breaks` over random catalogs."""

from collections.abc import Mapping
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from knockon.catalog.breaks import breaks
from knockon.catalog.catalog import Catalog
from knockon.catalog.hop import Breaks, Hop, HopKind
from knockon.terms.bundle import Entry
from knockon.terms.truth import Truth
from knockon.terms.words import Scalar
from tests.catalog.bundles import catalog_of, cost, gain, need, quantity, relation, technique


def walked(catalog: Catalog, depth: int, facts: Mapping[str, Scalar] | None, name: str) -> Breaks:
    return breaks(catalog, catalog.technique(name), depth=depth, facts=facts)


NAMES = ("q0", "q1", "q2", "q3", "q4")
FACTS = ("f0", "f1")
SOME_FACTS = st.fixed_dictionaries({}, optional={fact: st.integers(0, 3) for fact in FACTS})
CONDITIONS = st.sampled_from(["", "f0 > 1", "f1 > 1", "f0 > f1", "f0 > 1 and f1 > 1", "not f0 > 1 or f1 == 2"])


@st.composite
def catalogs(draw: st.DrawFn) -> list[Entry]:
    def shifts() -> list[dict[str, object]]:
        kinds = st.sampled_from([gain, cost])
        count = draw(st.integers(0, 3))
        return [
            draw(kinds)(draw(st.sampled_from(NAMES)), draw(st.sampled_from(["up", "down"])), when=draw(CONDITIONS))
            for _ in range(count)
        ]

    def pulls() -> dict[str, str]:
        targets = draw(st.lists(st.sampled_from(NAMES), max_size=3, unique=True))
        signs = {on: (draw(st.sampled_from("+-")), draw(CONDITIONS)) for on in targets}
        return {on: f"{sign} when {when}" if when else sign for on, (sign, when) in signs.items()}

    kinds = st.sampled_from(["conflicts", "degrades", "requires", "mitigates"])
    entries = [quantity(name, better=draw(st.sampled_from(["up", "down"])), **pulls()) for name in NAMES]
    for index in range(4):
        related = [relation(draw(kinds), f"t{to}", when=draw(CONDITIONS)) for to in range(4) if to != index]
        needs = [need(draw(st.sampled_from(["f0 > 1", "q1 > f1"])))]
        entries.append(technique(f"t{index}", shifts=shifts(), relations=related, needs=needs, detect="f1 > 1"))
    return entries


def identity(hop: Hop) -> tuple[HopKind, str, int, str, int, str]:
    return (hop.kind, hop.source.id, hop.source.sign, hop.target.id, hop.target.sign, hop.when_text)


@given(
    entries=catalogs(),
    depth=st.integers(1, 7),
    values=st.fixed_dictionaries({}, optional={f: st.integers(0, 3) for f in FACTS}),
)
def test_deeper_answer_starts_with_the_shallower_one(
    entries: list[Entry], depth: int, values: dict[str, Scalar]
) -> None:
    catalog = catalog_of(*entries)

    shallow, deep = walked(catalog, depth, values, "t0"), walked(catalog, depth + 1, values, "t0")

    assert deep.hops[: len(shallow.hops)] == shallow.hops
    assert deep.does_not_apply[: len(shallow.does_not_apply)] == shallow.does_not_apply
    assert set(shallow.loops) <= set(deep.loops)
    assert {one.quantity for one in shallow.ambiguous} <= {one.quantity for one in deep.ambiguous}


@given(
    entries=catalogs(),
    known=SOME_FACTS,
    more=st.fixed_dictionaries({fact: st.integers(0, 3) for fact in FACTS}),
)
def test_more_facts_never_turn_a_true_hop_false(
    entries: list[Entry], known: dict[str, Scalar], more: dict[str, Scalar]
) -> None:
    catalog = catalog_of(*entries)

    before, after = walked(catalog, 6, known, "t0"), walked(catalog, 6, {**more, **known}, "t0")

    true_before = {identity(hop) for hop in before.hops if hop.truth is Truth.TRUE}
    sure_before = {identity(hop) for hop in before.hops if hop.along is Truth.TRUE}
    assert true_before.isdisjoint(identity(hop) for hop in after.does_not_apply)
    assert sure_before <= {identity(hop) for hop in after.hops if hop.along is Truth.TRUE}


@given(entries=catalogs(), depth=st.integers(1, 8))
def test_every_path_leads_from_the_technique_hop_by_hop(entries: list[Entry], depth: int) -> None:
    answer = walked(catalog_of(*entries), depth, None, "t0")

    for index in range(len(answer.hops)):
        path = answer.path(index)
        assert [hop.depth for hop in path] == list(range(1, len(path) + 1))
        assert path[0].source.id == "t0"
        assert all(before.target == after.source for before, after in pairwise(path))
