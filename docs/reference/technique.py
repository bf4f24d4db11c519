"""The page of one technique: what it is, its shifts, needs and relations, and who says so."""

from docs.reference.markdown import both, bullets, code, link, page, sources, table, titled
from knockon.catalog.catalog import Catalog
from knockon.catalog.technique import Need, Relation, Shift, Technique
from knockon.terms.citation import Cite
from knockon.terms.words import Change, Effect

_ARROWS = {Change.UP: "↑", Change.DOWN: "↓"}


def technique_page(catalog: Catalog, technique: Technique) -> str:
    """Everything the catalog says of one technique, and who else speaks of it."""
    facts = [
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
    if technique.enable_texts:
        sets = ", ".join(code(f"{name} = {value}") for name, value in technique.enable_texts.items())
        facts.append(f"tried by setting {sets}")
    facts.append(f"stale from {min(map(catalog.stale_from, _claimed(technique)))} on, unless somebody looks again")
    shifts = [_shift(shift) for effect in Effect for shift in technique.shifts_of(effect)]
    return page(
        titled(technique.name),
        technique.summary.en.strip() + (" (inferred in part)" if technique.summary_inferred else ""),
        f"catalog/techniques/{technique.cells[0].stage}/{technique.id}.yaml",
        technique.summary.zh.strip() + ("（部分为推断）" if technique.summary_inferred else ""),
        bullets(facts),
        table(["", "onto", "quantity", "says", "when", "size"], shifts),
        _needs(technique),
        _relations(technique),
        _named_by(catalog, technique),
        sources(catalog.sources(_cites(technique))),
    )


def _named_by(catalog: Catalog, technique: Technique) -> str:
    """What other techniques say of this one."""
    rows = (
        [link(held.technique, f"{held.technique}.md"), held.relation.kind, both(held.relation.says)]
        for held in catalog.indexes.relations_to.get(technique.id, ())
    )
    return table(["named by", "as", "says"], rows)


def _shift(shift: Shift) -> list[str]:
    size = shift.size
    rests_on = (size.measured_on or size.basis) if size else ""
    said = f"{both(size.text)}{f' [{rests_on}]' if rests_on else ''}" if size else ""
    return [
        shift.effect.value,
        shift.onto,
        f"{link(shift.quantity, f'../quantities.md#{shift.quantity}')} {_ARROWS[shift.change]}",
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
            link(relation.to, f"{relation.to}.md"),
            both(relation.says) + (" *inferred*" if relation.inferred else ""),
            code(relation.when_text),
        ]
        for relation in technique.relations
    )
    return table(["relation", "to", "says", "when"], rows)


def _claimed(technique: Technique) -> list[tuple[Cite, ...]]:
    """The sources of each claim."""
    claims: list[Shift | Need | Relation] = [*technique.shifts, *technique.needs, *technique.relations]
    return [claim.cite for claim in claims]


def _cites(technique: Technique) -> list[Cite]:
    return [*technique.cite, *(cite for cites in _claimed(technique) for cite in cites)]
