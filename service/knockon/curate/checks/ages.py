"""A claim is stale once the newest of its sources was looked at too long ago: lint says what `terms/age.py` tells."""

from collections.abc import Iterator

from knockon.curate.build import Steps
from knockon.curate.tree import Located, Tree
from knockon.terms.age import FRESH_DAYS, RULE_DAYS, rule_stale_from, source_stale_from
from knockon.terms.body import Body, part, parts, string
from knockon.terms.errors import Problem


def problems(tree: Tree, *, today: str) -> Iterator[Problem]:
    """Citations with claims that rest on them alone, thresholds and rules, looked at too long before `today` (ISO)."""
    yield from _claims(tree, today)
    for located in tree.of_kind("profile").values():
        thresholds = part(located.entry.body, "thresholds")
        for name in thresholds:
            what = f"the threshold {name!r}"
            yield from _stated(located, part(thresholds, name), ("thresholds", name), what, today)
    for kind in ("couple", "diagnose"):
        for key, located in tree.of_kind(kind).items():
            yield from _stated(located, located.entry.body, (), f"rule {key}", today)


def _claims(tree: Tree, today: str) -> Iterator[Problem]:
    """One complaint for each citation: what has to be done is done there, whatever rests on it."""
    citations = tree.of_kind("citation")
    until = {key: _stale_from(located.entry.body) for key, located in citations.items()}
    if all(today < day for day in until.values()):
        return
    resting: dict[str, list[Located]] = {}
    for located, claim in _cited(tree):
        refs = [string(cite, "ref") for cite in parts(claim, "cite")]
        newest = max((ref for ref in refs if ref in until), key=lambda ref: until[ref], default=None)
        if newest is not None and until[newest] <= today:
            resting.setdefault(newest, []).append(located)
    for key, held in resting.items():
        body = citations[key].entry.body
        kind, checked = string(body, "kind"), string(body, "checked")
        count = f"{len(held)} claim{'s' if len(held) > 1 else ''}"
        what = f"{count}, first in {held[0].entry.key!r}, rest on what was looked at on {checked}"
        expected = f"a look within {FRESH_DAYS[kind]} days for a source of kind {kind}"
        fix = "read it again, mend what rests on it, and set `checked`"
        yield Problem("stale-claim", what, expected, fix, citations[key].at("checked"))


def _cited(tree: Tree) -> Iterator[tuple[Located, Body]]:
    """Everything that answers show with its sources, and so with its age."""
    for located in tree.of_kind("technique").values():
        for group in ("shifts", "needs", "relations"):
            for claim in parts(located.entry.body, group):
                yield located, claim
    for located in tree.of_kind("quantity").values():
        for influence in parts(located.entry.body, "influences"):
            yield located, influence


def _stale_from(citation: Body) -> str:
    return source_stale_from(string(citation, "kind"), string(citation, "checked"))


def _stated(located: Located, body: Body, steps: Steps, subject: str, today: str) -> Iterator[Problem]:
    checked = string(body, "checked")
    if "" < rule_stale_from(checked) <= today:
        what, fix = f"{subject} was looked at on {checked}", "look at its sources again, and set `checked`"
        yield Problem("stale-claim", what, f"a look within {RULE_DAYS} days", fix, located.at(*steps, "checked"))
