"""Several runs: which one is judged, and what all of them together show.

Throughput that stops growing while the load grows is a knee. It is told from the share of the added load that arrives
as throughput, between neighbouring loads; that needs no model of the curve and few runs.
"""

from collections.abc import Sequence
from dataclasses import replace

from knockon.expr.vocabulary import nearest
from knockon.sources.base import Taken
from knockon.terms.errors import NotFound
from knockon.terms.reading import Reading
from knockon.terms.run import Run
from knockon.terms.words import Text

# Under this share of the added load the throughput is called flat; noise between runs is some per cent.
_GAIN_MIN = 0.25
# A curve has an end that can be told from noise from three points on.
_LOADS_MIN = 3
# Loads nearer than this are one load, repeated.
_LOAD_STEP_MIN = 1.05
# Runs whose lengths differ by more are not one sweep.
_LENGTH_SLACK = 0.1
_LENGTHS = ("prompt_tokens_mean", "prompt_tokens_p50", "output_tokens_mean", "output_tokens_p50")
_LATENCIES = ("e2e_s_p50", "ttft_s_p50", "itl_s_p50")
_SHOWN_MAX = 8


def judged(taken: Taken, run: str | None = None) -> Taken:
    """`taken` with the readings of one of its runs; of a text without runs, as it is.

    The run at the highest load is judged where nobody names one: the wall shows there. Runs of several subjects
    (models, machines, lengths) are no sweep: then none is judged until one is named.

    Raises:
        NotFound: no run is called `run`.
    """
    if not taken.runs:
        return taken
    notes = tuple(note for note in taken.notes if note not in taken.about_runs)
    if run is not None:
        chosen = _called(taken.runs, run)
    elif len(_subjects(taken.runs)) > 1:
        undecided = (_undecided(taken),)
        return replace(taken, readings=(), model="", notes=(*notes, *undecided), about_runs=undecided)
    else:
        # Of runs at one load the last one counts: it was repeated for a reason.
        chosen = max(reversed(taken.runs), key=lambda one: one.load if one.load is not None else -1.0)
    if len(taken.runs) == 1:
        return replace(taken, readings=chosen.readings, model=chosen.model, notes=notes, about_runs=())
    sweep = sweep_of([one for one in taken.runs if one.subject == chosen.subject])
    knee = knee_of(sweep)
    about = tuple(_said(taken, chosen, sweep, knee))
    readings = (*chosen.readings, *_flat(chosen, sweep, knee))
    return replace(taken, readings=readings, model=chosen.model, notes=(*notes, *about), about_runs=about)


def sweep_of(runs: Sequence[Run]) -> tuple[Run, ...]:
    """The runs that differ in load alone, by rising load; empty where their lengths or their kinds of load differ."""
    loads = [one for one in runs if one.load is not None]
    if len({one.load_of for one in loads}) != 1:
        return ()
    for name in _LENGTHS:
        lengths = [value for one in loads if (value := one.value(name)) is not None]
        if lengths and max(lengths) > min(lengths) * (1 + _LENGTH_SLACK):
            return ()
    by_load: dict[float, Run] = {}
    for one in loads:
        by_load[one.load or 0.0] = one
    return tuple(by_load[load] for load in sorted(by_load))


def knee_of(sweep: Sequence[Run]) -> Run | None:
    """The last run whose added load still arrived as throughput, where a later one did not; else None."""
    for index in range(len(sweep) - 1):
        gains = [_gain(sweep[index], later) for later in sweep[index + 1 :]]
        if gains and all(gain is not None and gain < _GAIN_MIN for gain in gains):
            return sweep[index]
    return None


def _gain(run: Run, later: Run) -> float | None:
    """Which share of the load that `later` adds arrives as throughput; None where it cannot be told."""
    before, after = _throughput(run), _throughput(later)
    if not run.load or later.load is None or later.load < run.load * _LOAD_STEP_MIN or not before or after is None:
        return None
    return (after / before - 1) / (later.load / run.load - 1)


def _throughput(run: Run) -> float | None:
    tokens = run.value("output_tokens_per_s")
    return tokens if tokens is not None else run.value("requests_per_s")


def _flat(chosen: Run, sweep: Sequence[Run], knee: Run | None) -> list[Reading]:
    """Whether throughput is flat over the load, where the sweep is long enough to say it."""
    if len(sweep) < _LOADS_MIN or chosen.value("throughput_flat_over_load") is not None:
        return []
    if knee is None and any(_gain(one, sweep[-1]) is None for one in sweep[:-1]):
        return []
    told = "no knee" if knee is None else f"a knee at {knee.name}"
    # One last step that brings nothing may be noise; then latency must have grown as well.
    is_flat = knee is not None and (knee is not sweep[-2] or _latency_grows(knee, sweep[-1]))
    return [Reading("throughput_flat_over_load", is_flat, f"{len(sweep)} loads, {told}", quality="derived")]


def _latency_grows(knee: Run, last: Run) -> bool:
    for name in _LATENCIES:
        before, after = knee.value(name), last.value(name)
        if before and after is not None:
            return after > before * _LOAD_STEP_MIN
    return False


def _called(runs: Sequence[Run], name: str) -> Run:
    for one in runs:
        if one.name == name:
            return one
    if name.isdecimal() and len(name) < 9 and 1 <= int(name) <= len(runs):
        return runs[int(name) - 1]
    names = tuple(one.name for one in runs)
    listed = f"runs: {', '.join(names[:_SHOWN_MAX])}{' …' if len(names) > _SHOWN_MAX else ''}, or 1 to {len(names)}"
    raise NotFound("run", name, suggestions=nearest(name, names) if len(name) <= 200 else (), fix=listed)


def _subjects(runs: Sequence[Run]) -> list[str]:
    return list(dict.fromkeys(one.subject for one in runs))


def _said(taken: Taken, chosen: Run, sweep: Sequence[Run], knee: Run | None) -> list[Text]:
    names = ", ".join(one.name for one in taken.runs[:_SHOWN_MAX]) + (" …" if len(taken.runs) > _SHOWN_MAX else "")
    at = taken.runs.index(chosen) + 1
    said = [
        Text(
            f"{taken.filename or 'the text'} has {len(taken.runs)} runs ({names}): run {at} ({chosen.name}) is judged,"
            " --run chooses another",
            f"{taken.filename or '文本'} 含 {len(taken.runs)} 次运行（{names}）：判断第 {at} 次（{chosen.name}），"
            "用 --run 选择其他",
        )
    ]
    if knee is not None and sweep:
        before, after = _throughput(knee), _throughput(sweep[-1])
        said.append(
            Text(
                f"throughput stops growing at {knee.name}: {before:.4g} there, {after:.4g} at {sweep[-1].name}",
                f"吞吐在 {knee.name} 处不再增长：该处 {before:.4g}，{sweep[-1].name} 处 {after:.4g}",
            )
        )
    if len(taken.runs) > 1 and not sweep and len(_subjects(taken.runs)) == 1:
        said.append(
            Text(
                "the runs differ in more than their load, or do not say it: no knee is looked for",
                "各次运行不止负载不同，或未说明负载：不寻找拐点",
            )
        )
    return said


def _undecided(taken: Taken) -> Text:
    subjects = _subjects(taken.runs)
    shown = "; ".join(subjects[:3]) + (" …" if len(subjects) > 3 else "")
    name = taken.filename or "the text"
    return Text(
        f"{name} has {len(taken.runs)} runs of {len(subjects)} subjects ({shown}): none is judged, --run 1 to"
        f" {len(taken.runs)} names one",
        f"{name} 含 {len(subjects)} 个对象（{shown}）的 {len(taken.runs)} 次运行：未判断任何一次，"
        f"用 --run 1 至 {len(taken.runs)} 指定",
    )
