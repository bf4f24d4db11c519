"""Coordinates are values of the axes, in their order; impossible cells stay empty, and spans have no gaps."""

from collections.abc import Iterator, Mapping
from itertools import pairwise

from knockon.curate.build import Steps
from knockon.curate.checks.values import listed, of_items, own
from knockon.curate.nearest import meant
from knockon.curate.tree import Located, Tree
from knockon.terms.body import Body, part, parts, string, strings
from knockon.terms.bundle import Kind
from knockon.terms.errors import Problem

ANY = "*"
_AXES = ("stages", "layers", "dimensions")
_SINGULAR = {"stages": "stage", "layers": "layer", "dimensions": "dimension", "burdens": "burden"}

_ONTO = ("dimensions", "burdens")

Use = tuple[tuple[str, ...], str, Steps]
"""The axes a value may be of, the value, and where it stands in the body."""


def problems(tree: Tree) -> Iterator[Problem]:
    """Values no axis has, values of the wrong axis, and techniques in cells that notes say are empty for a reason."""
    stated = tree.of_kind("axes").get("axes")
    if stated is None:
        return
    axes = {axis: tuple(part(stated.entry.body, axis)) for axis in _SINGULAR}
    for located in tree.located:
        for allowed, value, steps in _uses(located):
            if not any(value in axes[axis] for axis in allowed):
                yield _unknown(axes, allowed, value, located, steps)
    yield from _occupied(tree)
    yield from _apart(tree, axes["layers"])


def _uses(located: Located) -> Iterator[Use]:
    body = located.entry.body
    if located.entry.kind == "technique":
        for index, cell in enumerate(_cells(located)):
            yield from (((axis,), cell[i], ("cells", index, i)) for i, axis in enumerate(_AXES))
    elif located.entry.kind == "cell":
        cell = strings(body, "cell")
        yield from (((axis,), cell[i], ("cell", i)) for i, axis in enumerate(_AXES) if cell[i] != ANY)
    for allowed, values in _by_axes(located.entry.kind, body):
        yield from ((allowed, value, steps) for value, steps in values)


def _by_axes(kind: Kind, body: Body) -> Iterator[tuple[tuple[str, ...], Iterator[tuple[str, Steps]]]]:
    match kind:
        case "technique":
            yield _ONTO, of_items(body, "shifts", "onto")
        case "quantity":
            yield _ONTO, own(body, "of")
            yield ("stages",), _stages_of_influences(body)
        case "couple":
            yield _ONTO, of_items(body, "shifts", "gains")
            yield _ONTO, of_items(body, "shifts", "onto")
        case "diagnose":
            yield ("layers",), own(body, "layer")
            yield ("dimensions",), own(body, "dimension")
        case "wall":
            yield ("layers",), listed(body, "layers")
            yield ("dimensions",), own(body, "dimension")
            yield ("stages",), listed(body, "stages")
        case "symptom":
            yield ("stages",), own(body, "stage")
            yield ("layers",), ((layer, ("layers", layer)) for layer in part(body, "layers"))


def _stages_of_influences(body: Body) -> Iterator[tuple[str, Steps]]:
    for index, influence in enumerate(parts(body, "influences")):
        yield from ((stage, ("influences", index, *steps)) for stage, steps in listed(influence, "stages"))


def _unknown(
    axes: Mapping[str, tuple[str, ...]], allowed: tuple[str, ...], value: str, located: Located, steps: Steps
) -> Problem:
    known = [name for axis in allowed for name in axes[axis]]
    wanted = " or ".join(_SINGULAR[axis] for axis in allowed)
    other = next((axis for axis, values in axes.items() if value in values), None)
    at = located.key_at(*steps) if located.entry.kind == "symptom" and steps[0] == "layers" else located.at(*steps)
    if other is not None:
        order = "; a cell is [stage, layer, dimension]" if steps[0] in ("cells", "cell") else ""
        what = f"{value!r} is a {_SINGULAR[other]}"
        return Problem("wrong-axis", what, f"a {wanted}: {', '.join(known)}{order}", at=at)
    return Problem(
        f"unknown-{wanted.replace(' ', '-')}",
        f"no {wanted} is called {value!r}",
        "",
        meant(value, known) or f"known: {', '.join(known)}",
        at,
    )


def _occupied(tree: Tree) -> Iterator[Problem]:
    notes = [(strings(note.entry.body, "cell"), note) for note in tree.of_kind("cell").values()]
    # Few cells hold many techniques, so each cell is held against the notes once.
    against: dict[tuple[str, ...], list[Located]] = {}
    for located in tree.of_kind("technique").values():
        if "tombstone" in located.entry.body:
            continue
        for index, cell in enumerate(_cells(located)):
            if cell not in against:
                against[cell] = [note for pattern, note in notes if _covers(pattern, cell)]
            for note in against[cell]:
                state = string(note.entry.body, "state").replace("_", " ")
                what = f"cell {' × '.join(cell)} is noted as {state} at {note.at()}"
                fix = "move the technique, or take the note back"
                yield Problem("occupied-cell", what, "no technique there", fix, located.at("cells", index))


def _covers(pattern: tuple[str, ...], cell: tuple[str, ...]) -> bool:
    return all(wanted in (ANY, value) for wanted, value in zip(pattern, cell, strict=True))


def _apart(tree: Tree, layers: tuple[str, ...]) -> Iterator[Problem]:
    """A technique spans neighbouring layers; one that leaves a layer out is two techniques, or a cell too many."""
    for located in tree.of_kind("technique").values():
        spans: dict[tuple[str, str], list[tuple[int, int]]] = {}
        for index, (stage, layer, dimension) in enumerate(_cells(located)):
            if layer in layers:
                spans.setdefault((stage, dimension), []).append((layers.index(layer), index))
        for (stage, dimension), span in spans.items():
            span.sort()
            for (low, one), (high, other) in pairwise(span):
                if high - low > 1 and "tombstone" not in located.entry.body:
                    what = f"{layers[low]} and {layers[high]} of {stage} × {dimension} are no neighbours"
                    fix = "name the layers between, or leave one out"
                    at = located.at("cells", max(one, other))
                    yield Problem("layers-apart", what, "layers without a gap", fix, at)


def _cells(located: Located) -> list[tuple[str, ...]]:
    cells = located.entry.body["cells"]
    return [tuple(map(str, cell)) for cell in cells if isinstance(cell, list)] if isinstance(cells, list) else []
