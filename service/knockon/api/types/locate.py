"""The answers of `locate`: where a technique sits, or which layers can cause a symptom."""

from typing import Any

import strawberry

from knockon.api.context import Info
from knockon.api.shape import Resolver, field, shows
from knockon.api.types.cell import Cell
from knockon.api.types.contrast import Contrast
from knockon.api.types.revision import REVISION, Revision, revision_of
from knockon.api.types.source import Source
from knockon.api.types.technique import RelationOf, Technique, techniques_named
from knockon.api.types.words import Text
from knockon.catalog import locate, symptom
from knockon.catalog.symptom import Judgement


def _named(attribute: str) -> Resolver:
    def resolver(root: locate.Neighbourhood, info: Info) -> Any:
        return techniques_named(info, getattr(root, attribute))

    return resolver


@shows(locate.Neighbourhood)
class Neighbourhood:
    """What stands around one cell of a technique, itself left out."""

    cell: Cell = field("The cell.")
    same_cell: list[Technique] = field("In the same cell.", resolver=_named("same_cell"))
    layer_below: list[Technique] = field(
        "Same stage and dimension, the next lower layer.", resolver=_named("layer_below")
    )
    layer_above: list[Technique] = field(
        "Same stage and dimension, the next higher layer.", resolver=_named("layer_above")
    )


@shows(locate.TechniquePlace)
class TechniquePlace:
    """Where a technique sits and what stands around it."""

    asked: str = field("What was asked.")
    technique: Technique = field("The technique, with its shifts.")
    neighbourhoods: list[Neighbourhood] = field("One for each cell, home first.")
    named_by: list[RelationOf] = field("Relations in which others name it.")
    contrasts: list[Contrast] = field("Comparisons that the catalog asks for.")
    sources: list[Source] = field("Everything cited by it, each source once.")
    replacement: Technique | None = field("What stands in its place; null unless it was removed and replaced.")
    revision: Revision = field(REVISION, resolver=revision_of)


def _aliases(root: symptom.Symptom) -> list[str]:
    return list(dict.fromkeys(alias for group in root.aliases.values() for alias in group))


@shows(symptom.Symptom)
class Symptom:
    """Something people see, or several such things that say more together."""

    id: strawberry.ID = field("Id.")
    name: Text = field("Name.")
    aliases: list[str] = field("Ways to say it, in both languages.", resolver=_aliases)
    measure: list[str] = field("Readings that confirm or refute it, first ones first.")
    of: list[strawberry.ID] = field("The symptoms it is made of; empty for a single one.")


@shows(locate.Reason)
class Reason:
    """Why a layer was judged so."""

    symptom: strawberry.ID = field("The symptom, or combination of symptoms, that says so.")
    judgement: Judgement = field("What it says of the layer.")
    says: Text = field("Why.")
    sources: list[Source] = field("Who says so.")
    inferred: bool = field("True when the sources imply it but do not state it.")


@shows(locate.LayerJudgement)
class LayerJudgement:
    """One layer as the cause of everything that was seen."""

    layer: str = field("Id of the layer.")
    judgement: Judgement = field("How far it can be the cause.")
    reasons: list[Reason] = field("Why; those that decided come first.")


@shows(locate.SymptomPlace)
class SymptomPlace:
    """Which layers to look at for what was seen."""

    asked: str = field("What was asked.")
    symptoms: list[Symptom] = field("As they were understood.")
    combination: Symptom | None = field("The known combination they make; null when they make none.")
    layers: list[LayerJudgement] = field("Likeliest first.")
    suspects: list[str] = field("Layers that can be the cause.")
    cleared: list[str] = field("Layers that are hardly or not at all the cause.")
    not_judged: list[str] = field("Layers that nothing is known of for these symptoms.")
    measure: list[str] = field("Readings to take next, first ones first.")
    not_understood: list[str] = field("Parts of the text that say nothing known.")
    revision: Revision = field(REVISION, resolver=revision_of)
