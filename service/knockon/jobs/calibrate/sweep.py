"""Levels from a load sweep: how far a reading goes while more load still brings more throughput."""

from collections.abc import Mapping, Sequence

from knockon.jobs.calibrate.base import Calibrated, Kept, OldValues, beyond, candidates, why_never
from knockon.rules.intake import Intake, take
from knockon.rules.knee import Knee, at_load, knee_of
from knockon.rules.levels import Level
from knockon.rules.rulebook import Rulebook
from knockon.sources.result_choice import sweep_of
from knockon.terms.errors import IntakeError, Problem
from knockon.terms.run import Run
from knockon.terms.words import Text

# What a load brings, the one that says most first.
_THROUGHPUTS = ("output_tokens_per_s", "requests_per_s")
# A reading that is hardly higher at the knee than at the lowest load does not go with the load.
_RISEN_MIN = 1.1


def intakes_of(rulebook: Rulebook, runs: Sequence[Run]) -> dict[float, Intake]:
    """The readings of every run as rules see them, by rising load.

    Raises:
        IntakeError: the runs are no sweep: their kinds of load or their lengths differ, or nobody says their load.
    """
    sweep = sweep_of(runs)
    if not sweep:
        what = f"{len(runs)} runs are no sweep"
        expected = "runs of one deployment at several loads, of one kind and with the same lengths"
        raise IntakeError(Problem("no-sweep", what, expected))
    return {float(one.load or 0.0): take(rulebook, one.readings) for one in sweep}


def knee_in(intakes: Mapping[float, Intake]) -> tuple[str, Knee]:
    """The throughput that has a knee over the loads, and the knee.

    Raises:
        IntakeError: no throughput was measured, or it has no knee; with the reason.
    """
    for name in _THROUGHPUTS:
        row = _row(intakes, name)
        if len(row) == len(intakes):
            found = knee_of(list(row), list(row.values()))
            if isinstance(found, str):
                raise IntakeError(Problem("no-knee", f"{name} has no knee: {found}"))
            return name, found
    what = f"no throughput was measured at all of {len(intakes)} loads"
    raise IntakeError(Problem("no-throughput", what, f"one of {', '.join(_THROUGHPUTS)}"))


def from_sweep(
    rulebook: Rulebook, intakes: Mapping[float, Intake], knee: Knee, old: OldValues, *, only: Sequence[str] = ()
) -> tuple[list[Calibrated], list[Kept]]:
    """The thresholds that the sweep gives a value, and those that it does not.

    Up to the knee more load brought more throughput, so what a reading is there is no wall, and a level below it is
    wrong. A higher level may be right all the same: which wall made the knee, a sweep alone does not say.

    Args:
        rulebook: the rules, which say what a threshold is the level of.
        intakes: the readings by load.
        knee: of the throughput.
        old: thresholds in force so far, by plain key.
        only: the thresholds wanted; all when empty.
    """
    made: list[Calibrated] = []
    kept: list[Kept] = []
    for key, levels in candidates(rulebook, "sweep", only):
        level = next((one for one in levels if len(_row(intakes, one.reading)) == len(intakes)), None)
        if level is None:
            kept.append(Kept(key, levels[0].reading, "it was not measured at every load"))
        elif level.side == "below":
            kept.append(Kept(key, level.reading, "rules fire below it, and a sweep says how high readings go"))
        else:
            found = _calibrated(rulebook, level, _row(intakes, level.reading), knee, old[key])
            made += [found] if isinstance(found, Calibrated) else []
            kept += [found] if isinstance(found, Kept) else []
    return made, kept


def _calibrated(
    rulebook: Rulebook, level: Level, row: Mapping[float, float], knee: Knee, old: float
) -> Calibrated | Kept:
    loads, values = list(row), list(row.values())
    at, *ends = (at_load(loads, values, load) for load in (knee.load, knee.low, knee.high))
    if at <= values[0] * _RISEN_MIN:
        why = f"it is {at:.4g} at the knee and {values[0]:.4g} at the lowest load: it does not go with the load"
        return Kept(level.threshold, level.reading, why)
    value = beyond(at, level)
    if value <= old:
        why = f"it is {at:.4g} at the knee, which its level {old:g} allows"
        return Kept(level.threshold, level.reading, why)
    if why := why_never(value, level, rulebook):
        return Kept(level.threshold, level.reading, why)
    low, high = (float(f"{end:.4g}") for end in (min(ends), max(ends)))
    says = Text(
        f"{level.reading} at the knee of a load sweep, at load {knee.load:.4g} ({knee.low:.4g} to {knee.high:.4g}); "
        f"{knee.count} loads",
        f"负载扫描拐点处的 {level.reading}，负载 {knee.load:.4g}（{knee.low:.4g} 至 {knee.high:.4g}）；"
        f"{knee.count} 个负载",
    )
    return Calibrated(level, old, value, low, high, knee.count, float(knee.count), says)


def _row(intakes: Mapping[float, Intake], name: str) -> dict[float, float]:
    return {
        load: float(seen.value)
        for load, intake in intakes.items()
        if (seen := intake.observed.get(name)) is not None and not isinstance(seen.value, str | bool)
    }
