"""Where each kind lives in the two trees, and how a file of it is laid out."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Literal, cast

from knockon.curate.forms import CITATION_KEY, MODEL_NAME, PRECEDENT_KEY, SLUG, WORD, Form
from knockon.terms.bundle import Kind

if TYPE_CHECKING:
    from knockon.curate.shapes.base import Shape

Plan = Literal["one", "mapping", "list"]
"""Whether a file is one thing, a mapping of things by id, or a list of things."""


@dataclass(frozen=True, slots=True)
class Room:
    """One kind's files: `catalog/…` or `rules/…` paths, how a file is laid out, and the shape of each thing in it."""

    kind: Kind
    files: str
    """Path pattern in words of people: `catalog/techniques/<home stage>/<id>.yaml`."""
    plan: Plan
    shape_name: str
    """Module and class in shapes/, where it is loaded from when something has to be held to it."""
    keys: Form | None = None
    """How the ids of a mapping look."""
    required: bool = False
    """Whether nothing works without it."""

    @property
    def shape(self) -> "type[Shape]":
        """The shape of each thing; building them all takes longer than reading a tree that is known."""
        module, name = self.shape_name.split(".")
        return cast("type[Shape]", getattr(import_module(f"knockon.curate.shapes.{module}"), name))

    @property
    def pattern(self) -> re.Pattern[str]:
        """`files` as a pattern over whole paths."""
        return re.compile(re.sub(r"<[^>]*>", "[^/]+", self.files.replace(".", r"\.")))


ROOMS: tuple[Room, ...] = (
    Room("axes", "catalog/axes.yaml", "one", "axes.Axes", required=True),
    Room("cell", "catalog/cells.yaml", "list", "cell.CellNote"),
    Room("citation", "catalog/citations/<topic>.yaml", "mapping", "citation.Citation", keys=CITATION_KEY),
    Room("technique", "catalog/techniques/<home stage>/<id>.yaml", "one", "technique.Technique"),
    Room("quantity", "catalog/quantities/<dimension or burden>.yaml", "mapping", "quantity.Quantity", keys=WORD),
    Room("model", "catalog/models/<family>.yaml", "mapping", "machine.Model", keys=MODEL_NAME),
    Room("gpu", "catalog/gpus.yaml", "mapping", "machine.Gpu", keys=SLUG),
    Room("vocabulary", "rules/vocabulary.yaml", "one", "vocabulary.Vocabulary", required=True),
    Room("wall", "rules/walls.yaml", "mapping", "wall.Wall", keys=WORD),
    Room("profile", "rules/profiles/<name>.yaml", "one", "profile.Profile"),
    Room("symptom", "rules/symptoms.yaml", "mapping", "symptom.Symptom", keys=SLUG),
    Room("precedent", "rules/precedents/<topic>.yaml", "mapping", "precedent.Precedent", keys=PRECEDENT_KEY),
    Room("couple", "rules/couple/<id>-<slug>.yaml", "one", "rule.Couple"),
    Room("diagnose", "rules/diagnose/<id>-<slug>.yaml", "one", "rule.Diagnose"),
)

BY_KIND: Mapping[Kind, Room] = {room.kind: room for room in ROOMS}
