from knockon.catalog.hop import HopKind
from knockon.jobs.age import Ages
from knockon.jobs.breaks import breaks
from knockon.jobs.knowledge import Knowledge, knowledge_of
from knockon.terms.bundle import Bundle, Entry
from tests.catalog.bundles import AXES, citation, gain, quantity, technique


def looked_at(key: str, kind: str, day: str) -> Entry:
    body = {"title": key, "kind": kind, "url": f"https://example.org/{key}", "checked": day, "depth": "read"}
    return Entry("citation", key, body)


def small() -> Knowledge:
    both = gain("room", "up") | {"cite": ["book", {"ref": "old-paper"}]}
    made = technique("sharding", shifts=[gain("room", "up"), both])
    old = looked_at("old-paper", "paper", "2025-01-01")
    return knowledge_of(Bundle.of((AXES, citation(), old, quantity("room"), made)))


def test_claim_rests_on_the_newest_of_its_sources() -> None:
    knowledge = small()
    alone, together = knowledge.catalog.technique("sharding").shifts

    ages = Ages(knowledge, "2027-11-30")

    # The book was looked at later, but a paper is good for three years.
    assert (ages.stale_from(alone), ages.is_stale(alone)) == ("2027-11-30", True)
    assert (ages.stale_from(together), ages.is_stale(together)) == ("2028-01-02", False)
    assert not Ages(knowledge, "2027-11-29").is_stale(alone)


def test_rule_that_a_hop_leads_to_is_as_old_as_it_says_itself(shipped: Knowledge) -> None:
    hops = breaks(shipped, "tensor-parallelism").breaks.hops
    hop = next(hop for hop in hops if hop.kind is HopKind.FIRES)
    rule = shipped.rulebook.rule(hop.target.id)

    ages = Ages(shipped, "2027-11-30")

    assert rule.checked
    assert ages.stale_from(hop) == ages.stale_from(rule) != ""


def test_without_a_day_nothing_is_stale() -> None:
    knowledge = small()
    shift, _together = knowledge.catalog.technique("sharding").shifts

    assert not Ages(knowledge).is_stale(shift)
