"""I have something new: which cell is it in, and is it new? Every verdict names the rule that decided."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from itertools import combinations

from knockon.catalog.catalog import Catalog
from knockon.catalog.cell import Cell
from knockon.catalog.grid import CellState, GridCell, cell_at
from knockon.catalog.names import NameIndex, fold, nearest
from knockon.catalog.technique import Technique
from knockon.terms.errors import IntakeError, NotFound, Problem
from knockon.terms.words import Effect, TechniqueId, Text


class Standing(StrEnum):
    """How something stands to what is already in its cell."""

    REPLACEMENT = "replacement"
    """Same cell, same mechanism: one or the other."""
    ALTERNATIVE = "alternative"
    """Same cell, other mechanism."""
    COMBINATION = "combination"
    """It does the work of two others together."""
    NEW_DIRECTION = "new_direction"
    """Nothing was in the cell until now."""
    UNDECIDED = "undecided"
    """The cell is occupied and the mechanism was not said."""
    IMPOSSIBLE = "impossible"
    """Nothing can be in that cell."""


@dataclass(frozen=True, slots=True)
class Resident:
    """A technique in the cell, and how what is asked about stands to it."""

    technique: Technique
    is_home: bool
    standing: Standing
    """Replacement, alternative or combination; undecided when no mechanism was said."""
    combines: tuple[TechniqueId, ...]
    """The techniques it is itself made of, as it declares (`joins`); else empty."""
    shared_gains: tuple[str, ...]
    """Of the gains that were said, those it has too (quantities, dimensions or burdens)."""
    shared_costs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Beside:
    """A neighbouring cell that is occupied. `how`: "other layer", "other dimension" or "other stage"."""

    cell: Cell
    how: str
    techniques: tuple[TechniqueId, ...]


@dataclass(frozen=True, slots=True)
class Placement:
    """The whole answer."""

    cell: Cell
    also: tuple[Cell, ...]
    mechanism: str
    unknown: tuple[str, ...]
    """Of the mechanisms that were said, those by which no technique works."""
    almost: tuple[str, ...]
    """Known mechanisms that are spelled almost like one by which nothing works: what was meant, perhaps."""
    standing: Standing
    to: tuple[TechniqueId, ...]
    """Whom it replaces, competes with or combines; empty for a new direction."""
    rule: str
    """The rule that decided, for programs: `same-cell-same-mechanism`, …"""
    because: Text
    """The rule that decided, for people."""
    state: GridCell
    residents: tuple[Resident, ...]
    """Most alike first: same mechanism, then shared gains and costs, then home, then id."""
    neighbours: tuple[Beside, ...]


# Two letters of twenty.
_ALMOST = 0.9
_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_RULES = {
    "cell-impossible": Text("Nothing can be in this cell.", "这个格子里不可能有任何技术。"),
    "cell-empty": Text("The cell held nothing until now.", "这个格子此前是空的。"),
    "mechanism-of-two": Text(
        "Its mechanism joins the mechanisms of these techniques.", "它的机制由这些技术的机制合并而成。"
    ),
    "same-cell-same-mechanism": Text(
        "These techniques are in the same cell and work by the same mechanism.", "这些技术在同一格子，机制相同。"
    ),
    "cells-of-two": Text(
        "No single technique occupies all its cells, and these are the only two that together do.",
        "没有任何一项技术单独占据它的所有格子，合起来占据的只有这两项。",
    ),
    "same-cell-other-mechanism": Text(
        "These techniques are in the same cell and work by another mechanism.", "这些技术在同一格子，机制不同。"
    ),
    "mechanism-not-said": Text(
        "The cell is occupied; the mechanism decides between replacement and alternative.",
        "格子已被占据；是替代还是另一条路线，取决于机制。",
    ),
}


def place(
    catalog: Catalog,
    cell: Cell,
    *,
    also: Sequence[Cell] = (),
    mechanism: str | None = None,
    gains: Sequence[str] = (),
    costs: Sequence[str] = (),
) -> Placement:
    """Place something new.

    Args:
        catalog: Where to place it.
        cell: Its home cell.
        also: Further cells it occupies.
        mechanism: Slug of how it works; two slugs with `+` between them when it does what both do.
        gains: What it improves: quantities, dimensions or burdens.
        costs: What it makes worse.

    Raises:
        IntakeError: the mechanism is no slug, nor slugs joined by `+`.
        NotFound: a gain or a cost is no quantity, dimension or burden.
    """
    state = cell_at(catalog, cell)
    cells = tuple(dict.fromkeys((cell, *also)))
    slugs = () if mechanism is None else _slugs(catalog, mechanism)
    gained, paid = _affected(catalog, gains), _affected(catalog, costs)
    held = catalog.techniques_in(cell)
    rule, standing, to = _decided(catalog, state, cells, slugs, held)
    residents = [_resident(one, cell, slugs, gained, paid) for one in held]
    return Placement(
        cell=cell,
        also=cells[1:],
        mechanism="+".join(slugs),
        unknown=tuple(dict.fromkeys(slug for slug in slugs if slug not in catalog.indexes.by_mechanism)),
        almost=_almost(catalog, slugs),
        standing=standing,
        to=to,
        rule=rule,
        because=_RULES[rule],
        state=state,
        residents=tuple(sorted(residents, key=_likeness)),
        neighbours=tuple(_beside(catalog, cell)),
    )


def _slugs(catalog: Catalog, mechanism: str) -> tuple[str, ...]:
    """The slugs that are joined by `+`."""
    slugs = tuple(part.strip() for part in mechanism.split("+"))
    for slug in slugs:
        if not _SLUG.fullmatch(slug):
            near = nearest(slug, {fold(known): known for known in catalog.indexes.by_mechanism}) if slug else ()
            meant = f"did you mean {' or '.join(repr(one) for one in near)}?" if near else ""
            expected = "a kebab slug like shard-kv-by-token, or two joined by +"
            raise IntakeError(Problem("bad-slug", f"{slug!r} is no mechanism", expected, meant))
    return slugs


def _almost(catalog: Catalog, slugs: tuple[str, ...]) -> tuple[str, ...]:
    """A letter too few would otherwise make an alternative of a replacement, and nobody would see why."""
    known = catalog.indexes.by_mechanism
    near = (get_close_matches(slug, known, n=1, cutoff=_ALMOST) for slug in slugs if slug not in known)
    return tuple(dict.fromkeys(one for found in near for one in found))


def _affected(catalog: Catalog, names: Sequence[str]) -> frozenset[str]:
    """The ids of quantities, dimensions and burdens that go by these ids or names, in either language."""
    if not names:
        return frozenset()
    axes = catalog.axes
    called: dict[str, Text] = {key: one.name for key, one in (*axes.dimensions.items(), *axes.burdens.items())}
    pairs = [*called.items(), *((str(key), one.name) for key, one in catalog.quantities.items())]
    index = NameIndex.of((key, said) for key, name in pairs for said in (key, name.en, name.zh) if said)
    found: set[str] = set()
    for name in names:
        # A quantity may be called as its dimension is; then both are meant.
        ids = index.find(name)
        if not ids:
            near = index.nearest(name) if name.strip() else ()
            listed = f"one of {', '.join((*axes.dimensions, *axes.burdens))}, or a quantity"
            raise NotFound("quantity or dimension", name, suggestions=near, fix="" if near else listed)
        found.update(ids)
    return frozenset(found)


def _decided(
    catalog: Catalog, state: GridCell, cells: tuple[Cell, ...], slugs: tuple[str, ...], held: Sequence[Technique]
) -> tuple[str, Standing, tuple[TechniqueId, ...]]:
    """The first rule that holds: (rule, standing, to whom)."""
    if state.state is CellState.IMPOSSIBLE:
        return "cell-impossible", Standing.IMPOSSIBLE, ()
    joined = _of_mechanisms(catalog, cells, slugs)
    if joined:
        return "mechanism-of-two", Standing.COMBINATION, joined
    if not held:
        return "cell-empty", Standing.NEW_DIRECTION, ()
    same = tuple(one.id for one in held if one.mechanism in slugs)
    if same:
        return "same-cell-same-mechanism", Standing.REPLACEMENT, same
    pair = covering_pair(catalog, cells)
    if pair:
        return "cells-of-two", Standing.COMBINATION, pair
    if slugs:
        return "same-cell-other-mechanism", Standing.ALTERNATIVE, tuple(one.id for one in held)
    return "mechanism-not-said", Standing.UNDECIDED, tuple(one.id for one in held)


def made_of(technique: Technique) -> tuple[TechniqueId, ...]:
    """The techniques that a technique is made of, as it declares."""
    return tuple(relation.to for relation in technique.relations if relation.kind == "joins")


def covering_pair(catalog: Catalog, cells: Sequence[Cell]) -> tuple[TechniqueId, ...]:
    """The two techniques whose homes are among `cells` and that occupy all of them together, in the order of their ids.

    None when a single technique does, and none when several pairs do: in cells that hold many techniques nearly any
    two would, and that says nothing of what something is made of.
    """
    wanted = frozenset(cells)
    if len(wanted) == 1:
        return ()
    # Many techniques occupy the same few of the cells, so that pairs are made of groups and not of techniques.
    groups: dict[frozenset[Cell], list[TechniqueId]] = {}
    for key in {one.id for cell in wanted for one in catalog.techniques_in(cell)}:
        one = catalog.techniques[key]
        covered = wanted.intersection(one.cells)
        if covered == wanted:
            return ()
        if one.cells[0] in wanted:
            groups.setdefault(covered, []).append(key)
    pairs = [pair for pair in combinations(groups, 2) if pair[0] | pair[1] == wanted]
    if len(pairs) != 1 or any(len(groups[covered]) > 1 for covered in pairs[0]):
        return ()
    return tuple(sorted(groups[covered][0] for covered in pairs[0]))


def _of_mechanisms(catalog: Catalog, cells: Sequence[Cell], slugs: tuple[str, ...]) -> tuple[TechniqueId, ...]:
    """The techniques that work by each of several mechanisms; none unless every one of them is known.

    Of each mechanism those in the asked cells stand for it; where none is, all do.
    """
    groups = [catalog.indexes.by_mechanism.get(slug, ()) for slug in slugs]
    if len(groups) < 2 or not all(groups):
        return ()
    held = {one.id for cell in cells for one in catalog.techniques_in(cell)}
    near = [tuple(key for key in group if key in held) or group for group in groups]
    return tuple(dict.fromkeys(key for group in near for key in group))


def _resident(
    one: Technique,
    cell: Cell,
    slugs: tuple[str, ...],
    gains: frozenset[str],
    costs: frozenset[str],
) -> Resident:
    if not slugs:
        standing = Standing.UNDECIDED
    elif len(slugs) > 1 and one.mechanism in slugs:
        standing = Standing.COMBINATION
    else:
        standing = Standing.REPLACEMENT if one.mechanism in slugs else Standing.ALTERNATIVE
    return Resident(
        technique=one,
        is_home=one.cells[0] == cell,
        standing=standing,
        combines=made_of(one),
        shared_gains=_shared(one, Effect.GAIN, gains),
        shared_costs=_shared(one, Effect.COST, costs),
    )


def _shared(one: Technique, effect: Effect, said: frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted(said & {name for shift in one.shifts_of(effect) for name in (shift.quantity, shift.onto)}))


def _likeness(resident: Resident) -> tuple[bool, int, bool, str]:
    alike = resident.standing in (Standing.REPLACEMENT, Standing.COMBINATION)
    shared = len(resident.shared_gains) + len(resident.shared_costs)
    return (not alike, -shared, not resident.is_home, resident.technique.id)


def _beside(catalog: Catalog, cell: Cell) -> Iterable[Beside]:
    """Occupied cells one step away: the layers next to it, then other dimensions, then other stages."""
    layers = list(catalog.axes.layers)
    at = layers.index(cell.layer)
    near = [*layers[max(at - 1, 0) : at], *layers[at + 1 : at + 2]]
    steps = [("other layer", Cell(cell.stage, layer, cell.dimension)) for layer in near]
    steps += [("other dimension", Cell(cell.stage, cell.layer, one)) for one in catalog.axes.dimensions]
    steps += [("other stage", Cell(one, cell.layer, cell.dimension)) for one in catalog.axes.stages]
    for how, other in steps:
        held = catalog.indexes.by_cell.get(other, ())
        if held and other != cell:
            yield Beside(other, how, held)
