"""Every feedback loop of the quantity graph, for lint and the generated documentation.

Not for answering questions: the number of loops can grow exponentially with their length, and importing networkx takes
a tenth of a second. Questions use the shortest loop through each influence (feedback.py).
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise, product

import networkx

from knockon.catalog.feedback import Loop
from knockon.catalog.quantity import Quantity
from knockon.terms.words import QuantityId


def all_loops(quantities: Mapping[QuantityId, Quantity], *, length_max: int) -> tuple[Loop, ...]:
    """Every loop of at most `length_max` quantities, shortest first.

    Several influences between the same two quantities make as many loops.
    """
    graph: networkx.MultiDiGraph[QuantityId] = networkx.MultiDiGraph()
    for key, quantity in quantities.items():
        for influence in quantity.influences:
            graph.add_edge(key, influence.on, influence=influence)
    cycles: Iterator[list[QuantityId]] = networkx.simple_cycles(networkx.DiGraph(graph), length_bound=length_max)
    loops = {loop for cycle in cycles for loop in _loops_along(graph, tuple(cycle))}
    return tuple(sorted(loops, key=lambda loop: (len(loop.quantities), loop.quantities, loop.sign)))


def _loops_along(graph: "networkx.MultiDiGraph[QuantityId]", cycle: tuple[QuantityId, ...]) -> Iterator[Loop]:
    steps = [
        [attributes["influence"] for attributes in graph.get_edge_data(source, target).values()]
        for source, target in pairwise((*cycle, cycle[0]))
    ]
    for influences in product(*steps):
        yield Loop.of(cycle, influences)
