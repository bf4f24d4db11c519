"""What one file says is not undone by what it or another says: relations, switches, evidence, and nothing twice."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, product

from knockon.backends.python.walk import judge_one, value_of
from knockon.curate.checks.circles import circles
from knockon.curate.checks.expressions import text_of
from knockon.curate.tree import Located, Tree
from knockon.expr.condition import parsed
from knockon.expr.parse import parse
from knockon.expr.vocabulary import Vocabulary
from knockon.terms.body import Body, part, parts, string, strings
from knockon.terms.errors import KnockonError, Problem
from knockon.terms.place import Position
from knockon.terms.truth import Truth

# Both are on, says the one; they cannot be, or need not be, says the other.
_APART = {
    "conflicts": frozenset(("requires", "combines", "joins", "mitigates", "amplifies", "degrades")),
    "supersedes": frozenset(("requires", "combines")),
}
_CHAINS = ("requires", "supersedes")


@dataclass(frozen=True, slots=True)
class _Relation:
    """One relation, and where it stands."""

    kind: str
    to: str
    when: str
    located: Located
    index: int

    @property
    def at(self) -> Position:
        return self.located.at("relations", self.index, "to")


def problems(tree: Tree, vocabulary: Vocabulary) -> Iterator[Problem]:
    """Techniques related to themselves, relations that exclude one another, switches that switch nothing, repeats."""
    related = {key: _relations(located) for key, located in tree.of_kind("technique").items()}
    for key, relations in related.items():
        yield from _alone(key, relations)
    yield from _pairs(related)
    for kind in _CHAINS:
        yield from _circles(kind, related)
    for located in tree.of_kind("technique").values():
        yield from _repeated(located, "shifts", "quantity", "change", "when")
        yield from _repeated(located, "needs", "when")
        if vocabulary.names:
            yield from _enabled(located, vocabulary)
    for located in tree.of_kind("couple").values():
        yield from _repeated(located, "fixes", "set", "when")
    for located in tree.of_kind("diagnose").values():
        yield from _evidence(located)


def _relations(located: Located) -> list[_Relation]:
    return [
        _Relation(string(one, "kind"), string(one, "to"), " ".join(string(one, "when").split()), located, index)
        for index, one in enumerate(parts(located.entry.body, "relations"))
    ]


def _alone(key: str, relations: Sequence[_Relation]) -> Iterator[Problem]:
    seen: set[tuple[str, str, str]] = set()
    for one in relations:
        if one.to == key:
            what = f"{key!r} {one.kind} itself"
            yield Problem("self-relation", what, "another technique", "remove it, or point at another", one.at)
        same = (one.kind, one.to, one.when)
        if same in seen:
            what = f"{one.kind} {one.to!r} is said twice" + (f" when {one.when}" if one.when else "")
            yield Problem("repeated-item", what, "each relation once", "make one of the two", one.at)
        seen.add(same)


def _pairs(related: Mapping[str, Sequence[_Relation]]) -> Iterator[Problem]:
    """Relations between two techniques, either way, that cannot hold at once: said at the one that keeps them apart."""
    between: dict[frozenset[str], list[_Relation]] = {}
    for key, relations in related.items():
        for one in relations:
            if one.to != key:
                between.setdefault(frozenset((key, one.to)), []).append(one)
    for same in between.values():
        for one, other in product(same, same) if len(same) > 1 else ():
            # What conflicts under a condition may go together under others.
            if other.kind in _APART.get(one.kind, ()) and one.when in ("", other.when):
                names = [f"{each.located.entry.key!r} {each.kind} {each.to!r}" for each in (one, other)]
                what = f"{names[0]}, and {names[1]} at {other.at}"
                fix = "remove one of the two, or say in `when` under which condition it holds"
                yield Problem("contradicting-relation", what, "relations that can hold at once", fix, one.at)


def _circles(kind: str, related: Mapping[str, Sequence[_Relation]]) -> Iterator[Problem]:
    """Techniques that need, or replace, themselves over others; links under a condition may break the chain."""
    links = {key: [one for one in relations if one.kind == kind and not one.when] for key, relations in related.items()}
    for way in circles({key: [one.to for one in ones if one.to != key] for key, ones in links.items() if ones}):
        at = next(one.at for one in links[way[0]] if one.to == way[1])
        what = f"{way[0]!r} {kind} itself: {' → '.join(way)}"
        fix = "remove one of the links, or say in `when` under which condition it holds"
        yield Problem(f"circular-{kind}", what, "a chain that ends", fix, at)


def _repeated(located: Located, group: str, *keys: str) -> Iterator[Problem]:
    """Items with the same sentence that differ in nothing else that decides."""
    items = parts(located.entry.body, group)
    sentences = [string(part(item, "says"), "en") for item in items]
    if len(set(sentences)) == len(sentences):
        return
    seen: set[tuple[str, ...]] = set()
    for index, (item, said) in enumerate(zip(items, sentences, strict=True)):
        same = (said, *(str(item.get(key, "")) for key in keys))
        if same in seen:
            what = f"{said!r} is said twice"
            at = located.at(group, index, "says")
            yield Problem("repeated-item", what, "each of them once", "remove one, with its sources in the other", at)
        seen.add(same)


def _enabled(located: Located, vocabulary: Vocabulary) -> Iterator[Problem]:
    """`enable` sets facts under which `detect` does not see the technique: `advise` would try it and find it off."""
    body = located.entry.body
    if "detect" not in body or not (facts := part(body, "enable")):
        return
    try:
        found = {name: value_of(parse(text_of(value)), {}) for name, value in facts.items()}
        values = {name: value for name, value in found.items() if value is not None}
        is_off = judge_one(parsed(string(body, "detect")), values, vocabulary=vocabulary) is Truth.FALSE
    except KnockonError:
        # Expressions that do not hold are complained about as such.
        return
    if is_off:
        said = ", ".join(f"{name} = {text_of(value)}" for name, value in facts.items())
        what = f"`detect` does not hold with {said}"
        fix = "set what `detect` asks for, or mend `detect`"
        yield Problem("enable-against-detect", what, "facts that turn it on", fix, located.at("enable"))


def _evidence(located: Located) -> Iterator[Problem]:
    """One condition twice in `supports` and `against`: it would count for nothing, or double."""
    body: Body = located.entry.body
    seen: dict[str, str] = {}
    groups = (((group, index, text) for index, text in enumerate(strings(body, group))) for group in _EVIDENCE)
    for group, index, text in chain.from_iterable(groups):
        condition = " ".join(text.split())
        if condition in seen:
            what = f"`{condition}` stands in `{seen[condition]}` already"
            at = located.at(group, index)
            yield Problem("repeated-item", what, "each condition once", "remove it from one of the two", at)
        seen.setdefault(condition, group)


_EVIDENCE = ("supports", "against")
