"""Reports that are like what was told."""

import strawberry

from knockon.api.shape import field, path, shows
from knockon.rules import precedent


def _told(root: precedent.Alike) -> str | None:
    return root.precedent.told or None


@shows(precedent.Alike)
class Alike:
    """A report whose cause was found, beside what was told."""

    precedent: strawberry.ID = field("Id of the report.", resolver=path("precedent", "id"))
    source: str = field("Its address.", resolver=path("precedent", "source"))
    wall: strawberry.ID = field(
        "The wall that caused it; `open` where none was found.", resolver=path("precedent", "wall")
    )
    told: str | None = field("What was told of it; null where only readings are kept.", resolver=_told)
    likeness: float = field("0 to 1: how much both mention the same.")


@shows(precedent.Resemblance)
class Resemblance:
    """What caused the reports that are like what was told."""

    wall: strawberry.ID = field("The wall that goes before the others; `open` where like reports had no known cause.")
    share: float = field("0 to 1: how far it goes before them.")
    nearest: list[Alike] = field("Reports of that wall, the most alike first.")
