"""Two techniques side by side: goal, whether devices are added, where they sit, what they gain, cost and need."""

from collections.abc import Iterable
from dataclasses import dataclass

from knockon.catalog.catalog import Catalog
from knockon.catalog.cell import Cell
from knockon.catalog.source import Source
from knockon.catalog.technique import Need, Relation, Shift, Technique
from knockon.terms.words import Effect, TechniqueId, Text


@dataclass(frozen=True, slots=True)
class Side:
    """One column of the comparison, all of it as the catalog states it."""

    technique: TechniqueId
    name: Text
    goal: Text
    adds_devices: bool | None
    """None where the catalog does not say."""
    mechanism: str
    cells: tuple[Cell, ...]
    gains: tuple[Shift, ...]
    costs: tuple[Shift, ...]
    needs: tuple[Need, ...]
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class Contrast:
    """The comparison of two techniques, and what the catalog says of the pair itself."""

    left: Side
    right: Side
    relations: tuple[Relation, ...]
    """Every relation between the two, the left one's first; empty when the catalog has none."""
    sources: tuple[Source, ...]
    """Of the relations."""
    shared_cells: tuple[Cell, ...]
    """In the left one's order."""


def contrast(catalog: Catalog, left: Technique, right: Technique) -> Contrast:
    """Compare two techniques."""
    relations = (
        *(relation for relation in left.relations if relation.to == right.id),
        *(relation for relation in right.relations if relation.to == left.id),
    )
    return Contrast(
        left=_side(catalog, left),
        right=_side(catalog, right),
        relations=relations,
        sources=catalog.sources(cite for relation in relations for cite in relation.cite),
        shared_cells=tuple(cell for cell in left.cells if cell in right.cells),
    )


def contrasts_of(catalog: Catalog, technique: Technique) -> tuple[Contrast, ...]:
    """The comparisons that the catalog asks for with a `contrasts` relation, in either direction, by the other's id."""
    stated = (relation.to for relation in technique.relations if relation.kind == "contrasts")
    incoming = (
        held.technique
        for held in catalog.indexes.relations_to.get(technique.id, ())
        if held.relation.kind == "contrasts"
    )
    return tuple(contrast(catalog, technique, other) for other in _known(catalog, (*stated, *incoming)))


def _known(catalog: Catalog, ids: Iterable[TechniqueId]) -> list[Technique]:
    return [catalog.techniques[key] for key in sorted(set(ids)) if key in catalog.techniques]


def _side(catalog: Catalog, technique: Technique) -> Side:
    return Side(
        technique=technique.id,
        name=technique.name,
        goal=technique.goal,
        adds_devices=technique.adds_devices,
        mechanism=technique.mechanism,
        cells=technique.cells,
        gains=technique.shifts_of(Effect.GAIN),
        costs=technique.shifts_of(Effect.COST),
        needs=technique.needs,
        sources=catalog.sources(technique.cite),
    )
