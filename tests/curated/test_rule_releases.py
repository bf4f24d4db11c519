"""Rules hold in the releases in which their source has the check, and in no other."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from knockon.backends.python.walk import judge_one
from knockon.rules.rule import CoupleRule
from knockon.terms.truth import Truth
from knockon.terms.words import Scalar
from tests.data import read_yaml
from tests.shipped import shipped

_TABLE: Mapping[str, Mapping[str, Any]] = read_yaml(Path(__file__).with_name("rule_releases.yaml"))
_PLACE = re.compile(r"[\w/]+\.py:\d+")
ROWS = [
    (rule, release, which == "holds")
    for rule, row in _TABLE.items()
    for which in ("holds", "holds_not")
    for release in row.get(which, {})
]


@pytest.mark.parametrize(("rule_id", "release", "holds"), ROWS, ids=[f"{rule} {release}" for rule, release, _ in ROWS])
def test_rule_fires_where_its_source_has_the_check(rule_id: str, release: str, holds: bool) -> None:
    rule = rule_of(rule_id)
    values = firing(rule) | {"engine_version": release, "engine_release": release}

    truth = judge_one(rule.when, values, vocabulary=shipped().rulebook.vocabulary)

    assert truth is (Truth.TRUE if holds else Truth.FALSE)


def test_every_row_tells_where_it_was_seen() -> None:
    places = {(rule, release): place for rule, row in _TABLE.items() for release, place in row["holds"].items()}
    elsewhere = [place for row in _TABLE.values() for place in row.get("holds_not", {}).values()]

    assert [key for key, place in places.items() if not _PLACE.fullmatch(place)] == []
    assert [place for place in elsewhere if ".py" not in place] == []
    assert len(_TABLE) >= 60


def rule_of(rule_id: str) -> CoupleRule:
    return next(rule for rule in shipped().rulebook.couple if rule.id == rule_id)


def firing(rule: CoupleRule) -> dict[str, Scalar]:
    """The facts of the rule's first firing example about vLLM."""
    return next(
        dict(example.given)
        for example in rule.examples
        if example.expect == "fires" and example.given.get("engine", "vllm") == "vllm"
    )
