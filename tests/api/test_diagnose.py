from typing import Any

import pytest

from tests.api.asking import asked

DIAGNOSE = """query ($input: DiagnoseInput!) { diagnose(input: $input) {
  __typename
  ... on DiagnoseAnswer {
    verdict
    hypotheses { rule { id } wall { id } observations { name value } for { text truth seen { name value } } }
    outranked { rule { id } by }
    missing { reading class }
    unread { name why }
    invalid { name value raw why }
    coverage { classes { name ratio } warning }
    operatorGate { open }
    profile { name calibrated }
  }
  ... on InputProblem { code message at { line column } }
  ... on NotFound { code kind }
} }"""


def diagnosed(**said: Any) -> Any:
    return asked(DIAGNOSE, input=said)["diagnose"]


def test_full_memory_behind_idle_compute_is_the_memory_wall() -> None:
    answer = diagnosed(
        readings=[
            {"name": "compute_utilization_ratio", "value": 0.2},
            {"name": "memory_occupancy_ratio", "value": 0.97},
        ]
    )

    assert answer["verdict"] == "memory"
    first = answer["hypotheses"][0]
    assert (first["rule"], first["wall"]) == ({"id": "D003"}, {"id": "memory"})
    assert {one["name"]: one["value"] for one in first["observations"]} == {
        "compute_utilization_ratio": 0.2,
        "memory_occupancy_ratio": 0.97,
    }
    assert answer["operatorGate"] == {"open": False}
    assert answer["profile"] == {"name": "default", "calibrated": False}


def test_nothing_measured_is_never_fine() -> None:
    answer = diagnosed()

    assert answer["verdict"] == "insufficient_data"
    assert answer["hypotheses"] == []
    assert [one["ratio"] for one in answer["coverage"]["classes"]] == [0.0, 0.0, 0.0]


def test_impossible_reading_is_invalid_and_never_used() -> None:
    answer = diagnosed(readings=[{"name": "memory_occupancy_ratio", "value": 97}])

    assert answer["verdict"] == "insufficient_data"
    assert [(one["name"], one["value"], one["raw"]) for one in answer["invalid"]] == [
        ("memory_occupancy_ratio", None, "97")
    ]


def test_text_of_a_source_and_set_are_merged() -> None:
    answer = diagnosed(
        sources=[{"text": "compute_utilization_ratio: 0.2\nmemory_occupancy_ratio: 0.5\n", "source": "readings"}],
        set=[{"name": "memory_occupancy_ratio", "value": "97 / 100"}],
    )

    assert answer["verdict"] == "memory"


@pytest.mark.parametrize(
    ("said", "typename", "code"),
    [
        pytest.param({"profile": "moon"}, "NotFound", "unknown-profile", id="profile"),
        pytest.param({"set": [{"name": "memori", "value": 1}]}, "NotFound", "unknown-reading", id="reading"),
        pytest.param({"sources": [{"text": "x", "source": "moon"}]}, "NotFound", "unknown-source", id="source"),
        pytest.param({"sources": [{"text": ""}]}, "InputProblem", "unknown-source", id="empty text"),
    ],
)
def test_diagnose_refuses_what_it_cannot_read(said: Any, typename: str, code: str) -> None:
    answer = diagnosed(**said)

    assert (answer["__typename"], answer["code"]) == (typename, code)
