"""Units as people write them behind a number, and whether more of them is better."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from knockon.expr.vocabulary import NameInfo
from knockon.sources.amount import amount_of

# Reports write a few dozen, each of which is compared with each of some hundred others.
_UNITS_MAX = 4_096
# Words that stand for no unit.
_BARE = frozenset({"", "ratio", "x", "max/mean", "times", "count"})
_PREFIXES = {"": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
_BINARY = {"Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30, "Ti": 2.0**40}
# "GB/s", "MiB/s", "GBps", "Gbit/s", "Gbps", "GB": a capital says bytes, a small letter bits, or bytes behind another.
_OF_BYTES = re.compile(
    r"(?P<scale>[kKMGTP]i?|[mgt](?=b))?(?:(?P<bytes>B|[Bb]ytes?)|(?P<bits>bits?|b))"
    r"(?P<rate>(?:ps|/s(?:ec|econd)?)(?:/\w+)?)?"
)
_BITS_A_BYTE = 8
_THOUSANDS = {"k": 1e3, "K": 1e3, "M": 1e6}
# What is done per second: more of it is better.
_TOKENS = frozenset(
    {"tok", "token", "tokens", "t", "words", "w", "samples", "sample", "img", "images", "pages", "infer"}
)
_REQUESTS = frozenset(
    {"req", "r", "request", "requests", "reqs", "it", "iter", "iterations", "steps", "step", "batches"}
)
_RATES = _TOKENS | _REQUESTS
_WHOLE_RATES: Mapping[str, str] = {
    "rps": "req/s",
    "qps": "req/s",
    "tps": "tok/s",
    "tflops": "tflops",
    "gflops": "gflops",
}
_TIMES: Mapping[str, float] = {
    "s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9,
    "min": 60, "mins": 60, "minutes": 60, "h": 3600, "hours": 3600, "day": 86400, "days": 86400, "d": 86400,
}  # fmt: skip
# Tokens are not images and steps are not requests: only spellings of one word are one.
_SPELLED = {"token": "tok", "tokens": "tok", "t": "tok", "request": "req", "requests": "req", "r": "req", "reqs": "req"}
_PER_ITEM = frozenset(
    {"tok", "token", "batch", "step", "it", "iter", "iteration", "update", "req", "request", "img", "image", "sample"}
)
_COUNTED = frozenset({"cores", "core", "cpus", "threads", "workers", "processes", "count"})
_SHARES = frozenset({"%", "percent", "pct"})
# Readings of which a percentage says how much more it is than one.
_GAINS = ("_gain_factor", "_slowdown_factor", "_growth_factor")
# Units of readings, by the kind that is theirs and by the things that are counted in them.
_KINDS: Mapping[str, str] = {
    "second": "s",
    "byte": "byte",
    "byte/second": "byte/s",
    "token/second": "tok/s",
    "request/second": "req/s",
    "1/second": "/s",
}
_THINGS: Mapping[str, frozenset[str]] = {
    "request": frozenset({"users", "clients", "streams", "sequences", "seqs", "prompts", "sessions", "connections"}),
    "1": frozenset(
        {"launches", "kernels", "copies", "calls", "syncs", "images", "steps", "runs", "h2d", "memcpy", "ops"}
    ),
}


@dataclass(frozen=True, slots=True)
class Kind:
    """What a unit measures, in a form in which two can be compared."""

    of: str
    """ "s", "tok/s", "%"; two units of one word here differ by `scale` only."""
    scale: float
    is_higher_better: bool | None
    """True for a rate, False for a time, None for anything else."""


@lru_cache(maxsize=_UNITS_MAX)
def kind_of(unit: str) -> Kind:
    """The kind of `unit`, of which the first word counts: "% of time", "k tok/s", "GB/s at 128 KiB"."""
    parts = _bare(unit).split()
    scale = _THOUSANDS[parts.pop(0)] if len(parts) > 1 and parts[0] in _THOUSANDS else 1.0
    if len(parts) > 1 and parts[0] == "per":
        parts = [f"/{parts[1]}"]
    first = parts[0] if parts else ""
    if (of_bytes := _of_bytes(first)) is not None:
        return of_bytes
    lower = _WHOLE_RATES.get(first.lower(), first.lower())
    what, _, per = lower.partition("/")
    if what in _TIMES and (not per or per in _PER_ITEM):
        # "s/batch" beside "s": time of one and the same step.
        return Kind("s", _TIMES[what] * scale, is_higher_better=False)
    if lower in _WHOLE_RATES.values() and not per:
        return Kind(lower, scale, is_higher_better=True)
    per = per.partition("/")[0]
    if (not what or what in _RATES) and per in _TIMES:
        return Kind(f"{_SPELLED.get(what, what)}/s", scale / _TIMES[per], is_higher_better=True)
    if not lower or lower in _COUNTED:
        return Kind("", scale, is_higher_better=None)
    if lower in _SHARES:
        return Kind("%", 1.0, is_higher_better=None)
    return Kind(lower, scale, is_higher_better=None)


def _of_bytes(unit: str) -> Kind | None:
    """A size or a rate of bytes or bits; a lone "b" is none, for it may be a billion."""
    match = _OF_BYTES.fullmatch(unit)
    if match is None or not match[0]:
        return None
    # "gb/s" is written for "GB/s"; "Gb/s" and "gbit/s" are bits.
    is_of_bits = match["bits"] is not None and not (match["bits"] == "b" and unit.islower() and match["scale"])
    if is_of_bits and not match["rate"]:
        return None
    prefix = match["scale"] or ""
    scale = _BINARY.get(prefix) or _PREFIXES[prefix.upper() if prefix.islower() else prefix]
    if not match["rate"]:
        return Kind("byte", scale, is_higher_better=None)
    return Kind("byte/s", scale / (_BITS_A_BYTE if is_of_bits else 1), is_higher_better=True)


def in_base(info: NameInfo, number: float, unit: str) -> float | None:
    """`number` in the unit of `info`; None where `unit` is another or a share is written as if it were none."""
    parts = _bare(unit).split()
    scale = _THOUSANDS[parts.pop(0)] if len(parts) > 1 and parts[0] in _THOUSANDS else 1.0
    # "% of time", "req mean": the unit is the first word, what follows says of what.
    first = parts[0] if parts else ""
    written = "" if first in _BARE else first
    is_share = info.name.endswith("_ratio") and info.maximum == 1
    if is_share and not written and number > 1:
        return None
    if written in _SHARES and info.name.endswith(_GAINS) and parts[1:2] != ["of"]:
        # "40 % faster" is 1.4 times as fast.
        return 1 + number / 100
    try:
        return float(amount_of(f"{number * scale!r}", info.unit, written_in=written).value)
    except ValueError:
        return _by_kind(info, number, kind_of(unit))


def _by_kind(info: NameInfo, number: float, kind: Kind) -> float | None:
    """`number` by what its unit measures: "ms/token", "MiB/s", "clients"."""
    base = str(info.unit)
    if kind.of and (kind.of == _KINDS.get(base) or kind.of in _THINGS.get(base, ())):
        return number * kind.scale
    return None


def _bare(unit: str) -> str:
    """`unit` without what stands in brackets behind it: "% (about)"."""
    return unit.partition("(")[0].strip()
