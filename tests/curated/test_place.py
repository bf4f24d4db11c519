"""`place` against what was judged of it beforehand, from public descriptions (place.yaml)."""

from pathlib import Path
from typing import Any

import pytest

from knockon.catalog.catalog import Catalog
from knockon.catalog.cell import Cell
from knockon.catalog.grid import cell_at
from knockon.catalog.place import Placement, made_of, place
from knockon.terms.words import TechniqueId
from tests.data import read_yaml
from tests.shipped import shipped

JUDGED: dict[str, list[dict[str, Any]]] = read_yaml(Path(__file__).with_name("place.yaml"))
AGREEING_MIN = 0.9
PAIRS_MIN = 80


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return shipped().catalog


def pair(catalog: Catalog, judged: dict[str, Any]) -> bool:
    """Whether the one that stood there already stands to the other as judged."""
    new, old = (catalog.techniques[TechniqueId(judged[key])] for key in ("technique", "beside"))
    shared = next(cell for cell in new.cells if cell in old.cells)
    answer = place(catalog, shared, also=new.cells, mechanism=new.mechanism)
    (found,) = [one for one in answer.residents if one.technique is old]
    return found.standing.value == judged["stands"]


def whole(catalog: Catalog, judged: dict[str, Any]) -> bool:
    """Whether a technique is made of at least these; of none, when it is judged to be made of none."""
    parts = made_of(catalog.techniques[TechniqueId(judged["technique"])])
    return set(judged["joins"]) <= set(parts) if judged["joins"] else not parts


def proposed(catalog: Catalog, judged: dict[str, Any]) -> Placement:
    like = [catalog.techniques[TechniqueId(key)].mechanism for key in judged.get("like", ())]
    return place(catalog, Cell(*judged["cell"]), mechanism="+".join(like) or judged.get("mechanism"))


def proposal(catalog: Catalog, judged: dict[str, Any]) -> bool:
    answer = proposed(catalog, judged)
    return answer.standing.value == judged["stands"] and set(judged["to"]) <= set(answer.to)


def empty(catalog: Catalog, judged: dict[str, Any]) -> bool:
    return cell_at(catalog, Cell(*judged["cell"])).state.value == judged["state"]


WAYS = {"pairs": pair, "wholes": whole, "proposals": proposal, "empty": empty}
ALL = [(WAYS[kind], judged) for kind in WAYS for judged in JUDGED[kind]]


def test_nine_of_ten_judgements_are_met_and_each_of_the_others_has_its_reason(catalog: Catalog) -> None:
    met = {id(judged): way(catalog, judged) for way, judged in ALL}

    unexplained = [judged for _, judged in ALL if met[id(judged)] == ("disagrees" in judged)]
    assert unexplained == []
    assert sum(met.values()) >= AGREEING_MIN * len(ALL)


def test_judgements_are_many_each_about_something_else_with_reason_and_source() -> None:
    assert len(JUDGED["pairs"]) >= PAIRS_MIN
    subjects = [
        str({key: value for key, value in judged.items() if key not in ("because", "source", "disagrees")})
        for _, judged in ALL
    ]
    assert len(set(subjects)) == len(subjects)
    assert [judged for _, judged in ALL if not judged["because"] or not judged["source"].startswith("https://")] == []


def test_every_standing_and_both_kinds_of_wholes_are_judged() -> None:
    standings = {judged["stands"] for kind in ("pairs", "proposals") for judged in JUDGED[kind]}

    assert standings == {"replacement", "alternative", "combination", "new_direction", "undecided"}
    assert {bool(judged["joins"]) for judged in JUDGED["wholes"]} == {True, False}


def test_new_direction_is_never_said_of_an_occupied_cell(catalog: Catalog) -> None:
    for judged in JUDGED["proposals"]:
        answer = proposed(catalog, judged)
        assert (answer.standing.value == "new_direction") == (answer.state.count == 0)
