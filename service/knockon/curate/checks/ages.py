"""A number is stale once the newest of its sources was looked at too long ago for a source of its kind."""

from collections.abc import Iterator, Mapping
from datetime import date

from knockon.curate.build import Steps
from knockon.curate.tree import Located, Tree
from knockon.terms.body import Body, part, parts, string
from knockon.terms.errors import Problem

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
"""For how many days after it was looked at a source of this kind supports a number."""
RULE_DAYS = 365
"""For how many days a rule, or a threshold of a profile, stands by its own `checked`."""


def problems(tree: Tree, *, today: str) -> Iterator[Problem]:
    """Citations with numbers that rest on them alone, thresholds and rules, looked at too long before `today` (ISO)."""
    yield from _numbers(tree, date.fromisoformat(today))
    for located in tree.of_kind("profile").values():
        thresholds = part(located.entry.body, "thresholds")
        for name in thresholds:
            what = f"the threshold {name!r}"
            yield from _stated(located, part(thresholds, name), ("thresholds", name), what, today)
    for kind in ("couple", "diagnose"):
        for key, located in tree.of_kind(kind).items():
            yield from _stated(located, located.entry.body, (), f"rule {key}", today)


def _numbers(tree: Tree, today: date) -> Iterator[Problem]:
    """One complaint for each citation: what has to be done is done there, whatever rests on it."""
    citations = tree.of_kind("citation")
    left = {key: _days_left(located.entry.body, today) for key, located in citations.items()}
    if not any(days < 0 for days in left.values()):
        return
    resting: dict[str, list[Located]] = {}
    for located in tree.of_kind("technique").values():
        for shift in parts(located.entry.body, "shifts"):
            refs = [string(cite, "ref") for cite in parts(shift, "cite")]
            known = [ref for ref in refs if ref in left]
            newest = max(known, key=lambda ref: left[ref], default=None)
            if newest is not None and left[newest] < 0 and _is_number(part(shift, "size")):
                resting.setdefault(newest, []).append(located)
    for key, held in resting.items():
        body = citations[key].entry.body
        kind, checked = string(body, "kind"), string(body, "checked")
        count = f"{len(held)} number{'s' if len(held) > 1 else ''}"
        what = f"{count}, first in {held[0].entry.key!r}, rest on what was looked at on {checked}"
        expected = f"a look within {FRESH_DAYS[kind]} days for a source of kind {kind}"
        fix = "read it again, mend the numbers, and set `checked`"
        yield Problem("stale-claim", what, expected, fix, citations[key].at("checked"))


def _days_left(citation: Body, today: date) -> int:
    """Days until a citation is too old, negative when it is."""
    return FRESH_DAYS[string(citation, "kind")] - (today - date.fromisoformat(string(citation, "checked"))).days


def _is_number(size: Body) -> bool:
    return any(key in size for key in ("factor", "value")) or any(map(str.isdigit, string(part(size, "text"), "en")))


def _stated(located: Located, body: Body, steps: Steps, subject: str, today: str) -> Iterator[Problem]:
    checked = string(body, "checked")
    if checked and (date.fromisoformat(today) - date.fromisoformat(checked)).days > RULE_DAYS:
        what, fix = f"{subject} was looked at on {checked}", "look at its sources again, and set `checked`"
        yield Problem("stale-claim", what, f"a look within {RULE_DAYS} days", fix, located.at(*steps, "checked"))
