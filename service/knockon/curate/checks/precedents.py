"""Precedents mention readings that there are, with values that can be."""

from collections.abc import Iterator
from typing import cast

from knockon.curate.checks.examples import expected_of
from knockon.curate.forms import shown
from knockon.curate.nearest import meant
from knockon.curate.tree import Tree
from knockon.expr.vocabulary import Vocabulary
from knockon.terms.body import part
from knockon.terms.errors import Problem
from knockon.terms.words import Scalar


def problems(tree: Tree, vocabulary: Vocabulary) -> Iterator[Problem]:
    """Names that are no reading, and values of another type or out of range."""
    if not vocabulary.names:
        return
    for located in tree.of_kind("precedent").values():
        for name, value in part(located.entry.body, "readings").items():
            info, steps = vocabulary.names.get(name), ("readings", name)
            if info is None:
                fix = meant(name, vocabulary.names) or "add it to rules/vocabulary.yaml"
                yield Problem("unknown-name", f"no name is called {name!r}", "", fix, located.key_at(*steps))
            elif info.kind != "reading":
                yield Problem(
                    "wrong-kind-of-name", f"{name!r} is a {info.kind}", "a reading", "", located.key_at(*steps)
                )
            elif expected := expected_of(info, cast("Scalar", value)):
                fix = meant(value, info.options) if info.options else ""
                yield Problem("impossible-value", f"{name} is {shown(value)}", expected, fix, located.at(*steps))
