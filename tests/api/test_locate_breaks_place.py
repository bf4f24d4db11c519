from typing import Any

import pytest

from tests.api.asking import Held, asked, knowledge
from tests.catalog.bundles import cost, gain, quantity, symptom, technique

SMALL = Held(
    {
        1: knowledge(
            technique("sharding", mechanism="shard", shifts=[gain("room", "up"), cost("traffic", "up")]),
            technique("caching", mechanism="cache", shifts=[gain("speed", "up")]),
            quantity("room"),
            quantity("speed"),
            quantity("traffic", better="down", speed="-"),
            symptom("slow", en=["slow"], L5="likely", L7="cannot", measure=["ttft_s_p95"]),
        )
    }
)
LOCATE = """query ($what: String!) { locate(what: $what) {
  __typename
  ... on TechniquePlace { technique { id } neighbourhoods { cell { layer } sameCell { id } } revision { number } }
  ... on SymptomPlace {
    symptoms { id } suspects cleared notJudged measure layers { layer judgement reasons { says { en } } }
  }
  ... on NotFound { code }
} }"""


def test_technique_is_located_with_its_neighbours() -> None:
    assert asked(LOCATE, of=SMALL, what="sharding")["locate"] == {
        "__typename": "TechniquePlace",
        "technique": {"id": "sharding"},
        "neighbourhoods": [{"cell": {"layer": "L5"}, "sameCell": [{"id": "caching"}]}],
        "revision": {"number": 1},
    }


def test_claims_are_stale_from_a_day_on() -> None:
    age = "stale staleFrom"
    query = f"""query {{ locate(what: "sharding") {{ ... on TechniquePlace {{ technique {{ shifts {{ {age} }} }} }} }}
      breaks(technique: "sharding", depth: 2) {{ ... on Breaks {{ hops {{ kind {age} }} }} }} }}"""

    fresh = asked(query, of=SMALL, today="2027-11-29")
    stale = asked(query, of=SMALL, today="2027-11-30")

    day = {"staleFrom": "2027-11-30"}
    assert fresh["locate"]["technique"]["shifts"] == [{"stale": False, **day}] * 2
    assert stale["locate"]["technique"]["shifts"] == [{"stale": True, **day}] * 2
    assert [hop["stale"] for hop in fresh["breaks"]["hops"]] == [False] * 3
    assert stale["breaks"]["hops"][0] == {"kind": "SHIFT", "stale": True, **day}
    assert [hop["stale"] for hop in stale["breaks"]["hops"]] == [True] * 3


def test_symptom_is_located_in_the_layers_that_can_be_its_cause() -> None:
    assert asked(LOCATE, of=SMALL, what="it is slow")["locate"] == {
        "__typename": "SymptomPlace",
        "symptoms": [{"id": "slow"}],
        "suspects": ["L5"],
        "cleared": ["L7"],
        "notJudged": ["L1", "L2", "L3", "L4", "L6"],
        "measure": ["ttft_s_p95"],
        "layers": [
            {"layer": "L5", "judgement": "LIKELY", "reasons": [{"says": {"en": "likely"}}]},
            {"layer": "L7", "judgement": "CANNOT", "reasons": [{"says": {"en": "cannot"}}]},
        ],
    }


def test_what_is_neither_technique_nor_symptom_is_not_found() -> None:
    assert asked(LOCATE, of=SMALL, what="xyzzy")["locate"] == {"__typename": "NotFound", "code": "unknown-technique"}


BREAKS = """query ($technique: ID!, $depth: Int!, $deployment: DeploymentInput) {
  breaks(technique: $technique, depth: $depth, deployment: $deployment) {
    __typename
    ... on Breaks {
      depth truncated
      hops {
        kind depth after truth worsens
        source { kind id }
        target { kind id change quantity { id } technique { id } }
      }
    }
    ... on InputProblem { code message }
    ... on NotFound { code }
  }
}"""


def test_breaks_follows_a_cost_to_what_it_eats() -> None:
    found = asked(BREAKS, of=SMALL, technique="sharding", depth=3)["breaks"]

    steps = [(hop["kind"], hop["source"]["id"], hop["target"]["id"], hop["target"]["change"]) for hop in found["hops"]]
    assert steps == [
        ("SHIFT", "sharding", "room", "UP"),
        ("SHIFT", "sharding", "traffic", "UP"),
        ("INFLUENCE", "traffic", "speed", "DOWN"),
        ("EATS", "speed", "caching", None),
    ]
    assert [hop["after"] for hop in found["hops"]] == [None, None, 1, 2]
    assert [hop["worsens"] for hop in found["hops"]] == [False, True, True, None]
    assert found["hops"][3]["target"]["technique"] == {"id": "caching"}
    assert found["hops"][3]["target"]["quantity"] is None


@pytest.mark.parametrize(
    ("arguments", "typename", "code"),
    [
        pytest.param({"technique": "sharding", "depth": 0}, "InputProblem", "depth-too-small", id="no depth"),
        pytest.param({"technique": "sharding", "depth": 9}, "InputProblem", "limit-exceeded", id="too deep"),
        pytest.param({"technique": "nothing", "depth": 1}, "NotFound", "unknown-technique", id="no technique"),
        pytest.param(
            {"technique": "sharding", "depth": 1, "deployment": {"command": "ls"}}, "InputProblem", "unknown-program",
            id="no deployment",
        ),
    ],
)  # fmt: skip
def test_breaks_refuses_what_it_cannot_follow(arguments: Any, typename: str, code: str) -> None:
    found = asked(BREAKS, of=SMALL, **arguments)["breaks"]

    assert (found["__typename"], found["code"]) == (typename, code)


def test_place_tells_a_replacement_from_a_new_direction() -> None:
    query = """query ($input: PlaceInput!) { place(input: $input) { __typename ... on Placement {
      standing rule to { id } state mechanism residents { technique { id } standing }
    } ... on NotFound { code } } }"""
    cell = {"stage": "inference", "layer": "L5", "dimension": "storage"}

    assert asked(query, of=SMALL, input={**cell, "mechanism": "shard"})["place"] == {
        "__typename": "Placement",
        "standing": "REPLACEMENT",
        "rule": "SAME_CELL_SAME_MECHANISM",
        "to": [{"id": "sharding"}],
        "state": "OCCUPIED",
        "mechanism": "shard",
        "residents": [
            {"technique": {"id": "sharding"}, "standing": "REPLACEMENT"},
            {"technique": {"id": "caching"}, "standing": "ALTERNATIVE"},
        ],
    }
    assert asked(query, of=SMALL, input={**cell, "layer": "L6"})["place"] == {
        "__typename": "Placement",
        "standing": "NEW_DIRECTION",
        "rule": "CELL_EMPTY",
        "to": [],
        "state": "UNEXPLORED",
        "mechanism": None,
        "residents": [],
    }
    assert asked(query, of=SMALL, input={**cell, "stage": "moon"})["place"] == {
        "__typename": "NotFound",
        "code": "unknown-stage",
    }


def test_loops_and_neighbours_are_told_by_enums() -> None:
    loops = asked('{ breaks(technique: "tensor-parallelism", depth: 8) { ... on Breaks { loops { kind } } } }')
    cell = {"stage": "inference", "layer": "L2", "dimension": "compute"}
    placed = asked(
        "query ($input: PlaceInput!) { place(input: $input) { ... on Placement { neighbours { how } } } }", input=cell
    )

    assert {one["kind"] for one in loops["breaks"]["loops"]} <= {"REINFORCING", "DAMPING"}
    assert loops["breaks"]["loops"]
    assert {one["how"] for one in placed["place"]["neighbours"]} == {"OTHER_LAYER", "OTHER_DIMENSION", "OTHER_STAGE"}


SEARCH = """query ($words: String!, $first: Int! = 20) { search(words: $words, first: $first) {
  __typename
  ... on SearchAnswer { asked hits { technique { id } score matched where } revision { number } }
  ... on InputProblem { code what expected fix }
} }"""


def test_search_finds_by_name_and_by_spelling() -> None:
    exact, misspelled = (asked(SEARCH, of=SMALL, words=words)["search"] for words in ("Sharding", "shardign"))

    assert exact["hits"][0] | {"score": 100} == {
        "technique": {"id": "sharding"}, "score": 100, "matched": "sharding", "where": "NAME"
    }  # fmt: skip
    assert [(hit["technique"]["id"], hit["where"]) for hit in misspelled["hits"]] == [("sharding", "SPELLING")]


@pytest.mark.parametrize(
    ("words", "first", "code"), [(" ", 20, "no-words"), ("kv", 0, "bad-limit"), ("kv", 101, "bad-limit")]
)
def test_search_for_nothing_or_for_too_many_is_refused(words: str, first: int, code: str) -> None:
    assert asked(SEARCH, of=SMALL, words=words, first=first)["search"]["code"] == code
