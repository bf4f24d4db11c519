"""The page "Which reading for what I saw": every reading that a rule waits for stands in a square of its own."""

import pytest

from docs.reference.readings import kind_of, readings_page
from tests.shipped import shipped


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("communication_share_ratio", "share"),
        ("link_busy_ratio", "busy"),
        ("kv_blocked_count", "queue"),
        ("kernel_fallback_seen", "event"),
        ("sm_clock_spread_ratio", "spread"),
        ("collective_growth_factor", "trend"),
        ("memory_gain_factor", "gain"),
        ("operator_roofline_ratio", "expectation"),
        ("model_load_s", "time"),
    ],
)
def test_a_name_says_the_kind_of_evidence(name: str, kind: str) -> None:
    assert kind_of(name) == kind


def test_every_wall_has_most_kinds_of_evidence() -> None:
    page = readings_page(shipped())
    rows = [line for line in page.splitlines() if line.startswith("| [`")]
    few = {row.split("`")[1] for row in rows if sum(part.strip().isdigit() for part in row.split("|")) < 4}

    # A queue of the clients' own making is told by Little's law alone.
    assert few == {"queueing_client"}


def test_a_rule_that_needs_one_reading_is_marked() -> None:
    line = next(line for line in readings_page(shipped()).splitlines() if "`memory_gain_factor`" in line)

    assert "D400*" in line
