"""When what somebody looked at is too old to be relied on: the one definition of age, for lint and for answers."""

from collections.abc import Mapping
from datetime import date, timedelta
from functools import lru_cache

FRESH_DAYS: Mapping[str, int] = {
    # Engines release every two weeks and move defaults; their pages and code a year ago are other pages.
    "document": 365,
    "code": 365,
    "issue": 365,
    # The same data set gets new versions and new leaders.
    "dataset": 730,
    # The text of a paper stays; what it was faster than does not: hardware has a generation every two years.
    "paper": 1095,
    # What nobody can look up again is asked again sooner.
    "experience": 365,
}
"""For how many days after it was looked at a source of this kind supports a claim."""
RULE_DAYS = 365
"""For how many days a rule, or a threshold of a profile, stands by its own `checked`."""

# Kinds of sources times days on which somebody looked at some.
_DAYS_KEPT = 4_096


def source_stale_from(kind: str, checked: str) -> str:
    """The first ISO day on which a source of this kind, looked at on the ISO day `checked`, supports nothing."""
    return _day_after(checked, FRESH_DAYS[kind])


def rule_stale_from(checked: str) -> str:
    """The first ISO day on which a rule or threshold looked at on the ISO day `checked` is stale; "" where none is."""
    return _day_after(checked, RULE_DAYS) if checked else ""


@lru_cache(maxsize=_DAYS_KEPT)
def _day_after(checked: str, days: int) -> str:
    return (date.fromisoformat(checked) + timedelta(days=days + 1)).isoformat()
