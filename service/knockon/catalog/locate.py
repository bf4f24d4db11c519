"""Where does it sit? For a technique its cells and neighbours; for a symptom the layers that can and cannot be it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from knockon.catalog.catalog import Catalog
from knockon.catalog.cell import Cell
from knockon.catalog.contrast import Contrast, contrasts_of
from knockon.catalog.indexes import RelationOf
from knockon.catalog.names import NameIndex, fold
from knockon.catalog.source import Source
from knockon.catalog.symptom import Judgement, Symptom, recognise
from knockon.catalog.technique import Technique
from knockon.terms.citation import Cite
from knockon.terms.errors import LimitExceeded, NotFound
from knockon.terms.limits import ASKED_TEXT_MAX
from knockon.terms.words import TechniqueId, Text

# How many ways to say something an error lists, so that it stays readable.
_EXAMPLES_MAX = 6


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """What stands around one cell of a technique; the technique itself is left out, all lists are by id."""

    cell: Cell
    same_cell: tuple[TechniqueId, ...]
    layer_below: tuple[TechniqueId, ...]
    """Same stage and dimension, the next lower layer."""
    layer_above: tuple[TechniqueId, ...]


@dataclass(frozen=True, slots=True)
class TechniquePlace:
    """Where a technique sits and what stands around it. Shifts, needs and relations are the technique's own."""

    asked: str
    technique: Technique
    neighbourhoods: tuple[Neighbourhood, ...]
    """One for each cell, home first."""
    named_by: tuple[RelationOf, ...]
    """Relations in which other techniques name this one, by their ids."""
    contrasts: tuple[Contrast, ...]
    sources: tuple[Source, ...]
    """Everything cited by it: itself, its shifts, needs and relations, each source once."""
    replacement: Technique | None
    """For a removed technique, what stands in its place."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a layer was judged so: what one symptom says of it."""

    symptom: str
    judgement: Judgement
    says: Text
    sources: tuple[Source, ...]
    inferred: bool


@dataclass(frozen=True, slots=True)
class LayerJudgement:
    """One layer as the cause of everything that was seen; the reasons that decided come first."""

    layer: str
    judgement: Judgement
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class SymptomPlace:
    """Which layers to look at for what was seen."""

    asked: str
    symptoms: tuple[Symptom, ...]
    """As recognised, in the order they were said."""
    combination: Symptom | None
    """The known combination that says more than its parts, if the symptoms hold one."""
    layers: tuple[LayerJudgement, ...]
    """Likeliest first, then from the lowest layer."""
    not_judged: tuple[str, ...]
    """Layers that nothing is known of for these symptoms."""
    measure: tuple[str, ...]
    """Readings that would confirm or refute it, first ones first."""
    not_understood: tuple[str, ...]
    """Clauses of the text that say nothing known."""

    @property
    def suspects(self) -> tuple[str, ...]:
        """Layers that can be the cause."""
        can = (Judgement.LIKELY, Judgement.POSSIBLE)
        return tuple(layer.layer for layer in self.layers if layer.judgement in can)

    @property
    def cleared(self) -> tuple[str, ...]:
        """Layers that are hardly or not at all the cause."""
        return tuple(layer.layer for layer in self.layers if layer.layer not in self.suspects)


_ORDER: Mapping[Judgement, int] = {judgement: rank for rank, judgement in enumerate(Judgement)}


def locate(catalog: Catalog, asked: str) -> TechniquePlace | SymptomPlace:
    """Place what is asked for: a technique where one goes by that name, else the symptoms that the text speaks of.

    Raises:
        NotFound: it names no technique and speaks of no known symptom; `suggestions` hold the nearest of both.
        LimitExceeded: it is longer than any name or symptom.
    """
    if not fold(asked):
        raise NotFound("technique", asked, fix=f"give a name; {_understood(catalog)}")
    if catalog.names_technique(asked):
        return locate_technique(catalog, catalog.technique(asked), asked=asked)
    if recognise(asked, catalog.indexes.phrases).symptoms:
        return locate_symptom(catalog, asked)
    if catalog.called_alike(asked):
        return locate_technique(catalog, catalog.technique(asked), asked=asked)
    techniques = catalog.nearest_techniques(asked)
    suggestions = (*techniques, *_nearest_symptoms(catalog, asked))
    raise NotFound("technique", asked, suggestions=suggestions, fix=_understood(catalog))


def locate_technique(catalog: Catalog, technique: Technique, *, asked: str = "") -> TechniquePlace:
    """Place a technique: its cells, what stands around each, its comparisons and every source."""
    tombstone = technique.tombstone
    replacement = tombstone.replacement if tombstone else None
    return TechniquePlace(
        asked=asked or technique.id,
        technique=technique,
        neighbourhoods=tuple(_neighbourhood(catalog, technique, cell) for cell in technique.cells),
        named_by=catalog.indexes.relations_to.get(technique.id, ()),
        contrasts=contrasts_of(catalog, technique),
        sources=catalog.sources(_cites(technique)),
        replacement=catalog.techniques.get(replacement) if replacement else None,
    )


def locate_symptom(catalog: Catalog, said: str) -> SymptomPlace:
    """Judge every layer as the cause of the symptoms a text speaks of.

    A cause must explain everything that was seen, so a layer is judged by the weakest vote it gets; a known combination
    overrules the votes of the symptoms it is made of.

    Raises:
        NotFound: the text speaks of no known symptom.
        LimitExceeded: it is longer than anything that is said in one line.
    """
    if len(said) > ASKED_TEXT_MAX:
        raise LimitExceeded("a symptom", limit=ASKED_TEXT_MAX, found=len(said), fix="say what is seen in one line")
    recognised = recognise(said, catalog.indexes.phrases)
    if not recognised.symptoms:
        raise NotFound("symptom", said, suggestions=_nearest_symptoms(catalog, said), fix=_understood(catalog))
    symptoms = tuple(catalog.symptoms[key] for key in recognised.symptoms)
    combination = _combination(catalog, recognised.symptoms)
    judged = {layer: _judged(catalog, layer, symptoms, combination) for layer in catalog.axes.layers}
    layers = [found for found in judged.values() if found is not None]
    measured = [*((combination,) if combination else ()), *symptoms]
    return SymptomPlace(
        asked=said,
        symptoms=symptoms,
        combination=combination,
        layers=tuple(sorted(layers, key=lambda found: _ORDER[found.judgement])),
        not_judged=tuple(layer for layer, found in judged.items() if found is None),
        measure=tuple(dict.fromkeys(reading for symptom in measured for reading in symptom.measure)),
        not_understood=recognised.not_understood,
    )


def _combination(catalog: Catalog, seen: Iterable[str]) -> Symptom | None:
    """The known combination that covers most of what was seen; of equals, the one whose id sorts first."""
    present = frozenset(seen)
    known = [symptom for symptom in catalog.symptoms.values() if symptom.of and present.issuperset(symptom.of)]
    return min(known, key=lambda symptom: (-len(symptom.of), symptom.id), default=None)


def _judged(
    catalog: Catalog, layer: str, symptoms: Iterable[Symptom], combination: Symptom | None
) -> LayerJudgement | None:
    overruled = frozenset(combination.of) if combination and layer in combination.votes else frozenset()
    speaking = [*((combination,) if combination else ()), *(one for one in symptoms if one.id not in overruled)]
    reasons = [
        Reason(one.id, vote.judgement, vote.says, catalog.sources(vote.cite), vote.inferred)
        for one in speaking
        if (vote := one.votes.get(layer)) is not None
    ]
    if not reasons:
        return None
    # Sorted stably: of equally weak votes the combination's, then the first said, leads.
    reasons.sort(key=lambda reason: -_ORDER[reason.judgement])
    return LayerJudgement(layer, reasons[0].judgement, tuple(reasons))


def _neighbourhood(catalog: Catalog, technique: Technique, cell: Cell) -> Neighbourhood:
    layers = list(catalog.axes.layers)
    at = layers.index(cell.layer)
    below = layers[at - 1 : at] if at else []
    return Neighbourhood(
        cell=cell,
        same_cell=_others(catalog, technique, cell.stage, [cell.layer], cell.dimension),
        layer_below=_others(catalog, technique, cell.stage, below, cell.dimension),
        layer_above=_others(catalog, technique, cell.stage, layers[at + 1 : at + 2], cell.dimension),
    )


def _others(
    catalog: Catalog, technique: Technique, stage: str, layers: list[str], dimension: str
) -> tuple[TechniqueId, ...]:
    found = (one.id for layer in layers for one in catalog.techniques_in(Cell(stage, layer, dimension)))
    return tuple(key for key in found if key != technique.id)


def _cites(technique: Technique) -> Iterable[Cite]:
    yield from technique.cite
    for claims in (technique.shifts, technique.needs, technique.relations):
        for claim in claims:
            yield from claim.cite


def _nearest_symptoms(catalog: Catalog, said: str) -> tuple[str, ...]:
    if not fold(said):
        return ()
    names = NameIndex.of(
        (symptom.id, alias)
        for symptom in catalog.symptoms.values()
        if not symptom.of
        for group in symptom.aliases.values()
        for alias in group
    )
    return names.nearest(said)


def _understood(catalog: Catalog) -> str:
    names = [symptom.name.en for symptom in catalog.symptoms.values() if not symptom.of]
    if not names:
        return ""
    more = ", …" if len(names) > _EXAMPLES_MAX else ""
    return f"symptoms understood: {', '.join(names[:_EXAMPLES_MAX])}{more}"
