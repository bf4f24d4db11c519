"""history: runs of a target, kept with the diagnosis that was made of each; handed in once, read back by time."""

import hashlib
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from knockon.jobs.deployment import Asked
from knockon.jobs.diagnose import DiagnoseAnswer, diagnose
from knockon.jobs.knowledge import Knowledge
from knockon.jobs.timeline import TimeAsked
from knockon.sources.base import Taken
from knockon.store.run import WHOLE, KeptHypothesis, KeptLack, KeptRun, Part, RunKey, RunPage, TargetPage
from knockon.store.store import Store
from knockon.terms.errors import IntakeError, LimitExceeded, NotFound, Problem, StoreError
from knockon.terms.fact import Fact
from knockon.terms.limits import HISTORY_DAYS_DEFAULT, RUN_READINGS_MAX, TARGET_TEXT_MAX
from knockon.terms.reading import Reading
from knockon.terms.words import Json, Scalar

# Clocks of two machines differ by minutes at most; a time beyond that is in another unit or zone.
_AHEAD_MAX = timedelta(hours=1)
# What somebody said of the deployment; all else follows from it, and may follow otherwise in another revision.
_STATED = frozenset({"set", "flag", "env", "file"})
# Up to here a whole number is the same as one with a fraction of 0.
_WHOLE_MAX = 2**53
# Eight characters of a digest tell some thousand runs apart; fewer may be meant for a target.
_ID_MIN = 8
_ID = re.compile(rf"[0-9a-f]{{{_ID_MIN},64}}")


@dataclass(frozen=True, slots=True)
class History:
    """The runs kept in one database, and for how long."""

    store: Store
    days: int = HISTORY_DAYS_DEFAULT
    """Runs measured longer ago are not kept; 0 keeps them for ever."""
    is_read_only: bool = False
    """Whether nothing may be handed in."""
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)

    def runs(
        self,
        target: str,
        *,
        limit: int,
        part: Part[RunKey] = WHOLE,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> RunPage:
        """Runs of a target, newest first: those in `part`, measured from `since` and before `until`.

        Raises:
            NotFound: no run of that target is kept. IntakeError: a time without its zone, or an end before its begin.
            LimitExceeded: the name or the page is too long. StoreError: the database cannot be read.
        """
        since, until = zoned(since, "from"), zoned(until, "to")
        if since is not None and until is not None and until <= since:
            what = f"the time asked about ends at {until.isoformat()}, before it begins at {since.isoformat()}"
            raise IntakeError(Problem("bad-time", what, "`from` before `to`", "exchange the two"))
        return self.store.runs(_target(target), limit, part=part, since=since, until=until)

    def run(self, named: str) -> KeptRun:
        """One run: by the beginning of its id (8 characters or more), or the newest of a target, TARGET or TARGET@TIME.

        With a time it is the newest that was measured then or before.

        Raises:
            NotFound: no run or target is called so. IntakeError: a time that is none, or several runs begin so.
            StoreError: the database cannot be read.
        """
        if _ID.fullmatch(named) and (found := self.store.run(named)) is not None:
            return found
        target, at, time = named.rpartition("@")
        until = _at(time) if at else None
        last = until + timedelta(microseconds=1) if until is not None else None
        page = self.runs(target if at else named, limit=1, until=last)
        if not page.runs:
            raise NotFound("run", named, fix=f"the first run of {target} was measured later")
        return page.runs[0]

    def require_writable(self) -> None:
        """Raise StoreError where nothing may be handed in."""
        if self.is_read_only:
            raise StoreError(
                Problem("read-only", "this service only reads", "one that keeps runs", "hand the run in there instead")
            )

    def targets(self, *, limit: int, part: Part[str] = WHOLE) -> TargetPage:
        """The targets in `part` that runs are kept of, by name; raises LimitExceeded and StoreError."""
        return self.store.targets(limit, part=part)


def measured_in(run: KeptRun) -> tuple[list[Taken], Asked | None]:
    """What was measured in a kept run and what was stated of its deployment, as `diagnose` takes them."""
    stated = dict(run.settings)
    engine = stated.pop("engine", "")
    taken = [Taken(run.readings, engine=str(engine) or None, filename=run.id[:_ID_MIN])]
    if not run.settings:
        return taken, None
    sets = [f"{name}={str(value).lower() if isinstance(value, bool) else value}" for name, value in stated.items()]
    return taken, Asked(engine=str(engine), sets=sets)


def _at(time: str) -> datetime:
    try:
        return zoned(datetime.fromisoformat(time), "the time of a run") or datetime.min.replace(tzinfo=UTC)
    except ValueError as error:
        what = f"{time!r} is no time of a run"
        raise IntakeError(Problem("bad-time", what, "TARGET@2026-11-29T12:00:00Z")) from error


def keep(
    history: History,
    knowledge: Knowledge,
    taken: Sequence[Taken],
    *,
    target: str,
    taken_at: datetime | None,
    profile: str = "default",
    sets: Sequence[str] = (),
    asked: Asked | None = None,
    time_asked: TimeAsked | None = None,
) -> KeptRun:
    """Judge readings as `diagnose` does, and keep them with what came of it.

    Args:
        target: what was measured, by a name of the client's own.
        taken_at: when, with its zone; None where the readings say it.
        history, knowledge, taken, profile, sets, asked, time_asked: where to, and as for `diagnose`.

    Returns:
        The run. One that was handed in before (same target, time, readings, profile and stated settings) is given back
        as it was kept then, with `is_new=False`.

    Raises:
        NotFound, IntakeError: as `diagnose`; also a target that is no name, and a time that is missing, has no zone, or
            lies in the future or before what is kept. LimitExceeded: too many readings. StoreError: nothing was kept.
    """
    history.require_writable()
    answer = diagnose(knowledge, taken, profile=profile, sets=sets, asked=asked, time_asked=time_asked)
    return keep_answer(history, knowledge, answer, target=target, taken_at=taken_at)


def keep_answer(
    history: History, knowledge: Knowledge, answer: DiagnoseAnswer, *, target: str, taken_at: datetime | None
) -> KeptRun:
    """Keep an answer that `diagnose` gave; arguments, result and errors as for `keep`."""
    history.require_writable()
    target = _target(target)
    if len(answer.readings) > RUN_READINGS_MAX:
        raise LimitExceeded("the number of readings of a run", limit=RUN_READINGS_MAX, found=len(answer.readings))
    now = history.clock()
    at = _moment(zoned(taken_at, "takenAt") or latest_time(answer.readings), now, days=history.days)
    run = run_of(answer, knowledge, target=target, taken_at=at, kept_at=now)
    return history.store.keep(run, since=now - timedelta(days=history.days) if history.days else None)


def run_of(
    answer: DiagnoseAnswer, knowledge: Knowledge, *, target: str, taken_at: datetime, kept_at: datetime
) -> KeptRun:
    """The run that an answer of `diagnose` is kept as."""
    diagnosis = answer.diagnosis
    readings = tuple(_as_judged(answer))
    settings = {name: fact.value for name, fact in sorted(answer.facts.items()) if _is_stated(fact)}
    return KeptRun(
        id=_id(target, taken_at, answer.readings, profile=answer.profile.name, settings=settings),
        target=target,
        taken_at=taken_at,
        kept_at=kept_at,
        revision=knowledge.number,
        digest=knowledge.digest,
        profile=answer.profile.name,
        verdict=diagnosis.verdict,
        finest=diagnosis.finest,
        between=diagnosis.between,
        hypotheses=tuple(
            KeptHypothesis(one.rule.id, one.wall, one.confidence, one.says, one.observations)
            for one in diagnosis.hypotheses
        ),
        missing=tuple(KeptLack(one.name, one.checklist, one.decides, one.separates) for one in diagnosis.missing),
        readings=readings,
        settings=settings,
    )


def zoned(moment: datetime | None, argument: str) -> datetime | None:
    """A time in UTC; raises IntakeError where it has no zone, or none that UTC can hold."""
    if moment is None:
        return None
    if moment.tzinfo is None:
        what = f"{argument} has no zone: {moment.isoformat()}"
        raise IntakeError(Problem("bad-time", what, "a time with its zone", "add Z where it is UTC"))
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise IntakeError(Problem("bad-time", f"{argument} cannot be told in UTC", "a year from 1 to 9999")) from error


def _target(name: str) -> str:
    if len(name) > TARGET_TEXT_MAX:
        raise LimitExceeded("the name of a target", limit=TARGET_TEXT_MAX, found=len(name), fix="choose a shorter one")
    if not name.strip() or name != name.strip() or not name.isprintable():
        what = f"{name!r} is no name of a target"
        fix = "for example prod/qwen3-8xh200"
        raise IntakeError(Problem("bad-target", what, "one line of text without blanks around it", fix))
    return name


def _moment(at: datetime | None, now: datetime, *, days: int) -> datetime:
    """When the run was measured; raises IntakeError for a time that cannot be kept."""
    if at is None:
        raise IntakeError(
            Problem(
                "time-missing",
                "nothing says when this was measured",
                "`takenAt`, or readings that have a time",
                "give the time of the measurement, so that the same run handed in again stays one",
            )
        )
    if at > now + _AHEAD_MAX:
        what = f"the run is of {at.isoformat()}, which is still to come"
        raise IntakeError(Problem("bad-time", what, "a time that has passed", "check its unit and its zone"))
    if days and at < now - timedelta(days=days):
        what = f"the run is of {at.isoformat()}, and runs are kept for {days} days"
        fix = "the setting KNOCKON_HISTORY_DAYS keeps them longer"
        raise IntakeError(Problem("bad-time", what, "a run that would be kept", fix))
    return at


def latest_time(readings: Sequence[Reading]) -> datetime | None:
    """The latest time that readings say they are of; None where none does."""
    times = [one.at_s for one in readings if one.at_s is not None]
    try:
        return datetime.fromtimestamp(max(times), UTC) if times else None
    except (ValueError, OverflowError, OSError):
        # A number that is no time: the client is then asked for one.
        return None


def _as_judged(answer: DiagnoseAnswer) -> Iterator[Reading]:
    """The readings, those that could not be used with the reason."""
    refused = {_key(one): one for one in (*answer.intake.missing, *answer.intake.invalid)}
    for one in answer.readings:
        if isinstance(one.value, float) and not math.isfinite(one.value):
            yield replace(one, value=None, state="invalid", raw=str(one.value), why="no finite number")
        else:
            yield refused.get(_key(one), one)


def _key(reading: Reading) -> tuple[str, str, str]:
    return reading.name, reading.replica, reading.model


def _is_stated(fact: Fact) -> bool:
    return fact.origin.kind in _STATED


def _id(
    target: str,
    taken_at: datetime,
    readings: Sequence[Reading],
    *,
    profile: str,
    settings: Mapping[str, Scalar],
) -> str:
    """The same for the same run, in whatever file and order it was handed in, and whatever revision judges it."""
    said = [[one.name, one.replica, one.model, one.state, _plain(one.value), one.raw] for one in readings]
    rows: list[Json] = [*sorted(map(json.dumps, said))]
    body: Json = [target, taken_at.isoformat(), profile, dict(settings), rows]
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


def _plain(value: Scalar | None) -> Scalar | None:
    """A whole number as clients without them write it."""
    is_whole = isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _WHOLE_MAX
    return float(value) if is_whole and value is not None else value
