"""What a bundle's bodies say as a graph: coordinates of each node, and one row for each edge between nodes. Pure.

Edges are read from the bodies and from nothing else, so they never hold more than the bundle does. A body that lacks
a part (a relation to a technique that is not there, a quantity without a dimension) gives None for it.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from knockon.terms.bundle import Bundle, Entry, canonical
from knockon.terms.words import Json

ANY = "*"
"""In a cell note, a coordinate that matches every value of its axis."""

Body = Mapping[str, Json]


class NodeColumns(NamedTuple):
    """Where a node stands: its home stage and dimension, and the layers it spans. None where it has no such place."""

    stage: str | None = None
    layer_min: int | None = None
    """Lowest layer of all its cells: 4 for L4."""
    layer_max: int | None = None
    """Highest layer of all its cells, the same as `layer_min` for one that lies in a single layer."""
    dimension: str | None = None
    """A dimension of axes.yaml; for a quantity also a burden."""


class EdgeRow(NamedTuple):
    """One edge between two nodes.

    Kinds: `shift` (technique → quantity), `influence` (quantity → quantity), each relation kind such as `requires`
    (technique → technique), `couple` (couple rule → quantity: the shift the rule tells of), `because` and `fix`
    (rule → technique), `outranks` (diagnose rule → diagnose rule) and `hits` (diagnose rule → wall).
    """

    kind: str
    source: str
    """Key of the node the edge leaves."""
    target: str
    """Key of the node the edge reaches."""
    from_dimension: str | None
    """Dimension on the source's side: a technique's home, what a couple rule's shift gains."""
    onto_dimension: str | None
    """Dimension or burden on the target's side."""
    quantity: str | None
    """The quantity that moves; None for an edge that moves none."""
    body: str
    """Canonical text of the part of the source's body that the edge was read from."""


def node_columns(entry: Entry) -> NodeColumns:
    """Say where the thing an entry describes stands on the axes."""
    body = entry.body
    match entry.kind:
        case "technique":
            cells = [_texts(cell) for cell in _list(body.get("cells"))]
            home = cells[0] if cells else ()
            return _place(_at(home, 0), [layer for cell in cells if (layer := _at(cell, 1))], _at(home, 2))
        case "cell":
            stage, layer, dimension = (_at(_texts(body.get("cell")), axis) for axis in range(3))
            return _place(stage, [layer] if layer else [], dimension)
        case "quantity":
            return _place(None, [], _text(body.get("of")))
        case "diagnose":
            layer = _text(body.get("layer"))
            return _place(None, [layer] if layer else [], _text(body.get("dimension")))
        case "wall":
            return _place(None, list(_texts(body.get("layers"))), _text(body.get("dimension")))
        case _:
            return NodeColumns()


def edge_rows(bundle: Bundle) -> tuple[EdgeRow, ...]:
    """Read every edge of a bundle, in the order of its entries and of the lists within them."""
    dimensions: dict[tuple[str, str], str | None] = {
        (entry.kind, entry.key): node_columns(entry).dimension
        for entry in bundle.entries
        if entry.kind in ("technique", "quantity", "diagnose", "wall")
    }
    return tuple(row for entry in bundle.entries for row in _rows_of(entry, dimensions))


_Dimensions = Mapping[tuple[str, str], str | None]


def _rows_of(entry: Entry, dimensions: _Dimensions) -> Iterator[EdgeRow]:
    match entry.kind:
        case "technique":
            yield from _technique(entry.key, entry.body, dimensions)
        case "quantity":
            for influence in _bodies(entry.body, "influences"):
                on, ends = _text(influence.get("on")), ("quantity", "quantity")
                yield from _row("influence", entry.key, on, influence, ends, dimensions, quantity=on)
        case "couple":
            yield from _couple(entry.key, entry.body, dimensions)
        case "diagnose":
            wall = _text(entry.body.get("wall"))
            yield from _row("hits", entry.key, wall, {"wall": wall}, ("diagnose", "wall"), dimensions)
            for other in _texts(entry.body.get("outranks")):
                yield from _row("outranks", entry.key, other, {"outranks": other}, ("diagnose", "diagnose"), dimensions)
        case _:
            return


def _technique(key: str, body: Body, dimensions: _Dimensions) -> Iterator[EdgeRow]:
    home = dimensions[("technique", key)]
    for shift in _bodies(body, "shifts"):
        quantity = _text(shift.get("quantity"))
        if quantity is not None:
            yield EdgeRow("shift", key, quantity, home, _text(shift.get("onto")), quantity, canonical(shift))
    for relation in _bodies(body, "relations"):
        kind = _text(relation.get("kind"))
        if kind is not None:
            ends = ("technique", "technique")
            yield from _row(kind, key, _text(relation.get("to")), relation, ends, dimensions)


def _couple(key: str, body: Body, dimensions: _Dimensions) -> Iterator[EdgeRow]:
    for technique in _texts(body.get("because")):
        yield from _row("because", key, technique, {"because": technique}, ("couple", "technique"), dimensions)
    for shift in _bodies(body, "shifts"):
        quantity = _text(shift.get("quantity"))
        if quantity is not None:
            gains, onto = _text(shift.get("gains")), _text(shift.get("onto"))
            yield EdgeRow("couple", key, quantity, gains, onto, quantity, canonical(shift))
    for fix in _bodies(body, "fixes"):
        yield from _row("fix", key, _text(fix.get("technique")), fix, ("couple", "technique"), dimensions)


def _row(
    kind: str,
    source: str,
    target: str | None,
    part: Body,
    ends: tuple[str, str],
    dimensions: _Dimensions,
    *,
    quantity: str | None = None,
) -> Iterator[EdgeRow]:
    """One row whose dimensions are those of the nodes at its two ends; none at all without a target."""
    if target is not None:
        onto = dimensions.get((ends[1], target))
        yield EdgeRow(kind, source, target, dimensions.get((ends[0], source)), onto, quantity, canonical(part))


def _place(stage: str | None, layers: list[str], dimension: str | None) -> NodeColumns:
    numbers = [int(layer[1:]) for layer in layers if layer[:1] == "L" and layer[1:].isdecimal()]
    return NodeColumns(stage, min(numbers, default=None), max(numbers, default=None), dimension)


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) and value != ANY else None


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _texts(value: Json) -> tuple[str, ...]:
    return tuple(item for item in _list(value) if isinstance(item, str))


def _at(texts: tuple[str, ...], index: int) -> str | None:
    return _text(texts[index]) if index < len(texts) else None


def _bodies(body: Body, name: str) -> list[dict[str, Json]]:
    return [item for item in _list(body.get(name)) if isinstance(item, dict)]
