"""Where each kind lives in the two trees, and how a file of it is laid out."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from knockon.curate.shapes.axes import Axes
from knockon.curate.shapes.base import CITATION_KEY, MODEL_NAME, SLUG, WORD, Form, Shape
from knockon.curate.shapes.cell import CellNote
from knockon.curate.shapes.citation import Citation
from knockon.curate.shapes.machine import Gpu, Model
from knockon.curate.shapes.profile import Profile
from knockon.curate.shapes.quantity import Quantity
from knockon.curate.shapes.rule import Couple, Diagnose
from knockon.curate.shapes.symptom import Symptom
from knockon.curate.shapes.technique import Technique
from knockon.curate.shapes.vocabulary import Vocabulary
from knockon.curate.shapes.wall import Wall
from knockon.terms.bundle import Kind

Plan = Literal["one", "mapping", "list"]
"""Whether a file is one thing, a mapping of things by id, or a list of things."""


@dataclass(frozen=True, slots=True)
class Room:
    """One kind's files: `catalog/…` or `rules/…` paths, how a file is laid out, and the shape of each thing in it."""

    kind: Kind
    files: str
    """Path pattern in words of people: `catalog/techniques/<home stage>/<id>.yaml`."""
    plan: Plan
    shape: type[Shape]
    keys: Form | None = None
    """How the ids of a mapping look."""
    required: bool = False
    """Whether nothing works without it."""

    @property
    def pattern(self) -> re.Pattern[str]:
        """`files` as a pattern over whole paths."""
        return re.compile(re.sub(r"<[^>]*>", "[^/]+", self.files.replace(".", r"\.")))


ROOMS: tuple[Room, ...] = (
    Room("axes", "catalog/axes.yaml", "one", Axes, required=True),
    Room("cell", "catalog/cells.yaml", "list", CellNote),
    Room("citation", "catalog/citations/<topic>.yaml", "mapping", Citation, keys=CITATION_KEY),
    Room("technique", "catalog/techniques/<home stage>/<id>.yaml", "one", Technique),
    Room("quantity", "catalog/quantities/<dimension or burden>.yaml", "mapping", Quantity, keys=WORD),
    Room("model", "catalog/models/<family>.yaml", "mapping", Model, keys=MODEL_NAME),
    Room("gpu", "catalog/gpus.yaml", "mapping", Gpu, keys=SLUG),
    Room("vocabulary", "rules/vocabulary.yaml", "one", Vocabulary, required=True),
    Room("wall", "rules/walls.yaml", "mapping", Wall, keys=WORD),
    Room("profile", "rules/profiles/<name>.yaml", "one", Profile),
    Room("symptom", "rules/symptoms.yaml", "mapping", Symptom, keys=SLUG),
    Room("couple", "rules/couple/<id>-<slug>.yaml", "one", Couple),
    Room("diagnose", "rules/diagnose/<id>-<slug>.yaml", "one", Diagnose),
)

BY_KIND: Mapping[Kind, Room] = {room.kind: room for room in ROOMS}
