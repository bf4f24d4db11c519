"""Tables of snapshots: counts and first rows are those of judging each row alone."""

from pathlib import Path

import polars as pl
import pytest

from knockon.jobs.snapshots import diagnose_snapshots
from knockon.terms.errors import IntakeError
from tests.shipped import shipped

ROWS = {
    "kv_cache_usage_ratio": [0.98, 0.98, None, 0.5, 7.0],
    "preemptions_per_s": [0.4, 0.0, 1.0, 1.0, 1.0],
    "output_tokens_per_s": [10.0, 10.0, 10.0, 10.0, 10.0],
    "expected_output_tokens_per_s": [20.0, 5.0, 20.0, 20.0, 20.0],
    "sm_active_ratio": [0.95, 0.95, 0.95, 0.2, 0.95],
    "comment": ["a", "b", "c", "d", "e"],
}


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_rules_are_counted_over_all_rows_with_derived_and_without_impossible_values(
    tmp_path: Path, suffix: str
) -> None:
    file = tmp_path / f"snapshots.{suffix}"
    frame = pl.DataFrame(ROWS)
    if suffix == "csv":
        frame.write_csv(file)
    else:
        frame.write_parquet(file)

    answer = diagnose_snapshots(shipped(), file)

    counts = {str(one.rule.id): (one.fired, one.unknown, one.first_rows) for one in answer.rules}
    assert answer.rows == 5
    assert answer.ignored == ("comment",)
    # A share of 7 cannot be, so its row is as unknown as the empty one.
    assert counts["D008"] == (1, 2, (0,))
    assert counts["D001"] == (2, 2, (0, 1))
    assert counts["D002"] == (3, 0, (0, 2, 4))
    assert counts["D004"] == (0, 5, ())


def test_one_word_in_a_column_does_not_blind_all_of_its_rows(tmp_path: Path) -> None:
    file = tmp_path / "snapshots.csv"
    file.write_text(
        "memory_occupancy_ratio,compute_utilization_ratio\n0.96,0.31\nN/A,0.3\n0.97, 0.2\nmany,0.2\n,0.2\n",
        encoding="utf-8",
    )

    answer = diagnose_snapshots(shipped(), file)

    counts = {str(one.rule.id): (one.fired, one.unknown, one.first_rows) for one in answer.rules}
    assert counts["D003"] == (2, 3, (0, 2))
    assert answer.no_numbers == {"memory_occupancy_ratio": 1}


@pytest.mark.parametrize(("name", "says"), [("a.txt", "is no table"), ("absent.csv", "cannot be read")])
def test_file_that_is_no_table_is_refused(tmp_path: Path, name: str, says: str) -> None:
    with pytest.raises(IntakeError, match=says):
        diagnose_snapshots(shipped(), tmp_path / name)
