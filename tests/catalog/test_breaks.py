from collections.abc import Mapping

import pytest

from knockon.catalog.breaks import breaks, facts_of_use
from knockon.catalog.catalog import Catalog
from knockon.catalog.hop import Breaks, Hop, HopKind
from knockon.rules.rule import CoupleRule
from knockon.terms.errors import IntakeError, LimitExceeded
from knockon.terms.limits import BREAKS_HOPS_MAX
from knockon.terms.truth import Truth
from knockon.terms.words import CheckVerdict, RuleId, Scalar, TechniqueId, Text
from tests.catalog.bundles import catalog_of, cost, gain, need, quantity, relation, technique

ARROWS = {1: "+", -1: "-", 0: ""}


def walked(catalog: Catalog, depth: int, facts: Mapping[str, Scalar] | None = None, name: str = "a") -> Breaks:
    return breaks(catalog, catalog.technique(name), depth=depth, facts=facts)


def line(hop: Hop) -> str:
    source = f"{hop.source.id}{ARROWS[hop.source.sign]}"
    return f"{hop.depth} {hop.kind.value} {source} > {hop.target.id}{ARROWS[hop.target.sign]} {hop.truth.name}"


def lines(answer: Breaks) -> list[str]:
    return [line(hop) for hop in answer.hops]


def rule(key: str, when: str, *because: str) -> CoupleRule:
    return CoupleRule(
        id=RuleId(key),
        name=Text(key, key),
        verdict=CheckVerdict.DEGRADED,
        when_text=when,
        says=Text("{x}", "{x}"),
        because=tuple(TechniqueId(one) for one in because),
        derive=(),
        shifts=(),
        fixes=(),
        cite=(),
        examples=(),
    )


def test_shift_goes_over_quantities_to_the_technique_whose_gain_it_eats() -> None:
    catalog = catalog_of(
        technique("a", shifts=[cost("tokens", "down")]),
        technique("b", shifts=[gain("concurrency", "up")]),
        technique("same-way", shifts=[gain("concurrency", "down")]),
        technique("pays-there", shifts=[cost("concurrency", "down")]),
        quantity("tokens", concurrency="+"),
        quantity("concurrency"),
    )

    answer = walked(catalog, 3)

    assert lines(answer) == [
        "1 shift a > tokens- TRUE",
        "2 influence tokens- > concurrency- TRUE",
        "3 eats concurrency- > b TRUE",
    ]
    assert [hop.worsens for hop in answer.hops] == [True, True, None]
    assert [hop.onto for hop in answer.hops] == ["storage", "storage", ""]
    assert [hop.id for hop in (answer.hops[2].source, answer.hops[2].target)] == ["concurrency", "b"]
    assert answer.path(2) == answer.hops


@pytest.mark.parametrize(("depth", "count"), [(1, 1), (2, 2), (3, 3), (8, 3)])
def test_depth_says_how_many_hops_to_go(depth: int, count: int) -> None:
    catalog = catalog_of(
        technique("a", shifts=[cost("x", "up")]), quantity("x", y="+"), quantity("y", z="-"), quantity("z")
    )

    assert len(walked(catalog, depth).hops) == count


def test_hop_keeps_condition_size_and_sources() -> None:
    size = {"text": {"en": "half", "zh": "一半"}, "factor": 0.5}
    catalog = catalog_of(
        technique("a", shifts=[cost("x", "down", when="tp > heads", size=size, inferred=True)]), quantity("x")
    )

    (hop,) = walked(catalog, 1).hops

    assert (hop.when_text, hop.truth, hop.along, hop.inferred) == ("tp > heads", Truth.UNKNOWN, Truth.UNKNOWN, True)
    assert hop.size is not None
    assert (hop.size.text.en, hop.size.factor) == ("half", 0.5)
    assert [source.title for source in catalog.sources(hop.cite)] == ["The book"]


def test_false_hop_does_not_apply_and_is_not_followed() -> None:
    catalog = catalog_of(
        technique("a", shifts=[cost("x", "up", when="tp > heads"), cost("y", "up")]),
        quantity("x", z="+"),
        quantity("y", z="- when tp > 99"),
        quantity("z"),
    )

    answer = walked(catalog, 3, {"tp": 4, "heads": 8})

    assert lines(answer) == ["1 shift a > y+ TRUE"]
    assert [line(hop) for hop in answer.does_not_apply] == ["1 shift a > x+ FALSE", "2 influence y+ > z- FALSE"]


def test_unknown_stays_unknown_along_the_whole_path() -> None:
    catalog = catalog_of(technique("a", shifts=[cost("x", "up", when="tp > 1")]), quantity("x", y="+"), quantity("y"))

    first, second = walked(catalog, 2).hops

    assert (first.truth, first.along) == (Truth.UNKNOWN, Truth.UNKNOWN)
    assert (second.truth, second.along) == (Truth.TRUE, Truth.UNKNOWN)


def test_sure_way_is_preferred_to_an_unknown_one_of_the_same_length() -> None:
    catalog = catalog_of(
        technique("a", shifts=[cost("x", "up", when="tp > 1"), cost("y", "up")]),
        quantity("x", z="+"),
        quantity("y", z="+"),
        quantity("z", end="+"),
        quantity("end"),
    )

    answer = walked(catalog, 3)

    assert lines(answer)[2:] == [
        "2 influence y+ > z+ TRUE",
        "2 influence x+ > z+ TRUE",
        "3 influence z+ > end+ TRUE",
    ]
    assert (answer.hops[-1].after, answer.hops[-1].along) == (2, Truth.TRUE)


def test_opposite_signs_are_ambiguous_with_both_paths() -> None:
    catalog = catalog_of(
        technique("a", shifts=[gain("x", "up"), cost("y", "up")]),
        quantity("x", z="+"),
        quantity("y", z="-"),
        quantity("z", end="+"),
        quantity("end"),
    )

    answer = walked(catalog, 3)

    assert [(one.quantity, one.rising, one.falling, one.inherited) for one in answer.ambiguous] == [
        ("z", (0, 2), (1, 3), False),
        ("end", (0, 2, 4), (1, 3, 5), True),
    ]


@pytest.mark.parametrize(("back", "kind"), [("+", "damping"), ("-", "reinforcing")])
def test_cycle_is_a_feedback_loop_with_its_sign(back: str, kind: str) -> None:
    catalog = catalog_of(
        technique("a", shifts=[cost("x", "up")]), quantity("x", y="-"), quantity("y", x=f"{back} when tp > 1")
    )

    (loop,) = walked(catalog, 5).loops

    assert (loop.loop.quantities, loop.loop.kind, loop.truth) == (("x", "y"), kind, Truth.UNKNOWN)


def test_influence_of_another_stage_is_not_followed() -> None:
    catalog = catalog_of(
        technique("a", shifts=[cost("x", "up")]),
        quantity("x", served="+ in inference", trained="+ in training", both="-"),
        *(quantity(key) for key in ("served", "trained", "both")),
    )

    assert [hop.target.id for hop in walked(catalog, 2).hops] == ["x", "served", "both"]


def test_technique_of_two_stages_is_followed_in_both() -> None:
    cells = [("training", "L4", "storage"), ("inference", "L4", "storage")]
    catalog = catalog_of(
        technique("a", cells=cells, shifts=[cost("x", "up")]),
        quantity("x", served="+ in inference", trained="+ in training"),
        *(quantity(key) for key in ("served", "trained")),
    )

    assert [hop.target.id for hop in walked(catalog, 2).hops] == ["x", "served", "trained"]


@pytest.mark.parametrize(("of", "eaten"), [("quality", ["served"]), ("money", []), ("storage", [])])
def test_burden_that_is_carried_eats_gains_of_another_stage(of: str, eaten: list[str]) -> None:
    catalog = catalog_of(
        technique("a", cells=[("training", "L4", "storage")], shifts=[cost("x", "down", onto=of)]),
        technique("served", shifts=[gain("x", "up", onto=of)]),
        quantity("x", of=of),
    )

    assert [hop.target.id for hop in walked(catalog, 2).hops if hop.kind is HopKind.EATS] == eaten


def test_loop_that_does_not_apply_or_is_not_reached_is_left_out() -> None:
    catalog = catalog_of(
        technique("a", shifts=[cost("x", "up")]), quantity("x", y="-"), quantity("y", x="+ when tp > 1")
    )

    assert walked(catalog, 5, {"tp": 1}).loops == ()
    assert walked(catalog, 2).loops == ()


def test_need_on_a_quantity_is_endangered_only_by_the_wrong_direction() -> None:
    catalog = catalog_of(
        technique("a", shifts=[cost("tokens", "down")]),
        technique("down-hurts", needs=[need("tokens >= max_len")]),
        technique("down-helps", needs=[need("tokens < max_len")]),
        quantity("tokens"),
    )

    assert lines(walked(catalog, 2))[1:] == ["2 violates tokens- > down-hurts UNKNOWN"]
    assert lines(walked(catalog, 2, {"tokens": 5, "max_len": 9}))[1:] == ["2 violates tokens- > down-hurts TRUE"]
    assert lines(walked(catalog, 2, {"tokens": 9, "max_len": 5}))[1:] == ["2 violates tokens- > down-hurts UNKNOWN"]


def test_need_on_a_fact_that_turns_the_technique_on_is_judged() -> None:
    catalog = catalog_of(
        technique("a", detect="enforce_eager"),
        technique("graphs", needs=[need("not enforce_eager")]),
        technique("fine", needs=[need("enforce_eager")]),
    )

    answer = walked(catalog, 1, {"enforce_eager": False})

    assert answer.assumed == {"enforce_eager": True}
    assert lines(answer) == ["1 violates a > graphs TRUE"]
    assert [line(hop) for hop in answer.does_not_apply] == ["1 violates a > fine FALSE"]


def test_fact_that_only_names_the_engine_connects_nothing() -> None:
    catalog = catalog_of(
        technique("a", detect='engine == "vllm" and tp > 1'), technique("b", needs=[need('engine == "vllm"')])
    )

    assert walked(catalog, 1).hops == ()


def test_knob_that_helps_a_need_does_not_violate_it() -> None:
    catalog = catalog_of(technique("a", detect="tp > 1"), technique("b", needs=[need("tp > heads")]))

    assert walked(catalog, 1).hops == ()


@pytest.mark.parametrize(
    ("detect", "facts"),
    [
        ('kind == "mla" and enforce_eager and tp > 1', {"kind": "mla", "enforce_eager": True}),
        ("size == 2 or other", {}),
        ("not eager", {"eager": False}),
        ("", {}),
    ],
)
def test_equalities_of_detect_hold_where_the_technique_is_used(detect: str, facts: dict[str, Scalar]) -> None:
    catalog = catalog_of(technique("a", detect=detect) if detect else technique("a"))

    assert facts_of_use(catalog.technique("a")) == facts


def test_relations_conflict_both_ways_and_lose_what_depended() -> None:
    catalog = catalog_of(
        technique("a", relations=[relation("conflicts", "b", when="tp > 1"), relation("degrades", "c")]),
        technique("b", relations=[relation("mitigates", "ill")]),
        technique("c"),
        technique("ill"),
        technique("needs-b", relations=[relation("requires", "b")]),
        technique("z", relations=[relation("conflicts", "a")]),
        technique("asked", relations=[relation("requires", "a"), relation("degrades", "a")]),
    )

    assert lines(walked(catalog, 2)) == [
        "1 conflicts a > b UNKNOWN",
        "1 degrades a > c TRUE",
        "1 conflicts a > z TRUE",
        "2 strands b > needs-b TRUE",
        "2 unrelieves b > ill TRUE",
    ]


def test_what_mitigates_the_technique_eases_it_and_is_not_eaten() -> None:
    catalog = catalog_of(
        technique("a", shifts=[cost("tokens", "down")]),
        technique("cure", shifts=[gain("tokens", "up")], relations=[relation("mitigates", "a", when="tp > 1")]),
        quantity("tokens"),
    )

    eased, not_eased = walked(catalog, 2), walked(catalog, 2, {"tp": 1})

    assert [held.technique for held in eased.eased_by] == ["cure"]
    assert lines(eased) == ["1 shift a > tokens- TRUE"]
    assert not_eased.eased_by == ()
    assert lines(not_eased)[1:] == ["2 eats tokens- > cure TRUE"]


def test_rules_about_the_technique_or_its_knob_or_a_moved_quantity_come_nearer() -> None:
    catalog = catalog_of(technique("a", detect="tp > 1", shifts=[cost("tokens", "down")]), quantity("tokens"))
    rules = [
        rule("K001", "heads > 99", "a"),
        rule("K002", "tp > heads"),
        rule("K003", "tp < heads"),
        rule("K004", "tokens < 10"),
        rule("K005", "tokens > 10"),
        rule("K006", "other > 1"),
    ]

    answer = breaks(catalog, catalog.technique("a"), depth=2, facts={"heads": 4, "tp": 8}, rules=rules)

    assert lines(answer) == [
        "1 shift a > tokens- TRUE",
        "1 fires a > K002 TRUE",
        "2 fires tokens- > K004 UNKNOWN",
    ]
    assert [line(hop) for hop in answer.does_not_apply] == ["1 fires a > K001 FALSE"]


@pytest.mark.parametrize("depth", [0, -1])
def test_depth_under_one_is_refused(depth: int) -> None:
    with pytest.raises(IntakeError, match=f"a depth of {depth} follows nothing; expected a depth of 1 or more"):
        walked(catalog_of(technique("a")), depth)


def test_depth_over_the_limit_is_refused() -> None:
    with pytest.raises(LimitExceeded, match="depth is over the limit of 8, found 9; ask for fewer hops"):
        walked(catalog_of(technique("a")), 9)


def dense(count: int) -> Catalog:
    """Every quantity pulls every other; 600 techniques, each with a gain, a cost and a need."""
    names = [f"q{index}" for index in range(count)]
    techniques = [
        technique(
            f"t{index}",
            shifts=[
                gain(names[index % count], "up"),
                cost(names[(index * 7 + 1) % count], "down", when=f"f{index} > 1"),
            ],
            needs=[need(f"f{index} > 1")],
            detect=f"f{index} > 1",
        )
        for index in range(600)
    ]
    quantities = [
        quantity(name, **{other: "+-"[(at + to) % 2] for to, other in enumerate(names) if other != name})
        for at, name in enumerate(names)
    ]
    return catalog_of(*techniques, *quantities)


def test_dense_catalog_is_cut_off_at_the_limit_and_says_so() -> None:
    answer = breaks(dense(60), dense(60).technique("t1"), depth=8)

    assert answer.truncated
    assert len(answer.hops) + len(answer.does_not_apply) == BREAKS_HOPS_MAX
