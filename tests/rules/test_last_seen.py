"""What was last seen long ago is missing, with when; what is only coarser, of no time, or of the last minute is not."""

from knockon.rules.last_seen import still_seen
from knockon.terms.reading import Reading
from knockon.terms.series import Series

HOUR = 3600.0
NOW = 1_800_000_000.0


def over(name: str, *ages_s: float, replica: str = "") -> Series:
    """A series with a value at each age before now."""
    return Series(name, tuple(NOW - age for age in ages_s), (1.0,) * len(ages_s), "csv", replica=replica)


def seen(name: str, value: float = 0.9, *, age_s: float | None = 0.0, replica: str = "") -> Reading:
    return Reading(name, value, "csv", replica=replica, at_s=None if age_s is None else NOW - age_s)


BUSY = over("gpu_busy_ratio", 60, 30, 0)


def test_a_value_hours_older_than_the_rest_is_missing_with_when_it_was_seen() -> None:
    [old, new] = still_seen(
        [seen("kv_cache_usage_ratio", 0.98, age_s=3 * HOUR), seen("gpu_busy_ratio")],
        [over("kv_cache_usage_ratio", 3 * HOUR + 30, 3 * HOUR), BUSY],
    )

    assert old == Reading(
        "kv_cache_usage_ratio",
        None,
        "csv",
        state="missing",
        why="last seen 3 h ago, counted from the newest reading",
        raw="0.98",
        at_s=NOW - 3 * HOUR,
    )
    assert new == seen("gpu_busy_ratio")


def test_a_replica_that_ended_is_missing_alone() -> None:
    ended, runs = seen("running_count", age_s=HOUR, replica="1"), seen("running_count", replica="0")
    series = [over("running_count", 30, 0, replica="0"), over("running_count", HOUR + 30, HOUR, replica="1")]

    assert [one.state for one in still_seen([ended, runs], series)] == ["missing", "measured"]


def test_a_coarser_series_may_be_as_old_as_a_gap_of_its_own() -> None:
    coarse = over("queue_time_s_p95", 900, 600, 300)

    assert still_seen([seen("queue_time_s_p95", age_s=300)], [coarse, BUSY])[0].state == "measured"
    assert (
        still_seen([seen("queue_time_s_p95", age_s=300)], [over("queue_time_s_p95", 300), BUSY])[0].state == "missing"
    )


def test_what_has_no_time_or_no_series_beside_it_holds() -> None:
    constant, alone = seen("ttft_s_p95", age_s=None), seen("ttft_s_p99", age_s=9 * HOUR)

    assert still_seen([constant], [BUSY]) == [constant]
    assert still_seen([alone], []) == [alone]
    assert still_seen([alone], [BUSY])[0].state == "missing"


def test_a_minute_counts_as_now_unless_a_gap_is_said() -> None:
    fast = over("gpu_busy_ratio", 2, 1, 0)
    stopped = [seen("kv_cache_usage_ratio", age_s=50)]

    assert still_seen(stopped, [fast])[0].state == "measured"
    assert still_seen(stopped, [fast], gap_s=10)[0].why == "last seen 50 s ago, counted from the newest reading"
