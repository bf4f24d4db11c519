"""The techniques and what one does to another, as a graph: Graphviz and Mermaid."""

from collections.abc import Iterator, Mapping

from knockon.catalog.catalog import Catalog
from knockon.terms.words import TechniqueId

# Which relations help, which hurt; the rest only compares.
_COLOURS: Mapping[str, str] = {
    "requires": "#4a6fa5",
    "mitigates": "#3a7d44",
    "amplifies": "#3a7d44",
    "combines": "#3a7d44",
    "joins": "#2c5f8a",
    "conflicts": "#b3382c",
    "degrades": "#c77d0a",
    "supersedes": "#6b7280",
    "contrasts": "#9ca3af",
}


def dot(catalog: Catalog, language: str) -> str:
    """Graphviz: a box for each technique, the stages as clusters, an arrow for each relation, by its kind."""
    return "\n".join(("digraph knockon {", *_dot(catalog, language), "}")) + "\n"


def mermaid(catalog: Catalog, language: str) -> str:
    """Mermaid flowchart of the techniques that have relations; one without any says nothing in a graph."""
    return "\n".join(("flowchart LR", *_mermaid(catalog, language))) + "\n"


def _dot(catalog: Catalog, language: str) -> Iterator[str]:
    yield '  graph [rankdir=LR, fontname="sans-serif"];'
    yield '  node [shape=box, style="rounded,filled", fillcolor=white, fontname="sans-serif", fontsize=10];'
    yield '  edge [fontname="sans-serif", fontsize=8];'
    for stage in catalog.axes.stages.values():
        yield f"  subgraph cluster_{stage.id} {{"
        yield f"    label={_quoted(stage.name.in_language(language))};"
        for one in catalog.live:
            if one.cells[0].stage == stage.id:
                label = _quoted(one.name.in_language(language))
                where = _quoted(f"{one.cells[0].layer} {one.cells[0].dimension}")
                yield f"    {_quoted(one.id)} [label={label}, tooltip={where}];"
        yield "  }"
    for source, kind, target in _relations(catalog):
        colour = _COLOURS.get(kind, "#000000")
        yield f'  {_quoted(source)} -> {_quoted(target)} [label={_quoted(kind)}, color="{colour}"];'


def _mermaid(catalog: Catalog, language: str) -> Iterator[str]:
    relations = list(_relations(catalog))
    related = {key for source, _, target in relations for key in (source, target)}
    numbers = {one.id: f"t{number}" for number, one in enumerate(catalog.live) if one.id in related}
    for stage in catalog.axes.stages.values():
        inside = [one for one in catalog.live if one.id in related and one.cells[0].stage == stage.id]
        if inside:
            yield f"  subgraph {stage.id}[{_quoted(stage.name.in_language(language))}]"
            yield from (f"    {numbers[one.id]}[{_quoted(one.name.in_language(language))}]" for one in inside)
            yield "  end"
    for source, kind, target in relations:
        yield f"  {numbers[source]} -- {kind} --> {numbers[target]}"


def _relations(catalog: Catalog) -> Iterator[tuple[TechniqueId, str, TechniqueId]]:
    live = {one.id for one in catalog.live}
    for one in catalog.live:
        yield from ((one.id, relation.kind, relation.to) for relation in one.relations if relation.to in live)


def _quoted(text: str) -> str:
    """Text in double quotes, as both languages take it."""
    return '"' + text.replace("\\", "\\\\").replace('"', "'") + '"'
