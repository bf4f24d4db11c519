"""The member for frames: many snapshots judged at once, one row each.

Numbers are 64-bit floats here, so whole numbers are exact up to 2^53; everything else is as in the python back-end.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from knockon.backends.polars.columns import columns, given
from knockon.backends.polars.emit import Emitter
from knockon.expr.check import check_condition
from knockon.expr.names import mentions
from knockon.expr.nodes import Node
from knockon.expr.normal import normal
from knockon.expr.vocabulary import Vocabulary
from knockon.terms.truth import Truth
from knockon.terms.words import Scalar

# Rows judged together: their columns and truths stay in the processor's cache, which is worth a third of the time.
ROWS_TOGETHER = 65_536


@dataclass(frozen=True, slots=True)
class Frames:
    """Compiled conditions; backends/base.py says what `judge` promises."""

    names: Mapping[str, str]
    """The names the conditions mention, and the column each is called by inside."""
    conditions: tuple[pl.Expr, ...]
    vocabulary: Vocabulary

    def judge(self, values: Mapping[str, Scalar]) -> list[Truth]:
        """One snapshot, as every back-end judges it; milliseconds, for agreement rather than for use."""
        held = [given(values[name]).alias(name) for name in self.names if name in values]
        row = pl.DataFrame([pl.Series("", [True]), *held])
        return [Truth.of(truth) for truth in self.truths(row).row(0)]

    def truths(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The truth of every condition on every row: columns "0", "1", … of booleans, null where UNKNOWN.

        Args:
            frame: one row per snapshot, one column per name; other columns are not looked at. A name that has no column
                is unknown in every row.
        """
        if not self.names:
            return frame.with_columns(self._named()).select(map(str, range(len(self.conditions))))
        return columns(frame, self.names, self.vocabulary).lazy().select(self._named()).collect()

    def counts(self, frame: pl.DataFrame) -> list[tuple[int, int]]:
        """How often each condition is TRUE and how often UNKNOWN in `frame`."""
        counted = [(0, 0)] * len(self.conditions)
        for part in frame.iter_slices(ROWS_TOGETHER):
            truths = self.truths(part).lazy()
            fired, unknown = pl.all().sum().name.prefix("fired"), pl.all().null_count().name.prefix("unknown")
            row = truths.select(fired, unknown).collect().row(0)
            halves = zip(row[: len(counted)], row[len(counted) :], strict=True)
            counted = [
                (fires + more, unsure + other) for (fires, unsure), (more, other) in zip(counted, halves, strict=True)
            ]
        return counted

    def _named(self) -> list[pl.Expr]:
        return [condition.alias(str(index)) for index, condition in enumerate(self.conditions)]


def compiled(conditions: Sequence[Node], vocabulary: Vocabulary) -> Frames:
    """Check `conditions` and make expressions of them; raises NameProblem, UnitProblem."""
    for condition in conditions:
        check_condition(condition, vocabulary)
    names = dict.fromkeys(name for condition in conditions for name in mentions(condition))
    called = {name: f"name{index}" for index, name in enumerate(names)}
    emitter = Emitter(called, vocabulary)
    return Frames(called, tuple(emitter.condition(normal(condition)) for condition in conditions), vocabulary)
