"""What a back-end promises: conditions in, something that judges out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from knockon.expr.nodes import Node
from knockon.expr.vocabulary import Vocabulary
from knockon.terms.truth import Truth
from knockon.terms.words import Scalar


@dataclass(frozen=True, slots=True)
class Asked:
    """One condition, and the values that it is to be judged on."""

    condition: Node
    values: Mapping[str, Scalar]


class Compiled(Protocol):
    """Conditions made ready to be judged, over and over."""

    def judge(self, values: Mapping[str, Scalar]) -> list[Truth]:
        """Give the truth of every condition, in the order they were compiled in.

        `values` holds what is known, thresholds under `threshold.x`. A name that is absent, not finite, or of
        another type than the vocabulary says makes UNKNOWN what hangs on it; nothing in `values` raises.
        """
        ...


class Backend(Protocol):
    """One way of running the language. All give the verdicts of `backends/cases/`."""

    @property
    def name(self) -> str:
        """The name in the table of backends/__init__.py."""
        ...

    def compile(self, conditions: Sequence[Node], vocabulary: Vocabulary) -> Compiled:
        """Make `conditions` ready, as they were parsed (the normal form has no units left to check).

        Costs milliseconds, so it is done once for each state of the rules.

        Raises:
            NameProblem, UnitProblem: a condition that does not hold against `vocabulary`.
            Unsupported: a node that this back-end cannot express.
        """
        ...
