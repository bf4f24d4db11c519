from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knockon.api.page import cursor_of
from tests.api.asking import Held, answered, asked, codes, knowledge, refused
from tests.catalog.bundles import cell_note, cost, gain, gpu, model, quantity, relation, technique

NAMED = """query ($id: ID!) {
  technique(id: $id) {
    __typename
    ... on Technique { id }
    ... on NotFound { code kind name suggestions message fix }
  }
}"""
PAGE = """query ($first: Int, $after: String, $last: Int, $before: String, $filter: TechniqueFilter) {
  techniques(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
    totalCount
    nodes { id }
    edges { cursor node { id } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}"""
TEN = Held({1: knowledge(*(technique(f"t-{index}") for index in range(10)))})


def page(of: Held = TEN, **arguments: Any) -> Any:
    return asked(PAGE, of=of, **arguments)["techniques"]


def ids(found: Any) -> list[str]:
    return [node["id"] for node in found["nodes"]]


@pytest.mark.parametrize("name", ["sharding", "Sharding", "--shard-size", "切分", "old-sharding"])
def test_technique_goes_by_every_name_it_has_or_had(name: str) -> None:
    aliases: Any = {"en": ["--shard-size"], "zh": ["切分"]}
    held = Held({1: knowledge(technique("sharding", aliases=aliases, former_ids=["old-sharding"]))})

    assert asked(NAMED, of=held, id=name) == {"technique": {"__typename": "Technique", "id": "sharding"}}


def test_unknown_technique_is_an_answer_with_suggestions() -> None:
    held = Held({1: knowledge(technique("tensor-parallelism"))})

    assert asked(NAMED, of=held, id="tensor-paralelism")["technique"] == {
        "__typename": "NotFound",
        "code": "unknown-technique",
        "kind": "technique",
        "name": "tensor-paralelism",
        "suggestions": ["tensor-parallelism"],
        "message": "no technique is called 'tensor-paralelism'; did you mean 'tensor-parallelism'?",
        "fix": "did you mean 'tensor-parallelism'?",
    }


def test_technique_shows_its_costs_with_quantity_and_source() -> None:
    held = Held(
        {
            1: knowledge(
                technique(
                    "sharding",
                    shifts=[gain("room", "up"), cost("traffic", "up", when="ranks > 1", onto="network")],
                    relations=[relation("requires", "links")],
                ),
                technique("links", cells=[("inference", "L1", "network")]),
                quantity("room"),
                quantity("traffic", of="network", better="down"),
            )
        }
    )

    found = asked(
        """{ technique(id: "sharding") { ... on Technique {
          home { stage layer dimension count homes state }
          gains { quantity { id } when }
          costs { effect onto change when quantity { id better } sources { title where checked depth kind version } }
          relations { kind to { id namedBy { technique { id } relation { kind } } } sources { where } }
          sources { title } tombstone { reason { en } }
        } } }""",
        of=held,
    )["technique"]

    assert found == {
        "home": {
            "stage": "inference", "layer": "L5", "dimension": "storage", "count": 1, "homes": 1, "state": "OCCUPIED",
        },
        "gains": [{"quantity": {"id": "room"}, "when": None}],
        "costs": [
            {
                "effect": "COST",
                "onto": "network",
                "change": "UP",
                "when": "ranks > 1",
                "quantity": {"id": "traffic", "better": "DOWN"},
                "sources": [
                    {
                        "title": "The book", "where": "", "checked": "2026-11-29", "depth": "READ", "kind": "DOCUMENT",
                        "version": "",
                    }
                ],
            }
        ],
        "relations": [
            {
                "kind": "REQUIRES",
                "to": {
                    "id": "links",
                    "namedBy": [{"technique": {"id": "sharding"}, "relation": {"kind": "REQUIRES"}}],
                },
                "sources": [{"where": "requires"}],
            }
        ],
        "sources": [{"title": "The book"}],
        "tombstone": None,
    }  # fmt: skip


def test_removed_technique_says_why_and_what_stands_in_its_place() -> None:
    grave: Any = {"reason": {"en": "superseded", "zh": "已被取代"}, "replacement": "new"}
    held = Held({1: knowledge(technique("old", tombstone=grave), technique("new"))})

    query = '{ technique(id: "old") { ... on Technique { tombstone { reason { en zh } replacement { id } } } } }'
    assert asked(query, of=held)["technique"] == {
        "tombstone": {"reason": grave["reason"], "replacement": {"id": "new"}}
    }
    assert ids(page(of=held)) == ["new"]


def test_page_without_arguments_is_the_first() -> None:
    held = Held({1: knowledge(*(technique(f"t-{index:02}") for index in range(25)))})

    found = page(of=held)

    assert ids(found) == [f"t-{index:02}" for index in range(20)]
    assert found["totalCount"] == 25
    assert found["pageInfo"] == {
        "hasNextPage": True,
        "hasPreviousPage": False,
        "startCursor": cursor_of("t-00"),
        "endCursor": cursor_of("t-19"),
    }


@given(size=st.integers(1, 12))
def test_pages_forward_and_backward_show_each_technique_once(size: int) -> None:
    forward: list[str] = []
    found = page(first=size)
    while True:
        forward += ids(found)
        if not found["pageInfo"]["hasNextPage"]:
            break
        found = page(first=size, after=found["pageInfo"]["endCursor"])
    backward: list[str] = []
    found = page(last=size)
    while True:
        backward = ids(found) + backward
        if not found["pageInfo"]["hasPreviousPage"]:
            break
        found = page(last=size, before=found["pageInfo"]["startCursor"])

    assert forward == backward == [f"t-{index}" for index in range(10)]


def test_cursor_holds_on_a_later_revision_without_its_technique_and_with_new_ones() -> None:
    cursor = page(first=3)["pageInfo"]["endCursor"]
    later = Held({2: knowledge(*(technique(key) for key in ("a", "t-1", "t-20", "t-3", "z")), number=2)})

    # The cursor is of t-2: what sorts after it comes next, whether it was there before or not.
    assert ids(page(of=later, first=3, after=cursor)) == ["t-20", "t-3", "z"]
    assert ids(page(of=later, last=3, before=cursor)) == ["a", "t-1"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        pytest.param(
            {"first": 101}, "limit-exceeded",
            "first, the size of a page, is over the limit of 100, found 101; ask for the next page",
            id="over the limit",
        ),
        pytest.param({"last": -1}, "bad-page", "last cannot be -1; expected 0 to 100", id="negative"),
        pytest.param(
            {"first": 1, "last": 1}, "bad-page",
            "first and last are given together; expected one of them; leave last out", id="both ends",
        ),
        pytest.param(
            {"after": "MTA="}, "bad-cursor",
            "after is no cursor: 'MTA='; expected a cursor from an earlier page; "
            "leave after out to start at the beginning",
            id="cursor of another kind",
        ),
        pytest.param(
            {"before": "%"}, "bad-cursor",
            "before is no cursor: '%'; expected a cursor from an earlier page; "
            "leave before out to start at the beginning",
            id="no base64",
        ),
        pytest.param(
            {"filter": {"layer": "L9"}}, "unknown-layer",
            "no layer is called 'L9'; one of L1, L2, L3, L4, L5, L6, L7",
            id="unknown layer",
        ),
    ],
)  # fmt: skip
def test_page_that_cannot_be_is_refused_with_its_code(arguments: Any, code: str, message: str) -> None:
    errors = refused(PAGE, of=TEN, **arguments)

    assert codes(errors) == [code]
    assert errors[0]["message"] == message
    assert errors[0]["path"] == ["techniques"]


def test_page_of_size_zero_counts_only() -> None:
    assert page(first=0) == {
        "totalCount": 10,
        "nodes": [],
        "edges": [],
        "pageInfo": {"hasNextPage": True, "hasPreviousPage": False, "startCursor": None, "endCursor": None},
    }


def test_filter_holds_in_one_and_the_same_cell() -> None:
    held = Held(
        {
            1: knowledge(
                technique("here", cells=[("inference", "L5", "storage")]),
                technique("crossed", cells=[("inference", "L4", "storage"), ("inference", "L5", "network")]),
            )
        }
    )

    assert ids(page(of=held, filter={"layer": "L5", "dimension": "storage"})) == ["here"]
    assert ids(page(of=held, filter={"layer": "l5"})) == ["crossed", "here"]
    assert ids(page(of=held, filter={"words": "crossed"})) == ["crossed"]


def test_cells_show_count_and_what_is_known_of_empty_ones() -> None:
    held = Held(
        {
            1: knowledge(
                technique("one", cells=[("inference", "L5", "storage"), ("inference", "L4", "network")]),
                cell_note(("inference", "L1", "network"), "impossible"),
            )
        }
    )
    query = """{
      cell(stage: "inference", layer: "l4", dimension: "network") {
        ... on Cell { layer count homes techniques { id } }
      }
      nowhere: cell(stage: "inference", layer: "L4", dimension: "time") { ... on NotFound { code fix } }
      grid(stage: "inference") { count }
      emptyCells(state: IMPOSSIBLE) { stage layer dimension state why { en } sources { title } techniques { id } }
    }"""

    found = asked(query, of=held)

    assert found["cell"] == {"layer": "L4", "count": 1, "homes": 0, "techniques": [{"id": "one"}]}
    assert found["nowhere"] == {"code": "unknown-dimension", "fix": "one of compute, storage, network"}
    assert sum(cell["count"] for cell in found["grid"]) == 2
    assert len(found["grid"]) == 7 * 3
    assert found["emptyCells"] == [
        {
            "stage": "inference",
            "layer": "L1",
            "dimension": "network",
            "state": "IMPOSSIBLE",
            "why": {"en": "why impossible"},
            "sources": [{"title": "The book"}],
            "techniques": [],
        }
    ]


def test_quantities_show_what_they_pull_and_what_moves_them() -> None:
    held = Held(
        {
            1: knowledge(
                quantity("batch", weights="-", latency="+ when ranks > 1"),
                quantity("latency"),
                quantity("weights"),
                technique("bigger", shifts=[gain("batch", "up")]),
            )
        }
    )
    query = """{ quantity(id: "batch") { ... on Quantity {
      influences { on { id } change when } shiftedBy { technique { id } shift { effect } }
    } } quantities { id } missing: quantity(id: "batches") { ... on NotFound { suggestions } } }"""

    assert asked(query, of=held) == {
        "quantity": {
            "influences": [
                {"on": {"id": "weights"}, "change": "DOWN", "when": None},
                {"on": {"id": "latency"}, "change": "UP", "when": "ranks > 1"},
            ],
            "shiftedBy": [{"technique": {"id": "bigger"}, "shift": {"effect": "GAIN"}}],
        },
        "quantities": [{"id": "batch"}, {"id": "latency"}, {"id": "weights"}],
        "missing": {"suggestions": ["batch"]},
    }


def test_models_and_gpus_show_large_numbers_whole_and_unconfirmed_ones_as_null() -> None:
    flops: Any = {"bf16": 989.4e12}
    held = Held(
        {
            1: knowledge(
                model("maker/Large", "large", config={"num_key_value_heads": 4}),
                gpu("h100", "H100 SXM", memory_bytes=85_899_345_920, dense_flops=flops),
            )
        }
    )
    query = """{
      model(name: "large") { ... on Model { name aliases config parameters } }
      gpu(name: "NVIDIA H100") { ... on Gpu { id memoryBytes memoryBandwidthBytesPerS denseFlops { name value } } }
      models { name } gpus { id }
      missing: gpu(name: "TPU") { ... on NotFound { code } }
    }"""

    assert asked(query, of=held) == {
        "model": {
            "name": "maker/Large", "aliases": ["large"], "config": {"num_key_value_heads": 4}, "parameters": None,
        },
        "gpu": {
            "id": "h100", "memoryBytes": 85_899_345_920, "memoryBandwidthBytesPerS": None,
            "denseFlops": [{"name": "bf16", "value": 989.4e12}],
        },
        "models": [{"name": "maker/Large"}],
        "gpus": [{"id": "h100"}],
        "missing": {"code": "unknown-gpu"},
    }  # fmt: skip


def test_one_request_may_ask_several_revisions_and_each_answer_stays_on_its_own() -> None:
    held = Held(
        {
            1: knowledge(technique("a", shifts=[gain("x", "up")]), quantity("x"), number=1),
            2: knowledge(technique("a", shifts=[gain("y", "up")]), technique("b"), quantity("y"), number=2),
        }
    )
    query = """{
      now: technique(id: "a") { ...gains }
      then: technique(id: "a", asOf: 1) { ...gains }
      techniques(asOf: 1) { totalCount revision { number parent at message } }
      never: technique(id: "a", asOf: 3) { ... on NotFound { code name fix } }
      revision(number: 1) { ... on Revision { number digest } }
      revisions(first: 1) { number }
      older: revisions(before: 2) { number }
    }
    fragment gains on Technique { gains { quantity { id } } home { count techniques { id } } }"""

    found = asked(query, of=held)

    assert found["now"] == {
        "gains": [{"quantity": {"id": "y"}}], "home": {"count": 2, "techniques": [{"id": "a"}, {"id": "b"}]},
    }  # fmt: skip
    assert found["then"] == {"gains": [{"quantity": {"id": "x"}}], "home": {"count": 1, "techniques": [{"id": "a"}]}}
    assert found["techniques"] == {
        "totalCount": 1,
        "revision": {"number": 1, "parent": None, "at": "2026-11-29T12:00:00+00:00", "message": "revision 1"},
    }
    assert found["never"] == {"code": "unknown-revision", "name": "3", "fix": "the latest one is 2"}
    assert found["revision"] == {"number": 1, "digest": held.held[1].digest}
    assert found["revisions"] == [{"number": 2}]
    assert found["older"] == [{"number": 1}]


def test_list_asked_of_a_revision_that_is_not_there_is_refused() -> None:
    given_back = answered("{ quantities(asOf: 9) { id } }", of=TEN).body

    assert given_back["data"] is None
    assert [error["message"] for error in given_back["errors"]] == ["no revision is called '9'; the latest one is 1"]
    assert codes(given_back["errors"]) == ["unknown-revision"]
