"""diagnose over time: constant series, waits, levels, gaps, warm-up and trends."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knockon.jobs.diagnose import DiagnoseAnswer, diagnose
from knockon.jobs.timeline import OverTime, TimeAsked
from knockon.rules.course import CourseState
from knockon.sources.base import Taken
from knockon.terms.errors import LimitExceeded
from knockon.terms.limits import INSTANTS_MAX
from knockon.terms.reading import Reading
from knockon.terms.series import Series
from tests.shipped import shipped

STEP_S = 15.0
# What takes longest of the shipped rules, and a trend.
LONG_ENOUGH = 40
VALUES = st.fixed_dictionaries(
    {},
    optional={
        "kv_cache_usage_ratio": st.sampled_from([0.3, 0.6, 0.91, 0.99]),
        "preemptions_per_s": st.sampled_from([0.0, 2.0]),
        "waiting_count": st.sampled_from([0.0, 3.0, 80.0]),
        "running_count": st.sampled_from([1.0, 32.0]),
        "output_tokens_per_s": st.sampled_from([0.0, 900.0]),
        "sm_active_ratio": st.sampled_from([0.2, 0.6, 0.95, 1.3]),
        "memory_bandwidth_utilization_ratio": st.sampled_from([0.4, 0.8]),
        "power_draw_w": st.sampled_from([300.0, 699.0]),
    },
)


def rows(*names: str, **values: list[float | None]) -> Taken:
    """Readings and series of rows in steps of STEP_S; None is a hole."""
    series, readings = [], []
    for name in names or values:
        points = [(STEP_S * index, value) for index, value in enumerate(values[name]) if value is not None]
        if points:
            series.append(Series(name, tuple(at for at, _ in points), tuple(value for _, value in points), "a table"))
            readings.append(Reading(name, points[-1][1], "a table"))
    return Taken(tuple(readings), series=tuple(series))


def answered(taken: Taken, **asked: float | None) -> DiagnoseAnswer:
    """The answer under the shipped rules."""
    return diagnose(shipped(), [taken], time_asked=TimeAsked(**asked))  # type: ignore[arg-type]


def followed(taken: Taken, **asked: float | None) -> OverTime:
    """What the series says."""
    over = answered(taken, **asked).over_time
    assert over is not None
    return over


def state(over: OverTime, rule: str) -> CourseState:
    """Where one rule stands."""
    return next(one.course.state for one in over.courses if one.rule.id == rule)


@given(VALUES.filter(bool))
def test_series_that_never_changes_says_what_one_snapshot_says(values: dict[str, float]) -> None:
    single = diagnose(shipped(), [Taken(tuple(Reading(name, value, "a table") for name, value in values.items()))])
    held: dict[str, list[float | None]] = {name: [value] * LONG_ENOUGH for name, value in values.items()}

    answer = answered(rows(**held))

    assert answer.diagnosis.verdict == single.diagnosis.verdict
    assert answer.diagnosis.between == single.diagnosis.between
    assert [(one.rule.id, one.confidence, one.says) for one in answer.diagnosis.hypotheses] == [
        (one.rule.id, one.confidence, one.says) for one in single.diagnosis.hypotheses
    ]
    assert answer.over_time is not None
    assert all(one.course.flaps == 0 for one in answer.over_time.courses)
    assert answer.over_time.warm_up is None


def test_rule_is_pending_until_its_condition_has_held_long_enough() -> None:
    short = answered(rows(memory_occupancy_ratio=[0.5, 0.5, 0.95, 0.95]))
    long = answered(rows(memory_occupancy_ratio=[0.5, 0.5, *[0.95] * 5]))

    assert (short.diagnosis.verdict, short.diagnosis.hypotheses) == ("insufficient_data", ())
    assert short.over_time is not None
    assert [(one.rule.id, one.course.state, one.course.pending_since_s) for one in short.over_time.spoken] == [
        ("D001", CourseState.PENDING, 30.0)
    ]
    assert long.diagnosis.verdict == "memory"


def test_rule_that_fires_stays_above_its_lower_level_and_speaks_of_what_made_it_fire() -> None:
    # 0.9 enters, 0.855 leaves.
    above = answered(rows(memory_occupancy_ratio=[*[0.95] * 6, 0.88, 0.87]))
    under = answered(rows(memory_occupancy_ratio=[*[0.95] * 6, 0.88, 0.85]))

    [hypothesis] = above.diagnosis.hypotheses
    assert (hypothesis.rule.id, hypothesis.observations[0].value) == ("D001", 0.95)
    assert "95 %" in hypothesis.says.en
    assert above.diagnosis.verdict == "memory"
    assert under.diagnosis.hypotheses == ()


def test_rule_is_kept_for_a_while_after_its_condition_ended() -> None:
    preempting: list[float | None] = [*[1.0] * 6, *[0.0] * 4]
    full: list[float | None] = [0.99] * 10
    kept = answered(rows(kv_cache_usage_ratio=full, preemptions_per_s=preempting))
    over = answered(rows(kv_cache_usage_ratio=[*full, *[0.99] * 6], preemptions_per_s=[*preempting, *[0.0] * 6]))

    assert [one.rule.id for one in kept.diagnosis.hypotheses] == ["D008"]
    assert "D008" not in [one.rule.id for one in over.diagnosis.hypotheses]


def test_gap_is_neither_an_end_nor_a_wait() -> None:
    gap: list[float | None] = [None] * 20
    firing = followed(rows(memory_occupancy_ratio=[*[0.95] * 6, *gap, 0.95]))
    waiting = followed(rows(memory_occupancy_ratio=[0.95, 0.95, *gap, 0.95, 0.95]))

    [course] = [one.course for one in firing.courses if one.rule.id == "D001"]
    assert (course.flaps, course.episodes[0].until_s, course.episodes[0].unseen_s) == (0, None, 315.0)
    assert firing.gaps == ((75.0, 390.0),)
    assert state(waiting, "D001") is CourseState.PENDING


def test_flapping_is_counted() -> None:
    usage: list[float | None] = [*[0.8] * 5, *[0.5] * 5, *[0.8] * 5, *[0.5] * 5, *[0.8] * 5]
    over = followed(rows(memory_bandwidth_utilization_ratio=usage))

    [course] = [one.course for one in over.courses if one.rule.id == "D004"]
    assert (len(course.episodes), course.flaps) == (3, 2)


def test_warm_up_is_left_out_with_the_reason_unless_less_was_asked_of_the_engine() -> None:
    tokens: list[float | None] = [*[100.0] * 8, *[1000.0] * 30]
    cold = rows(output_tokens_per_s=tokens, running_count=[32.0] * 38)
    quiet = rows(output_tokens_per_s=tokens, running_count=[*[3.0] * 8, *[32.0] * 30])

    found = followed(cold).warm_up
    assert found is not None
    assert (found.until_s, found.instants) == (120.0, 8)
    assert (
        found.why.en == "output_tokens_per_s was 100 on average until then and 1000 after it, at no lower load (MSER)"
    )
    assert followed(quiet).warm_up is None
    assert followed(cold, warm_up_s=0.0).warm_up is None
    assert followed(cold, warm_up_s=45.0).from_s == 45.0


def test_pool_that_fills_at_a_steady_rate_is_told_before_it_is_full() -> None:
    usage: list[float | None] = [0.3 + 0.01 * index for index in range(50)]
    answer = answered(rows(kv_cache_usage_ratio=usage, requests_per_s=[4.0] * 50))

    [hypothesis] = [one for one in answer.diagnosis.hypotheses if one.rule.id == "D160"]
    assert "the pool is full in 315.00 s" in hypothesis.says.en


def test_throughput_that_stays_while_the_queue_grows_is_past_the_knee() -> None:
    waiting: list[float | None] = [2.0 * index for index in range(50)]
    answer = answered(rows(waiting_count=waiting, running_count=[32.0] * 50, output_tokens_per_s=[2000.0] * 50))

    assert "D162" in [one.rule.id for one in answer.diagnosis.hypotheses]


def test_running_batch_that_shrinks_while_the_queue_grows_is_seen() -> None:
    down: list[float | None] = [60.0 - index for index in range(50)]
    up: list[float | None] = [float(index) for index in range(50)]
    answer = answered(rows(waiting_count=up, running_count=down, kv_cache_usage_ratio=[0.99] * 50))

    assert "D018" in [one.rule.id for one in answer.diagnosis.hypotheses]


def test_replicas_are_set_against_one_another_at_every_instant() -> None:
    times = tuple(STEP_S * index for index in range(10))
    even, odd = (3.0,) * 10, (3.0,) * 5 + (60.0,) * 5
    series = tuple(
        Series("waiting_count", times, values, "a table", replica=name)
        for name, values in (("a", even), ("b", even), ("c", odd))
    )
    readings = tuple(Reading("waiting_count", one.values[-1], "a table", replica=one.replica) for one in series)

    answer = answered(Taken(readings, series=series))

    assert answer.over_time is not None
    [course] = [one.course for one in answer.over_time.courses if one.rule.id == "D027"]
    assert (course.state, course.episodes[0].since_s) == (CourseState.FIRING, 75.0)


def test_too_long_a_series_is_refused() -> None:
    with pytest.raises(LimitExceeded, match="instants"):
        answered(rows(waiting_count=[1.0] * (INSTANTS_MAX + 1)))


def test_one_moment_is_no_series() -> None:
    assert answered(rows(waiting_count=[1.0])).over_time is None
