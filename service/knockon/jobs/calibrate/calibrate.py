"""profile calibrate: thresholds from a healthy history or a load sweep, with a back-test over the same measurements."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from knockon.expr.check import check_condition
from knockon.expr.condition import parsed
from knockon.expr.vocabulary import nearest
from knockon.jobs.calibrate.backtest import BackTest, over_history, over_sweep
from knockon.jobs.calibrate.base import Calibrated, Kept, Method, candidates
from knockon.jobs.calibrate.history import from_history
from knockon.jobs.calibrate.sweep import from_sweep, intakes_of, knee_in
from knockon.jobs.calibrate.written import Key, document, profile_of
from knockon.jobs.diagnose import Ground
from knockon.jobs.knowledge import Knowledge
from knockon.jobs.timeline import Look, TimeAsked
from knockon.rules.knee import Knee
from knockon.rules.profile import Profile
from knockon.rules.thresholds import in_force
from knockon.sources.base import Taken
from knockon.terms.errors import ExpressionError, IntakeError, NotFound, Problem
from knockon.terms.words import Scalar, Text

# A smaller number is seconds since some beginning, which has no date.
_UNIX_MIN = 1e8
_WHYS_SHOWN = 4


@dataclass(frozen=True, slots=True)
class Wanted:
    """How to calibrate."""

    key: Key
    share: float = 0.99
    """Of a healthy time in which a reading does not pass its level."""
    only: tuple[str, ...] = ()
    """Plain keys of the thresholds wanted; all when empty."""
    time: TimeAsked = field(default_factory=TimeAsked)
    today: str = ""
    """The date of measurements that do not say theirs."""


@dataclass(frozen=True, slots=True)
class CalibrateAnswer:
    """The whole answer."""

    method: Method
    profile: Profile
    text: str
    """The profile as a file."""
    levels: tuple[Calibrated, ...]
    kept: tuple[Kept, ...]
    """Thresholds that stay as they are."""
    back_test: BackTest
    look: Look | None
    """The history; None of a sweep."""
    knee: Knee | None
    """Of a sweep; None of a history."""
    knee_of: str
    """The throughput that has the knee; empty of a history."""
    notes: tuple[Text, ...]
    revision: str


def calibrate(knowledge: Knowledge, taken: Sequence[Taken], wanted: Wanted) -> CalibrateAnswer:
    """Calibrate on the series of `taken`, or on its runs where it has several.

    Raises:
        NotFound: no such base profile, or no such threshold. IntakeError: there is neither a series nor a sweep, the
        sweep has no knee, no threshold could be calibrated, or the load's condition is none; with the reasons.
    """
    _check_load(knowledge, wanted.key.load_when)
    base = wanted.key.base
    thresholds = in_force(knowledge.rulebook.profiles, base)
    runs = [run for part in taken for run in part.runs]
    method: Method = "sweep" if len(runs) > 1 else "history"
    able = tuple(key for key, _ in candidates(knowledge.rulebook, method))
    for key in wanted.only:
        if key not in able:
            fix = f"a {method} calibrates {', '.join(able)}"
            raise NotFound(f"threshold that a {method} calibrates", key, suggestions=nearest(key, able), fix=fix)
    facts = {fact.name: fact for part in taken for fact in part.facts}
    ground = Ground(knowledge, facts, thresholds)
    answer = (_of_sweep if method == "sweep" else _of_history)(ground, taken, wanted)
    if not answer.levels:
        raise _nothing(answer)
    return answer


def _check_load(knowledge: Knowledge, text: str) -> None:
    """Refuse a condition that no tree would take: the profile would be written, and refused wherever it is used."""
    if not text:
        return
    try:
        check_condition(parsed(text), knowledge.rulebook.vocabulary, text=text)
    except ExpressionError as error:
        problem = replace(error.problem, what=f"the condition of the load: {error.problem.what}")
        raise IntakeError(problem) from error


def _nothing(answer: CalibrateAnswer) -> IntakeError:
    """Why no threshold was calibrated; a knee that was found is told all the same."""
    # What could not be measured is in every answer, and says least.
    whys = [one for one in answer.kept if "not measured" not in one.why]
    listed = "; ".join(f"{one.threshold} ({one.reading}): {one.why}" for one in whys[:_WHYS_SHOWN])
    more = f"; and {len(whys) - _WHYS_SHOWN} more" if len(whys) > _WHYS_SHOWN else ""
    absent = ", ".join(dict.fromkeys(one.reading for one in answer.kept))
    what = f"no threshold could be calibrated: {listed or f'none of {absent} was measured throughout'}{more}"
    if answer.knee is not None:
        told = f"{answer.knee_of} stops growing at load {answer.knee.load:.4g}"
        fix = "measure the engine and its GPUs at every load, and give both together" if not whys else ""
        return IntakeError(Problem("nothing-calibrated", f"{told}, but {what}", fix=fix))
    fix = "give a longer healthy time, or a lower --quantile" if whys else "measure one of them"
    return IntakeError(Problem("nothing-calibrated", what, fix=fix))


def _of_history(ground: Ground, taken: Sequence[Taken], wanted: Wanted) -> CalibrateAnswer:
    series = [one for part in taken for one in part.series]
    readings = [reading for part in taken for reading in part.readings]
    look = ground.look_at(series, readings, asked=wanted.time) if series else None
    if look is None:
        what = "there are neither readings over time nor runs at several loads"
        fix = "give a table with a column of times, --prometheus URL, scrapes with --series, or results of a load sweep"
        raise IntakeError(Problem("nothing-to-calibrate-on", what, fix=fix))
    old = {key: held.threshold.value for key, held in ground.thresholds.items()}
    made, kept = from_history(ground.knowledge.rulebook, look, ground.known, old, share=wanted.share, only=wanted.only)
    test = over_history(ground.knowledge.rulebook, look, ground.known, _with(ground.known, made))
    checked = _date(look.seen[-1][0].at_s) or wanted.today
    return _answer(ground, taken, wanted, (made, kept, test), checked=checked, look=look)


def _of_sweep(ground: Ground, taken: Sequence[Taken], wanted: Wanted) -> CalibrateAnswer:
    rulebook = ground.knowledge.rulebook
    intakes = intakes_of(rulebook, [run for part in taken for run in part.runs])
    name, knee = knee_in(intakes)
    old = {key: held.threshold.value for key, held in ground.thresholds.items()}
    made, kept = from_sweep(rulebook, intakes, knee, old, only=wanted.only)
    test = over_sweep(rulebook, intakes, ground.known, _with(ground.known, made))
    times = [reading.at_s for part in taken for reading in part.readings if reading.at_s is not None]
    checked = (_date(max(times)) if times else "") or wanted.today
    answer = _answer(ground, taken, wanted, (made, kept, test), checked=checked)
    return replace(answer, method="sweep", knee=knee, knee_of=name)


def _answer(
    ground: Ground,
    taken: Sequence[Taken],
    wanted: Wanted,
    found: tuple[list[Calibrated], list[Kept], BackTest],
    *,
    checked: str,
    look: Look | None = None,
) -> CalibrateAnswer:
    made, kept, test = found
    profile = profile_of(wanted.key, made, ground.knowledge.rulebook, checked=checked, is_sweep=look is None)
    notes = [note for part in taken for note in part.notes if note not in part.about_runs]
    return CalibrateAnswer(
        method="history",
        profile=profile,
        text=document(profile),
        levels=tuple(made),
        kept=tuple(kept),
        back_test=test,
        look=look,
        knee=None,
        knee_of="",
        notes=(*notes, *(_was_it_healthy(test) if look is not None else ()), *_tighter(made)),
        revision=ground.knowledge.revision,
    )


def _with(known: Mapping[str, Scalar], levels: Sequence[Calibrated]) -> dict[str, Scalar]:
    return {**known, **{f"threshold.{one.level.threshold}": one.new for one in levels}}


def _was_it_healthy(test: BackTest) -> tuple[Text, ...]:
    """A history in which a rule fires with the new levels as well may not have been healthy."""
    still = [row.rule.id for row in test.rules if row.new.instants and row.rule.wall != "healthy"]
    if not still:
        return ()
    listed = ", ".join(still)
    return (
        Text(
            f"{listed} fired in this time with the new levels too: calibrate on a time in which all was well",
            f"采用新阈值后 {listed} 在该时段仍会触发：请在一切正常的时段上标定",
        ),
    )


def _tighter(levels: Sequence[Calibrated]) -> tuple[Text, ...]:
    """Below the old level a reading was never called a wall; that it is unusual makes it none."""
    names = [one.level.threshold for one in levels if (one.new < one.old) == (one.level.side == "above")]
    if not names:
        return ()
    listed = ", ".join(names)
    return (
        Text(
            f"{listed}: tighter than before; a reading beyond is unusual here, which need not be a wall",
            f"{listed} 比此前更严：超过只说明读数在此处不寻常，未必是瓶颈",
        ),
    )


def _date(at_s: float) -> str:
    return datetime.fromtimestamp(at_s, UTC).date().isoformat() if at_s >= _UNIX_MIN else ""
