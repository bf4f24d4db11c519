"""Precedents: what a report mentions, which wall it is like, and laws that hold for any of them."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knockon.rules.precedent import OPEN, Precedent, Precedents, features_of, features_told
from knockon.terms.words import WallId

MEMORY, HOST = WallId("memory"), WallId("host")


def told(id_: str, wall: WallId, words: str, **readings: float | bool) -> Precedent:
    return Precedent(id_, f"https://example.org/{id_}", wall, words, readings)


KNOWN = Precedents(
    [
        told("m1", MEMORY, "requests are preempted, cache full", kv_cache_usage_ratio=0.99),
        told("m2", MEMORY, "out of memory at long prompts", device_memory_occupancy_ratio=0.98),
        told("h1", HOST, "GPU idle between steps, Python busy", host_gap_ratio=0.4),
        told("h2", HOST, "tokenizer threads at full load", host_cpu_utilization_ratio=0.95),
        told("o1", OPEN, "it is slow", e2e_slow=True),
    ]
)
SAID = ("cache", "full", "preempted", "idle", "python", "busy", "slow", "prompts", "steps", "unheard")
WORDS = st.lists(st.sampled_from(SAID), min_size=1)


def test_like_reports_name_their_wall_and_come_nearest_first() -> None:
    found = KNOWN.resemblance(frozenset(features_told("the cache is full and requests get preempted")))

    assert found is not None
    assert found.wall == MEMORY
    assert [one.precedent.id for one in found.nearest] == ["m1", "m2"][: len(found.nearest)]
    assert found.nearest[0].likeness > 0.5


def test_reports_without_a_cause_are_a_kind_of_their_own() -> None:
    found = KNOWN.resemblance(frozenset((*features_told("it is slow"), *features_of({"e2e_slow": True}))))

    assert found is not None
    assert found.wall == OPEN


def test_nothing_is_like_what_nobody_ever_mentioned() -> None:
    assert KNOWN.resemblance(frozenset({"word:zeppelin"})) is None
    assert Precedents(()).resemblance(frozenset({"word:cache"})) is None


@pytest.mark.parametrize(
    ("readings", "mentioned"),
    [
        (
            {"kv_cache_usage_ratio": 0.99},
            {"kv_cache_usage_ratio", "kv_cache_usage_ratio:high", "part:kv", "part:cache", "part:usage"},
        ),
        (
            {"kv_cache_usage_ratio": 0.25},
            {"kv_cache_usage_ratio", "kv_cache_usage_ratio:middle", "part:kv", "part:cache", "part:usage"},
        ),
        ({"preemption_seen": True}, {"preemption_seen", "part:preemption"}),
        ({"preemption_seen": False}, {"preemption_seen=no"}),
        ({"thread_gain_factor": 1.1}, {"thread_gain_factor", "thread_gain_factor:same", "part:thread", "part:gain"}),
        ({"waiting_count": 0}, {"waiting_count", "waiting_count:none", "part:waiting"}),
        ({"step_time_s": 2.0}, {"step_time_s", "part:step", "part:time"}),
    ],
)
def test_what_a_reading_mentions(readings: dict[str, float | bool], mentioned: set[str]) -> None:
    assert set(features_of(readings)) == mentioned


def test_words_are_counted_without_their_endings_and_fillers() -> None:
    assert set(features_told("The steps stepped, and kv_cache waits")) == {
        "word:step",
        "word:stepp",
        "word:kv",
        "word:cache",
        "word:wait",
    }


@given(WORDS)
def test_shares_are_shares_and_likeness_is_a_cosine(words: list[str]) -> None:
    found = KNOWN.resemblance(frozenset(features_told(" ".join(words))))

    if found is not None:
        assert 0 < found.share <= 1
        assert all(0 < one.likeness <= 1 + 1e-9 and one.precedent.wall == found.wall for one in found.nearest)
        assert sorted((one.likeness for one in found.nearest), reverse=True) == [one.likeness for one in found.nearest]


@given(WORDS, st.permutations(list(KNOWN.held)))
def test_the_order_of_precedents_changes_nothing(words: list[str], shuffled: list[Precedent]) -> None:
    asked = frozenset(features_told(" ".join(words)))
    one, other = KNOWN.resemblance(asked), Precedents(shuffled).resemblance(asked)

    assert (one is None) == (other is None)
    if one is not None and other is not None:
        assert (one.wall, pytest.approx(one.share)) == (other.wall, other.share)


def test_leaving_a_precedent_out_is_never_having_had_it() -> None:
    asked = frozenset(features_told("cache full"))

    fewer = KNOWN.without({"m1"})
    found = fewer.resemblance(asked)
    assert "m1" not in {one.id for one in fewer.held}
    assert found is None or all(one.precedent.id != "m1" for one in found.nearest)
    more = Precedents([*KNOWN.held, replace(KNOWN.held[0], id="m3")])
    surer, before = more.resemblance(asked), KNOWN.resemblance(asked)
    assert surer is not None
    assert before is not None
    assert surer.share >= before.share
