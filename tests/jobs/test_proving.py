from pathlib import Path

import pytest

from knockon.jobs.proving import run_rule_examples
from knockon.terms.errors import CurationError, NotFound
from tests.curate.trees import COUPLE, DIAGNOSE, TREE, changed, written


def test_examples_of_a_tree_that_holds_are_run(tmp_path: Path) -> None:
    results = run_rule_examples(*written(tmp_path))

    assert [(one.rule.id, one.got, one.passed) for one in results] == [
        (rule, outcome, True) for rule in ("K001", "D001") for outcome in ("fires", "silent", "unknown")
    ]


def test_condition_that_does_not_hold_is_refused_with_its_place(tmp_path: Path) -> None:
    trees = written(tmp_path, changed(DIAGNOSE, "when: cache_ratio >", "when: cache_ration >"))

    with pytest.raises(CurationError) as caught:
        run_rule_examples(*trees)

    assert str(caught.value).replace(f"{tmp_path}/", "") == (
        f"{DIAGNOSE}:6:7: no name is called 'cache_ration'; did you mean 'cache_ratio'?\n"
        "cache_ration > threshold.cache_high\n^^^^^^^^^^^^"
    )


def test_rules_that_outrank_one_another_are_refused(tmp_path: Path) -> None:
    second = TREE[DIAGNOSE].replace("id: D001", "id: D002").replace("confidence:", "outranks: [D001]\nconfidence:")
    trees = written(
        tmp_path,
        {
            "rules/diagnose/D002-fuller.yaml": second,
            **changed(DIAGNOSE, "confidence: 0.7", "outranks: [D002]\nconfidence: 0.7"),
        },
    )

    with pytest.raises(CurationError, match=r"D001-full\.yaml:11:11: 'D001' comes back to itself: D001 → D002 → D001"):
        run_rule_examples(*trees)


def test_examples_of_a_rule_that_lacks_some_are_run(tmp_path: Path) -> None:
    results = run_rule_examples(*written(tmp_path, changed(COUPLE, "expect: fires", "expect: silent")))

    assert [(one.rule.id, one.example.expect, one.got) for one in results if not one.passed] == [
        ("K001", "silent", "fires")
    ]


def test_unknown_profile_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no profile is called 'defualt'"):
        run_rule_examples(*written(tmp_path), profile="defualt")
