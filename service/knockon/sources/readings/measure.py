"""Units as people write them behind a number, and whether more of them is better."""

from collections.abc import Mapping
from dataclasses import dataclass

from knockon.expr.vocabulary import NameInfo
from knockon.sources.amount import amount_of

# Words that stand for no unit.
_BARE = frozenset({"", "ratio", "x", "max/mean", "times", "count"})
# Rates in bits, in gigabytes per second.
_BITS = {"Gb/s": 0.125, "Gbps": 0.125, "Gbit/s": 0.125, "Mb/s": 0.000125, "Mbps": 0.000125, "Tb/s": 125.0}
_THOUSANDS = {"k": 1e3, "K": 1e3, "M": 1e6}
# What is done per second: more of it is better.
_TOKENS = frozenset(
    {"tok", "token", "tokens", "t", "words", "w", "samples", "sample", "img", "images", "pages", "infer"}
)
_REQUESTS = frozenset(
    {"req", "r", "request", "requests", "reqs", "it", "iter", "iterations", "steps", "step", "batches"}
)
_BYTES = frozenset({"b", "kb", "mb", "gb", "tb", "mib", "gib"})
_RATES = _TOKENS | _REQUESTS | _BYTES
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
_PER_ITEM = frozenset({"tok", "token", "batch", "step", "it", "iter", "req", "request", "img", "sample"})
_COUNTED = frozenset({"cores", "core", "cpus", "threads", "workers", "processes", "count"})
_SHARES = frozenset({"%", "percent", "pct"})


@dataclass(frozen=True, slots=True)
class Kind:
    """What a unit measures, in a form in which two can be compared."""

    of: str
    """ "s", "tok/s", "%"; two units of one word here differ by `scale` only."""
    scale: float
    is_higher_better: bool | None
    """True for a rate, False for a time, None for anything else."""


def kind_of(unit: str) -> Kind:
    """The kind of `unit`, of which the first word counts: "% of time", "k tok/s", "GB/s at 128 KiB"."""
    parts = unit.split()
    scale = _THOUSANDS[parts.pop(0)] if len(parts) > 1 and parts[0] in _THOUSANDS else 1.0
    first = parts[0] if parts else ""
    if first in _BITS:
        return Kind("gb/s", _BITS[first] * scale, is_higher_better=True)
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


def in_base(info: NameInfo, number: float, unit: str) -> float | None:
    """`number` in the unit of `info`; None where `unit` is another or a share is written as if it were none."""
    parts = unit.split()
    scale = _THOUSANDS[parts.pop(0)] if len(parts) > 1 and parts[0] in _THOUSANDS else 1.0
    # "% of time", "req mean": the unit is the first word, what follows says of what.
    first = parts[0] if parts else ""
    written = "" if first in _BARE else first
    is_share = info.name.endswith("_ratio") and info.maximum == 1
    if is_share and not written and number > 1:
        return None
    try:
        return float(amount_of(f"{number * scale!r}", info.unit, written_in=written).value)
    except ValueError:
        return None
