from typing import Any

import pytest

from knockon.api.scalars import SCALARS, UpperWord
from tests.api.asking import asked

READ = [{"name": "memory_occupancy_ratio", "value": 0.9}]
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
  ... on InputProblem { code message what expected fix at { line column } }
  ... on NotFound { code kind fix }
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

    assert answer["verdict"] == "MEMORY"
    first = answer["hypotheses"][0]
    assert (first["rule"], first["wall"]) == ({"id": "D003"}, {"id": "memory"})
    assert {one["name"]: one["value"] for one in first["observations"]} == {
        "compute_utilization_ratio": 0.2,
        "memory_occupancy_ratio": 0.97,
    }
    assert answer["operatorGate"] == {"open": False}
    assert answer["profile"] == {"name": "default", "calibrated": False}


def test_nothing_measured_is_never_fine() -> None:
    answer = diagnosed(sources=[{"text": "memory_occupancy_ratio: .nan\n", "source": "readings"}])

    assert answer["verdict"] == "INSUFFICIENT_DATA"
    assert answer["hypotheses"] == []
    assert [(one["name"], one["ratio"]) for one in answer["coverage"]["classes"]] == [
        ("KPI", 0.0),
        ("RESOURCE", 0.0),
        ("CONTEXT", 0.0),
    ]
    assert {one["class"] for one in answer["missing"]} <= {"KPI", "RESOURCE", "CONTEXT"}
    assert answer["missing"]


@pytest.mark.parametrize(
    "said", [{}, {"sources": [], "readings": [], "set": []}, {"deployment": {"engine": "vllm"}}, {"profile": "moon"}]
)
def test_question_without_a_reading_says_what_to_give(said: Any) -> None:
    answer = diagnosed(**said)

    assert (answer["__typename"], answer["code"]) == ("InputProblem", "nothing-given")
    assert answer["what"] == "the input has no reading"
    assert answer["expected"] == "`sources`, `readings` or `set`"
    assert answer["fix"].startswith("give a scrape under `sources`, or for example readings: [{")


def test_verdict_that_a_curator_named_is_in_capitals_too() -> None:
    assert [SCALARS[UpperWord].serialize(one) for one in ("memory", "cold-start", "insufficient_data")] == [
        "MEMORY",
        "COLD_START",
        "INSUFFICIENT_DATA",
    ]


def test_reading_that_is_given_twice_is_refused() -> None:
    twice = {"name": "memory_occupancy_ratio", "value": 0.97}

    answer = diagnosed(readings=[twice, {**twice, "value": 0.1}])

    assert (answer["__typename"], answer["code"]) == ("InputProblem", "given-twice")
    assert answer["message"] == (
        "`readings` gives 'memory_occupancy_ratio' more than once; expected each name once; "
        "leave all but one of them out, or say the `replica` of each"
    )


def test_reading_of_every_replica_is_no_repetition() -> None:
    answer = diagnosed(
        readings=[{"name": "memory_occupancy_ratio", "value": 0.9, "replica": one} for one in ("0", "1", "")]
    )
    again = diagnosed(
        readings=[{"name": "memory_occupancy_ratio", "value": 0.9, "replica": one} for one in ("0", "1", "1")]
    )

    assert answer["__typename"] == "DiagnoseAnswer"
    assert (again["__typename"], again["code"]) == ("InputProblem", "given-twice")


def test_impossible_reading_is_invalid_and_never_used() -> None:
    answer = diagnosed(readings=[{"name": "memory_occupancy_ratio", "value": 97}])

    assert answer["verdict"] == "INSUFFICIENT_DATA"
    assert [(one["name"], one["value"], one["raw"]) for one in answer["invalid"]] == [
        ("memory_occupancy_ratio", None, "97")
    ]


def test_text_of_a_source_and_set_are_merged() -> None:
    answer = diagnosed(
        sources=[{"text": "compute_utilization_ratio: 0.2\nmemory_occupancy_ratio: 0.5\n", "source": "readings"}],
        set=[{"name": "memory_occupancy_ratio", "value": "97 / 100"}],
    )

    assert answer["verdict"] == "MEMORY"


BENCH = (
    '{"request_rate": "inf", "max_concurrency": %s, "completed": 500, "duration": 100.0, "total_input_tokens": 500000,'
    ' "total_output_tokens": 50000, "request_throughput": 5.0, "output_throughput": 500.0,'
    ' "total_token_throughput": 5500.0, "median_ttft_ms": 60.0}'
)


@pytest.mark.parametrize(("run", "verdict"), [(None, "MEASUREMENT"), ("concurrency 8", "INSUFFICIENT_DATA")])
def test_one_run_of_several_texts_is_judged(run: str | None, verdict: str) -> None:
    texts = [{"text": BENCH % cap, "filename": f"{cap}.json"} for cap in (8, "null")]
    assert diagnosed(sources=texts, run=run)["verdict"] == verdict


@pytest.mark.parametrize(
    ("said", "typename", "code"),
    [
        pytest.param({"sources": [{"text": BENCH % 8}], "run": "moon"}, "NotFound", "unknown-run", id="run"),
        pytest.param({"profile": "moon", "readings": READ}, "NotFound", "unknown-profile", id="profile"),
        pytest.param({"set": [{"name": "memori", "value": 1}]}, "NotFound", "unknown-reading", id="reading"),
        pytest.param({"sources": [{"text": "x", "source": "moon"}]}, "NotFound", "unknown-source", id="source"),
        pytest.param({"sources": [{"text": ""}]}, "InputProblem", "unknown-source", id="empty text"),
        pytest.param({"set": [{"name": "x", "value": 1}] * 2}, "InputProblem", "given-twice", id="set twice"),
        pytest.param(
            {"readings": READ, "deployment": {}}, "InputProblem", "nothing-given", id="deployment without a word"
        ),
    ],
)
def test_diagnose_refuses_what_it_cannot_read(said: Any, typename: str, code: str) -> None:
    answer = diagnosed(**said)

    assert (answer["__typename"], answer["code"]) == (typename, code)
