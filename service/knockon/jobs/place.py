"""place: which cell is something new in, is it new there, and what stands around it?"""

from collections.abc import Sequence
from dataclasses import dataclass

from knockon.catalog.grid import cell_named
from knockon.catalog.place import Placement
from knockon.catalog.place import place as placed
from knockon.jobs.knowledge import Knowledge


@dataclass(frozen=True, slots=True)
class PlaceAnswer:
    """The whole answer."""

    placement: Placement
    revision: str


def place(
    knowledge: Knowledge,
    *,
    stage: str,
    layer: str,
    dimension: str,
    also: Sequence[tuple[str, str, str]] = (),
    mechanism: str | None = None,
    gains: Sequence[str] = (),
    costs: Sequence[str] = (),
) -> PlaceAnswer:
    """Place something new in the cell whose coordinates go by these ids or names, in either language.

    Args:
        knowledge: Where to place it.
        stage: Of its home cell.
        layer: Of its home cell.
        dimension: Of its home cell.
        also: Further cells it occupies, as (stage, layer, dimension).
        mechanism: Slug of how it works; two slugs joined by `+` when it does what both do.
        gains: What it improves: quantities, dimensions or burdens.
        costs: What it makes worse.

    Raises:
        NotFound: an axis value, a gain or a cost is unknown.
        IntakeError: the mechanism is no slug, nor slugs joined by `+`.
    """
    catalog = knowledge.catalog
    placement = placed(
        catalog,
        cell_named(catalog, stage, layer, dimension),
        also=[cell_named(catalog, *cell) for cell in also],
        mechanism=mechanism,
        gains=gains,
        costs=costs,
    )
    return PlaceAnswer(placement, knowledge.revision)
