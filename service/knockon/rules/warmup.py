"""The warm-up of a run: how many of its first values are not yet of the steady state.

The cut is where the marginal standard error of what is left is least (MSER; K. P. White, An effective truncation
heuristic for bias reduction in simulation output, Simulation 69, 1997). A cut beyond the middle means that there is no
steady state to be seen, and nothing is cut. Only a beginning that is *lower* than the rest is a warm-up: one that is
higher is the good time before something broke.
"""

import math
from collections.abc import Sequence

# With fewer values any cut is chance.
VALUES_MIN = 12
# One or two low values are an outlier, not a state.
_CUT_MIN = 3
# A beginning within a tenth of the rest is no other state; the rule alone cuts noise as well.
_LOWER_SHARE = 0.9


def warm_up_of(values: Sequence[float]) -> int:
    """How many of the first `values` (a throughput over time, evenly spaced) are warm-up; 0 where none can be told."""
    count = len(values)
    if count < VALUES_MIN:
        return 0
    best, least = 0, math.inf
    total, squares = math.fsum(values), math.fsum(value * value for value in values)
    for cut in range(count // 2 + 1):
        left = count - cut
        # Rounding may leave a little under 0 where all values are the same.
        error = max(0.0, squares / left - (total / left) ** 2) / left
        if error < least * (1 - 1e-9):
            best, least = cut, error
        total, squares = total - values[cut], squares - values[cut] ** 2
    if best < _CUT_MIN or best == count // 2:
        return 0
    before, after = math.fsum(values[:best]) / best, math.fsum(values[best:]) / (count - best)
    return best if before < _LOWER_SHARE * after else 0
