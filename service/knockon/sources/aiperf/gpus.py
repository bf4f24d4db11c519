"""What AIPerf collects of the GPUs: duty cycle, power and memory. Not how hard they work."""

import math
from collections.abc import Iterator, Mapping, Sequence

from knockon.sources.base import Taken
from knockon.sources.result_text import Result
from knockon.terms.errors import IntakeError, Problem
from knockon.terms.reading import Reading
from knockon.terms.series import Series
from knockon.terms.words import Json, JsonObject, Text

_NS_PER_S = 1e9
# By reading: field and what it is divided by. Percentages are given as such.
_PLAIN = {
    "gpu_busy_ratio": ("gpu_utilization", 100.0),
    "power_draw_w": ("gpu_power_usage", 1.0),
    "power_limit_w": ("power_management_limit", 1.0),
}
_MEMORY = "device_memory_occupancy_ratio"
_USED, _WHOLE = "gpu_memory_used", "gpu_memory_total"


def gpu_readings(summary: Result) -> Iterator[Reading]:
    """The means over the run, once for each GPU: one that two exporters report is one GPU."""
    held: Json = dict(summary.data)
    for key in ("telemetry_data", "endpoints"):
        held = held.get(key) if isinstance(held, dict) else None
    seen: set[str] = set()
    for endpoint in held.values() if isinstance(held, dict) else ():
        gpus = endpoint.get("gpus") if isinstance(endpoint, dict) else None
        for gpu in gpus.values() if isinstance(gpus, dict) else ():
            name = _name(gpu) if isinstance(gpu, dict) else ""
            metrics = gpu.get("metrics") if isinstance(gpu, dict) else None
            if name and name not in seen and isinstance(metrics, dict):
                seen.add(name)
                means = {key: value.get("avg") for key, value in metrics.items() if isinstance(value, dict)}
                yield from _readings(means, name, f"telemetry, mean over the run, in {summary.at}")


def telemetry(results: Sequence[Result], filename: str) -> Taken:
    """Every GPU's last sample as readings and all samples as series.

    Raises:
        IntakeError: no sample has a number.
    """
    last: dict[str, tuple[Reading, ...]] = {}
    series: dict[tuple[str, str], dict[float, float]] = {}
    for one in results:
        data, at_ns = one.data.get("telemetry_data"), one.data.get("timestamp_ns")
        if not isinstance(data, dict) or not isinstance(at_ns, int):
            continue
        name = _name(one.data)
        found = tuple(_readings(data, name, f"telemetry in {one.at}", at_s=at_ns / _NS_PER_S))
        if found:
            last[name] = found
        for reading in found:
            values = series.setdefault((reading.name, name), {})
            at_s = at_ns / _NS_PER_S
            if isinstance(reading.value, int | float) and at_s > next(reversed(values), -math.inf):
                values[at_s] = float(reading.value)
    readings = [reading for group in last.values() for reading in group]
    if not readings:
        what = "the telemetry has no sample with a number"
        raise IntakeError(Problem("nothing-measured", what, "samples of a run", at=results[0].at))
    note = Text(
        f"{len(results)} samples of {len(last)} GPUs: the readings are of the last one of each, earlier ones are kept"
        " as series",
        f"{len(last)} 张 GPU 共 {len(results)} 个样本：读数取各自最后一个，其余作为时间序列",
    )
    kept = tuple(
        Series(name, tuple(values), tuple(values.values()), f"telemetry of {filename}", replica=gpu)
        for (name, gpu), values in series.items()
        if len(values) > 1
    )
    return Taken(tuple(readings), (), None, (note,), kept)


def _name(gpu: JsonObject) -> str:
    """What tells a GPU from the others; its number alone where it has no serial."""
    for key in ("gpu_uuid", "gpu_index"):
        if (value := gpu.get(key)) is not None:
            return f"{'uuid' if key == 'gpu_uuid' else 'gpu'}={str(value)[:60]}"
    return ""


def _readings(values: Mapping[str, Json], gpu: str, origin: str, at_s: float | None = None) -> Iterator[Reading]:
    for name, (key, per) in _PLAIN.items():
        value = values.get(key)
        if isinstance(value, int | float) and math.isfinite(value):
            yield Reading(name, value / per, f"{key}{{{gpu}}} of {origin}", replica=gpu, at_s=at_s)
    used, whole = values.get(_USED), values.get(_WHOLE)
    if isinstance(used, int | float) and isinstance(whole, int | float) and whole > 0:
        yield Reading(_MEMORY, used / whole, f"{_USED} / {_WHOLE}{{{gpu}}} of {origin}", replica=gpu, at_s=at_s)
