"""Analysis of all rules: what is proved of them, with values that the walk agrees on."""

from dataclasses import replace
from functools import cache

import pytest

from knockon.backends.python.walk import judge_one
from knockon.rules.analyse import Analysis, analyse
from knockon.rules.rule import CoupleRule, DiagnoseRule, Rule
from knockon.rules.rulebook import Rulebook
from knockon.rules.thresholds import values_in_force
from knockon.terms.truth import Truth
from knockon.terms.words import RuleId, Scalar, WallId
from tests.shipped import shipped


@cache
def analysed() -> Analysis:
    return analyse(shipped().rulebook, thresholds(shipped().rulebook))


def thresholds(rulebook: Rulebook) -> dict[str, Scalar]:
    return dict(values_in_force(rulebook.profiles, "default"))


def small(*rules: Rule) -> Analysis:
    """Only these rules."""
    book = replace(
        shipped().rulebook,
        couple=tuple(rule for rule in rules if isinstance(rule, CoupleRule)),
        diagnose=tuple(rule for rule in rules if isinstance(rule, DiagnoseRule)),
    )
    return analyse(book, thresholds(book))


def wall(key: str, when: str, *, of: str = "memory", outranks: tuple[str, ...] = ()) -> DiagnoseRule:
    rule = next(rule for rule in shipped().rulebook.diagnose if rule.id == "D001")
    return replace(
        rule, id=RuleId(key), when_text=when, wall=WallId(of), outranks=tuple(map(RuleId, outranks)), confidence=0.6
    )


def couple(key: str, when: str, **sets: str) -> CoupleRule:
    rule = next(rule for rule in shipped().rulebook.couple if rule.fixes)
    fixes = (replace(rule.fixes[0], set_texts=sets, range_texts=None),) if sets else ()
    return replace(rule, id=RuleId(key), when_text=when, derive=(), fixes=fixes)


@pytest.mark.proof
def test_shipped_rules_have_no_defect() -> None:
    found = analysed()

    assert (found.dead, found.constant, found.shadowed) == ((), (), ())
    assert found.rules == len(shipped().rulebook.by_id)


@pytest.mark.proof
def test_few_questions_about_the_shipped_rules_are_given_up() -> None:
    assert analysed().undecided <= 5


@pytest.mark.proof
@pytest.mark.parametrize("kind", ["overlaps", "contradictions"])
def test_values_that_are_told_of_a_pair_fire_its_first_rule(kind: str) -> None:
    rulebook, known = shipped().rulebook, thresholds(shipped().rulebook)

    for pair in getattr(analysed(), kind):
        when = rulebook.by_id[pair.first].when
        assert judge_one(when, {**known, **pair.witness}, vocabulary=rulebook.vocabulary) is Truth.TRUE, pair


def test_rule_out_of_the_range_of_its_reading_is_dead() -> None:
    assert small(wall("D901", "memory_occupancy_ratio > 1")).dead == ("D901",)


def test_rule_that_no_value_silences_is_constant() -> None:
    assert small(wall("D901", "memory_occupancy_ratio >= 0")).constant == ("D901",)


def test_rule_that_a_stronger_one_always_covers_is_shadowed() -> None:
    weak, strong = wall("D901", "memory_occupancy_ratio > 0.9"), wall("D902", "memory_occupancy_ratio > 0.8")

    (found,) = small(weak, replace(strong, outranks=(RuleId("D901"),))).shadowed

    assert (found.first, found.second) == ("D901", "D902")
    assert small(weak, strong).shadowed == ()


def test_two_walls_on_one_reading_overlap_between_their_levels() -> None:
    (found,) = small(
        wall("D901", "memory_occupancy_ratio > 0.5"), wall("D902", "memory_occupancy_ratio < 0.75", of="compute")
    ).overlaps

    assert 0.5 < float(found.witness["memory_occupancy_ratio"]) < 0.75


def test_levels_that_leave_nothing_between_them_do_not_overlap() -> None:
    rules = wall("D901", "memory_occupancy_ratio > 0.75"), wall("D902", "memory_occupancy_ratio < 0.75", of="compute")

    assert small(*rules).overlaps == ()


def test_rule_that_says_what_a_wider_one_says_is_repeated() -> None:
    (found,) = small(couple("K901", "tensor_parallel_size > 8"), couple("K902", "tensor_parallel_size > 4")).repeated

    assert (found.first, found.second) == ("K901", "K902")


def test_fixes_that_bring_one_another_about_are_told_with_a_deployment() -> None:
    (found,) = small(
        couple("K901", "enforce_eager == true", enforce_eager="false"),
        couple("K902", "enforce_eager == false", enforce_eager="true"),
    ).contradictions

    assert found.witness == {"enforce_eager": True}


def test_fix_that_both_rules_live_with_is_no_contradiction() -> None:
    rules = couple("K901", "max_num_seqs > 8", max_num_seqs="8"), couple("K902", "max_num_seqs > 16", max_num_seqs="16")

    assert small(*rules).contradictions == ()
