"""Finding techniques by words and by coordinates, in the order of their ids."""

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from knockon.catalog.catalog import Catalog
from knockon.catalog.grid import axis_value
from knockon.catalog.indexes import ShiftOf
from knockon.catalog.technique import Technique
from knockon.expr.vocabulary import nearest
from knockon.terms.errors import NotFound
from knockon.terms.words import Effect, QuantityId, TechniqueId


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to find; None or "" means any, all that is given must hold together."""

    words: str = ""
    """Every word must be in the id, a name, an alias, the goal or the summary, in either language."""
    stage: str | None = None
    layer: str | None = None
    dimension: str | None = None
    """Stage, layer and dimension must hold in one and the same cell."""
    mechanism: str | None = None
    gains: str | None = None
    """A quantity that it improves, or a dimension or burden on which it does."""
    costs: str | None = None
    """A quantity that it makes worse, or a dimension or burden on which it does."""
    engine: str | None = None
    """An engine that has a switch for it."""


def find(catalog: Catalog, wanted: Wanted) -> tuple[Technique, ...]:
    """The live techniques that fit, by id.

    Raises:
        NotFound: nothing of the catalog goes by what is asked for.
    """
    _refuse_unknown(catalog, wanted)
    axes = catalog.axes
    indexes = catalog.indexes
    stage = axis_value("stage", wanted.stage, axes.stages) if wanted.stage else None
    layer = axis_value("layer", wanted.layer, axes.layers) if wanted.layer else None
    dimension = axis_value("dimension", wanted.dimension, axes.dimensions) if wanted.dimension else None
    limits: list[Iterable[TechniqueId]] = [
        index.get(value, ())
        for index, value in (
            (indexes.by_stage, stage),
            (indexes.by_layer, layer),
            (indexes.by_dimension, dimension),
            (indexes.by_mechanism, wanted.mechanism),
        )
        if value
    ]
    limits += [
        _shifting(catalog, name, effect)
        for name, effect in ((wanted.gains, Effect.GAIN), (wanted.costs, Effect.COST))
        if name
    ]
    keys: Iterable[TechniqueId] = (
        sorted(set(limits[0]).intersection(*limits[1:])) if limits else (one.id for one in catalog.live)
    )
    words = _folded(wanted.words).split()
    return tuple(
        one
        for one in (catalog.techniques[key] for key in keys)
        if any(
            stage in (None, cell.stage) and layer in (None, cell.layer) and dimension in (None, cell.dimension)
            for cell in one.cells
        )
        and (not wanted.engine or any(switch.engine == wanted.engine for switch in one.switches))
        and (not words or _has(one, words))
    )


def _refuse_unknown(catalog: Catalog, wanted: Wanted) -> None:
    """Raise NotFound for a name that finds nothing because nothing is called so; axes see to theirs."""
    onto = (*catalog.quantities, *catalog.indexes.shifts_on, *catalog.axes.dimensions, *catalog.axes.burdens)
    for kind, name, known in (
        ("mechanism", wanted.mechanism, lambda: catalog.indexes.by_mechanism),
        ("quantity or dimension", wanted.gains, lambda: onto),
        ("quantity or dimension", wanted.costs, lambda: onto),
        ("engine", wanted.engine, lambda: {switch.engine for one in catalog.live for switch in one.switches}),
    ):
        if name and name not in (held := list(known())):
            raise NotFound(kind, name, suggestions=nearest(name, tuple(sorted(held))))


def _shifting(catalog: Catalog, name: str, effect: Effect) -> list[TechniqueId]:
    on: Mapping[QuantityId, tuple[ShiftOf, ...]] = catalog.indexes.shifts_on
    by_quantity = on.get(QuantityId(name))
    held = by_quantity if by_quantity is not None else (one for group in on.values() for one in group)
    return [
        one.technique for one in held if one.shift.effect is effect and name in (one.shift.quantity, one.shift.onto)
    ]


def _has(one: Technique, words: list[str]) -> bool:
    aliases = (alias for group in one.aliases.values() for alias in group)
    texts = (text for pair in (one.name, one.goal, one.summary) for text in (pair.en, pair.zh))
    said = _folded("\n".join((one.id, *aliases, *texts)))
    return all(word in said for word in words)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
