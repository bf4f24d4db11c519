"""A table with too many cells is refused before its rows are read, whatever it is written in."""

import pytest

from knockon.sources import read_source
from knockon.terms.errors import LimitExceeded
from knockon.terms.limits import READINGS_MAX
from tests.sources.vocabulary import shipped_vocabulary

ROWS = READINGS_MAX // 2 + 1


def refusal(text: str, name: str) -> str:
    with pytest.raises(LimitExceeded) as caught:
        read_source(text, filename=name, vocabulary=shipped_vocabulary())
    return str(caught.value)


def test_cells_of_csv_are_counted_before_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_: object) -> None:
        raise AssertionError("a row was read")

    monkeypatch.setattr("knockon.sources.table_rows._csv", read)
    rows = "".join(f"{1_700_000_000 + index},0.9,0.3\n" for index in range(ROWS))

    assert refusal(f"time,memory_occupancy_ratio,sm_active_ratio\n{rows}", "a.csv") == (
        "a.csv:1:1: the cells of one table is over the limit of 200,000, found 200,002; give fewer rows"
    )


def test_cells_of_json_lines_are_counted_as_they_come() -> None:
    line = '{"at": 1700000000, "memory_occupancy_ratio": 0.9, "sm_active_ratio": 0.3}\n'

    assert refusal(line * (ROWS + 1_000), "a.jsonl") == (
        "a.jsonl:100001:1: the cells of one table is over the limit of 200,000, found 200,002; give fewer rows"
    )


def test_columns_that_are_no_readings_do_not_count() -> None:
    notes, length = 10, READINGS_MAX // 10 + 1
    rows = "".join(f"{1_700_000_000 + index}{',x' * notes},0.9\n" for index in range(length))
    header = ",".join(["time", *(f"note{number}" for number in range(notes)), "memory_occupancy_ratio"])

    taken = read_source(f"{header}\n{rows}", filename="a.csv", vocabulary=shipped_vocabulary())

    assert len(taken.series[0].values) == length


@pytest.mark.parametrize("end", ["", "- {at: 17000, kv_ca"], ids=["whole", "cut"])
def test_a_long_yaml_list_is_refused_without_being_read_whole(end: str) -> None:
    rows = "".join(f"- {{at: {1_700_000_000 + index}, waiting_count: 1, running_count: 3}}\n" for index in range(ROWS))

    assert refusal(rows + end, "a.yaml") == (
        "a.yaml:100001:3: the cells of one table is over the limit of 200,000, found 200,002; give fewer rows"
    )
