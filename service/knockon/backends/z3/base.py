"""What a proof is, without z3: for those who ask."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from knockon.expr.nodes import Node
from knockon.terms.words import Scalar


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether something can be. `can` is None where the solver gave up in its time."""

    can: bool | None
    witness: Mapping[str, Scalar]
    """Values on which it is, by name; empty unless it can."""


class Proofs(Protocol):
    """Questions about conditions that were given by name. All values lie in the ranges of the vocabulary."""

    def can(
        self,
        *,
        hold: Sequence[str] = (),
        fail: Sequence[str] = (),
        without: Sequence[str] = (),
        given: Mapping[str, bool] = ...,
    ) -> Answer:
        """Whether all of `hold` can be TRUE while all of `fail` are FALSE and none of `without` is TRUE.

        `given` are truths by name that are known besides.
        """
        ...

    def can_all(self, conditions: Sequence[Node]) -> Answer:
        """Whether all of these conditions, as they were parsed, can be TRUE."""
        ...
