"""The names expressions may use, as far as a tree with problems tells them; units that are units."""

from collections.abc import Iterator
from typing import cast

from knockon.curate.build import Steps
from knockon.curate.checks.values import of_items, of_members, own
from knockon.curate.nearest import meant
from knockon.curate.tree import Located, Tree
from knockon.expr.vocabulary import NameInfo, NameKind, Type, Vocabulary
from knockon.terms.body import Body, part, string, strings
from knockon.terms.bundle import Kind
from knockon.terms.errors import Problem, UnitProblem
from knockon.terms.unit import ONE, Unit, parse_unit

DEFAULT_PROFILE = "default"

NAMING: tuple[Kind, ...] = ("vocabulary", "profile")
"""The kinds whose names, units and levels decide what fits together in all others."""


def vocabulary_of(tree: Tree) -> Vocabulary:
    """Facts, readings, and `threshold.x` for every threshold of the default profile.

    Empty when one of the two was refused, could not be read or has a unit that is none: every further problem with a
    name would only follow from that one.
    """
    names: dict[str, NameInfo] = {}
    if {"vocabulary", "profile"} & tree.unreadable or {"vocabulary", "profile"} & set(tree.refused):
        return Vocabulary({})
    if any(unit_of(unit) is None for kind in NAMING for one in tree.of_kind(kind).values() for unit, _ in _units(one)):
        return Vocabulary({})
    if (stated := tree.of_kind("vocabulary").get("vocabulary")) is not None:
        for kind, group in (("fact", "facts"), ("reading", "readings")):
            for name in part(stated.entry.body, group):
                names[name] = _name_info(name, cast("NameKind", kind), part(part(stated.entry.body, group), name))
    if (profile := tree.of_kind("profile").get(DEFAULT_PROFILE)) is not None:
        for key in (thresholds := part(profile.entry.body, "thresholds")):
            name = f"threshold.{key}"
            names[name] = NameInfo(name, "threshold", "number", unit_of(string(part(thresholds, key), "unit")) or ONE)
    return Vocabulary(names)


def unit_of(text: str) -> Unit | None:
    """The unit a text stands for; None where it stands for none, which `problems` reports."""
    try:
        return parse_unit(text)
    except UnitProblem:
        return None


def problems(tree: Tree) -> Iterator[Problem]:
    """Texts that are no unit, and thresholds of a profile that the default profile lacks or has in another unit."""
    for located in tree.located:
        for unit, steps in _units(located):
            try:
                parse_unit(unit)
            except UnitProblem as error:
                at = located.inside(*steps, offset=error.span.start)
                yield Problem("unknown-unit", error.problem.what, error.problem.expected, error.problem.fix, at)
    yield from _foreign_thresholds(tree)


def _name_info(name: str, kind: NameKind, body: Body) -> NameInfo:
    return NameInfo(
        name=name,
        kind=kind,
        type=cast("Type", string(body, "type")),
        unit=unit_of(string(body, "unit", "1")) or ONE,
        minimum=cast("float | None", body.get("min")),
        maximum=cast("float | None", body.get("max")),
        above=cast("float | None", body.get("above")),
        options=strings(body, "options"),
        group_or_class=string(body, "group" if kind == "fact" else "class"),
    )


def _units(located: Located) -> Iterator[tuple[str, Steps]]:
    body = located.entry.body
    match located.entry.kind:
        case "vocabulary":
            yield from of_members(body, "facts", "unit")
            yield from of_members(body, "readings", "unit")
        case "quantity":
            yield from own(body, "unit")
        case "profile":
            yield from of_members(body, "thresholds", "unit")
        case "couple":
            yield from of_items(body, "derive", "unit")


def _foreign_thresholds(tree: Tree) -> Iterator[Problem]:
    default = tree.of_kind("profile").get(DEFAULT_PROFILE)
    if default is None:
        if not tree.problems:
            for located in tree.of_kind("profile").values():
                what = f"there is no profile {DEFAULT_PROFILE!r}"
                yield Problem("missing-default-profile", what, "it beside all others", "add it", located.at("name"))
        return
    known = part(default.entry.body, "thresholds")
    for located in tree.of_kind("profile").values():
        for name, threshold in part(located.entry.body, "thresholds").items():
            steps = ("thresholds", name)
            if name not in known:
                fix = meant(name, known) or "add it to the default profile first"
                what = f"the default profile has no threshold {name!r}"
                yield Problem("unknown-threshold", what, "", fix, located.key_at(*steps))
            elif unit_of(string(cast("Body", threshold), "unit")) != unit_of(string(part(known, name), "unit")):
                what = f"{name!r} is in {string(part(known, name), 'unit')!r} in the default profile"
                yield Problem("other-unit", what, "the same unit", "", located.at(*steps, "unit"))
