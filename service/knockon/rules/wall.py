"""Walls: what can limit a system, each with its layers and its dimension."""

from dataclasses import dataclass

from knockon.expr.condition import parsed
from knockon.expr.nodes import Node
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
    relieved_by: tuple[str, ...] = ()
    """Quantities whose gain moves this wall away; where empty, what moves the wall it is part of does."""
    stages: tuple[str, ...] = ("inference",)
    """The stages whose techniques are looked at against it: advice for serving has nothing for a data loader."""
    crosses_text: str = ""
    """When the system is in the reach of this wall at all; empty means that only its own rules say so."""
    refuted_by_texts: tuple[str, ...] = ()
    """Experiments that speak against the wall, whatever rule named it: its resource was relieved in vain."""

    @property
    def crosses(self) -> Node | None:
        """The condition under which the walls below this one are looked at; None means always."""
        return parsed(self.crosses_text) if self.crosses_text else None

    @property
    def refuted_by(self) -> tuple[Node, ...]:
        """Experiments that speak against the wall; one that nobody made is not asked for."""
        return tuple(parsed(text) for text in self.refuted_by_texts)
