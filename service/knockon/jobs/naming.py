"""What the texts of a tree can name, for editors that complete it."""

from collections.abc import Mapping, Sequence

from knockon.curate.shapes.base import Target
from knockon.jobs.knowledge import Knowledge


def names_in(knowledge: Knowledge) -> Mapping[Target, Sequence[str]]:
    """Every id that one text can name, by what it names, sorted."""
    catalog, rulebook = knowledge.catalog, knowledge.rulebook
    vocabulary = rulebook.vocabulary
    held: Mapping[Target, Sequence[str]] = {
        "stage": list(catalog.axes.stages),
        "layer": list(catalog.axes.layers),
        "dimension": list(catalog.axes.dimensions),
        "onto": [*catalog.axes.dimensions, *catalog.axes.burdens],
        "quantity": list(catalog.quantities),
        "technique": list(catalog.techniques),
        "citation": list(catalog.citations),
        "wall": list(rulebook.walls),
        "reading": vocabulary.readings,
        "name": [name for name, info in vocabulary.names.items() if info.kind != "threshold"],
    }
    return {target: sorted(ids) for target, ids in held.items()}
