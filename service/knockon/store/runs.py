"""Keeping runs, and reading them back by target and time. The caller's transaction commits."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields, replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, delete, func, insert, or_, select, true

from knockon.rules.hypothesis import Observation
from knockon.store.run import KeptHypothesis, KeptLack, KeptRun, RunKey, RunPage, Target, TargetPage
from knockon.store.tables import hypothesis, run
from knockon.terms.errors import LimitExceeded
from knockon.terms.limits import RUN_BYTES_MAX, RUNS_REMOVED_MAX
from knockon.terms.reading import Reading
from knockon.terms.words import Json, RuleId, Text, WallId

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
    after: RunKey | None,
    since: datetime | None,
    until: datetime | None,
) -> RunPage:
    """At most `limit` runs of a target, newest first: behind `after`, measured from `since` and before `until`."""
    asked = and_(
        run.c.target == target,
        run.c.taken_at >= since if since is not None else true(),
        run.c.taken_at < until if until is not None else true(),
    )
    behind = true() if after is None else _is_behind(after)
    query = select(run).where(asked, behind).order_by(run.c.taken_at.desc(), run.c.id).limit(limit + 1)
    rows = connection.execute(query).all()
    before = select(run.c.id).where(asked, ~behind).limit(1)
    return RunPage(
        runs=_read(connection, rows[:limit]),
        has_next=len(rows) > limit,
        has_previous=after is not None and connection.execute(before).first() is not None,
        total=connection.execute(select(func.count()).select_from(run).where(asked)).scalar_one(),
    )


def targets_of(connection: Connection, *, limit: int, after: str | None) -> TargetPage:
    """At most `limit` targets by name, those behind `after`."""
    behind = true() if after is None else run.c.target > after
    query = (
        select(run.c.target, func.count(), func.min(run.c.taken_at), func.max(run.c.taken_at))
        .where(behind)
        .group_by(run.c.target)
        .order_by(run.c.target)
        .limit(limit + 1)
    )
    rows = connection.execute(query).all()
    before = select(run.c.id).where(run.c.target <= after).limit(1) if after is not None else None
    return TargetPage(
        targets=[
            Target(name, count, first_at, latest_at, _latest_verdict(connection, name))
            for name, count, first_at, latest_at in rows[:limit]
        ],
        has_next=len(rows) > limit,
        has_previous=before is not None and connection.execute(before).first() is not None,
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
