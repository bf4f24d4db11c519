import pytest

from knockon.catalog.cell import Cell
from knockon.catalog.grid import CellState
from knockon.catalog.place import Beside, Standing, covering_pair, place
from knockon.terms.errors import IntakeError, NotFound
from tests.catalog.bundles import catalog_of, cell_note, cost, gain, quantity, relation, technique

STORAGE, NETWORK, COMPUTE = (Cell("inference", "L5", dimension) for dimension in ("storage", "network", "compute"))


def at(cell: Cell) -> tuple[str, str, str]:
    return (cell.stage, cell.layer, cell.dimension)


CATALOG = catalog_of(
    quantity("tokens"),
    technique("dcp", cells=[at(STORAGE), at(NETWORK)], mechanism="shard-kv", shifts=[gain("tokens", "up")]),
    technique("kv-fp8", cells=[at(STORAGE)], mechanism="fewer-bits", shifts=[gain("bytes", "down")]),
    technique("overlap", cells=[at(NETWORK)], mechanism="overlap", shifts=[cost("sms", "up", onto="compute")]),
    technique("guest", cells=[("inference", "L4", "storage"), at(STORAGE)], mechanism="other"),
    cell_note(("*", "L1", "network"), "known_empty"),
    cell_note(("*", "L7", "*"), "impossible"),
)


def test_same_mechanism_in_the_same_cell_is_a_replacement() -> None:
    answer = place(CATALOG, STORAGE, mechanism="fewer-bits")

    assert (answer.standing, answer.to, answer.rule) == (
        Standing.REPLACEMENT,
        ("kv-fp8",),
        "same-cell-same-mechanism",
    )
    assert [(one.technique.id, one.standing.value, one.is_home) for one in answer.residents] == [
        ("kv-fp8", "replacement", True),
        ("dcp", "alternative", True),
        ("guest", "alternative", False),
    ]


def test_other_mechanism_in_the_same_cell_is_an_alternative() -> None:
    answer = place(CATALOG, STORAGE, mechanism="evict-tokens")

    assert (answer.standing, answer.to, answer.rule) == (
        Standing.ALTERNATIVE,
        ("dcp", "guest", "kv-fp8"),
        "same-cell-other-mechanism",
    )


def test_occupied_cell_without_a_mechanism_is_undecided() -> None:
    answer = place(CATALOG, STORAGE)

    assert (answer.standing, answer.rule) == (Standing.UNDECIDED, "mechanism-not-said")
    assert {one.standing for one in answer.residents} == {Standing.UNDECIDED}


def test_two_known_mechanisms_make_a_combination() -> None:
    answer = place(CATALOG, STORAGE, mechanism="shard-kv + fewer-bits")

    assert (answer.standing, answer.to, answer.rule) == (
        Standing.COMBINATION,
        ("dcp", "kv-fp8"),
        "mechanism-of-two",
    )
    assert answer.mechanism == "shard-kv+fewer-bits"
    assert [(one.technique.id, one.standing.value) for one in answer.residents] == [
        ("dcp", "combination"),
        ("kv-fp8", "combination"),
        ("guest", "alternative"),
    ]


def test_known_and_unknown_mechanism_make_no_combination() -> None:
    assert place(CATALOG, STORAGE, mechanism="fewer-bits+magic").standing is Standing.REPLACEMENT


def test_cells_that_only_two_together_occupy_are_a_combination() -> None:
    catalog = catalog_of(
        technique("memory", cells=[at(STORAGE)], mechanism="m"), technique("net", cells=[at(NETWORK)], mechanism="n")
    )

    answer = place(catalog, STORAGE, also=[NETWORK], mechanism="new")

    assert (answer.standing, answer.to, answer.rule) == (Standing.COMBINATION, ("memory", "net"), "cells-of-two")
    assert answer.also == (NETWORK,)


def test_cells_that_several_pairs_occupy_say_nothing_of_what_it_is_made_of() -> None:
    catalog = catalog_of(
        technique("memory", cells=[at(STORAGE)], mechanism="m"),
        technique("net", cells=[at(NETWORK)], mechanism="n"),
        technique("other-net", cells=[at(NETWORK)], mechanism="o"),
    )

    answer = place(catalog, STORAGE, also=[NETWORK, Cell("inference", "L5", "scheduling")], mechanism="new")

    assert (answer.standing, answer.rule) == (Standing.ALTERNATIVE, "same-cell-other-mechanism")
    assert covering_pair(catalog, [STORAGE, NETWORK]) == ()


def test_of_a_joined_mechanism_those_in_the_cells_stand_for_it() -> None:
    far = ("inference", "L1", "storage")
    catalog = catalog_of(
        technique("near", cells=[at(STORAGE)], mechanism="fewer-bits"),
        technique("far", cells=[far], mechanism="fewer-bits"),
        technique("far-alone", cells=[far], mechanism="shard-kv"),
    )

    assert place(catalog, STORAGE, mechanism="fewer-bits+shard-kv").to == ("near", "far-alone")


def test_cells_that_one_technique_occupies_are_no_combination() -> None:
    assert place(CATALOG, STORAGE, also=[NETWORK], mechanism="new").standing is Standing.ALTERNATIVE


def test_empty_cell_is_a_new_direction_with_what_is_known_of_it() -> None:
    unexplored = place(CATALOG, COMPUTE, mechanism="new")
    known = place(CATALOG, Cell("inference", "L1", "network"), mechanism="new")

    assert (unexplored.standing, unexplored.to, unexplored.rule) == (Standing.NEW_DIRECTION, (), "cell-empty")
    assert (unexplored.state.state, known.state.state) == (CellState.UNEXPLORED, CellState.KNOWN_EMPTY)
    assert known.standing is Standing.NEW_DIRECTION
    assert known.state.why is not None
    assert known.state.why.zh == "why known_empty（中）"


def test_impossible_cell_is_refused_with_its_reason() -> None:
    answer = place(CATALOG, Cell("inference", "L7", "network"), mechanism="new")

    assert (answer.standing, answer.rule) == (Standing.IMPOSSIBLE, "cell-impossible")
    assert answer.state.why is not None


def test_shared_gains_and_costs_bring_a_resident_forward() -> None:
    answer = place(CATALOG, NETWORK, mechanism="new", gains=["tokens"], costs=["compute"])

    assert [(one.technique.id, one.shared_gains, one.shared_costs) for one in answer.residents] == [
        ("overlap", (), ("compute",)),
        ("dcp", ("tokens",), ()),
    ]


def test_neighbours_are_the_occupied_cells_one_step_away() -> None:
    answer = place(CATALOG, STORAGE)

    assert answer.neighbours == (
        Beside(Cell("inference", "L4", "storage"), "other layer", ("guest",)),
        Beside(NETWORK, "other dimension", ("dcp", "overlap")),
    )


def test_every_rule_explains_itself_in_both_languages() -> None:
    answers = [place(CATALOG, cell, mechanism=mechanism) for cell in (STORAGE, COMPUTE) for mechanism in (None, "x")]

    assert all(answer.because.en and answer.because.zh for answer in answers)


def test_technique_is_made_of_what_it_declares() -> None:
    catalog = catalog_of(
        technique("memory", cells=[at(STORAGE)]),
        technique("net", cells=[at(NETWORK)]),
        technique("fused", cells=[at(STORAGE)], relations=[relation("joins", "net"), relation("joins", "memory")]),
        technique("beside", cells=[at(STORAGE)], relations=[relation("combines", "net")]),
    )

    answer = place(catalog, STORAGE, mechanism="new")

    assert {one.technique.id: one.combines for one in answer.residents} == {
        "memory": (),
        "fused": ("net", "memory"),
        "beside": (),
    }


def test_pair_must_be_at_home_in_the_cells() -> None:
    catalog = catalog_of(technique("visitor", cells=[at(COMPUTE), at(STORAGE)]), technique("net", cells=[at(NETWORK)]))

    assert covering_pair(catalog, [STORAGE, NETWORK]) == ()


@pytest.mark.parametrize("mechanism", ["Bad Slug!!", "", "shard-kv+", "+", "shard_kv", "Shard-KV", "a--b"])
def test_mechanism_that_is_no_slug_is_refused(mechanism: str) -> None:
    with pytest.raises(IntakeError, match="expected a kebab slug like shard-kv-by-token, or two joined by") as caught:
        place(CATALOG, STORAGE, mechanism=mechanism)

    assert caught.value.code == "bad-slug"


def test_mechanism_in_another_spelling_is_refused_with_the_known_one() -> None:
    with pytest.raises(IntakeError, match=r"'Shard KV' is no mechanism; .*; did you mean 'shard-kv'"):
        place(CATALOG, STORAGE, mechanism="Shard KV")


def test_mechanism_that_is_almost_a_known_one_is_pointed_out() -> None:
    answer = place(CATALOG, STORAGE, mechanism="fewer-bit")

    assert (answer.standing, answer.almost) == (Standing.ALTERNATIVE, ("fewer-bits",))
    assert len(answer.unknown) == 1
    assert place(CATALOG, STORAGE, mechanism="fewer-bits").almost == ()
    assert place(CATALOG, STORAGE, mechanism="evict-tokens").almost == ()


@pytest.mark.parametrize("said", ["gains", "costs"])
def test_unknown_gain_or_cost_is_not_found(said: str) -> None:
    with pytest.raises(NotFound, match="no quantity or dimension is called 'foo'; one of compute") as far:
        place(CATALOG, STORAGE, **{said: ["foo"]})  # type: ignore[arg-type]
    with pytest.raises(NotFound, match="no quantity or dimension is called 'storag'; did you mean 'storage'") as near:
        place(CATALOG, STORAGE, **{said: ["tokens", "storag"]})  # type: ignore[arg-type]

    assert (far.value.code, near.value.code) == ("unknown-quantity-or-dimension",) * 2
    assert near.value.suggestions[0] == "storage"


def test_gain_goes_by_its_name_in_any_spelling() -> None:
    answer = place(CATALOG, NETWORK, mechanism="new", gains=["TOKENS"])

    assert [one.technique.id for one in answer.residents if one.shared_gains == ("tokens",)] == ["dcp"]


def test_mechanism_that_nobody_has_is_said_to_be_unknown() -> None:
    assert place(CATALOG, STORAGE, mechanism="draft-then-verify").unknown == ("draft-then-verify",)
    assert place(CATALOG, STORAGE, mechanism="fewer-bits+draft-then-verify").unknown == ("draft-then-verify",)
    assert place(CATALOG, STORAGE, mechanism="fewer-bits").unknown == ()
    assert place(CATALOG, STORAGE).unknown == ()
