"""A mapping out of a file, with where its values stand."""

from collections.abc import Mapping

from knockon.terms.place import Position
from knockon.terms.words import Json


class Placed(dict[str, Json]):
    """Plain data that knows its places: complaints about a value point into the file it was read from."""

    def __init__(self, held: Mapping[str, Json], places: Mapping[str, Position]) -> None:
        super().__init__(held)
        self.places = places
        """Of each key of the mapping itself, where its value stands; some may be missing."""


def as_placed(held: Mapping[str, Json]) -> dict[str, Json]:
    """A mapping as plain data that keeps its places, where it has any."""
    return Placed(held, held.places) if isinstance(held, Placed) else dict(held)


def place_of(value: Json, key: str) -> Position | None:
    """As `place_in`, of any plain data."""
    return place_in(value, key) if isinstance(value, dict) else None


def place_in(held: Mapping[str, Json], key: str) -> Position | None:
    """Where the value of a key stands; None where nobody knows."""
    return held.places.get(key) if isinstance(held, Placed) else None
