"""The member that writes: conditions in, PromQL out. Prometheus, Thanos and Mimir run it; this process does not."""

from collections.abc import Sequence
from dataclasses import dataclass

from knockon.backends.promql.emit import Emitter, Selectors
from knockon.backends.promql.terms import finite
from knockon.expr.check import check_condition
from knockon.expr.nodes import Node, Not
from knockon.expr.normal import normal
from knockon.expr.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Written:
    """One condition as two questions; where neither returns a sample, it is UNKNOWN."""

    holds: str
    """Returns a sample where the condition is surely TRUE; its value is that of the first thing compared."""
    fails: str
    """Returns a sample where the condition is surely FALSE."""


class PromqlBackend:
    """The back-end of monitoring systems."""

    name = "promql"

    def write(self, conditions: Sequence[Node], vocabulary: Vocabulary, *, selector: Selectors) -> list[Written]:
        """Check `conditions` against `vocabulary` and write each in PromQL.

        Args:
            selector: the PromQL of a name, without NaN and infinities; `guarded` makes it from a plain one. All vectors
                must carry the same labels.

        Raises:
            NameProblem, UnitProblem: a condition that does not hold.
            Unsupported: a condition over a text or a version.
        """
        for condition in conditions:
            check_condition(condition, vocabulary)
        return [written(normal(condition), vocabulary, selector=selector) for condition in conditions]


def written(node: Node, vocabulary: Vocabulary, *, selector: Selectors) -> Written:
    """One condition in normal form, which was checked before its units went; raises Unsupported."""
    emitter = Emitter(selector, vocabulary)
    return Written(emitter.holds(node), emitter.holds(normal(Not(node))))


def guarded(selector: Selectors, vocabulary: Vocabulary) -> Selectors:
    """The same selector with NaN and infinities dropped; truths need none, for they are compared with 0 and 1."""
    return lambda name: finite(selector(name)) if vocabulary.info(name).is_numeric else selector(name)
