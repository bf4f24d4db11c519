"""The knee of a load sweep: where one more unit of load stops bringing what it brought before.

Two straight lines that meet at the knee, fitted by least squares of relative errors (a broken stick, as in
V. M. R. Muggeo, Estimating regression models with unknown break-points, Statistics in Medicine 22, 2003), against one
straight line alone: the knee counts only where Schwarz's criterion prefers two lines in spite of their two further
numbers, and where the second is much flatter. Its interval holds the places that fit about as well. Kneedle (Satopää et
al., ICDCSW 2011) finds the point of greatest curvature and needs no lines, but it gives no interval and has to be told
how strict to be.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

# Each line has to be held by points of its own.
RUNS_MIN = 6
_EACH_SIDE_MIN = 2
# What is left of the slope beyond a knee. A bend that keeps half of it is a slope that changes.
_FLAT_SHARE = 0.5
# Places tried between two loads: a knee lies seldom exactly on one.
_PARTS = 20
# Least squares within a millionth of the scale are exact: then there is nothing left to compare.
_EXACT = 1e-12
# Student's t at 97.5 % for 2, 3, … degrees of freedom, beyond which the normal distribution's is near enough.
_T = (
    4.303,
    3.182,
    2.776,
    2.571,
    2.447,
    2.365,
    2.306,
    2.262,
    2.228,
    2.201,
    2.179,
    2.16,
    2.145,
    2.131,
    2.12,
    2.11,
    2.101,
)
_T_MANY = 2.02
_NEVER_GROWS = "throughput does not grow with the load even at the lowest: lower loads would show the knee"
# Of a bent line: two lines that meet, and where.
_NUMBERS = 4


@dataclass(frozen=True, slots=True)
class Knee:
    """Where throughput stops growing with the load."""

    load: float
    low: float
    high: float
    """The knee lies between them with 95 % confidence, if both parts are straight."""
    throughput: float
    """At the knee, on the lines."""
    before: float
    """Throughput that one more unit of load brings below the knee; `after` above it."""
    after: float
    count: int


def knee_of(loads: Sequence[float], throughputs: Sequence[float]) -> Knee | str:
    """The knee of `throughputs` over `loads`, which rise strictly; a text, with the reason, where there is none."""
    count = len(loads)
    if count < RUNS_MIN:
        return f"{count} loads; a knee takes {RUNS_MIN}"
    if max(throughputs) <= 0:
        return "nothing came through at any load"
    straight = _fit(loads, throughputs, None)
    places = [
        low + (high - low) * part / _PARTS
        for low, high in pairwise(loads[_EACH_SIDE_MIN - 1 : count - _EACH_SIDE_MIN + 1])
        for part in range(_PARTS + 1)
    ]
    fits = {place: _fit(loads, throughputs, place) for place in dict.fromkeys(places)}
    best = min(fits, key=lambda place: (fits[place].error, place))
    bent = fits[best]
    scale = float(count)
    if straight.error <= _EXACT * scale or _criterion(bent, count, scale) >= _criterion(straight, count, scale):
        if throughputs[-1] <= throughputs[0]:
            return _NEVER_GROWS
        return "throughput grows in one straight line as far as the loads go: higher loads would show the knee"
    if bent.before <= 0:
        return _NEVER_GROWS
    if bent.after > _FLAT_SHARE * bent.before:
        return (
            f"throughput bends at {best:.4g} and more load still brings {bent.after / bent.before:.0%} of what it did: "
            "higher loads would show the knee"
        )
    freedom = count - _NUMBERS
    factor = _T[freedom - 2] if freedom - 2 < len(_T) else _T_MANY
    limit = max(bent.error, _EXACT * scale) * (1 + factor**2 / freedom)
    near = [place for place, fit in fits.items() if fit.error <= limit]
    return Knee(best, min(near), max(near), bent.at_knee, bent.before, bent.after, count)


def at_load(loads: Sequence[float], values: Sequence[float], load: float) -> float:
    """The value at `load` on straight lines between the runs; at the ends, that of the outermost run."""
    for (low, first), (high, second) in pairwise(zip(loads, values, strict=True)):
        if load <= high:
            share = max(0.0, (load - low) / (high - low))
            return first + (second - first) * share
    return values[-1]


@dataclass(frozen=True, slots=True)
class _Fit:
    error: float
    """Sum of squares that are left."""
    numbers: int
    before: float
    after: float
    at_knee: float


def _fit(loads: Sequence[float], values: Sequence[float], place: float | None) -> _Fit:
    """Least squares of a line that bends at `place`, or of a straight one: intercept, slope, change of slope."""
    middle = place if place is not None else math.fsum(loads) / len(loads)
    columns = [[1.0] * len(loads), [load - middle for load in loads]]
    if place is not None:
        columns.append([max(0.0, load - middle) for load in loads])
    # Throughputs err by a share of themselves, so that a small one counts for as much as a large one.
    weights = [1 / value for value in values] if min(values) > 0 else [1 / max(*values, 1e-300)] * len(values)
    columns = [[weight * one for weight, one in zip(weights, column, strict=True)] for column in columns]
    values = [weight * value for weight, value in zip(weights, values, strict=True)]
    solved = _solved(columns, values)
    left = [
        value - math.fsum(factor * column[index] for factor, column in zip(solved, columns, strict=True))
        for index, value in enumerate(values)
    ]
    error = math.fsum(one * one for one in left)
    bend = solved[2] if place is not None else 0.0
    return _Fit(error, len(solved) + (place is not None), solved[1], solved[1] + bend, solved[0])


def _solved(columns: Sequence[Sequence[float]], values: Sequence[float]) -> list[float]:
    """The factors of the columns, by the normal equations, which are at most three."""
    size = len(columns)
    rows = [
        [math.fsum(a * b for a, b in zip(one, other, strict=True)) for other in columns]
        + [math.fsum(a * b for a, b in zip(one, values, strict=True))]
        for one in columns
    ]
    for step in range(size):
        pivot = max(range(step, size), key=lambda row: abs(rows[row][step]))
        rows[step], rows[pivot] = rows[pivot], rows[step]
        for row in range(size):
            if row != step and rows[step][step]:
                share = rows[row][step] / rows[step][step]
                rows[row] = [a - share * b for a, b in zip(rows[row], rows[step], strict=True)]
    return [rows[step][size] / rows[step][step] if rows[step][step] else 0.0 for step in range(size)]


def _criterion(fit: _Fit, count: int, scale: float) -> float:
    """Schwarz's: less is better."""
    return count * math.log(max(fit.error, _EXACT * scale) / count) + fit.numbers * math.log(count)
