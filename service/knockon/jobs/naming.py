"""What the texts of a tree can name, for editors that complete it."""

from collections.abc import Mapping, Sequence

from knockon.curate.shapes.base import Target
from knockon.jobs.knowledge import Knowledge


def names_in(knowledge: Knowledge) -> Mapping[Target, Sequence[str]]:
    """Every id that one text can name, by what it names, sorted."""
    catalog, rulebook = knowledge.catalog, knowledge.rulebook
    kinds = {name: info.kind for name, info in rulebook.vocabulary.names.items()}
    held: Mapping[Target, Sequence[str]] = {
        "stage": list(catalog.axes.stages),
        "layer": list(catalog.axes.layers),
        "dimension": list(catalog.axes.dimensions),
        "onto": [*catalog.axes.dimensions, *catalog.axes.burdens],
        "quantity": list(catalog.quantities),
        "technique": list(catalog.techniques),
        "citation": list(catalog.citations),
        "wall": list(rulebook.walls),
        "reading": [name for name, kind in kinds.items() if kind == "reading"],
        "name": [name for name, kind in kinds.items() if kind in ("fact", "reading")],
    }
    return {target: sorted(ids) for target, ids in held.items()}
