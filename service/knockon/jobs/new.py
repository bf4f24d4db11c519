"""new: the first text of a technique's file, from the few answers only a person can give."""

from collections.abc import Sequence
from dataclasses import dataclass

from knockon.catalog.catalog import Catalog
from knockon.catalog.grid import cell_named
from knockon.catalog.names import fold
from knockon.catalog.quantity import Quantity
from knockon.terms.errors import IntakeError, NotFound, Problem
from knockon.terms.words import Text


@dataclass(frozen=True, slots=True)
class Draft:
    """What is known of a technique before its file is written."""

    id: str
    name: Text
    stage: str
    layer: str
    dimension: str
    """The home cell, by ids or names of the axes."""
    mechanism: str
    goal: Text
    summary: Text
    gains: Sequence[str]
    """Ids of quantities that get better."""
    costs: Sequence[str]
    """Ids of quantities that get worse."""
    cite: Sequence[str]
    """Ids of citations."""


@dataclass(frozen=True, slots=True)
class NewFile:
    """A file to write, and what the catalog has already that is near it."""

    path: str
    """Within the catalog's folder."""
    text: str
    alike: tuple[str, ...]
    """Ids of techniques with the same home cell and mechanism, or with a name like it."""


def new_technique(catalog: Catalog, draft: Draft) -> NewFile:
    """The file of `draft`.

    Raises:
        IntakeError: the id is taken, or there is no gain, no cost, or no source.
        NotFound: a coordinate, a quantity or a citation is unknown.
    """
    if catalog.names_technique(draft.id):
        taken = catalog.technique(draft.id).id
        raise IntakeError(Problem("taken-id", f"{draft.id!r} is a name of {taken}", "a new id", "or edit that one"))
    for what, given in (("gain", draft.gains), ("cost", draft.costs), ("source", draft.cite)):
        if not given:
            raise IntakeError(
                Problem(
                    "incomplete-draft", f"no {what} is named", f"at least one {what}", f"name it with --{_OPTION[what]}"
                )
            )
    cell = cell_named(catalog, draft.stage, draft.layer, draft.dimension)
    for ref in draft.cite:
        catalog.citation(ref)
    shifts = [
        *(_shift("gain", catalog.quantity(key), draft) for key in draft.gains),
        *(_shift("cost", catalog.quantity(key), draft) for key in draft.costs),
    ]
    lines = [
        f"id: {draft.id}",
        f"name: {_pair(draft.name)}",
        "cells:",
        f"  - [{cell.stage}, {cell.layer}, {cell.dimension}]",
        f"mechanism: {draft.mechanism}",
        f"goal: {_pair(draft.goal)}",
        f"summary: {_pair(draft.summary)}",
        "shifts:",
        *(line for shift in shifts for line in shift),
        f"cite: [{', '.join(draft.cite)}]",
    ]
    alike = [
        one.id
        for one in catalog.live
        if (one.cells[0] == cell and one.mechanism == draft.mechanism) or fold(draft.name.en) == fold(one.name.en)
    ]
    near = catalog.indexes.technique_names.nearest(draft.name.en)
    for name in near:
        try:
            alike.append(catalog.technique(name).id)
        except NotFound:
            # The name belongs to several; each of them is among the others already or far away.
            continue
    return NewFile(f"techniques/{cell.stage}/{draft.id}.yaml", "\n".join(lines) + "\n", tuple(dict.fromkeys(alike)))


_OPTION = {"gain": "gain", "cost": "cost", "source": "cite"}


def _shift(effect: str, quantity: Quantity, draft: Draft) -> list[str]:
    better = quantity.better
    change = better if effect == "gain" else {"up": "down", "down": "up"}[better]
    says = Text(
        f"{quantity.name.en} goes {change} when it is on",
        f"启用后{quantity.name.zh}{'上升' if change == 'up' else '下降'}",
    )
    return [
        f"  - effect: {effect}",
        f"    onto: {quantity.of}",
        f"    quantity: {quantity.id}",
        f"    change: {change}",
        f"    says: {_pair(says)}",
        f"    cite: [{', '.join(draft.cite)}]",
    ]


def _pair(text: Text) -> str:
    return f"{{en: {_scalar(text.en)}, zh: {_scalar(text.zh)}}}"


def _scalar(text: str) -> str:
    """Text in double quotes, which YAML reads as it is."""
    return '"' + " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"') + '"'
