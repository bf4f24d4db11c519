"""`knockon diagnose` on series: the answer's contract, its page, and options that cannot be."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Knockon
from tests.cli.test_contracts import complaints

HEAD = "at,memory_occupancy_ratio,waiting_count\n"


def table(*rows: tuple[int, object, object]) -> None:
    """Write run.csv."""
    Path("run.csv").write_text(HEAD + "".join(f"{at},{usage},{waiting}\n" for at, usage, waiting in rows))


def full_after_a_gap() -> None:
    table(*[(15 * index, 0.95, 0) for index in range(6)], *[(600 + 15 * index, 0.95, 3) for index in range(3)])


def test_answer_keeps_its_contract_and_says_since_when(knockon: Knockon) -> None:
    full_after_a_gap()

    said = json.loads(knockon("diagnose", "run.csv", "--format", "json").out)

    assert complaints("diagnose", said) == []
    over = said["over_time"]
    assert (over["from_s"], over["to_s"], over["instants"], over["step_s"]) == (0, 630, 9, 15)
    assert over["gaps"] == [{"from_s": 75, "to_s": 600}]
    [rule] = over["rules"]
    assert {key: rule[key] for key in ("rule", "state", "since_s", "held_s", "fired", "flaps")} == {
        "rule": "D001", "state": "firing", "since_s": 0, "held_s": 630, "fired": 1, "flaps": 0,
    }  # fmt: skip
    assert rule["episodes"] == [{"since_s": 0, "fired_s": 60, "until_s": None, "unseen_s": 525}]


def test_page_has_a_row_for_each_rule_that_fired(knockon: Knockon) -> None:
    full_after_a_gap()

    said = knockon("diagnose", "run.csv")

    assert said.code == 0
    assert "looked at  0 s to 10 min 30 s, 9 instants, every 15 s" in said.out
    assert "not seen   75 s +8 min 45 s" in said.out
    assert "0 s (10 min 30 s, 8 min 45 s of it unseen)" in said.out


def test_readings_of_one_moment_have_no_course(knockon: Knockon) -> None:
    said = json.loads(knockon("diagnose", "--set", "memory_occupancy_ratio=0.95", "--format", "json").out)

    assert said["over_time"] is None


def test_scrapes_in_a_row_are_a_series(knockon: Knockon) -> None:
    names = []
    for index in range(6):
        name = f"{index}.prom"
        Path(name).write_text(
            f"vllm:num_preemptions_total {90 * index}\nvllm:kv_cache_usage_perc 0.99\nvllm:num_requests_waiting 4\n"
        )
        names.append(name)

    said = json.loads(knockon("diagnose", "--series", "--elapsed", "30", *names, "--format", "json").out)

    assert said["verdict"] == "memory"
    assert [(one["rule"], one["state"], one["since_s"]) for one in said["over_time"]["rules"]][:1] == [
        ("D001", "firing", 0)
    ]
    assert ("D008", 30) in [(one["rule"], one["since_s"]) for one in said["over_time"]["rules"]]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--series",), "the files of a series are FILEs"),
        (("--series", "run.csv", "--before", "run.csv"), "the files of a series are FILEs"),
        (("run.csv", "--window", "soon"), "'soon' is no time such as 30m"),
        (("run.csv", "--gap", "0s"), "'0s' is no time over 0"),
    ],
)
def test_options_that_cannot_be_are_wrong_use(knockon: Knockon, arguments: tuple[str, ...], says: str) -> None:
    full_after_a_gap()

    done = knockon("diagnose", *arguments)

    assert done.code == 2
    assert says in " ".join(done.err.split())


def test_what_ended_hours_before_the_rest_decides_nothing(knockon: Knockon) -> None:
    Path("a.csv").write_text(
        "time,memory_occupancy_ratio\n2026-11-29T08:00:00Z,0.97\n2026-11-29T08:00:30Z,0.98\n", encoding="utf-8"
    )
    rows = "".join(f"2026-11-29T12:0{minute}:00Z,0.3\n" for minute in range(4))
    Path("b.csv").write_text(f"time,compute_utilization_ratio\n{rows}", encoding="utf-8")

    said = json.loads(knockon("diagnose", "a.csv", "b.csv", "-f", "json").out)

    assert said["verdict"] == "insufficient_data"
    assert [(one["reading"], one["why"]) for one in said["not_measured"]] == [
        ("memory_occupancy_ratio", "last seen 4.04 h ago, counted from the newest reading")
    ]
