"""The entry of the family's table: it imports z3, which is large and an extra, at the first use."""

from collections.abc import Mapping, Sequence

from knockon.backends.base import Compiled
from knockon.backends.z3.base import Proofs
from knockon.expr.nodes import Node
from knockon.expr.vocabulary import Vocabulary
from knockon.terms.errors import KnockonError, Problem
from knockon.terms.words import Scalar


class Z3Backend:
    """The back-end for proofs. It judges as well, slowly: that is how it is held against the others."""

    name = "z3"

    def compile(self, conditions: Sequence[Node], vocabulary: Vocabulary) -> Compiled:
        """Check `conditions` against `vocabulary` and make formulas of them.

        Raises:
            NameProblem, UnitProblem: a condition that does not hold.
            KnockonError: z3 is not installed.
        """
        _need()
        from knockon.backends.z3.compiled import compiled  # noqa: PLC0415  see the module

        return compiled(conditions, vocabulary)


def proofs(
    conditions: Mapping[str, Node], vocabulary: Vocabulary, fixed: Mapping[str, Scalar], also: Sequence[Node] = ()
) -> Proofs:
    """What can be proved about `conditions` by name, under the values of `fixed` (the thresholds).

    `also` are the expressions besides the conditions that questions will name.

    Raises:
        NameProblem, UnitProblem: a condition that does not hold.
        KnockonError: z3 is not installed.
    """
    _need()
    from knockon.backends.z3.prove import Prover  # noqa: PLC0415  see the module

    return Prover(conditions, vocabulary, fixed, also)


def _need() -> None:
    try:
        import z3  # noqa: F401, PLC0415  see the module
    except ModuleNotFoundError as error:
        what = "the package that proves things about rules is not installed"
        raise KnockonError(Problem("extra-missing", what, "z3-solver", "pip install 'knockon[analysis]'")) from error
