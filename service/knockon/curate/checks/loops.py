"""A quantity that comes back to itself grows or shrinks until something ends it; what does is said at the loop."""

from collections.abc import Iterator, Mapping

from knockon.catalog.build import quantity_of
from knockon.catalog.feedback import Loop, shortest_loops
from knockon.curate.tree import Located, Tree
from knockon.terms.errors import Problem


def problems(tree: Tree) -> Iterator[Problem]:
    """The shortest feedback loop through each influence, where no influence of it has a note."""
    located = tree.of_kind("quantity")
    quantities = {
        quantity.id: quantity for quantity in (quantity_of(key, one.entry.body) for key, one in located.items())
    }
    for loop in shortest_loops(quantities):
        # A quantity that influences itself is complained about as such, by checks/quantities.py.
        if not loop.ends.en and len(loop.quantities) > 1:
            yield _unsaid(loop, located)


def _unsaid(loop: Loop, located: Mapping[str, Located]) -> Problem:
    first = loop.quantities[0]
    way = " → ".join((*loop.quantities, first))
    what = f"there is no note on the {loop.kind} loop {way}"
    influences = located[first].entry.body["influences"]
    index = next(
        at
        for at, influence in enumerate(influences if isinstance(influences, list) else ())
        if isinstance(influence, dict) and influence["on"] == loop.influences[0].on
    )
    fix = "add `loop: {en: …, zh: …}` to one of its influences"
    return Problem(
        "loop-without-note", what, "a sentence on what ends it", fix, located[first].at("influences", index, "on")
    )
