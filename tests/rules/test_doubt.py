"""What makes the first hypothesis less sure without a reading against it."""

from collections.abc import Sequence

from knockon.rules.doubt import doubted, level_with_first
from knockon.rules.hierarchy import SPEAK_MIN
from knockon.rules.hypothesis import Hypothesis
from knockon.rules.rule import DiagnoseRule
from knockon.terms.words import Text
from tests.shipped import shipped

WALLS = shipped().rulebook.walls


def rule(rule_id: str) -> DiagnoseRule:
    """A shipped diagnose rule."""
    found = shipped().rulebook.rule(rule_id)
    assert isinstance(found, DiagnoseRule)
    return found


def after(*pairs: tuple[str, float], overruled: Sequence[str] = ()) -> list[float]:
    """How sure each is in the end, the surest first."""
    return [one.confidence for one in _doubted(*pairs, overruled=overruled)]


def _doubted(*pairs: tuple[str, float], overruled: Sequence[str] = ()) -> Sequence[Hypothesis]:
    found = [Hypothesis(rule(key), rule(key).wall, sure, Text("", ""), (), (), (), ()) for key, sure in pairs]
    return doubted(WALLS, found, [rule(key) for key in overruled])


def test_another_wall_that_speaks_takes_off_what_it_has_beyond_a_suspicion() -> None:
    # D148 and D224 are memory, D274 is queueing.
    assert after(("D148", 0.76), ("D224", 0.62), ("D274", 0.5)) == [round(0.76 * 0.9, 2), 0.62, 0.5]


def test_the_nearer_the_other_wall_the_less_sure_and_nothing_stays_above_the_first() -> None:
    assert after(("D148", 0.76), ("D224", 0.62), ("D274", 0.62)) == [0.59, 0.59, 0.59]


def test_parts_of_one_wall_do_not_doubt_each_other() -> None:
    assert after(("D036", 0.81), ("D034", 0.7)) == [0.81, 0.7]


def test_a_suspicion_of_another_wall_takes_nothing_off() -> None:
    assert after(("D148", 0.76), ("D224", 0.62), ("D274", SPEAK_MIN - 0.01)) == [0.76, 0.62, SPEAK_MIN - 0.01]


def test_a_rule_alone_is_never_confident() -> None:
    assert after(("D202", 0.81)) == [0.65]
    assert after(("D202", 0.6)) == [0.6]


def test_a_rule_that_was_overruled_agrees_where_its_wall_is_the_same() -> None:
    assert after(("D148", 0.76), overruled=["D001"]) == [0.76]
    assert after(("D148", 0.76), overruled=["D009"]) == [0.65]


def test_what_spoke_still_speaks() -> None:
    assert after(("D202", 0.95), ("D274", 0.9))[0] == SPEAK_MIN


def test_a_suspicion_stays_as_it_is() -> None:
    assert after(("D202", 0.39), ("D274", 0.38)) == [0.39, 0.38]


def test_each_doubt_is_told_with_the_first_alone() -> None:
    first, second = _doubted(("D202", 0.81), ("D274", 0.6))

    assert [doubt.en for doubt in first.doubts] == [
        "no other rule of this wall speaks",
        "D274 explains the readings by another wall, queueing_rank",
    ]
    assert all(doubt.zh for doubt in first.doubts)
    assert second.doubts == ()


def test_walls_that_doubts_made_level_are_named() -> None:
    level = _doubted(("D148", 0.76), ("D224", 0.62), ("D274", 0.62))
    assert level_with_first(WALLS, level) == ("memory", "queueing_rank")
    assert level_with_first(WALLS, _doubted(("D148", 0.76), ("D224", 0.62), ("D274", 0.5))) == ()
    assert level_with_first(WALLS, _doubted(("D202", 0.3), ("D274", 0.3))) == ()
    # D110 says that the measurement is at fault: that comes first.
    assert level_with_first(WALLS, _doubted(("D110", 0.76), ("D274", 0.62))) == ()
