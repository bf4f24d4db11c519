"""The answer of `place`: which cell is something new in, and is it new there?"""

from typing import Any

from knockon.api.context import Info
from knockon.api.shape import Resolver, field, nonempty, path, shows
from knockon.api.types.cell import Cell
from knockon.api.types.kinds import Aside, PlacementRule
from knockon.api.types.revision import REVISION, Revision, revision_of
from knockon.api.types.technique import Technique, techniques_named
from knockon.api.types.words import Text
from knockon.catalog import place
from knockon.catalog.grid import CellState
from knockon.catalog.place import Standing


def _named(attribute: str) -> Resolver:
    def resolver(root: Any, info: Info) -> Any:
        return techniques_named(info, getattr(root, attribute))

    return resolver


@shows(place.Resident)
class Resident:
    """A technique in the cell, and how what is asked about stands to it."""

    technique: Technique = field("The technique.")
    is_home: bool = field("Whether the cell is its home.")
    standing: Standing = field("Replacement, alternative or combination; undecided when no mechanism was said.")
    combines: list[Technique] = field("What it is itself a combination of.", resolver=_named("combines"))
    shared_gains: list[str] = field("Of the gains that were said, those it has too.")
    shared_costs: list[str] = field("Of the costs that were said, those it has too.")


@shows(place.Beside)
class Beside:
    """A neighbouring cell that is occupied."""

    cell: Cell = field("The cell.")
    how: Aside = field("In which coordinate it differs.")
    techniques: list[Technique] = field("What is in it.", resolver=_named("techniques"))


@shows(place.Placement)
class Placement:
    """Where something new belongs, and whether it is new there."""

    cell: Cell = field("Its home cell.")
    also: list[Cell] = field("Further cells.")
    mechanism: str | None = field("How it works; null when it was not said.", resolver=nonempty("mechanism"))
    unknown: list[str] = field("Of the mechanisms that were said, those by which no technique works.")
    almost: list[str] = field("Known mechanisms spelled almost like one by which nothing works.")
    standing: Standing = field("How it stands to what is there.")
    to: list[Technique] = field(
        "Whom it replaces, competes with or combines; empty for a new direction.", resolver=_named("to")
    )
    rule: PlacementRule = field("The rule that decided, for programs.")
    because: Text = field("The rule that decided, for people.")
    state: CellState = field("What was known of the cell.", resolver=path("state", "state"))
    residents: list[Resident] = field("What is in the cell, most alike first.")
    neighbours: list[Beside] = field("Occupied cells one step away.")
    revision: Revision = field(REVISION, resolver=revision_of)
