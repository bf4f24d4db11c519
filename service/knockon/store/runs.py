"""Keeping runs, and reading them back by target and time. The caller's transaction commits."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, fields, replace
from datetime import datetime
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, Row, and_, delete, func, insert, or_, select, true

from knockon.rules.hypothesis import Observation
from knockon.store.run import KeptHypothesis, KeptLack, KeptRun, Key, Part, RunKey, RunPage, Target, TargetPage
from knockon.store.tables import hypothesis, run
from knockon.terms.errors import LimitExceeded
from knockon.terms.limits import RUN_BYTES_MAX, RUNS_REMOVED_MAX
from knockon.terms.reading import Reading
from knockon.terms.words import Json, RuleId, Text, WallId

T = TypeVar("T")
# What a reading is when nothing else is said of it is left out of its body.
_READING_DEFAULTS = {one.name: one.default for one in fields(Reading)}


def keep_run(connection: Connection, given: KeptRun, *, since: datetime | None) -> KeptRun:
    """Write a run, unless it is there already; then remove some of those measured before `since`.

    The caller holds the write lock.

    Raises:
        LimitExceeded: what would be written is over RUN_BYTES_MAX.
    """
    held = _find(connection, given.id)
    if held is not None:
        return replace(held, is_new=False)
    connection.execute(
        insert(run),
        {
            "id": given.id,
            "target": given.target,
            "taken_at": given.taken_at,
            "kept_at": given.kept_at,
            "revision": given.revision,
            "digest": given.digest,
            "profile": given.profile,
            "verdict": given.verdict,
            "body": _body(given),
        },
    )
    rows = [
        {
            "run": given.id,
            "place": place,
            "rule": one.rule,
            "wall": one.wall,
            "confidence": one.confidence,
            "body": _written({"says": asdict(one.says), "observations": [asdict(seen) for seen in one.observations]}),
        }
        for place, one in enumerate(given.hypotheses)
    ]
    if rows:
        connection.execute(insert(hypothesis), rows)
    if since is not None:
        old = select(run.c.id).where(run.c.taken_at < since).order_by(run.c.taken_at).limit(RUNS_REMOVED_MAX)
        connection.execute(delete(run).where(run.c.id.in_(old)))
    return given


def runs_of(
    connection: Connection,
    target: str,
    *,
    limit: int,
    part: Part[RunKey],
    since: datetime | None,
    until: datetime | None,
) -> RunPage:
    """At most `limit` runs of a target, newest first: in `part`, measured from `since` and before `until`."""
    asked = and_(
        run.c.target == target,
        run.c.taken_at >= since if since is not None else true(),
        run.c.taken_at < until if until is not None else true(),
    )
    newest_first = run.c.taken_at.desc(), run.c.id
    order = (run.c.taken_at, run.c.id.desc()) if part.from_end else newest_first
    within = _within(part, _is_behind, _is_ahead)
    rows = connection.execute(select(run).where(asked, *within).order_by(*order).limit(limit + 1)).all()
    has_previous, has_next = _beyond(connection, asked, part, is_cut=len(rows) > limit, within=within)
    return RunPage(
        runs=_read(connection, _in_order(rows[:limit], part)),
        has_next=has_next,
        has_previous=has_previous,
        total=connection.execute(select(func.count()).select_from(run).where(asked)).scalar_one(),
    )


def run_called(connection: Connection, start: str, *, limit: int) -> list[KeptRun]:
    """At most `limit` runs whose id begins with `start`."""
    query = select(run).where(run.c.id.startswith(start, autoescape=True)).order_by(run.c.id).limit(limit)
    return _read(connection, connection.execute(query).all())


def targets_of(connection: Connection, *, limit: int, part: Part[str]) -> TargetPage:
    """At most `limit` targets by name, those in `part`."""
    within = _within(part, lambda name: run.c.target > name, lambda name: run.c.target < name)
    query = (
        select(run.c.target, func.count(), func.min(run.c.taken_at), func.max(run.c.taken_at))
        .where(*within)
        .group_by(run.c.target)
        .order_by(run.c.target.desc() if part.from_end else run.c.target)
        .limit(limit + 1)
    )
    rows = connection.execute(query).all()
    has_previous, has_next = _beyond(connection, true(), part, is_cut=len(rows) > limit, within=within)
    return TargetPage(
        targets=[
            Target(name, count, first_at, latest_at, _latest_verdict(connection, name))
            for name, count, first_at, latest_at in _in_order(rows[:limit], part)
        ],
        has_next=has_next,
        has_previous=has_previous,
        total=connection.execute(select(func.count(run.c.target.distinct()))).scalar_one(),
    )


def is_target(connection: Connection, name: str) -> bool:
    """Whether a run of that target is kept."""
    return connection.execute(select(run.c.id).where(run.c.target == name).limit(1)).first() is not None


def target_names(connection: Connection, *, limit: int) -> tuple[str, ...]:
    """The names of up to `limit` targets."""
    query = select(run.c.target).distinct().order_by(run.c.target).limit(limit)
    return tuple(connection.execute(query).scalars())


def _is_behind(key: RunKey) -> ColumnElement[bool]:
    return or_(run.c.taken_at < key.taken_at, and_(run.c.taken_at == key.taken_at, run.c.id > key.id))


def _is_ahead(key: RunKey) -> ColumnElement[bool]:
    return or_(run.c.taken_at > key.taken_at, and_(run.c.taken_at == key.taken_at, run.c.id < key.id))


_Bound = ColumnElement[bool]


def _within(
    part: Part[Key], is_behind: Callable[[Key], _Bound], is_ahead: Callable[[Key], _Bound]
) -> tuple[_Bound, _Bound]:
    """The conditions of being behind the begin of `part` and of being before its end."""
    behind = true() if part.after is None else is_behind(part.after)
    return behind, true() if part.before is None else is_ahead(part.before)


def _beyond(
    connection: Connection, asked: _Bound, part: Part[Key], *, is_cut: bool, within: tuple[_Bound, _Bound]
) -> tuple[bool, bool]:
    """Whether something stands before the page, and behind it; `is_cut` where more of the part does."""
    behind, ahead = within

    def is_any(condition: _Bound) -> bool:
        return connection.execute(select(run.c.id).where(asked, condition).limit(1)).first() is not None

    before = part.after is not None and is_any(~behind)
    after = part.before is not None and is_any(~ahead)
    return (before or (is_cut and part.from_end), after or (is_cut and not part.from_end))


def _in_order(rows: Sequence[T], part: Part[Key]) -> Sequence[T]:
    return rows[::-1] if part.from_end else rows


def _latest_verdict(connection: Connection, target: str) -> str:
    # One look into the index for each target of a page.
    query = select(run.c.verdict).where(run.c.target == target).order_by(run.c.taken_at.desc(), run.c.id).limit(1)
    return str(connection.execute(query).scalar_one())


def _find(connection: Connection, id_: str) -> KeptRun | None:
    rows = connection.execute(select(run).where(run.c.id == id_)).all()
    return _read(connection, rows)[0] if rows else None


def _read(connection: Connection, rows: Sequence[Row[*tuple[Any, ...]]]) -> list[KeptRun]:
    found: defaultdict[str, list[KeptHypothesis]] = defaultdict(list)
    ids = [row.id for row in rows]
    query = select(hypothesis).where(hypothesis.c.run.in_(ids)).order_by(hypothesis.c.run, hypothesis.c.place)
    for row in connection.execute(query) if ids else ():
        body = json.loads(row.body)
        seen = tuple(Observation(**one) for one in body["observations"])
        told = KeptHypothesis(RuleId(row.rule), WallId(row.wall), row.confidence, Text(**body["says"]), seen)
        found[row.run].append(told)
    return [_run(row, found[row.id]) for row in rows]


def _run(row: Row[*tuple[Any, ...]], hypotheses: Iterable[KeptHypothesis]) -> KeptRun:
    body = json.loads(row.body)
    return KeptRun(
        id=row.id,
        target=row.target,
        taken_at=row.taken_at,
        kept_at=row.kept_at,
        revision=row.revision,
        digest=row.digest,
        profile=row.profile,
        verdict=row.verdict,
        finest=body["finest"],
        between=tuple(body["between"]),
        hypotheses=tuple(hypotheses),
        missing=tuple(
            KeptLack(one["name"], one["checklist"], tuple(one["decides"]), tuple(one["separates"]))
            for one in body["missing"]
        ),
        readings=tuple(Reading(**{"value": None, **one}) for one in body["readings"]),
        settings=body["settings"],
    )


def _body(given: KeptRun) -> str:
    text = _written(
        {
            "finest": given.finest,
            "between": list(given.between),
            "missing": [asdict(one) for one in given.missing],
            "readings": [_reading(one) for one in given.readings],
            "settings": dict(given.settings),
        }
    )
    if len(text) > RUN_BYTES_MAX:
        what = "the size of a run in bytes"
        raise LimitExceeded(what, limit=RUN_BYTES_MAX, found=len(text), fix="hand in fewer readings at once")
    return text


def _reading(reading: Reading) -> dict[str, Json]:
    return {name: value for name, value in asdict(reading).items() if value != _READING_DEFAULTS[name]}


def _written(body: Mapping[str, Json]) -> str:
    # ASCII alone: a text from outside may hold halves of characters, which no database takes.
    return json.dumps(body, sort_keys=True, separators=(",", ":"), allow_nan=False)
