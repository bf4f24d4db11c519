"""Sources, evidence and places as the contracts and the pages show them."""

from collections.abc import Iterable, Sequence

from knockon.backends.python.reasons import Atom
from knockon.catalog.catalog import Catalog
from knockon.catalog.cell import Cell
from knockon.catalog.source import Source
from knockon.cli.answers.words import Speaker, dim
from knockon.formats.base import Bullets, Item, Marked
from knockon.terms.citation import Citation, Cite
from knockon.terms.words import Json, Text


def sources_data(sources: Iterable[Source]) -> list[Json]:
    """The contract's `sources`."""
    return [
        {"title": one.title, "url": one.url, "where": one.where, "checked": one.checked, "depth": str(one.depth)}
        for one in sources
    ]


def cited_data(catalog: Catalog, cites: Iterable[Cite]) -> list[Json]:
    """The contract's `sources`, of pointers that are resolved here."""
    return sources_data(catalog.sources(cites))


def evidence_data(atoms: Iterable[Atom]) -> list[Json]:
    """The comparisons that were looked at, each with its truth and the values seen."""
    return [{"text": one.text, "truth": one.truth.name.lower(), "seen": dict(one.seen)} for one in atoms]


def cell_data(cell: Cell) -> list[Json]:
    """The contract's cell."""
    return [cell.stage, cell.layer, cell.dimension]


def text_data(text: Text) -> dict[str, Json]:
    """Both languages."""
    return {"en": text.en, "zh": text.zh}


def sources_block(speaker: Speaker, sources: Iterable[Source]) -> Bullets:
    """The sources as a list, each citation once with all the places in it."""
    places: dict[Citation, list[str]] = {}
    for one in sources:
        held = places.setdefault(one.citation, [])
        if one.where:
            held.append(one.where)
    return Bullets([Item(_said(speaker, citation, held)) for citation, held in places.items()])


def _said(speaker: Speaker, citation: Citation, places: Sequence[str]) -> list[str | Marked]:
    where = f": {'; '.join(places)}" if places else ""
    checked = speaker.say(f" (checked {citation.checked})", f"（核对于 {citation.checked}）")
    return [f"{citation.title}{where} ", dim(citation.url), dim(checked)]
