"""The answer of `compare`: what changed between two runs, and what moved."""

from typing import Any

from knockon.api.context import Info, knowledge_of
from knockon.api.scalars import Value
from knockon.api.shape import field, nonempty, shows
from knockon.api.types.diagnose import DiagnoseAnswer
from knockon.api.types.kinds import CompareContext, SeenOfShift
from knockon.api.types.revision import REVISION, Revision, revision_of
from knockon.api.types.source import SOURCES, Source
from knockon.api.types.technique import Shift, Technique
from knockon.api.types.words import Text
from knockon.jobs import compare


@shows(compare.Obstacle)
class Obstacle:
    """Why two runs cannot be compared."""

    context: CompareContext = field("What is not the same, or not known.")
    why: Text = field("In words.")


@shows(compare.Changed)
class Changed:
    """A setting that differs."""

    name: str = field("The fact.")
    before: Value | None = field("Its value before; null where it is not known.")
    after: Value | None = field("Its value after; null where it is not known.")


@shows(compare.Moved)
class Moved:
    """A reading of both runs."""

    name: str = field("Its name.")
    before: float = field("Its value before.")
    after: float = field("Its value after.")
    ratio: float | None = field("After over before; null where before is 0.")
    is_telling: bool = field("Whether it moved by more than runs of one configuration differ.")


def _sources(root: compare.Explained, info: Info) -> Any:
    return knowledge_of(info).catalog.sources(root.shift.cite)


@shows(compare.Explained)
class Explained:
    """A shift of a technique that was turned on or off, beside what was seen of it."""

    technique: Technique = field("The technique.")
    turned_on: bool = field("False where it was turned off.")
    shift: Shift = field("What the catalog says that it moves.")
    reading: str | None = field("The reading that shows it; null where none does.", resolver=nonempty("reading"))
    seen: SeenOfShift = field("What the readings say of it.")
    sources: list[Source] = field(SOURCES, resolver=_sources)


@shows(compare.CompareAnswer)
class CompareAnswer:
    """Two runs side by side."""

    obstacles: list[Obstacle] = field("Why they cannot be compared; empty where they can.")
    overridden: list[Obstacle] = field("What the client set aside: the rest may be due to this alone.")
    changed: list[Changed] = field("Settings that differ.")
    moved: list[Moved] = field("Readings of both, the most moved first.")
    spread: float = field("Relative difference up to which a move says nothing.")
    spread_is_known: bool = field("Whether that was measured.")
    before: DiagnoseAnswer = field("The diagnosis before.")
    after: DiagnoseAnswer = field("The diagnosis after.")
    explained: list[Explained] = field("What the catalog says of every technique that was turned on or off.")
    notes: list[Text] = field("What a reader should know before trusting it.")
    revision: Revision = field(REVISION, resolver=revision_of)
