"""Runs handed in: what makes them the same, which times and names they may have, and what is refused."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from knockon.jobs.diagnose import diagnose
from knockon.jobs.history import History, keep
from knockon.sources.base import Taken
from knockon.store.run import KeptRun
from knockon.store.store import open_store
from knockon.terms.errors import IntakeError, LimitExceeded, NotFound, StoreError
from knockon.terms.limits import RUN_READINGS_MAX, TARGET_TEXT_MAX
from knockon.terms.reading import Reading
from tests.shipped import shipped
from tests.store.kept import migrated

NOON = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
IDLE = (
    Reading("memory_occupancy_ratio", 0.97, "a.yaml:1:1"),
    Reading("compute_utilization_ratio", 0.3, "a.yaml:2:1"),
)


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    """Give the history of an empty database at noon."""
    with open_store(migrated(tmp_path), busy_timeout_s=0.05) as store:
        yield History(store, days=90, clock=lambda: NOON)


def kept(history: History, *readings: Reading, **more: Any) -> KeptRun:
    given = {"target": "prod", "taken_at": NOON, **more}
    return keep(history, shipped(), [Taken(readings or IDLE)], **given)


def test_a_run_holds_what_diagnose_says(history: History) -> None:
    answer = diagnose(shipped(), [Taken(IDLE)])

    run = kept(history)

    assert (run.verdict, run.finest, run.between) == ("memory", answer.diagnosis.finest, answer.diagnosis.between)
    assert run.profile == "default"
    assert (run.revision, run.digest) == (None, shipped().digest)
    first = run.hypotheses[0]
    assert (first.rule, first.wall) == ("D003", "memory")
    assert {(seen.name, seen.value, seen.origin) for seen in first.observations} == {
        ("memory_occupancy_ratio", 0.97, "a.yaml:1:1"),
        ("compute_utilization_ratio", 0.3, "a.yaml:2:1"),
    }
    assert [one.name for one in run.missing] == [one.name for one in answer.diagnosis.missing]
    assert run.readings == IDLE
    assert history.runs("prod", limit=20).runs == [run]


def test_the_same_run_from_another_file_in_another_order_and_zone_is_kept_once(history: History) -> None:
    first = kept(history)
    moved = [replace(one, origin="elsewhere") for one in reversed(IDLE)]

    again = kept(history, *moved, taken_at=NOON.astimezone(timezone(timedelta(hours=8))))

    assert (again.id, again.is_new, again.readings) == (first.id, False, IDLE)
    assert history.runs("prod", limit=20).total == 1


@pytest.mark.parametrize(
    "more",
    [
        pytest.param({"target": "staging"}, id="target"),
        pytest.param({"taken_at": NOON - timedelta(microseconds=1)}, id="time"),
        pytest.param({"profile": "h100-vllm-chat"}, id="profile"),
        pytest.param({"sets": ["preemptions_per_s=2"]}, id="readings"),
    ],
)
def test_a_run_that_differs_in_anything_is_another(history: History, more: dict[str, Any]) -> None:
    first = kept(history)

    other = kept(history, **more)

    assert other.is_new
    assert other.id != first.id


def test_one_reading_of_two_replicas_is_not_that_of_one(history: History) -> None:
    one = Reading("memory_occupancy_ratio", 0.97, "given")

    ids = {kept(history, replace(one, replica=name)).id for name in ("", "0", "1")}

    assert len(ids) == 3


def test_a_whole_number_is_the_same_with_and_without_a_fraction_and_no_truth(history: History) -> None:
    assert kept(history, Reading("preemptions_per_s", 1, "given")).is_new
    assert not kept(history, Reading("preemptions_per_s", 1.0, "given")).is_new
    assert kept(history, Reading("preemptions_per_s", True, "given")).is_new


def test_readings_that_cannot_be_judged_are_kept_with_the_reason_and_no_number(history: History) -> None:
    run = kept(
        history,
        Reading("memory_occupancy_ratio", 97, "given"),
        Reading("ttft_s_p95", float("nan"), "given"),
        Reading("output_tokens_per_s", float("inf"), "given"),
        Reading("moon_phase", 3, "given"),
    )

    held = history.runs("prod", limit=1).runs[0].readings
    assert held == run.readings
    assert [(one.name, one.state, one.value) for one in held] == [
        ("memory_occupancy_ratio", "invalid", None),
        ("ttft_s_p95", "invalid", None),
        ("output_tokens_per_s", "invalid", None),
        ("moon_phase", "invalid", None),
    ]
    assert all(one.why and one.raw for one in held)


def test_the_latest_time_of_the_readings_stands_where_none_is_given(history: History) -> None:
    at_s = (NOON - timedelta(hours=1)).timestamp()
    readings = [replace(one, at_s=at_s - 30 * place) for place, one in enumerate(IDLE)]

    assert kept(history, *readings, taken_at=None).taken_at == NOON - timedelta(hours=1)


@pytest.mark.parametrize(
    ("taken_at", "code", "what"),
    [
        pytest.param(None, "time-missing", "nothing says when this was measured", id="none"),
        pytest.param(NOON.replace(tzinfo=None), "bad-time", "takenAt has no zone: 2026-11-29T12:00:00", id="no zone"),
        pytest.param(
            NOON + timedelta(hours=2), "bad-time",
            "the run is of 2026-11-29T14:00:00+00:00, which is still to come", id="to come",
        ),
        pytest.param(
            NOON - timedelta(days=91), "bad-time",
            "the run is of 2026-08-30T12:00:00+00:00, and runs are kept for 90 days", id="too old",
        ),
        pytest.param(
            datetime.min.replace(tzinfo=timezone(timedelta(hours=1))), "bad-time", "takenAt cannot be told in UTC",
            id="before all time",
        ),
    ],
)  # fmt: skip
def test_times_that_cannot_be_kept_are_refused(
    history: History, taken_at: datetime | None, code: str, what: str
) -> None:
    with pytest.raises(IntakeError) as refused:
        kept(history, taken_at=taken_at)

    assert (refused.value.code, refused.value.problem.what) == (code, what)
    assert history.targets(limit=20).total == 0


def test_times_at_the_edges_are_kept(history: History) -> None:
    assert kept(history, taken_at=NOON + timedelta(minutes=59)).is_new
    assert kept(history, taken_at=NOON - timedelta(days=90)).is_new


def test_readings_whose_time_is_none_need_one_to_be_given(history: History) -> None:
    with pytest.raises(IntakeError, match="nothing says when"):
        kept(history, *(replace(one, at_s=1e30) for one in IDLE), taken_at=None)


def test_runs_are_kept_for_ever_where_no_days_are_set(history: History) -> None:
    forever = replace(history, days=0)
    long_ago = NOON - timedelta(days=9_000)

    kept(forever, taken_at=long_ago)
    kept(forever)

    assert [one.taken_at for one in forever.runs("prod", limit=20).runs] == [NOON, long_ago]


def test_what_became_old_goes_with_the_next_run(history: History) -> None:
    kept(history)
    later = replace(history, clock=lambda: NOON + timedelta(days=91))

    kept(later, taken_at=NOON + timedelta(days=91))

    assert [one.taken_at for one in later.runs("prod", limit=20).runs] == [NOON + timedelta(days=91)]


@pytest.mark.parametrize("name", ["", "  ", " prod", "prod ", "a\nb", "a\0b", "a\x1bb", "\ud800"])
def test_what_is_no_line_of_text_is_no_target(history: History, name: str) -> None:
    for ask in (lambda: kept(history, target=name), lambda: history.runs(name, limit=1)):
        with pytest.raises(IntakeError) as refused:
            ask()
        assert refused.value.code == "bad-target"


def test_names_of_targets_have_a_limit(history: History) -> None:
    assert kept(history, target="生" * TARGET_TEXT_MAX).is_new
    with pytest.raises(LimitExceeded):
        kept(history, target="x" * (TARGET_TEXT_MAX + 1))


def test_more_readings_than_a_run_may_have_are_refused(history: History) -> None:
    readings = [Reading("running_count", 1, "given", replica=str(one)) for one in range(RUN_READINGS_MAX + 1)]

    assert kept(history, *readings[:-1]).is_new
    with pytest.raises(LimitExceeded, match="the number of readings of a run is over the limit of 5,000, found 5,001"):
        kept(history, *readings, target="more")
    assert history.targets(limit=20).total == 1


def test_an_unknown_profile_keeps_nothing(history: History) -> None:
    with pytest.raises(NotFound) as refused:
        kept(history, profile="moon")

    assert refused.value.code == "unknown-profile"
    assert history.targets(limit=20).total == 0


def test_a_service_that_only_reads_keeps_nothing_and_shows_what_is_there(history: History) -> None:
    run = kept(history)
    reader = replace(history, is_read_only=True)

    with pytest.raises(StoreError) as refused:
        kept(reader, target="other")

    assert str(refused.value) == (
        "this service only reads; expected one that keeps runs; hand the run in there instead"
    )
    assert reader.runs("prod", limit=20).runs == [run]


def test_a_locked_database_refuses_and_takes_the_same_run_later(history: History, tmp_path: Path) -> None:
    locking = sqlite3.connect(tmp_path / "knockon.db", isolation_level=None)
    locking.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError) as refused:
        kept(history)
    locking.execute("ROLLBACK")
    locking.close()

    assert refused.value.code == "database-locked"
    assert kept(history).is_new


def test_a_time_that_ends_before_it_begins_is_refused(history: History) -> None:
    kept(history)

    with pytest.raises(IntakeError) as refused:
        history.runs("prod", limit=1, since=NOON, until=NOON)

    assert refused.value.code == "bad-time"
