"""Lists of one length beside one another: concurrency [1, 8, 64] and throughput [40, 300, 310], value by value.

The ends of a range are written as a list of two as well, so two values are a curve only where the axis grows by as much
as no range does.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from knockon.sources.readings.contrast import Contrast
from knockon.sources.readings.measure import kind_of
from knockon.sources.readings.observation import Seen
from knockon.sources.readings.words import Bag, words

# Two results nearer than this are one result measured twice.
_SAME = 1.05
# How much of the axis has to pass before what stays the same is called flat.
_LOAD_GROWS, _CLOCK_GROWS = 2.0, 1.15
_POINTS_MIN = 3
_LOADS = (
    "concurrency",
    "max concurrency",
    "concurrent requests",
    "users",
    "clients",
    "in flight",
    "request rate",
    "qps",
)
_BATCHES = ("batch", "batch size", "micro batch size")
_CONTEXTS = ("context length", "prompt length", "sequence length", "context", "prompt tokens", "context tokens")
_CLOCKS = ("sm clock", "gpu clock", "clock", "core clock")


def curves(seen: Sequence[Seen]) -> Iterator[Contrast]:
    """The readings that two lists of one length give, one of which is an axis that only grows."""
    for axis in seen:
        if not _is_axis(axis.numbers):
            continue
        growth = axis.numbers[-1] / axis.numbers[0]
        for row in seen:
            if row is not axis and len(row.numbers) == len(axis.numbers) and min(row.numbers) > 0:
                yield from _over(axis, row, growth)


def _over(axis: Seen, row: Seen, growth: float) -> Iterator[Contrast]:
    what, is_rate = words().rest(axis.metric), kind_of(row.unit).is_higher_better
    is_flat = max(row.numbers) / min(row.numbers) <= _SAME
    is_curve = len(row.numbers) >= _POINTS_MIN
    if what in _bags(_LOADS) and is_curve and growth >= _LOAD_GROWS and is_rate and is_flat:
        yield Contrast("throughput_flat_over_load", value=True, over=row, under=axis)
    elif what in _bags(_BATCHES) and is_curve and is_rate:
        yield Contrast("batch_gain_factor", row.numbers[-1] / row.numbers[0], row, axis)
    elif what in _bags(_CONTEXTS) and is_curve and growth >= _LOAD_GROWS and _is_decode(row) and is_flat:
        yield Contrast("decode_flat_over_context", value=True, over=row, under=axis)
    elif what in _bags(_CLOCKS) and growth >= _CLOCK_GROWS and _is_decode(row) and is_flat:
        yield Contrast("decode_flat_over_clock", value=True, over=row, under=axis)


def _is_axis(numbers: Sequence[float]) -> bool:
    return len(numbers) > 1 and numbers[0] > 0 and all(a < b for a, b in pairwise(numbers))


def _is_decode(row: Seen) -> bool:
    return (
        bool(words().rest(row.metric) & {"decode", "itl", "output"}) and kind_of(row.unit).is_higher_better is not None
    )


def _bags(names: Sequence[str]) -> tuple[Bag, ...]:
    return tuple(words().rest(name) for name in names)
