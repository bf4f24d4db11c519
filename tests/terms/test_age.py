import pytest

from knockon.terms.age import FRESH_DAYS, RULE_DAYS, rule_stale_from, source_stale_from


def test_source_supports_a_claim_for_as_many_days_as_its_kind_stays_true() -> None:
    assert FRESH_DAYS == {"document": 365, "code": 365, "issue": 365, "dataset": 730, "paper": 1095, "experience": 365}


@pytest.mark.parametrize(
    ("kind", "day"), [("document", "2027-11-30"), ("dataset", "2028-11-29"), ("paper", "2029-11-29")]
)
def test_source_is_stale_on_the_day_after_its_last_one(kind: str, day: str) -> None:
    assert source_stale_from(kind, "2026-11-29") == day


def test_rule_is_stale_on_the_day_after_its_year() -> None:
    assert RULE_DAYS == 365
    assert rule_stale_from("2026-11-29") == "2027-11-30"


def test_rule_without_a_day_is_never_stale() -> None:
    assert rule_stale_from("") == ""
