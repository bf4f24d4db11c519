"""Reading what was published: revisions, the bundle of one, and what changed between two."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, cast

from sqlalchemy import Connection, Row, select

from knockon.store.revision import Changes, Revision
from knockon.store.tables import node, revision, valid_in
from knockon.terms.bundle import Bundle, Entry, Kind
from knockon.terms.errors import NotFound


def latest_revision(connection: Connection) -> Revision | None:
    """The revision with the highest number; None before anything was published."""
    row = connection.execute(select(revision).order_by(revision.c.number.desc()).limit(1)).one_or_none()
    return None if row is None else _revision(row)


def revision_of(connection: Connection, number: int) -> Revision:
    """The revision with that number; raises NotFound."""
    row = connection.execute(select(revision).where(revision.c.number == number)).one_or_none()
    if row is not None:
        return _revision(row)
    latest = latest_revision(connection)
    fix = "nothing was published yet" if latest is None else f"revisions are numbered from 1 to {latest.number}"
    raise NotFound("revision", str(number), fix=fix)


def revisions_before(connection: Connection, before: int | None, *, limit: int) -> tuple[Revision, ...]:
    """At most `limit` revisions, newest first, numbered below `before` where it is given."""
    query = select(revision).order_by(revision.c.number.desc()).limit(limit)
    if before is not None:
        query = query.where(revision.c.number < before)
    return tuple(_revision(row) for row in connection.execute(query))


def bundle_of(connection: Connection, number: int) -> Bundle | None:
    """The entries valid in revision `number`, their digest unverified; None when a body is no JSON object."""
    query = select(node.c.kind, node.c.key, node.c.body).where(valid_in(node, number))
    entries = []
    for kind, key, text in connection.execute(query):
        try:
            body = json.loads(text)
        except ValueError:
            return None
        if not isinstance(body, dict):
            return None
        # A kind that only a later version knows has no migration; such entries are carried along as they are.
        entries.append(Entry(cast("Kind", kind), key, body))
    return Bundle.of(entries)


def changes_between(connection: Connection, before: int, after: int) -> Changes:
    """What revision `after` added, changed and removed against `before`; a body changed back counts as unchanged."""
    old, new = _only_in(connection, before, after), _only_in(connection, after, before)
    return Changes(
        added=_by_kind(new.keys() - old.keys()),
        changed=_by_kind(key for key in new.keys() & old.keys() if new[key] != old[key]),
        removed=_by_kind(old.keys() - new.keys()),
    )


def _only_in(connection: Connection, number: int, other: int) -> dict[tuple[str, str], str]:
    """Bodies of the rows valid in `number` that are not the very rows valid in `other`."""
    query = select(node.c.kind, node.c.key, node.c.body).where(valid_in(node, number), ~valid_in(node, other))
    return {(kind, key): body for kind, key, body in connection.execute(query)}


def _by_kind(keys: Iterable[tuple[str, str]]) -> Mapping[str, tuple[str, ...]]:
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for kind, key in sorted(keys):
        groups[kind].append(key)
    return {kind: tuple(group) for kind, group in groups.items()}


def _revision(row: Row[*tuple[Any, ...]]) -> Revision:
    return Revision(row.number, row.digest, row.parent, row.author, row.message, row.at)
