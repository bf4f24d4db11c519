"""The page of sources: everything the catalog and the rules cite, with what rests on it."""

from collections.abc import Iterator

from docs.reference.markdown import code, page, table
from knockon.jobs.knowledge import Knowledge
from knockon.terms.citation import Cite


def sources_page(knowledge: Knowledge) -> str:
    """All citations by kind, each with how far it was looked at, when, and how often it is cited."""
    catalog = knowledge.catalog
    counts: dict[str, int] = {}
    for cite in _cites(knowledge):
        counts[cite.ref] = counts.get(cite.ref, 0) + 1
    kinds = sorted({one.kind for one in catalog.citations.values()})
    parts = []
    for kind in kinds:
        rows = [
            [
                f"[{one.title}]({one.url})" if one.url else one.title,
                one.version,
                f"{one.depth} {one.checked}",
                str(counts.get(key, 0)),
                code(key),
            ]
            for key, one in catalog.citations.items()
            if one.kind == kind
        ]
        parts += [f"## {kind}", table(["source", "version", "checked", "cited", "id"], rows)]
    return page(
        "Sources",
        f"{len(catalog.citations)} sources. *read*: its text was opened that day; *abstract*: its abstract; *listing*: "
        "its entry in a list or a search result.",
        "catalog/citations/",
        *parts,
    )


def _cites(knowledge: Knowledge) -> Iterator[Cite]:
    catalog, rulebook = knowledge.catalog, knowledge.rulebook
    for technique in catalog.techniques.values():
        yield from technique.cite
        for claim in (*technique.shifts, *technique.needs, *technique.relations):
            yield from claim.cite
    for quantity in catalog.quantities.values():
        yield from (cite for influence in quantity.influences for cite in influence.cite)
    for rule in (*rulebook.couple, *rulebook.diagnose):
        yield from rule.cite
    yield from (cite for one in (*catalog.models.values(), *catalog.gpus.values(), *catalog.notes) for cite in one.cite)
    for profile in rulebook.profiles.values():
        yield from (cite for threshold in profile.thresholds.values() for cite in threshold.cite)
