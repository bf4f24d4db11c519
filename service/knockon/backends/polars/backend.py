"""The entry of the family's table: it imports Polars, which is large and an extra, at the first use."""

from collections.abc import Sequence

from knockon.backends.base import Compiled
from knockon.expr.nodes import Node
from knockon.expr.vocabulary import Vocabulary
from knockon.terms.errors import KnockonError, Problem


class PolarsBackend:
    """The back-end for frames of snapshots."""

    name = "polars"

    def compile(self, conditions: Sequence[Node], vocabulary: Vocabulary) -> Compiled:
        """Check `conditions` against `vocabulary` and make expressions of them.

        Raises:
            NameProblem, UnitProblem: a condition that does not hold.
            KnockonError: Polars is not installed.
        """
        try:
            from knockon.backends.polars.compiled import compiled  # noqa: PLC0415  see the module
        except ModuleNotFoundError as error:
            if error.name != "polars":
                raise
            what = "the package that judges many snapshots at once is not installed"
            raise KnockonError(Problem("extra-missing", what, "polars", "pip install 'knockon[batch]'")) from error
        return compiled(conditions, vocabulary)
