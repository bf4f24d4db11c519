"""A quantile of a history with its interval, whatever the distribution: by order statistics.

The interval is that of S. S. Wilks (Determination of sample sizes for setting tolerance limits, Annals of Mathematical
Statistics 12, 1941): how many of n independent values lie below a quantile is binomial. Values that follow one another
are not independent; with a correlation r between neighbours, n of them are worth n (1 - r) / (1 + r), as for the mean
of an autoregressive row (G. V. Bayley and J. M. Hammersley, Supplement to the JRSS 8, 1946).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

CONFIDENCE = 0.95
"""Of the interval, both ends together."""
# Rows that hardly move are worth next to nothing, and never less than nothing.
_CORRELATION_MAX = 0.999


@dataclass(frozen=True, slots=True)
class Quantile:
    """A quantile and the interval it lies in with CONFIDENCE."""

    share: float
    value: float
    low: float
    high: float
    count: int
    worth: float
    """Independent values that the row is worth."""


@dataclass(frozen=True, slots=True)
class TooFew:
    """Why there is no interval: the row is worth fewer independent values than it takes."""

    worth: float
    needed: int
    count: int


def quantile_of(rows: Sequence[Sequence[float]], share: float) -> Quantile | TooFew:
    """The quantile of all values of `rows`, each a stretch of values that follow one another without a gap.

    Args:
        rows: what was measured; at least one value.
        share: of values that lie below it, over 0 and under 1.
    """
    values = sorted(value for row in rows for value in row)
    count, worth, needed = len(values), worth_of(rows), needed_for(share)
    if worth < needed:
        return TooFew(worth, needed, count)
    whole = int(worth)
    tail = (1 - CONFIDENCE) / 2
    below = _quantile_of_binomial(whole, share, tail)
    above = _quantile_of_binomial(whole, share, 1 - tail) + 1
    return Quantile(
        share=share,
        value=values[_rank(share, count)],
        low=values[_rank(below / whole, count)],
        high=values[_rank(min(1.0, above / whole), count)],
        count=count,
        worth=worth,
    )


def needed_for(share: float) -> int:
    """How many independent values it takes until the far end of the interval is one of them."""
    far = max(share, 1 - share)
    return math.ceil(math.log((1 - CONFIDENCE) / 2) / math.log(far))


def worth_of(rows: Sequence[Sequence[float]]) -> float:
    """How many independent values `rows` are worth; 0 where they never change, for then nothing can be told."""
    values = [value for row in rows for value in row]
    mean = math.fsum(values) / len(values)
    spread = math.fsum((value - mean) ** 2 for value in values)
    pairs = [(a - mean, b - mean) for row in rows for a, b in pairwise(row)]
    if spread <= 0:
        return 0.0
    if not pairs:
        return float(len(values))
    # Over as many pairs as there are, so that many short rows are not taken for unrelated ones.
    correlation = math.fsum(a * b for a, b in pairs) / len(pairs) / (spread / len(values))
    correlation = min(max(correlation, 0.0), _CORRELATION_MAX)
    return len(values) * (1 - correlation) / (1 + correlation)


def _rank(share: float, count: int) -> int:
    """The place, from 0, of the least value that `share` of them do not exceed."""
    return min(count - 1, max(0, math.ceil(share * count - 1e-9) - 1))


def _quantile_of_binomial(count: int, share: float, probability: float) -> int:
    """The least k that a binomial number does not exceed with at least `probability`."""
    total = 0.0
    log_share, log_rest = math.log(share), math.log1p(-share)
    for successes in range(count + 1):
        log_ways = math.lgamma(count + 1) - math.lgamma(successes + 1) - math.lgamma(count - successes + 1)
        total += math.exp(log_ways + successes * log_share + (count - successes) * log_rest)
        if total >= probability:
            return successes
    return count
