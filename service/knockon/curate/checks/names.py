"""Every name stands for one thing, removed techniques are not pointed at, and no chain of pointers is a circle."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from unicodedata import normalize

from knockon.catalog.names import fold
from knockon.curate.build import Steps
from knockon.curate.checks.circles import circles
from knockon.curate.checks.references import pointers
from knockon.curate.tree import Located, Tree
from knockon.terms.body import Body, part, string, strings
from knockon.terms.bundle import Kind
from knockon.terms.errors import Problem

# Which key of which kind makes a chain that must end.
_CHAINS: tuple[tuple[Kind, str], ...] = (
    ("wall", "parent"),
    ("profile", "base"),
    ("diagnose", "outranks"),
    ("symptom", "of"),
)

_ID, _NAME, _ALIAS = range(3)


def problems(tree: Tree) -> Iterator[Problem]:
    """Names taken twice, former ids that are live, pointers to what was removed, and circles."""
    yield from _taken_twice(tree)
    yield from _repeated(tree)
    yield from _former_ids(tree)
    yield from _removed(tree)
    for kind, key in _CHAINS:
        links = {one: _targets(located, key) for one, located in tree.of_kind(kind).items()}
        yield from _circles(tree.of_kind(kind), links, key)
    yield from _circles(tree.of_kind("technique"), _replacements(tree), "tombstone")


@dataclass(frozen=True, slots=True)
class _Named:
    """One name of one thing. What is its id has the better right to it, then its name, then an alias."""

    rank: int
    name: str
    located: Located
    steps: Steps


def _taken_twice(tree: Tree) -> Iterator[Problem]:
    for kind in ("technique", "quantity", "model", "gpu"):
        holders: dict[str, list[_Named]] = {}
        for located in tree.of_kind(kind).values():
            for named in _names(located):
                holders.setdefault(fold(named.name), []).append(named)
        for same in holders.values():
            owner = min(same, key=lambda named: named.rank)
            for named in same:
                if named.located is not owner.located:
                    at = owner.located.at(*owner.steps)
                    what = f"{named.name!r} stands for {owner.located.entry.key!r} already, at {at}"
                    place = named.located.at(*named.steps)
                    yield Problem("name-taken", what, "each name for one thing", "remove it from one of the two", place)


def _names(located: Located) -> Iterator[_Named]:
    body = located.entry.body
    match located.entry.kind:
        case "technique" if "tombstone" not in body:
            yield _Named(_ID, located.entry.key, located, ("id",))
            for language in ("en", "zh"):
                yield _Named(_NAME, string(part(body, "name"), language), located, ("name", language))
            for alias, steps in _aliases(body):
                yield _Named(_ALIAS, alias, located, steps)
        case "quantity":
            yield _Named(_ID, located.entry.key, located, ())
            for language in ("en", "zh"):
                yield _Named(_NAME, string(part(body, "name"), language), located, ("name", language))
        case "model" | "gpu":
            yield _Named(_ID, located.entry.key, located, ())
            for index, alias in enumerate(strings(body, "aliases")):
                yield _Named(_ALIAS, alias, located, ("aliases", index))


def _aliases(body: Body) -> Iterator[tuple[str, Steps]]:
    for language in ("en", "zh"):
        for index, alias in enumerate(strings(part(body, "aliases"), language)):
            yield alias, ("aliases", language, index)


def _repeated(tree: Tree) -> Iterator[Problem]:
    """Aliases of a technique that are its id or another of its aliases, but for case and width."""
    for key, located in tree.of_kind("technique").items():
        seen = {key: "the id"}
        for alias, steps in _aliases(located.entry.body):
            folded = normalize("NFKC", alias).casefold()
            if folded in seen:
                what = f"{alias!r} is {seen[folded]} already"
                yield Problem("repeated-item", what, "each alias once", "remove it", located.at(*steps))
            seen.setdefault(folded, f"the alias {alias!r}")


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
    for way in circles(links):
        what = f"{way[0]!r} comes back to itself: {' → '.join(way)}"
        at = located[way[0]].at(key)
        yield Problem(f"circular-{key}", what, "a chain that ends", "remove one of the links", at)
