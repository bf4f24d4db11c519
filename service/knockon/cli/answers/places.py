"""Where something stands, for programs."""

from knockon.terms.place import Position
from knockon.terms.words import Json


def place_data(at: Position | None) -> Json:
    """The contract's `at`."""
    return {"path": at.path, "line": at.line, "column": at.column} if at else None
