"""The answer of `search`: techniques that fit some words, best first."""

from typing import Any

from knockon.api.context import Info
from knockon.api.shape import field, shows
from knockon.api.types.revision import REVISION, Revision, revision_of
from knockon.api.types.technique import Technique, technique_named
from knockon.catalog import fitting
from knockon.jobs import search


def _technique(root: fitting.Hit, info: Info) -> Any:
    return technique_named(info, root.technique)


@shows(fitting.Hit)
class Hit:
    """A technique that fits."""

    technique: Technique = field("The technique.", resolver=_technique)
    score: float = field("0 to 100; 100 is one of its names, but for case, width and dashes.")
    matched: str = field("The name or alias that fits best; empty where only its text fits.")
    where: fitting.FoundIn = field("Where the words stand.")


@shows(search.SearchAnswer)
class SearchAnswer:
    """What fits some words."""

    asked: str = field("What was asked.")
    hits: list[Hit] = field("Best first; empty where nothing fits.")
    revision: Revision = field(REVISION, resolver=revision_of)
