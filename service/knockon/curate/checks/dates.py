"""Nothing was checked tomorrow."""

from collections.abc import Iterator

from knockon.curate.build import Steps
from knockon.curate.tree import Tree
from knockon.terms.bundle import Kind
from knockon.terms.errors import Problem
from knockon.terms.words import JsonObject

_DATED: frozenset[Kind] = frozenset(("citation", "profile", "couple", "diagnose", "precedent"))


def problems(tree: Tree, *, today: str) -> Iterator[Problem]:
    """`checked` dates after `today`, an ISO date."""
    for located in tree.located:
        if located.entry.kind in _DATED:
            for date, steps in _dates(located.entry.body, ()):
                if date > today:
                    what = f"checked on {date}, which is after today ({today})"
                    yield Problem("date-in-future", what, "the day it was looked at", "", located.at(*steps))


def _dates(body: JsonObject, steps: Steps) -> Iterator[tuple[str, Steps]]:
    for key, value in body.items():
        if key == "checked" and isinstance(value, str):
            yield value, (*steps, key)
        elif key == "thresholds" and isinstance(value, dict):
            for name, threshold in value.items():
                if isinstance(threshold, dict):
                    yield from _dates(threshold, (*steps, key, name))
