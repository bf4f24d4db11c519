"""Shares of a whole by the part that a name is of: "all-reduce: 24 % of step", "share of GPU time in attention: 55 %".

That it is a share is said by the unit or by the name; which part, by words of parts.yaml. Nothing is taken where words
of two parts stand in one name, or where nothing says of what the number is a share.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from knockon.sources.readings.aliases import table
from knockon.sources.readings.observation import Seen
from knockon.sources.readings.spelling import plain
from knockon.terms.reading import Reading

_PERCENT = re.compile(r"(?:%|percent|pct)\s*(?:of\s+(?P<whole>.*))?", re.IGNORECASE)
# "5.6% of step" in a note beside a time.
_NOTED = re.compile(r"(?P<share>\d+(?:\.\d+)?)\s*%\s*of\s+(?:the |a |each |every )?(?P<whole>[a-z ]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Parts:
    """parts.yaml as values; words are in the form of `plain`."""

    parts: Mapping[str, tuple[str, ...]]
    """Reading → what names call the part."""
    wholes: tuple[str, ...]
    shares: tuple[str, ...]
    """Words that say that a number is a share of some time."""
    kernel_times: tuple[str, ...]
    of_kernels: frozenset[str]
    """Readings that are shares of the time in kernels, too."""
    others: frozenset[str]
    """Words with which it is a share of something else."""


def shares(one: Seen) -> Iterator[Reading]:
    """The reading that `one` is as a share of its whole; at most one."""
    share = _share(one)
    if share is None or not 0 <= share <= 1:
        return
    name = f" {one.name} "
    if parts().others & set(one.name.split()):
        return
    is_of_kernels = any(f" {whole} " in f"{name}{plain(one.unit)} {plain(one.note)} " for whole in parts().kernel_times)
    found = {reading for reading, marks in parts().parts.items() for mark in marks if f" {mark} " in name}
    if len(found) == 1 and not (is_of_kernels and found - parts().of_kernels):
        yield Reading(found.pop(), share, f"{one.metric}, {one.word.at}, a share of its whole", quality="reported")


def _share(one: Seen) -> float | None:
    """The share that `one` says, between 0 and 1; None where it says none."""
    if len(one.numbers) == 1 and not (one.is_at_least or one.is_at_most):
        match = _PERCENT.fullmatch(one.unit.partition("(")[0].strip())
        if match and (_is_whole(match["whole"] or "") or _is_share(one.name)):
            return one.numbers[0] / 100
    noted = _NOTED.search(one.note)
    return float(noted["share"]) / 100 if noted and _is_whole(noted["whole"]) else None


def _is_whole(text: str) -> bool:
    return any(f" {plain(text)} ".startswith(f" {whole} ") for whole in (*parts().wholes, *parts().kernel_times))


def _is_share(name: str) -> bool:
    of_kernels = (f"share of {whole}" for whole in parts().kernel_times)
    return any(f" {share} " in f" {name} " for share in (*parts().shares, *of_kernels))


@cache
def parts() -> Parts:
    """Read parts.yaml, once per process; a mistake in it is our fault and fails with KeyError."""
    raw = table("parts.yaml")
    return Parts(
        {reading: tuple(plain(one) for one in names) for reading, names in raw["parts"].items()},
        tuple(plain(one) for one in raw["wholes"]),
        tuple(plain(one) for one in raw["shares"]),
        tuple(plain(one) for one in raw["kernels"]["wholes"]),
        frozenset(raw["kernels"]["parts"]),
        frozenset(raw["others"]),
    )
