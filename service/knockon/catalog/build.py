"""From plain bodies to the catalog. Conditions stay text until somebody asks (see condition.py)."""

from collections.abc import Mapping
from typing import cast

from knockon.catalog.catalog import Catalog
from knockon.catalog.cell import Axes, AxisValue, Cell, CellNote
from knockon.catalog.machine import Gpu, Model
from knockon.catalog.quantity import Influence, Quantity
from knockon.catalog.symptom import Judgement, Symptom, Vote
from knockon.catalog.technique import Need, Relation, Shift, Size, Switch, Technique, Tombstone
from knockon.terms.body import Body, cites, entries, integer, number, part, parts, string, strings, text, written
from knockon.terms.bundle import Bundle
from knockon.terms.citation import Citation, CitationKind
from knockon.terms.words import Change, CheckedDepth, CitationId, Effect, QuantityId, TechniqueId

ANY = "*"
"""In a cell note, a coordinate that matches every value of its axis."""

_EFFECTS: Mapping[str, Effect] = {effect.value: effect for effect in Effect}
_CHANGES: Mapping[str, Change] = {change.value: change for change in Change}
_SIGNS: Mapping[str, int] = {"+": 1, "-": -1}


def build_catalog(bundle: Bundle) -> Catalog:
    """The catalog a bundle describes, each thing made when it is first asked for.

    The bundle's bodies are trusted: curation has checked their shape.
    """
    axes = _axes(bundle)
    # Ids are texts with a name of their own; the mappings hold them as they stand in the bundle.
    return Catalog(
        techniques=cast("Mapping[TechniqueId, Technique]", bundle.made("technique", lambda _, body: _technique(body))),
        quantities=cast("Mapping[QuantityId, Quantity]", bundle.made("quantity", quantity_of)),
        axes=axes,
        citations=cast("Mapping[CitationId, Citation]", bundle.made("citation", _citation)),
        models=bundle.made("model", _model),
        gpus=bundle.made("gpu", _gpu),
        notes=tuple(_note(body) for _key, body in bundle.of_kind("cell")),
        symptoms=bundle.made("symptom", lambda key, body: _symptom(key, body, axes)),
        may_detect=tuple(TechniqueId(key) for key in bundle.that_may_state("technique", "detect")),
    )


def _technique(body: Body) -> Technique:
    aliases = part(body, "aliases")
    tombstone = part(body, "tombstone")
    return Technique(
        id=TechniqueId(string(body, "id")),
        name=text(body, "name"),
        aliases={language: strings(aliases, language) for language in aliases},
        cells=tuple(Cell(*cast("list[str]", cell)) for cell in cast("list[object]", body.get("cells") or ())),
        mechanism=string(body, "mechanism"),
        summary=text(body, "summary"),
        summary_inferred=bool(body.get("summary_inferred")),
        goal=text(body, "goal"),
        adds_devices=cast("bool | None", body.get("adds_devices")),
        shifts=tuple(map(_shift, parts(body, "shifts"))),
        needs=tuple(map(_need, parts(body, "needs"))),
        relations=tuple(map(_relation, parts(body, "relations"))),
        switches=tuple(
            Switch(engine, string(part(engines, engine), "switch"), string(part(engines, engine), "since"))
            for engines in (part(body, "engines"),)
            for engine in engines
        ),
        cite=cites(body),
        detect_text=string(body, "detect"),
        enable_texts={name: written(value) for name, value in entries(body, "enable")},
        former_ids=strings(body, "former_ids"),
        tombstone=Tombstone(text(tombstone, "reason"), _replacement(tombstone)) if tombstone else None,
    )


def _replacement(tombstone: Body) -> TechniqueId | None:
    replacement = string(tombstone, "replacement")
    return TechniqueId(replacement) if replacement else None


def _shift(body: Body) -> Shift:
    size = part(body, "size")
    return Shift(
        effect=_EFFECTS[string(body, "effect")],
        onto=string(body, "onto"),
        quantity=QuantityId(string(body, "quantity")),
        change=_CHANGES[string(body, "change")],
        says=text(body, "says"),
        cite=cites(body),
        when_text=string(body, "when"),
        size=_size(size) if size else None,
        inferred=bool(body.get("inferred")),
    )


def _size(body: Body) -> Size:
    return Size(
        text(body, "text"),
        factor=number(body, "factor"),
        value=number(body, "value"),
        unit=string(body, "unit"),
        measured_on=string(body, "measured_on"),
        basis=string(body, "basis"),
    )


def _need(body: Body) -> Need:
    return Need(text(body, "says"), cites(body), string(body, "when"), inferred=bool(body.get("inferred")))


def _relation(body: Body) -> Relation:
    return Relation(
        kind=string(body, "kind"),
        to=TechniqueId(string(body, "to")),
        says=text(body, "says"),
        cite=cites(body),
        when_text=string(body, "when"),
        inferred=bool(body.get("inferred")),
    )


def quantity_of(key: str, body: Body) -> Quantity:
    """One quantity, of the body that the trees have for it."""
    return Quantity(
        id=QuantityId(key),
        name=text(body, "name"),
        of=string(body, "of"),
        unit=string(body, "unit"),
        better=string(body, "better"),
        means=text(body, "means"),
        influences=tuple(map(_influence, parts(body, "influences"))),
    )


def _influence(body: Body) -> Influence:
    return Influence(
        on=QuantityId(string(body, "on")),
        sign=_SIGNS[string(body, "sign")],
        says=text(body, "says"),
        cite=cites(body),
        when_text=string(body, "when"),
        inferred=bool(body.get("inferred")),
        loop=text(body, "loop"),
        stages=strings(body, "stages"),
    )


def _axes(bundle: Bundle) -> Axes:
    axes: dict[str, dict[str, AxisValue]] = {"stages": {}, "layers": {}, "dimensions": {}, "burdens": {}}
    for _key, body in bundle.of_kind("axes"):
        for axis, values in axes.items():
            stated = part(body, axis)
            for value in strings(part(body, "order"), axis) or stated:
                said = part(stated, value)
                carried = bool(said.get("carried"))
                values[value] = AxisValue(value, text(said, "name"), text(said, "means"), is_carried=carried)
    return Axes(**axes)


def _note(body: Body) -> CellNote:
    stage, layer, dimension = (None if value == ANY else value for value in strings(body, "cell"))
    return CellNote(stage, layer, dimension, string(body, "state"), text(body, "why"), cites(body))


def _citation(key: str, body: Body) -> Citation:
    return Citation(
        id=CitationId(key),
        title=string(body, "title"),
        kind=cast("CitationKind", string(body, "kind")),
        url=string(body, "url"),
        checked=string(body, "checked"),
        depth=CheckedDepth(string(body, "depth")),
        version=string(body, "version"),
    )


def _model(key: str, body: Body) -> Model:
    return Model(key, strings(body, "aliases"), part(body, "config"), integer(body, "parameters"), cites(body))


def _gpu(key: str, body: Body) -> Gpu:
    return Gpu(
        id=key,
        name=string(body, "name", key),
        aliases=strings(body, "aliases"),
        memory_bytes=integer(body, "memory_bytes"),
        memory_bandwidth_bytes_per_s=number(body, "memory_bandwidth_bytes_per_s"),
        compute_capability=string(body, "compute_capability"),
        dense_flops=cast("Mapping[str, float]", part(body, "dense_flops")),
        interconnect_bytes_per_s=number(body, "interconnect_bytes_per_s"),
        cite=cites(body),
    )


def _symptom(key: str, body: Body, axes: Axes) -> Symptom:
    aliases = part(body, "aliases")
    layers = part(body, "layers")
    return Symptom(
        id=key,
        name=text(body, "name"),
        aliases={language: strings(aliases, language) for language in aliases},
        votes={layer: _vote(part(layers, layer)) for layer in axes.layers if layer in layers},
        measure=strings(body, "measure"),
        of=strings(body, "of"),
        stage=string(body, "stage"),
    )


def _vote(body: Body) -> Vote:
    judgement = Judgement(string(body, "judgement"))
    return Vote(judgement, text(body, "says"), cites(body), inferred=bool(body.get("inferred")))
