"""Whatever points at something points at something that is there."""

from collections.abc import Iterator

from knockon.curate.build import Steps
from knockon.curate.checks.values import listed, of_items, own
from knockon.curate.nearest import meant
from knockon.curate.tree import Located, Tree
from knockon.terms.body import Body, part, string
from knockon.terms.bundle import Kind
from knockon.terms.errors import Problem
from knockon.terms.words import Json

# Parts of bodies that hold values and no claims.
_CITES_NOTHING = frozenset({"examples", "aliases", "readings", "given"})
Pointer = tuple[Kind, str, Steps]
"""Points at the thing of that kind and key, from the value at these steps of the body."""


def problems(tree: Tree) -> Iterator[Problem]:
    """Pointers to nothing, and citations that nothing points at."""
    cited: set[str] = set()
    for located in tree.located:
        for kind, key, steps in pointers(located):
            if kind == "citation":
                cited.add(key)
            if key in tree.of_kind(kind) or kind in tree.unreadable or key in tree.keys(kind):
                continue
            fix = meant(key, tree.keys(kind)) or "add it, or point at another"
            word = "rule" if kind == "diagnose" else kind
            yield Problem(f"unknown-{word}", f"no {word} is called {key!r}", "", fix, located.at(*steps))
    if not tree.problems:
        # A file that could not be read may be the one that cites it.
        for key, located in tree.of_kind("citation").items():
            # What somebody's own measurements say is cited by profiles that lie outside of the tree.
            if key not in cited and string(located.entry.body, "kind") != "experience":
                fix = "remove it, or cite it where it is the source"
                yield Problem("unused-citation", f"nothing cites {key!r}", "", fix, located.key_at())


def pointers(located: Located) -> Iterator[Pointer]:
    """Every pointer of one body, axes and names of the language aside."""
    body = located.entry.body
    yield from _cites(body, (), [])
    for kind, values in _by_target(located.entry.kind, body):
        yield from ((kind, key, steps) for key, steps in values)


def _by_target(kind: Kind, body: Body) -> Iterator[tuple[Kind, Iterator[tuple[str, Steps]]]]:
    match kind:
        case "technique":
            yield "quantity", of_items(body, "shifts", "quantity")
            yield "technique", of_items(body, "relations", "to")
            yield "technique", own(part(body, "tombstone"), "replacement")
        case "quantity":
            yield "quantity", of_items(body, "influences", "on")
        case "couple":
            yield "technique", listed(body, "because")
            yield "quantity", of_items(body, "shifts", "quantity")
            yield "technique", of_items(body, "fixes", "technique")
        case "diagnose":
            yield "wall", own(body, "wall")
            yield "diagnose", listed(body, "outranks")
        case "wall":
            yield "wall", own(body, "parent")
            yield "quantity", listed(body, "relieved_by")
        case "profile":
            yield "profile", own(body, "base")
        case "precedent":
            yield "wall", own(body, "wall")
        case "symptom":
            yield "symptom", listed(body, "of")


def _cites(value: list[Json] | Body, steps: Steps, found: list[Pointer]) -> list[Pointer]:
    """`found` with every item of every `cite` list in it, however deep; a list, since a tree has a hundred thousand."""
    items = enumerate(value) if isinstance(value, list) else value.items()
    for key, item in items:
        if key == "cite" and isinstance(item, list):
            for index, cite in enumerate(item):
                if isinstance(cite, dict):
                    found.append(("citation", str(cite["ref"]), (*steps, "cite", index, "ref")))
        elif isinstance(item, list | dict) and key not in _CITES_NOTHING:
            _cites(item, (*steps, key), found)
    return found
