"""Values into the generated function: what a name stands for when its value is absent or unusable.

In the function an unknown number is NaN, for which every comparison but `!=` is false; an unknown truth, text or
version is None. `ENVIRONMENT` is all that the function can reach.
"""

from collections.abc import Callable, Mapping, Sequence
from math import ceil, floor, nan

from knockon.expr.arithmetic import LARGEST, Numeric, settled
from knockon.expr.version import VersionKey, version_key
from knockon.terms.truth import Truth

Get = Callable[[str], object]


def loaded_numbers(get: Get, names: Sequence[str]) -> list[Numeric]:
    """The numbers of `names` in their order, NaN where there is none."""
    numbers: list[Numeric] = []
    for name in names:
        value = get(name)
        # What is common is looked at first: nothing known, then the two types; `settled` knows the rest.
        if value is None:
            numbers.append(nan)
        elif (type(value) is float or type(value) is int) and -LARGEST <= value <= LARGEST:
            numbers.append(value)
        else:
            number = settled(value)
            numbers.append(nan if number is None else number)
    return numbers


def loaded_truths(get: Get, names: Sequence[str]) -> list[bool | None]:
    """The truths of `names` in their order, None where there is none."""
    values = [get(name) for name in names]
    return [value if isinstance(value, bool) else None for value in values]


def loaded_texts(get: Get, names: Sequence[str]) -> list[str | None]:
    """The texts of `names` in their order, None where there is none."""
    values = [get(name) for name in names]
    return [value if isinstance(value, str) else None for value in values]


def loaded_versions(get: Get, names: Sequence[str]) -> list[VersionKey | None]:
    """The sort keys of the versions of `names` in their order, None where there is none."""
    values = [get(name) for name in names]
    return [version_key(value) if isinstance(value, str) else None for value in values]


ENVIRONMENT: Mapping[str, object] = {
    "TRUE": Truth.TRUE,
    "FALSE": Truth.FALSE,
    "UNKNOWN": Truth.UNKNOWN,
    "NAN": nan,
    "LARGEST": LARGEST,
    "PLAIN": frozenset({int, float}),
    "abs": abs,
    "ceil": ceil,
    "floor": floor,
    "max": max,
    "min": min,
    "map": map,
    "sum": sum,
    "type": type,
    "KeyError": KeyError,
    "OverflowError": OverflowError,
    "ZeroDivisionError": ZeroDivisionError,
    "loaded_numbers": loaded_numbers,
    "loaded_texts": loaded_texts,
    "loaded_truths": loaded_truths,
    "loaded_versions": loaded_versions,
}
