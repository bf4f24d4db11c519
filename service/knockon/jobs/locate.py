"""locate: where does this technique sit, or which layers can and cannot cause this symptom?"""

from dataclasses import dataclass

from knockon.catalog.locate import SymptomPlace, TechniquePlace
from knockon.catalog.locate import locate as located
from knockon.jobs.knowledge import Knowledge


@dataclass(frozen=True, slots=True)
class LocateAnswer:
    """The whole answer."""

    place: TechniquePlace | SymptomPlace
    revision: str


def locate(knowledge: Knowledge, asked: str) -> LocateAnswer:
    """Place a technique by any of its names, or else the symptoms that a text in English or Chinese speaks of.

    Raises:
        NotFound: it is neither; `suggestions` hold the nearest techniques and symptoms.
    """
    return LocateAnswer(located(knowledge.catalog, asked), knowledge.revision)
