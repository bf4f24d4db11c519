from dataclasses import replace
from typing import Any

import pytest

from knockon.api.scalars import SCALARS, UpperWord
from knockon.cli.answers.over_time import over_time_data
from knockon.jobs.diagnose import diagnose
from knockon.sources import read_source
from tests.api.asking import Held, asked
from tests.shipped import shipped

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
    assert answer["expected"] == "`sources`, `readings`, `told` or `set`"
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


FACT = {"name": "tensor_parallel_size", "value": 1}
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
        pytest.param({"readings": [{"name": "memori", "value": 1}]}, "NotFound", "unknown-reading", id="a reading"),
        pytest.param({"readings": [FACT]}, "InputProblem", "unknown-reading", id="a fact"),
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


OVER_TIME = """query ($input: DiagnoseInput!) { diagnose(input: $input) {
  ... on DiagnoseAnswer {
    verdict fits trends { name value origin } readings { name value }
    thresholds { name interval { low high } }
    overTime {
      fromS toS instants stepS gaps { fromS toS } warmUp { untilS instants why { en } }
      rules {
        rule { id } state sinceS heldS forS keepFiringForS fired flaps unknownInstants
        episodes { sinceS firedS untilS unseenS }
      }
    }
  }
  ... on InputProblem { code what }
} }"""


def filling(*, count: int = 40, gap_after: int = 60) -> str:
    """A table of a pool that fills, every 15 s; nobody looks for a while after one of its rows."""
    times = [15 * index + (600 if index >= gap_after else 0) for index in range(count)]
    rows = (f"{at},{0.5 + 0.01 * index},{2 * index}" for index, at in enumerate(times))
    return "\n".join(("at,kv_cache_usage_ratio,waiting_count", *rows))


def test_series_is_shown_as_the_command_shows_it() -> None:
    said = asked(OVER_TIME, input={"sources": [{"text": filling(gap_after=10), "filename": "pool.csv"}]})["diagnose"]
    knowledge = shipped()
    taken = read_source(filling(gap_after=10), filename="pool.csv", vocabulary=knowledge.rulebook.vocabulary)
    answer = diagnose(knowledge, [taken])
    shown: Any = over_time_data(answer.over_time, answer.intake)

    over = said["overTime"]
    assert [over[name] for name in ("fromS", "toS", "instants", "stepS")] == [0, 1185, 40, 15]
    assert over["gaps"] == [{"fromS": 135, "toS": 750}]
    assert [one["rule"]["id"] for one in over["rules"]] == [one["rule"] for one in shown["rules"]]
    for one, told in zip(over["rules"], shown["rules"], strict=True):
        assert one["state"] == told["state"].upper()
        names = ("since_s", "held_s", "for_s", "keep_firing_for_s", "fired", "flaps", "unknown_instants")
        assert [one[_camel(name)] for name in names] == [told[name] for name in names]
        assert [{_camel(name): value for name, value in each.items()} for each in told["episodes"]] == one["episodes"]
    assert said["trends"] == [
        {"name": one["reading"], "value": one["value"], "origin": one["from"]} for one in shown["trends"]
    ]
    assert {"kv_cache_usage_slope_per_s", "kv_cache_time_to_full_s"} <= {one["name"] for one in said["trends"]}
    assert said["fits"] == "TRUE"


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def test_how_a_series_is_looked_at_can_be_said() -> None:
    sources = [{"text": filling(), "filename": "pool.csv"}]

    cut = asked(OVER_TIME, input={"sources": sources, "time": {"warmUpS": 60, "windowS": 60}})["diagnose"]
    gaps = asked(OVER_TIME, input={"sources": sources, "time": {"gapS": 10}})["diagnose"]
    none = asked(OVER_TIME, input={"set": [{"name": "kv_cache_usage_ratio", "value": 0.5}]})["diagnose"]

    assert cut["overTime"]["warmUp"]["untilS"] == 60
    assert cut["overTime"]["warmUp"]["instants"] == 4
    assert len(gaps["overTime"]["gaps"]) == 39
    assert cut["trends"] == []
    assert (none["overTime"], none["trends"]) == (None, [])
    for time in ({"windowS": 0}, {"gapS": -1}, {"warmUpS": -1}):
        assert asked(OVER_TIME, input={"sources": sources, "time": time})["diagnose"]["code"] == "bad-value"


def test_threshold_says_between_what_it_lies() -> None:
    known = shipped()
    default = known.rulebook.profiles["default"]
    name, threshold = next(iter(sorted(default.thresholds.items())))
    narrow = replace(default, thresholds={**default.thresholds, name: replace(threshold, interval=(0.8, 0.9))})
    calibrated = replace(known, rulebook=replace(known.rulebook, profiles={"default": narrow}))

    said = asked(OVER_TIME, of=Held({1: calibrated}), input={"readings": READ})["diagnose"]["thresholds"]

    assert {one["name"]: one["interval"] for one in said if one["interval"]} == {name: {"low": 0.8, "high": 0.9}}
