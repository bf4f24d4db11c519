"""The page of techniques: the grid, then each technique with its shifts, needs and relations."""

from docs.reference.markdown import both, bullets, code, link, page, sources, table, titled
from knockon.catalog.catalog import Catalog
from knockon.catalog.cell import Cell
from knockon.catalog.technique import Need, Relation, Shift, Technique
from knockon.jobs.knowledge import Knowledge
from knockon.terms.citation import Cite
from knockon.terms.words import Change, Effect

_ARROWS = {Change.UP: "↑", Change.DOWN: "↓"}


def techniques_page(knowledge: Knowledge) -> str:
    """All live techniques, by stage and id, then the removed ones."""
    catalog = knowledge.catalog
    parts = [_grid(catalog, stage) for stage in catalog.axes.stages]
    for technique in catalog.live:
        parts += _technique(catalog, technique)
    removed = [technique for technique in catalog.techniques.values() if technique.tombstone]
    parts.append(_removed(removed))
    return page(
        "Techniques",
        f"{len(catalog.live)} techniques at their coordinates. A shift names the dimension or burden it lands on, and "
        "the [quantity](quantities.md) it moves; `when` is its condition, without one it always holds.",
        "catalog/techniques/",
        *parts,
    )


def _grid(catalog: Catalog, stage: str) -> str:
    """One stage: layers down, dimensions across."""
    rows = []
    for layer, value in catalog.axes.layers.items():
        cells = [catalog.techniques_in(Cell(stage, layer, dimension)) for dimension in catalog.axes.dimensions]
        if any(cells):
            rows.append(
                [f"{layer} {value.name.en}", *(", ".join(link(one.id, f"#{one.id}") for one in each) for each in cells)]
            )
    heading = f"## {titled(catalog.axes.stages[stage].name)}"
    return f"{heading}\n\n{table(['', *catalog.axes.dimensions], rows) or 'No technique yet.'}"


def _technique(catalog: Catalog, technique: Technique) -> list[str]:
    facts = [
        f"**{titled(technique.name)}**",
        f"cells: {', '.join(str(cell) for cell in technique.cells)} (home first)",
        f"mechanism: {code(technique.mechanism)}",
        f"goal: {both(technique.goal)}",
    ]
    if technique.adds_devices is not None:
        facts.append(f"adds devices: {'yes' if technique.adds_devices else 'no'}")
    for label, names in (("also called", technique.aliases), ("formerly", {"": technique.former_ids})):
        listed = ", ".join(code(name) for group in names.values() for name in group)
        if listed:
            facts.append(f"{label}: {listed}")
    if technique.switches:
        switches = (
            f"{each.engine} {code(each.switch)}{f' since {each.since}' if each.since else ''}"
            for each in technique.switches
        )
        facts.append(f"switch: {', '.join(switches)}")
    if technique.detect_text:
        facts.append(f"in use when {code(technique.detect_text)}")
    shifts = [_shift(shift) for effect in Effect for shift in technique.shifts_of(effect)]
    return [
        f"### {technique.id}",
        bullets(facts),
        technique.summary.en.strip(),
        technique.summary.zh.strip(),
        table(["", "onto", "quantity", "says", "when", "size"], shifts),
        _needs(technique),
        _relations(technique),
        sources(catalog.sources(_cites(technique))),
    ]


def _shift(shift: Shift) -> list[str]:
    size = shift.size
    said = f"{both(size.text)}{f' [{size.measured_on}]' if size.measured_on else ''}" if size else ""
    return [
        shift.effect.value,
        shift.onto,
        f"{link(shift.quantity, f'quantities.md#{shift.quantity}')} {_ARROWS[shift.change]}",
        both(shift.says) + (" *inferred*" if shift.inferred else ""),
        code(shift.when_text),
        said,
    ]


def _needs(technique: Technique) -> str:
    listed = bullets(
        both(need.says)
        + (f" — {code(need.when_text)}" if need.when_text else "")
        + (" *inferred*" if need.inferred else "")
        for need in technique.needs
    )
    return f"Needs:\n\n{listed}" if listed else ""


def _relations(technique: Technique) -> str:
    rows = (
        [
            relation.kind,
            link(relation.to, f"#{relation.to}"),
            both(relation.says) + (" *inferred*" if relation.inferred else ""),
            code(relation.when_text),
        ]
        for relation in technique.relations
    )
    return table(["relation", "to", "says", "when"], rows)


def _cites(technique: Technique) -> list[Cite]:
    claims: list[Shift | Need | Relation] = [*technique.shifts, *technique.needs, *technique.relations]
    return [*technique.cite, *(cite for claim in claims for cite in claim.cite)]


def _removed(removed: list[Technique]) -> str:
    rows = (
        [code(one.id), both(one.tombstone.reason), code(one.tombstone.replacement or "")]
        for one in removed
        if one.tombstone
    )
    listed = table(["id", "why", "instead"], rows)
    return f"## Removed\n\n{listed}" if listed else ""
