"""new: the first text of a technique's file, from the few answers only a person can give."""

from collections.abc import Sequence
from dataclasses import dataclass

from knockon.catalog.catalog import Catalog
from knockon.catalog.cell import Cell
from knockon.catalog.grid import axis_value, cell_named
from knockon.catalog.names import fold
from knockon.catalog.quantity import Quantity
from knockon.curate.document import read_bytes
from knockon.curate.forms import SLUG
from knockon.curate.scalars import scalar_of
from knockon.curate.shapes.technique import Technique as TechniqueShape
from knockon.curate.shaping import body_of
from knockon.jobs.drafted import Need, Size, Switch
from knockon.terms.errors import IntakeError, NotFound, Problem
from knockon.terms.words import Text

# Characters. A file is called after its technique, and names of files end somewhere.
_SLUG_MAX = 100


@dataclass(frozen=True, slots=True)
class Draft:
    """What is known of a technique before its file is written."""

    id: str
    name: Text
    stage: str
    layer: str
    dimension: str
    """The home cell, by ids or names of the axes."""
    mechanism: str
    goal: Text
    summary: Text
    gains: Sequence[str]
    """Ids of quantities that get better."""
    costs: Sequence[str]
    """Ids of quantities that get worse."""
    cite: Sequence[str]
    """Ids of citations."""
    aliases: Sequence[str] = ()
    """What else people call or type for it, in any language."""
    when: str = ""
    """The condition under which it gains and costs."""
    sizes: Sequence[Size] = ()
    needs: Sequence[Need] = ()
    switches: Sequence[Switch] = ()


@dataclass(frozen=True, slots=True)
class NewFile:
    """A file to write, and what the catalog has already that is near it."""

    path: str
    """Within the catalog's folder."""
    text: str
    alike: tuple[str, ...]
    """Ids of techniques with the same home cell and mechanism, or with a name like it."""


def check_answer(catalog: Catalog, field: str, text: str) -> None:
    """Hold one answer to what it has to be, by the name of its option without dashes, or `id`.

    Raises:
        IntakeError: it is empty, of another form, or a name that is taken. NotFound: it names nothing known.
    """
    if not listed(text):
        raise _refused("incomplete-draft", f"no {field} is given", _EXPECTED.get(field, "a text"))
    if not text.isprintable():
        raise _refused("invisible-character", f"{text!r} has a character that cannot be seen", "characters that can")
    match field:
        case "id" | "mechanism" if not SLUG.accepts(text) or len(text) > _SLUG_MAX:
            raise _refused(SLUG.code, f"{text!r} cannot be used as {field}", SLUG.expected)
        case "id" | "name" | "name-zh" | "alias" if catalog.names_technique(text):
            taken = ", ".join(catalog.indexes.technique_names.find(text)) or text
            raise _refused("taken-id", f"{text!r} is a name of {taken}", f"a new {field}", "or edit that one")
        case "stage" | "layer" | "dimension":
            axes = catalog.axes
            axis_value(field, text, {"stage": axes.stages, "layer": axes.layers, "dimension": axes.dimensions}[field])
        case "gain" | "cost":
            for key in listed(text):
                catalog.quantity(key)
        case "cite":
            for key in listed(text):
                catalog.citation(key)


def listed(text: str) -> Sequence[str]:
    """The ids of an answer that may name several, between commas or blanks; each once."""
    return list(dict.fromkeys(text.replace(",", " ").split()))


def new_technique(catalog: Catalog, draft: Draft) -> NewFile:
    """The file of `draft`, whose answers hold (see `check_answer`).

    Its sentences of gains and costs are the program's own until somebody writes what the source says, so they are
    marked as inferred.

    Raises:
        IntakeError: a quantity is gain and cost at once.
        NotFound: a coordinate, a quantity or a citation is unknown.
        CurationError: the file would not have the shape of a technique.
    """
    if both := [key for key in draft.gains if key in draft.costs]:
        what = f"{', '.join(both)} would get better and worse"
        raise _refused("incomplete-draft", what, "each quantity once", "say under which condition in the file, later")
    _check_sizes(draft)
    cell = cell_named(catalog, draft.stage, draft.layer, draft.dimension)
    for ref in draft.cite:
        catalog.citation(ref)
    shifts = [
        *(_shift("gain", catalog.quantity(key), draft) for key in draft.gains),
        *(_shift("cost", catalog.quantity(key), draft) for key in draft.costs),
    ]
    lines = [
        f"id: {_slug(draft.id)}",
        f"name: {_pair(draft.name)}",
        *_aliases(draft.aliases),
        "cells:",
        f"  - [{cell.stage}, {cell.layer}, {cell.dimension}]",
        f"mechanism: {_slug(draft.mechanism)}",
        f"goal: {_pair(draft.goal)}",
        f"summary: {_pair(draft.summary)}",
        "shifts:",
        *(line for shift in shifts for line in shift),
        *_needs(draft),
        *_switches(draft.switches),
        f"cite: [{', '.join(draft.cite)}]",
    ]
    path, text = f"techniques/{cell.stage}/{draft.id}.yaml", "\n".join(lines) + "\n"
    document = read_bytes(text.encode(), path)
    body_of(document.data, TechniqueShape, document, steps=())
    return NewFile(path, text, _alike(catalog, draft, cell))


def _check_sizes(draft: Draft) -> None:
    """Each size is of a shift, and each shift and each engine is told of once; raises IntakeError."""
    shifted = (*draft.gains, *draft.costs)
    told: set[str] = set()
    for key, of in (*((size.quantity, "size") for size in draft.sizes), *((one.engine, "") for one in draft.switches)):
        if of and key not in shifted:
            expected = f"one of {', '.join(shifted)}"
            raise _refused("incomplete-draft", f"{key!r} has a size and is neither gain nor cost", expected)
        if f"{of} {key}" in told:
            raise _refused("incomplete-draft", f"{key!r} has two {of or 'switche'}s", "one of each")
        told.add(f"{of} {key}")


def _alike(catalog: Catalog, draft: Draft, cell: Cell) -> tuple[str, ...]:
    alike = [
        one.id
        for one in catalog.live
        if (one.cells[0] == cell and one.mechanism == draft.mechanism) or fold(draft.name.en) == fold(one.name.en)
    ]
    for name in catalog.indexes.technique_names.nearest(draft.name.en):
        try:
            alike.append(catalog.technique(name).id)
        except NotFound:
            # The name belongs to several; each of them is among the others already or far away.
            continue
    return tuple(dict.fromkeys(alike))


def _refused(code: str, what: str, expected: str, fix: str = "") -> IntakeError:
    return IntakeError(Problem(code, what, expected, fix))


_EXPECTED = {
    "gain": "at least one quantity that gets better",
    "cost": "at least one quantity that gets worse",
    "cite": "at least one source",
}


def _aliases(aliases: Sequence[str]) -> list[str]:
    groups = {"en": [one for one in aliases if one.isascii()], "zh": [one for one in aliases if not one.isascii()]}
    lines = [f"  {language}: [{', '.join(map(_scalar, group))}]" for language, group in groups.items() if group]
    return ["aliases:", *lines] if lines else []


def _shift(effect: str, quantity: Quantity, draft: Draft) -> list[str]:
    better = quantity.better
    change = better if effect == "gain" else {"up": "down", "down": "up"}[better]
    says = Text(
        f"{quantity.name.en} goes {change} when it is on",
        f"启用后{quantity.name.zh}{'上升' if change == 'up' else '下降'}",
    )
    return [
        f"  - effect: {effect}",
        f"    onto: {quantity.of}",
        f"    quantity: {quantity.id}",
        f"    change: {change}",
        *([f"    when: {_scalar(draft.when)}"] if draft.when else []),
        *(line for size in draft.sizes if size.quantity == quantity.id for line in _size(size)),
        f"    says: {_pair(says)}",
        "    inferred: true",
        f"    cite: [{', '.join(draft.cite)}]",
    ]


def _size(size: Size) -> list[str]:
    return ["    size:", f"      text: {_pair(size.text)}", f"      {size.key}: {_scalar(size.rests_on)}"]


def _needs(draft: Draft) -> list[str]:
    lines = ["needs:"] if draft.needs else []
    for need in draft.needs:
        lines.append(f"  - says: {_pair(need.text)}")
        lines += [f"    when: {_scalar(need.when)}"] if need.when else []
        lines += ["    inferred: true", f"    cite: [{', '.join(draft.cite)}]"]
    return lines


def _switches(switches: Sequence[Switch]) -> list[str]:
    lines = ["engines:"] if switches else []
    for one in switches:
        since = f", since: {_scalar(one.since)}" if one.since else ""
        lines.append(f"  {_slug(one.engine)}: {{switch: {_scalar(one.switch)}{since}}}")
    return lines


def _slug(text: str) -> str:
    """As it is, in quotes where YAML would read another thing: 123, null."""
    return text if scalar_of(text) == text else _scalar(text)


def _pair(text: Text) -> str:
    return f"{{en: {_scalar(text.en)}, zh: {_scalar(text.zh)}}}"


def _scalar(text: str) -> str:
    """Text in double quotes, which YAML reads as it is."""
    return '"' + " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"') + '"'
