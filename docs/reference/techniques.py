"""The page of techniques: the matrix, the grid of each stage, and a line for each technique."""

from docs.reference.markdown import both, code, link, page, table, titled
from knockon.catalog.catalog import Catalog
from knockon.catalog.cell import Cell
from knockon.catalog.technique import Technique
from knockon.jobs.knowledge import Knowledge


def techniques_page(knowledge: Knowledge) -> str:
    """All live techniques, by stage and id, then the removed ones."""
    catalog = knowledge.catalog
    parts = [part for stage in catalog.axes.stages for part in _stage(catalog, stage)]
    parts.append(_removed([technique for technique in catalog.techniques.values() if technique.tombstone]))
    return page(
        "Techniques",
        f"{len(catalog.live)} techniques at their coordinates, each with a page of its own.",
        "catalog/techniques/",
        "![How many techniques each cell holds](matrix.svg)",
        *parts,
    )


def _stage(catalog: Catalog, stage: str) -> list[str]:
    """One stage: layers down, dimensions across; then what has its home there."""
    rows = []
    for layer, value in catalog.axes.layers.items():
        cells = [catalog.techniques_in(Cell(stage, layer, dimension)) for dimension in catalog.axes.dimensions]
        if any(cells):
            rows.append([f"{layer} {value.name.en}", *(", ".join(map(_linked, each)) for each in cells)])
    homes = [[_linked(one), titled(one.name), both(one.goal)] for one in catalog.live if one.cells[0].stage == stage]
    return [
        f"## {titled(catalog.axes.stages[stage].name)}",
        table(["", *catalog.axes.dimensions], rows) or "No technique yet.",
        table(["technique", "name", "goal"], homes),
    ]


def _linked(technique: Technique) -> str:
    return link(technique.id, f"techniques/{technique.id}.md")


def _removed(removed: list[Technique]) -> str:
    rows = (
        [code(one.id), both(one.tombstone.reason), code(one.tombstone.replacement or "")]
        for one in removed
        if one.tombstone
    )
    listed = table(["id", "why", "instead"], rows)
    return f"## Removed\n\n{listed}" if listed else ""
