"""`diagnose --keep` and `history`: what was kept is shown again; what is asked wrongly is refused and keeps nothing."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Knockon
from tests.cli.test_contracts import complaints
from tests.curate.trees import written
from tests.unwritable import only_read, readable_folder

IDLE = ("--set", "memory_occupancy_ratio=0.95", "--set", "compute_utilization_ratio=0.4")
AT = ("--taken-at", "2026-11-29T12:00:00Z")
FOR_EVER = {"KNOCKON_HISTORY_DAYS": "0"}


def kept(knockon: Knockon, *arguments: str, target: str = "prod", **environment: str) -> Any:
    done = knockon("diagnose", "-f", "json", "--keep", "--target", target, *arguments, **(FOR_EVER | environment))
    assert done.code == 0, done.err
    return json.loads(done.out)["kept"]


def runs(knockon: Knockon, *arguments: str) -> Any:
    done = knockon("history", "prod", "-f", "json", *arguments)
    assert done.code == 0, done.err
    return json.loads(done.out)


def test_a_kept_run_is_shown_again(knockon: Knockon) -> None:
    first, again = kept(knockon, *IDLE, *AT), kept(knockon, *IDLE, *AT)

    said = runs(knockon)

    assert first == {"id": first["id"], "target": "prod", "taken_at": "2026-11-29T12:00:00Z", "is_new": True}
    assert again == {**first, "is_new": False}
    assert complaints("history", said) == []
    [run] = said["runs"]
    assert (run["id"], run["verdict"], run["hypotheses"][0]["rule"]) == (first["id"], "memory", "D003")
    assert said["total"] == 1


def test_history_is_a_table_in_both_languages(knockon: Knockon) -> None:
    kept(knockon, *IDLE, *AT)
    kept(knockon, "--set", "ttft_s_p95=2s", "--taken-at", "2026-11-29T13:00:00Z")

    english, chinese = (knockon("history", "prod", *more, COLUMNS="120") for more in ((), ("--lang", "zh")))

    lines = english.out.splitlines()
    assert lines[0] == "prod — 2 of 2 runs, newest first"
    assert [line.split()[:2] for line in lines if line.startswith("2026")] == [
        ["2026-11-29T13:00:00Z", "insufficient_data"],
        ["2026-11-29T12:00:00Z", "memory"],
    ]
    assert "compute_utilization_ratio 0.4" in english.out
    assert "needs " in english.out
    assert "2 次中的 2 次" in chinese.out


def test_targets_are_listed(knockon: Knockon) -> None:
    kept(knockon, *IDLE, *AT)
    kept(knockon, *IDLE, *AT, target="staging")

    said = json.loads(knockon("history", "-f", "json").out)
    table = knockon("history").out

    assert said == {
        "targets": [
            {
                "target": name, "runs": 1, "first_at": "2026-11-29T12:00:00Z", "latest_at": "2026-11-29T12:00:00Z",
                "verdict": "memory",
            }
            for name in ("prod", "staging")
        ],
        "total": 2,
    }  # fmt: skip
    assert [line.split()[0] for line in table.splitlines()[2:]] == ["prod", "staging"]


def test_a_part_of_the_history_is_chosen_by_time_and_number(knockon: Knockon) -> None:
    for hour in range(4):
        kept(knockon, *IDLE, "--taken-at", f"2026-11-29T1{hour}:00:00Z")

    between = runs(knockon, "--from", "2026-11-29T11:00:00Z", "--to", "2026-11-29T13:00:00Z")
    newest = runs(knockon, "-n", "1")

    assert [one["taken_at"][11:13] for one in between["runs"]] == ["12", "11"]
    assert ([one["taken_at"][11:13] for one in newest["runs"]], newest["total"]) == (["13"], 4)


def test_the_page_of_diagnose_says_that_it_is_kept(knockon: Knockon) -> None:
    said = [knockon("diagnose", "--keep", "--target", "prod", *IDLE, *AT, **FOR_EVER).out for _ in range(2)]

    assert "Kept as the run of 2026-11-29T12:00:00Z of prod" in said[0]
    assert "The run of 2026-11-29T12:00:00Z was kept before, of prod" in said[1]


def test_without_a_time_the_run_is_of_now(knockon: Knockon) -> None:
    # In the past of every later test run, so it would be refused were it the file's own time.
    first, second = kept(knockon, *IDLE), kept(knockon, *IDLE)

    assert first["taken_at"] < second["taken_at"]
    assert (first["is_new"], second["is_new"]) == (True, True)


def test_a_named_database_holds_the_history(knockon: Knockon, tmp_path: Path) -> None:
    url = ("--database-url", f"sqlite:///{tmp_path}/own.db")

    kept(knockon, *IDLE, *AT, *url)

    assert runs(knockon, *url)["total"] == 1
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(("--keep",), "what is kept needs a name", id="no target"),
        pytest.param(("--target", "prod"), "without --keep nothing is", id="no keep"),
        pytest.param(AT, "without --keep nothing is", id="time alone"),
        pytest.param(("--keep", "--target", " "), "' ' is no name of a target", id="blank target"),
        pytest.param(("--keep", "--target", "p", "--taken-at", "noon"), "'noon' is no time such as", id="no time"),
        pytest.param(
            ("--keep", "--target", "p", "--taken-at", "2999-01-01T00:00:00Z"), "which is still to come", id="to come"
        ),
        pytest.param(
            ("--keep", "--target", "p", "--taken-at", "2001-01-01T00:00:00Z"), "runs are kept for 90 days", id="too old"
        ),
        pytest.param(("--keep", "--target", "p", "--profile", "moon"), "no profile is called 'moon'", id="profile"),
    ],
)
def test_what_cannot_be_kept_is_refused(knockon: Knockon, arguments: tuple[str, ...], said: str) -> None:
    done = knockon("diagnose", *IDLE, *arguments, COLUMNS="200")

    assert done.code == 2
    assert said in done.err
    assert json.loads(knockon("history", "-f", "json").out or '{"total": 0}')["total"] == 0


@pytest.mark.parametrize(
    ("arguments", "environment", "said"),
    [
        pytest.param(("prode",), {}, "did you mean 'prod'?", id="unknown target"),
        pytest.param(("--from", "2026-11-29T12:00:00Z"), {}, "targets are listed whatever their time", id="no target"),
        pytest.param(("prod", "--to", "noon"), {}, "'noon' is no time such as", id="no time"),
        pytest.param(
            ("prod", "--from", "2026-11-29T12:00:00Z", "--to", "2026-11-29T11:00:00Z"), {}, "before it begins",
            id="backwards",
        ),
        pytest.param(("--database-url", "sqlite:///gone.db"), {}, "is not there", id="no database"),
        pytest.param(("prod",), {"KNOCKON_HISTORY_DAYS": "soon"}, "KNOCKON_HISTORY_DAYS", id="bad setting"),
    ],
)  # fmt: skip
def test_what_cannot_be_shown_is_refused(
    knockon: Knockon, arguments: tuple[str, ...], environment: dict[str, str], said: str
) -> None:
    kept(knockon, *IDLE, *AT)

    done = knockon("history", *arguments, COLUMNS="200", **environment)

    assert done.code == 2
    assert said in done.err


def test_a_reader_keeps_nothing(knockon: Knockon) -> None:
    kept(knockon, *IDLE, *AT)

    done = knockon("diagnose", *IDLE, "--keep", "--target", "other", KNOCKON_READ_ONLY="true")

    assert (done.code, "this service only reads" in done.err) == (2, True)
    assert json.loads(knockon("history", "-f", "json").out)["total"] == 1


def test_a_database_that_may_only_be_read_is_read_where_the_settings_say_so(knockon: Knockon) -> None:
    with readable_folder() as folder:
        url = f"sqlite:///{folder}/knockon.db"
        kept(knockon, *IDLE, *AT, KNOCKON_DATABASE_URL=url)
        catalog, rules = written(Path("tree"))
        load = ("catalog", "load", "--catalog", str(catalog), "--rules", str(rules))
        loaded = knockon(*load, KNOCKON_DATABASE_URL=url)
        with only_read(folder):
            refused = knockon("history", "prod", KNOCKON_DATABASE_URL=url)
            read = knockon("history", "prod", KNOCKON_DATABASE_URL=url, KNOCKON_READ_ONLY="true")
            compared = knockon("catalog", "diff", "1", "1", KNOCKON_DATABASE_URL=url, KNOCKON_READ_ONLY="true")
        again = knockon(*load, KNOCKON_DATABASE_URL=url, KNOCKON_READ_ONLY="true")

    assert loaded.code == 0
    assert refused.code == 2
    assert refused.err.endswith("check the permissions, or set KNOCKON_READ_ONLY=true to only read it\n")
    assert (read.code, read.out.splitlines()[0]) == (0, "prod — 1 of 1 runs, newest first")
    assert compared.code == 0
    assert (again.code, "is not to be written: KNOCKON_READ_ONLY says so" in again.err) == (2, True)
