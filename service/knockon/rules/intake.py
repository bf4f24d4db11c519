"""From raw readings to the values rules see: ranges checked, replicas combined, the few derived readings added."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from knockon.expr.vocabulary import NameInfo
from knockon.rules.rulebook import Rulebook
from knockon.terms.reading import Reading, ReadingQuality
from knockon.terms.unit import parse_unit
from knockon.terms.words import Scalar

# A ratio a little over 1 is rounding of the exporter; toplev (pmu-tools) calls a ratio mismeasured outside -5 %..105 %.
RATIO_SLACK = 0.05
# Two programs print one number with unlike digits.
_QUANTILE_SLACK = 1e-6
_SECOND = parse_unit("s")
# Computed from a peak that somebody chose, not counted by an exporter: over 1 means that the peak is the wrong one.
_COMPUTED = frozenset({"mfu_ratio", "model_bandwidth_utilization_ratio"})
# A share over 1 and up to here is a wrong peak or a wrong clock; far over it is a percentage in the wrong field.
_WRONG_PEAK_MAX = 1.5
_IMPOSSIBLE = "impossible_value_seen"
_SPREAD = "_spread_ratio"
# Best first.
_QUALITIES: tuple[ReadingQuality, ...] = ("measured", "derived", "reported", "estimated", "assumed")


@dataclass(frozen=True, slots=True)
class Observed:
    """One reading as the rules see it, all replicas combined; `from_readings` are the measurements behind it."""

    name: str
    value: Scalar
    origin: str
    from_readings: tuple[Reading, ...] = ()
    quality: ReadingQuality = "measured"
    """The worst quality among the measurements behind it."""


@dataclass(frozen=True, slots=True)
class Intake:
    """What is known and what is not. `invalid` readings are never used as numbers."""

    observed: Mapping[str, Observed]
    missing: tuple[Reading, ...]
    """Readings the source tried to give and could not, with the reason."""
    invalid: tuple[Reading, ...]
    model: str = ""
    """The served model that is judged, where the readings are about several."""
    set_aside: tuple[Reading, ...] = ()
    """Readings about other models: what waits for one does not wait behind what another runs."""

    @property
    def values(self) -> dict[str, Scalar]:
        """Plain values by name."""
        return {name: seen.value for name, seen in self.observed.items()}


def take(rulebook: Rulebook, readings: Iterable[Reading], *, about: str | None = None) -> Intake:
    """Check every reading against the vocabulary and its kin, combine replicas, derive.

    Names the vocabulary lacks are invalid, and so are quantiles of one distribution that are out of order.

    Of readings about several served models one model is judged: `about` where it is among them, else the one with most
    readings. Readings about no model in particular (a GPU's, a host's) are judged with it.
    """
    readings = list(readings)
    model = _judged_model(readings, about)
    aside = [reading for reading in readings if model and reading.model not in ("", model)]
    readings = [reading for reading in readings if not (model and reading.model not in ("", model))]
    measured: dict[str, list[Reading]] = {}
    missing: list[Reading] = []
    invalid: list[Reading] = []
    for reading in readings:
        if reading.state == "missing":
            missing.append(reading)
        elif reading.state == "invalid":
            invalid.append(reading)
        elif _is_unmeasured_latency(rulebook, reading):
            why = "a latency of exactly 0 was not measured"
            missing.append(
                replace(reading, state="missing", why=why, raw=reading.raw or str(reading.value), value=None)
            )
        elif why := _why_impossible(rulebook.vocabulary.names.get(reading.name), reading):
            invalid.append(
                replace(reading, state="invalid", why=why, raw=reading.raw or str(reading.value), value=None)
            )
        else:
            measured.setdefault(reading.name, []).append(reading)
    invalid += _out_of_order(rulebook, measured)
    observed = {name: _combined(rulebook, name, group) for name, group in measured.items()}
    observed = {**_spreads(rulebook, measured), **_seen_impossible(rulebook, invalid), **observed}
    return Intake(_with_derived(observed), tuple(missing), tuple(invalid), model, tuple(aside))


def _judged_model(readings: Sequence[Reading], about: str | None) -> str:
    counts = Counter(reading.model for reading in readings if reading.model and reading.state == "measured")
    if len(counts) < 2:
        return ""
    if about is not None and about in counts:
        return about
    return min(counts, key=lambda model: (-counts[model], model))


def _is_unmeasured_latency(rulebook: Rulebook, reading: Reading) -> bool:
    """Nothing takes no time: clients write 0 for a first token they could not see, exporters for an empty histogram."""
    info, kind = rulebook.vocabulary.names.get(reading.name), rulebook.readings.get(reading.name)
    is_latency = info is not None and kind is not None and kind.checklist == "kpi" and info.unit == _SECOND
    return is_latency and reading.value == 0


def _why_impossible(info: NameInfo | None, reading: Reading) -> str:
    value = reading.value
    if info is None or info.kind != "reading":
        return f"no reading is called {reading.name!r}"
    if info.type == "bool":
        return "" if isinstance(value, bool) else f"expected true or false, not {value!r}"
    if info.type == "text":
        return "it is worked out from what is told, never measured"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return f"expected a number, not {value!r}"
    if math.isnan(value):
        return "not a number (NaN)"
    is_ratio = info.name.endswith("_ratio")
    slack = RATIO_SLACK if is_ratio and info.name not in _COMPUTED else 0.0
    if info.minimum is not None and value < info.minimum - slack:
        return f"{value:g} is below the least possible value {info.minimum:g}"
    if info.above is not None and value <= info.above:
        return f"{value:g} is not above {info.above:g}"
    if info.maximum is not None and value > info.maximum + slack:
        hint = "; ratios run from 0 to 1, a percentage must be divided by 100" if is_ratio and value <= 100 else ""
        return f"{value:g} is above the greatest possible value {info.maximum:g}{hint}"
    return ""


def _out_of_order(rulebook: Rulebook, measured: dict[str, list[Reading]]) -> list[Reading]:
    """Take the quantiles that contradict one another out of `measured`: nobody can tell which of them is wrong.

    Quantiles are held against one another where they are of one distribution, replica and model.
    """
    groups: dict[tuple[str, str, str], list[tuple[float, Reading]]] = {}
    for name, readings in measured.items():
        quantile = rulebook.readings[name].quantile
        if quantile is None:
            continue
        for reading in readings:
            groups.setdefault((quantile[0], reading.replica, reading.model), []).append((quantile[1], reading))
    refused: list[Reading] = []
    for group in groups.values():
        group.sort(key=lambda pair: pair[0])
        for share, reading in group:
            clash = next((other for at, other in group if _contradict(share, reading, at, other)), None)
            if clash is not None:
                why = f"{reading.name} {reading.value:g} and {clash.name} {clash.value:g} cannot both be"
                why += ": of one distribution a higher quantile is never less"
                raw = reading.raw or str(reading.value)
                refused.append(replace(reading, state="invalid", why=why, raw=raw, value=None))
                measured[reading.name].remove(reading)
    for name in [name for name, readings in measured.items() if not readings]:
        del measured[name]
    return refused


def _contradict(share: float, reading: Reading, other_share: float, other: Reading) -> bool:
    lower, upper = (reading.value, other.value) if share < other_share else (other.value, reading.value)
    if share == other_share or not (isinstance(lower, int | float) and isinstance(upper, int | float)):
        return False
    return lower > upper * (1 + _QUANTILE_SLACK)


def _combined(rulebook: Rulebook, name: str, group: Sequence[Reading]) -> Observed:
    how = rulebook.readings[name].over_replicas
    values = [reading.value for reading in group if reading.value is not None]
    if len(values) == 1:
        return Observed(name, values[0], group[0].origin, tuple(group), _worst(group))
    numbers = [float(value) for value in values if not isinstance(value, str)]
    combined: Scalar
    match how:
        case "any":
            combined = any(values)
        case "max":
            combined = max(numbers)
        case "min":
            combined = min(numbers)
        case "sum":
            combined = math.fsum(numbers)
        case _:
            combined = math.fsum(numbers) / len(numbers)
    return Observed(name, combined, f"{how} of {len(group)}: {group[0].origin}, …", tuple(group), _worst(group))


def _spreads(rulebook: Rulebook, measured: Mapping[str, Sequence[Reading]]) -> dict[str, Observed]:
    """Highest over mean of the replicas, for each reading that the vocabulary has a spread of."""
    found = {}
    for name in rulebook.readings:
        if not name.endswith(_SPREAD):
            continue
        stem = name.removesuffix(_SPREAD)
        group = measured.get(stem) or measured.get(f"{stem}_ratio") or ()
        if len({reading.replica for reading in group}) < 2:
            continue
        values = [float(reading.value) for reading in group if isinstance(reading.value, int | float)]
        if (mean := math.fsum(values) / len(values)) > 0:
            origin = f"max over mean of {len(values)}: {group[0].origin}, …"
            found[name] = Observed(name, max(values) / mean, origin, tuple(group), _worst(group))
    return found


def _seen_impossible(rulebook: Rulebook, invalid: Sequence[Reading]) -> dict[str, Observed]:
    """That a share a little over 1 was handed in, which says that its peak or its clock is wrong."""
    if _IMPOSSIBLE not in rulebook.readings:
        return {}
    for reading in invalid:
        value = _number(reading.raw) if reading.name.endswith("_ratio") else None
        info = rulebook.vocabulary.names.get(reading.name)
        if value is not None and info is not None and info.maximum == 1 and 1 < value <= _WRONG_PEAK_MAX:
            seen = Observed(_IMPOSSIBLE, True, f"{reading.name} {reading.raw}: {reading.origin}", (), reading.quality)
            return {_IMPOSSIBLE: seen}
    return {}


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _worst(group: Sequence[Reading]) -> ReadingQuality:
    return max((reading.quality for reading in group), key=_QUALITIES.index)


def worked_out(name: str, value: Scalar, origin: str) -> Observed:
    """A reading that nobody measured: it follows from others, as `origin` says."""
    return Observed(name, value, origin, (Reading(name, value, origin, quality="derived"),), "derived")


def _with_derived(observed: Mapping[str, Observed]) -> dict[str, Observed]:
    """Readings that follow from others; what was measured or set directly is never replaced."""
    known = dict(observed)
    for name, sources in FIRST_OF.items():
        for source in sources:
            if name not in known and source in known:
                seen = known[source]
                quality = max(seen.quality, _QUALITY_OF.get(source, "measured"), key=_QUALITIES.index)
                known[name] = Observed(
                    name, seen.value, f"taken from {source}: {seen.origin}", seen.from_readings, quality
                )
    got, wanted = known.get("output_tokens_per_s"), known.get("expected_output_tokens_per_s")
    if "throughput_below_expectation" not in known and got and wanted:
        below = float(got.value) < float(wanted.value)
        known["throughput_below_expectation"] = Observed(
            "throughput_below_expectation",
            below,
            f"{got.value:g} token/s measured, {wanted.value:g} token/s expected",
            (*got.from_readings, *wanted.from_readings),
            max(got.quality, wanted.quality, key=_QUALITIES.index),
        )
    return known


# The kinds of one idea, the one that says most first. Duty cycle (gpu_busy_ratio) is not in the list: 100 % busy says
# nothing about how hard the arithmetic units work.
FIRST_OF: Mapping[str, tuple[str, ...]] = {
    "compute_utilization_ratio": ("sm_active_ratio", "tensor_active_ratio", "mfu_ratio"),
    # An engine that reserves its pool at start fills the device's memory even when idle, so the pool comes first.
    "memory_occupancy_ratio": ("kv_cache_usage_ratio", "device_memory_occupancy_ratio"),
}

# What a source is worth as its idea: an engine that reserves its pool at start fills the device whatever it does, so
# that memory limits anything is only supposed from the device's occupancy.
_QUALITY_OF: Mapping[str, ReadingQuality] = {"device_memory_occupancy_ratio": "assumed"}
