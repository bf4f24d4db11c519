"""The page of quantities: what can rise or fall, and how they pull on one another."""

from docs.reference.markdown import both, code, link, page, sources, table, titled
from knockon.catalog.catalog import Catalog
from knockon.catalog.quantity import Quantity
from knockon.jobs.knowledge import Knowledge

_SIGNS = {1: "+", -1: "−"}


def quantities_page(knowledge: Knowledge) -> str:
    """All quantities, by the dimension or burden they belong to."""
    catalog = knowledge.catalog
    owners = {**catalog.axes.dimensions, **catalog.axes.burdens}
    parts = []
    for owner, value in owners.items():
        held = [quantity for quantity in catalog.quantities.values() if quantity.of == owner]
        if held:
            parts += [f"## {titled(value.name)}", *(part for quantity in held for part in _quantity(catalog, quantity))]
    influences = sum(len(quantity.influences) for quantity in catalog.quantities.values())
    return page(
        "Quantities",
        f"{len(catalog.quantities)} quantities with {influences} influences. `+`: when it rises, the other rises; `−`: "
        "the other falls. One with stages holds in the work of these alone.",
        "catalog/quantities/",
        *parts,
    )


def _quantity(catalog: Catalog, quantity: Quantity) -> list[str]:
    rows = (
        [
            _SIGNS[influence.sign],
            link(influence.on, f"#{influence.on}"),
            both(influence.says) + (" *inferred*" if influence.inferred else ""),
            ", ".join(influence.stages),
            code(influence.when_text),
        ]
        for influence in quantity.influences
    )
    moved = ", ".join(
        link(one, f"techniques/{one}.md")
        for one in dict.fromkeys(held.technique for held in catalog.indexes.shifts_on.get(quantity.id, ()))
    )
    return [
        f"### {quantity.id}",
        f"**{titled(quantity.name)}**, in {code(quantity.unit)}, better {quantity.better}. {both(quantity.means)}",
        table(["", "on", "says", "in", "when"], rows),
        f"Moved by {moved}." if moved else "",
        sources(catalog.sources(cite for influence in quantity.influences for cite in influence.cite)),
    ]
