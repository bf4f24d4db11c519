"""The answer of `advise`: techniques that move the wall away, each checked again in the deployment."""

from typing import Any

from knockon.api.context import Info, knowledge_of
from knockon.api.scalars import UpperWord
from knockon.api.shape import field, pairs, shows
from knockon.api.types.check import LedgerEntry
from knockon.api.types.diagnose import DiagnoseAnswer
from knockon.api.types.kinds import AdviceStage
from knockon.api.types.revision import REVISION, Revision, revision_of
from knockon.api.types.rule import Wall
from knockon.api.types.source import SOURCES, Source
from knockon.api.types.technique import Shift, Switch, Technique
from knockon.api.types.words import Assigned, Setting, Text
from knockon.jobs import advise
from knockon.terms.words import CheckVerdict, WallId


def _sources(root: advise.Advised, info: Info) -> Any:
    return knowledge_of(info).catalog.sources(root.technique.cite)


@shows(advise.Advised)
class Advised:
    """A technique that moves the wall away."""

    technique: Technique = field("The technique.")
    stage: AdviceStage = field("When to try it.")
    gains: list[Shift] = field("Why it helps here.")
    costs: list[Shift] = field("What it costs here.")
    switch: Switch | None = field("How the engine turns it on; null where that is not known.")
    sets: list[Setting] = field(
        "The facts it was tried with; empty where it was not tried.", resolver=pairs("sets", Assigned)
    )
    verdict: CheckVerdict | None = field("What `check` says of the deployment with it; null where it was not tried.")
    appeared: list[Text] = field("What `check` finds only with it.")
    ledger: list[LedgerEntry] = field("Gains and costs of the deployment with it; empty where it was not tried.")
    unchecked: Text | None = field("Why it could not be checked again; null where it was.")
    sources: list[Source] = field(SOURCES, resolver=_sources)


@shows(advise.RuledOut)
class RuledOut:
    """A technique that would help, but not in this deployment."""

    technique: Technique = field("The technique.")
    why: Text = field("Why not.")


def _walls(root: advise.AdviseAnswer, info: Info) -> Any:
    return [knowledge_of(info).rulebook.walls[WallId(wall)] for wall in root.walls]


def _verdict(root: advise.AdviseAnswer) -> Any:
    return root.diagnosed.diagnosis.verdict


@shows(advise.AdviseAnswer)
class AdviseAnswer:
    """What to change, and in which order."""

    verdict: UpperWord = field("As of `diagnose`.", resolver=_verdict)
    walls: list[Wall] = field(
        "What the advice is against: one wall, or several that cannot be told apart.", resolver=_walls
    )
    measure_first: Text | None = field("What has to come before any technique; null where nothing does.")
    advised: list[Advised] = field("In the order in which to try: parameters, applications and services, operators.")
    ruled_out: list[RuledOut] = field("What would help elsewhere.")
    diagnosed: DiagnoseAnswer = field("The diagnosis it follows from.")
    revision: Revision = field(REVISION, resolver=revision_of)
