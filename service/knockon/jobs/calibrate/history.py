"""Levels from a healthy history: what a reading hardly ever passes while all is well."""

from collections.abc import Mapping, Sequence

from knockon.jobs.calibrate.base import Calibrated, Kept, OldValues, beyond, candidates, why_never
from knockon.jobs.timeline import Look
from knockon.rules.levels import Level
from knockon.rules.quantile import CONFIDENCE, TooFew, quantile_of
from knockon.rules.rulebook import Rulebook
from knockon.rules.validity import trusted
from knockon.terms.words import Scalar, Text


def from_history(
    rulebook: Rulebook,
    look: Look,
    known: Mapping[str, Scalar],
    old: OldValues,
    *,
    share: float,
    only: Sequence[str] = (),
) -> tuple[list[Calibrated], list[Kept]]:
    """The thresholds that the history of `look` gives a value, and those that it does not.

    The value is the far end of the interval of the quantile: with 97.5 % confidence no larger share of a healthy
    time lies beyond it than was asked for.

    Args:
        rulebook: the rules, which say what a threshold is the level of.
        look: a time in which all was well.
        known: thresholds and facts, for the rules that take readings out.
        old: thresholds in force so far, by plain key.
        share: of a healthy time in which the reading does not pass the level; over 0.5 and under 1.
        only: the thresholds wanted; all when empty.
    """
    rows = _rows(rulebook, look, known)
    made: list[Calibrated] = []
    kept: list[Kept] = []
    for key, levels in candidates(rulebook, "history", only):
        level = next((one for one in levels if one.reading in rows), None)
        if level is None:
            kept.append(Kept(key, levels[0].reading, "it was not measured in this time"))
        else:
            found = _calibrated(rulebook, level, rows[level.reading], old[key], share=share)
            made += [found] if isinstance(found, Calibrated) else []
            kept += [found] if isinstance(found, Kept) else []
    return made, kept


def _calibrated(
    rulebook: Rulebook, level: Level, rows: Sequence[Sequence[float]], old: float, *, share: float
) -> Calibrated | Kept:
    at = share if level.side == "above" else 1 - share
    found = quantile_of(rows, at)
    if isinstance(found, TooFew):
        return Kept(level.threshold, level.reading, _too_few(found, at))
    value = beyond(found.high if level.side == "above" else found.low, level)
    if why := why_never(value, level, rulebook):
        return Kept(level.threshold, level.reading, why)
    low, high = (float(f"{end:.4g}") for end in (found.low, found.high))
    far, far_zh = ("upper", "上") if level.side == "above" else ("lower", "下")
    says = Text(
        f"{at:.4g} quantile of {level.reading} in a healthy history, the {far} end of its {CONFIDENCE:.0%} interval "
        f"{low:g} to {high:g}; {found.count} values, worth {found.worth:.0f} independent ones",
        f"健康历史中 {level.reading} 的 {at:.4g} 分位数，取其 {CONFIDENCE:.0%} 区间 {low:g} 至 {high:g} 的{far_zh}端；"
        f"{found.count} 个值，相当于 {found.worth:.0f} 个独立值",
    )
    return Calibrated(level, old, value, low, high, found.count, found.worth, says)


def _too_few(found: TooFew, share: float) -> str:
    if found.worth <= 0:
        return f"its {found.count} values are all the same, which does not say how far it goes when all is well"
    return (
        f"{found.count} values, worth {found.worth:.0f} independent ones; a {share:.4g} quantile with its interval "
        f"takes {found.needed}"
    )


def _rows(rulebook: Rulebook, look: Look, known: Mapping[str, Scalar]) -> dict[str, list[list[float]]]:
    """The values of every reading, in stretches without a gap."""
    rows: dict[str, list[list[float]]] = {}
    before: set[str] = set()
    for _, intake in look.seen:
        values: dict[str, float] = {}
        if intake is not None:
            sound, _ = trusted(rulebook, intake, known)
            values = {
                name: float(seen.value)
                for name, seen in sound.observed.items()
                if not isinstance(seen.value, str | bool)
            }
        for name, value in values.items():
            if name in before:
                rows[name][-1].append(value)
            else:
                rows.setdefault(name, []).append([value])
        before = set(values)
    return rows
