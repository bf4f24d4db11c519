"""Techniques with their shifts, needs and relations."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from knockon.api.context import Info, count_link, knowledge_of
from knockon.api.shape import field, nonempty, pairs, shows
from knockon.api.types.cell import Cell
from knockon.api.types.kinds import SizeBasis
from knockon.api.types.source import SOURCES, STALE, STALE_FROM, Source, is_stale, sources_of, stale_from
from knockon.api.types.words import Assigned, RelationKind, Setting, Text
from knockon.catalog import indexes, quantity, technique
from knockon.terms.words import Change, Effect

if TYPE_CHECKING:
    from knockon.api.types.quantity import Quantity

QuantityType = Annotated["Quantity", strawberry.lazy("knockon.api.types.quantity")]
TechniqueType = Annotated["Technique", strawberry.lazy("knockon.api.types.technique")]

WHEN = "Condition in the language of rules, on facts of a deployment; null when it always holds."
INFERRED = "True when the sources imply it but do not state it."


def technique_named(info: Info, key: str | None) -> technique.Technique | None:
    """The technique of an id that the catalog itself mentions; None where it has none of that id."""
    count_link(info)
    techniques: Any = knowledge_of(info).catalog.techniques
    found: technique.Technique | None = techniques.get(key)
    return found


def techniques_named(info: Info, keys: tuple[str, ...]) -> list[technique.Technique]:
    """The techniques of ids that the catalog itself mentions, lost ones left out."""
    found = (technique_named(info, key) for key in keys)
    return [one for one in found if one is not None]


def quantity_of(root: Any, info: Info) -> quantity.Quantity:
    """A resolver for whatever has the id of a `quantity`."""
    count_link(info)
    return knowledge_of(info).catalog.quantity(root.quantity)


@shows(technique.Size)
class Size:
    """How much, as the source says it."""

    text: Text = field("In words, with its conditions.")
    factor: float | None = field("Factor on the quantity; null where the source gives none.")
    value: float | None = field("Amount; null where the source gives none.")
    unit: str | None = field("Unit of `value`; null without one.", resolver=nonempty("unit"))
    measured_on: str | None = field(
        "Hardware, model, engine version and date; null where it was not measured.", resolver=nonempty("measured_on")
    )
    basis: SizeBasis | None = field(
        "What it rests on where nobody measured it; null where somebody did.", resolver=nonempty("basis")
    )


@shows(technique.Shift)
class Shift:
    """An edge: the technique gains here, or pays there, through a quantity."""

    effect: Effect = field("Gain or cost.")
    onto: str = field("The dimension or burden it lands on.")
    quantity: QuantityType = field("The quantity that moves.", resolver=quantity_of)
    change: Change = field("Which way it moves when the technique is on.")
    when: str | None = field(WHEN, resolver=nonempty("when_text"))
    size: Size | None = field("How much; null where no source says.")
    says: Text = field("The claim in words.")
    inferred: bool = field(INFERRED)
    stale: bool = field(STALE, resolver=is_stale)
    stale_from: str = field(STALE_FROM, resolver=stale_from)
    sources: list[Source] = field(SOURCES, resolver=sources_of)


@shows(technique.Need)
class Need:
    """What a technique assumes."""

    says: Text = field("The assumption in words.")
    when: str | None = field(
        "Condition that must be TRUE for the technique to work; null when the language cannot check it.",
        resolver=nonempty("when_text"),
    )
    inferred: bool = field(INFERRED)
    stale: bool = field(STALE, resolver=is_stale)
    stale_from: str = field(STALE_FROM, resolver=stale_from)
    sources: list[Source] = field(SOURCES, resolver=sources_of)


def _to(root: technique.Relation, info: Info) -> Any:
    return technique_named(info, root.to)


@shows(technique.Relation)
class Relation:
    """How a technique stands to another."""

    kind: RelationKind = field("Kind of the relation.")
    to: TechniqueType = field("The other technique.", resolver=_to)
    says: Text = field("The relation in words.")
    when: str | None = field(WHEN, resolver=nonempty("when_text"))
    inferred: bool = field(INFERRED)
    stale: bool = field(STALE, resolver=is_stale)
    stale_from: str = field(STALE_FROM, resolver=stale_from)
    sources: list[Source] = field(SOURCES, resolver=sources_of)


def _owner(root: Any, info: Info) -> Any:
    return technique_named(info, root.technique)


@shows(indexes.RelationOf)
class RelationOf:
    """A relation, and the technique that states it."""

    technique: TechniqueType = field("The technique that states it.", resolver=_owner)
    relation: Relation = field("What it states.")


@shows(indexes.ShiftOf)
class ShiftOf:
    """A shift, and the technique it belongs to."""

    technique: TechniqueType = field("The technique.", resolver=_owner)
    shift: Shift = field("Its shift.")


@shows(technique.Switch)
class Switch:
    """How an engine turns a technique on."""

    engine: str = field("Engine.")
    switch: str = field("Flag or setting.")
    since: str | None = field(
        "First version of the engine that has it; null when not looked up.", resolver=nonempty("since")
    )


def _replacement(root: technique.Tombstone, info: Info) -> Any:
    return technique_named(info, root.replacement) if root.replacement else None


@shows(technique.Tombstone)
class Tombstone:
    """Why a technique was removed."""

    reason: Text = field("Why it went.")
    replacement: TechniqueType | None = field(
        "What stands in its place; null when nothing does.", resolver=_replacement
    )


def _aliases(root: technique.Technique) -> list[str]:
    return list(dict.fromkeys(alias for group in root.aliases.values() for alias in group))


def _home(root: technique.Technique) -> Any:
    return root.cells[0]


def _gains(root: technique.Technique) -> Any:
    return root.shifts_of(Effect.GAIN)


def _costs(root: technique.Technique) -> Any:
    return root.shifts_of(Effect.COST)


def _named_by(root: technique.Technique, info: Info) -> Any:
    return knowledge_of(info).catalog.indexes.relations_to.get(root.id, ())


@shows(technique.Technique)
class Technique:
    """One optimization at its coordinates. None is free: see `costs`."""

    id: strawberry.ID = field("Kebab slug. It resolves for ever: renames leave an alias, removals a tombstone.")
    name: Text = field("Name.")
    aliases: list[str] = field("Other names in both languages, flags included.", resolver=_aliases)
    home: Cell = field("Its home cell.", resolver=_home)
    cells: list[Cell] = field("Every cell it occupies, home first.")
    mechanism: str = field("Kebab slug of how it works: same cell and same mechanism make two replacements.")
    goal: Text = field("What people use it for, in one clause.")
    summary: Text = field("How it works, in a few sentences.")
    summary_inferred: bool = field("True when the summary says more than the sources do as far as they were looked at.")
    adds_devices: bool | None = field("Whether it takes more devices; null where that question has no sense.")
    shifts: list[Shift] = field("Gains and costs, in the order of the catalog.")
    gains: list[Shift] = field("What it is used for.", resolver=_gains)
    costs: list[Shift] = field("What it costs, and where that lands.", resolver=_costs)
    needs: list[Need] = field("What it assumes.")
    relations: list[Relation] = field("How it stands to others, as it states itself.")
    named_by: list[RelationOf] = field("Relations in which others name it.", resolver=_named_by)
    switches: list[Switch] = field("How engines turn it on.")
    detect: str | None = field(
        "Condition that is TRUE where a deployment uses it; null where a deployment does not show it.",
        resolver=nonempty("detect_text"),
    )
    enable: list[Setting] = field(
        "The facts that turn it on, each with an expression for its value; empty where no setting does.",
        resolver=pairs("enable_texts", Assigned),
    )
    former_ids: list[str] = field("Ids it had before; they still resolve.")
    tombstone: Tombstone | None = field("Why it was removed; null while it is in use.")
    sources: list[Source] = field("Who describes it.", resolver=sources_of)
