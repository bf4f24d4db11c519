"""Walls: what can limit a system, each with its layers and its dimension."""

from dataclasses import dataclass

from knockon.terms.words import Text, WallId


@dataclass(frozen=True, slots=True)
class Wall:
    """One wall; `parent` is the coarser wall it is part of, if any."""

    id: WallId
    name: Text
    layers: tuple[str, ...]
    dimension: str
    means: Text
    parent: WallId | None = None
