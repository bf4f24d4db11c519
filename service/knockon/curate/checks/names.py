"""Every name stands for one thing, removed techniques are not pointed at, and no chain of pointers is a circle."""

from collections.abc import Iterator, Mapping

from knockon.catalog.names import fold
from knockon.curate.build import Steps
from knockon.curate.checks.references import pointers
from knockon.curate.tree import Located, Tree
from knockon.terms.body import part, string, strings
from knockon.terms.bundle import Kind
from knockon.terms.errors import Problem

# Which key of which kind makes a chain that must end.
_CHAINS: tuple[tuple[Kind, str], ...] = (
    ("wall", "parent"),
    ("profile", "base"),
    ("diagnose", "outranks"),
    ("symptom", "of"),
)


def problems(tree: Tree) -> Iterator[Problem]:
    """Names taken twice, former ids that are live, pointers to what was removed, and circles."""
    yield from _taken_twice(tree)
    yield from _former_ids(tree)
    yield from _removed(tree)
    for kind, key in _CHAINS:
        links = {one: _targets(located, key) for one, located in tree.of_kind(kind).items()}
        yield from _circles(tree.of_kind(kind), links, key)
    yield from _circles(tree.of_kind("technique"), _replacements(tree), "tombstone")


def _taken_twice(tree: Tree) -> Iterator[Problem]:
    for kind in ("technique", "model", "gpu"):
        holders: dict[str, tuple[str, Located]] = {}
        for key, located in tree.of_kind(kind).items():
            for name, steps in _names(located):
                holder, first = holders.setdefault(fold(name), (key, located))
                if holder != key:
                    what = f"{name!r} stands for {holder!r} already, at {first.key_at()}"
                    fix = "remove it from one of the two"
                    yield Problem("name-taken", what, "each name for one thing", fix, located.at(*steps))


def _names(located: Located) -> Iterator[tuple[str, Steps]]:
    body = located.entry.body
    match located.entry.kind:
        case "technique" if "tombstone" not in body:
            yield located.entry.key, ("id",)
            for language in ("en", "zh"):
                yield string(part(body, "name"), language), ("name", language)
                aliases = strings(part(body, "aliases"), language)
                yield from ((alias, ("aliases", language, index)) for index, alias in enumerate(aliases))
        case "model" | "gpu":
            yield located.entry.key, ()
            yield from ((alias, ("aliases", index)) for index, alias in enumerate(strings(body, "aliases")))


def _former_ids(tree: Tree) -> Iterator[Problem]:
    techniques = tree.of_kind("technique")
    holders: dict[str, str] = {}
    for key, located in techniques.items():
        for index, former in enumerate(strings(located.entry.body, "former_ids")):
            at = located.at("former_ids", index)
            if former in techniques:
                circle = key in strings(techniques[former].entry.body, "former_ids")
                code = "circular-alias" if circle else "former-id-in-use"
                what = f"{former!r} " + (f"and {key!r} are former ids of each other" if circle else "is an id in use")
                yield Problem(code, what, "an id nothing has now", at=at)
            elif holders.setdefault(former, key) != key:
                what = f"{former!r} is a former id of {holders[former]!r} too"
                yield Problem("name-taken", what, "each former id once", at=at)


def _removed(tree: Tree) -> Iterator[Problem]:
    gone = {key for key, located in tree.of_kind("technique").items() if "tombstone" in located.entry.body}
    for located in tree.located if gone else ():
        for kind, key, steps in pointers(located):
            if kind == "technique" and key in gone and located.entry.key not in gone:
                replacement = string(part(tree.of_kind("technique")[key].entry.body, "tombstone"), "replacement")
                fix = f"point at {replacement!r}, which replaces it" if replacement else "remove this"
                yield Problem("removed-technique", f"{key!r} was removed", "a technique", fix, located.at(*steps))


def _targets(located: Located, key: str) -> tuple[str, ...]:
    value = located.entry.body.get(key)
    return strings(located.entry.body, key) if isinstance(value, list) else (str(value),) if value else ()


def _replacements(tree: Tree) -> dict[str, tuple[str, ...]]:
    replaced = {
        key: string(part(located.entry.body, "tombstone"), "replacement")
        for key, located in tree.of_kind("technique").items()
    }
    return {key: (to,) for key, to in replaced.items() if to}


def _circles(located: Mapping[str, Located], links: Mapping[str, tuple[str, ...]], key: str) -> Iterator[Problem]:
    """One problem per circle, at the first of its members, with the shortest way round."""
    for start in links:
        ways: dict[str, tuple[str, ...]] = {target: (start, target) for target in links[start]}
        waiting = list(ways)
        while waiting and start not in ways:
            here = waiting.pop(0)
            for target in links.get(here, ()):
                if target not in ways:
                    ways[target] = (*ways[here], target)
                    waiting.append(target)
        if start in ways and start == min(ways[start]):
            what = f"{start!r} comes back to itself: {' → '.join(ways[start])}"
            at = located[start].at(key)
            yield Problem(f"circular-{key}", what, "a chain that ends", "remove one of the links", at)
