"""Publishing: what of a bundle is new becomes rows, what is gone is closed, and a revision says so."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection, Table, bindparam, insert, select, text, update

from knockon.catalog.edges import EdgeRow, edge_rows, node_columns
from knockon.store.history import latest_revision
from knockon.store.revision import Revision
from knockon.store.tables import edge, node, revision
from knockon.terms.bundle import Bundle, canonical

CHANNEL = "knockon_revision"
"""PostgreSQL tells the number of each new revision on this channel, once it is committed."""

_NODE_VALUES = ("stage", "layer_min", "layer_max", "dimension", "body")
_EDGE_VALUES = EdgeRow._fields


def publish(connection: Connection, bundle: Bundle, *, author: str, message: str, at: datetime) -> Revision:
    """Write `bundle` as the next revision, unless the latest holds the same; the caller's transaction commits it.

    The caller holds the write lock. Only differences become rows. Edges and coordinates are compared as rows, so that
    a version of Knock-on which reads more of them from the same bodies adds them with the next revision.
    """
    latest = latest_revision(connection)
    if latest is not None and latest.digest == bundle.digest:
        return replace(latest, changed=False)
    parent = latest.number if latest is not None else None
    made = Revision((parent or 0) + 1, bundle.digest, parent, author, message, at)
    connection.execute(
        insert(revision),
        {
            "number": made.number,
            "digest": made.digest,
            "parent": parent,
            "author": author,
            "message": message,
            "at": at,
        },
    )
    _replace_nodes(connection, bundle, made.number)
    _replace_edges(connection, bundle, made.number)
    if connection.dialect.name == "postgresql":
        connection.execute(
            text("SELECT pg_notify(:channel, :number)"), {"channel": CHANNEL, "number": str(made.number)}
        )
    return made


def _replace_nodes(connection: Connection, bundle: Bundle, number: int) -> None:
    columns = [node.c.kind, node.c.key, *(node.c[name] for name in _NODE_VALUES)]
    open_rows = {
        (row[0], row[1]): tuple(row[2:])
        for row in connection.execute(select(*columns).where(node.c.valid_to.is_(None)))
    }
    wanted = {(entry.kind, entry.key): (*node_columns(entry), canonical(entry.body)) for entry in bundle.entries}
    gone = [key for key, values in open_rows.items() if wanted.get(key) != values]
    fresh = [(*key, *values) for key, values in wanted.items() if open_rows.get(key) != values]
    _close(connection, node, number, [{"is_kind": kind, "is_key": key} for kind, key in gone])
    _open(connection, node, number, [dict(zip(("kind", "key", *_NODE_VALUES), row, strict=True)) for row in fresh])


def _replace_edges(connection: Connection, bundle: Bundle, number: int) -> None:
    columns = [edge.c.id, *(edge.c[name] for name in _EDGE_VALUES)]
    open_ids: defaultdict[tuple[str | None, ...], list[int]] = defaultdict(list)
    for row in connection.execute(select(*columns).where(edge.c.valid_to.is_(None))):
        open_ids[tuple(row[1:])].append(row[0])
    fresh = []
    for wanted in edge_rows(bundle):
        # The same edge may be there more than once: each one wanted keeps one row open.
        if ids := open_ids.get(wanted):
            ids.pop()
        else:
            fresh.append(dict(zip(_EDGE_VALUES, wanted, strict=True)))
    _close(connection, edge, number, [{"is_id": gone} for ids in open_ids.values() for gone in ids])
    _open(connection, edge, number, fresh)


def _close(connection: Connection, table: Table, number: int, keys: list[dict[str, str | int]]) -> None:
    if keys:
        names = [name.removeprefix("is_") for name in keys[0]]
        same = [table.c[name] == bindparam(f"is_{name}") for name in names]
        connection.execute(update(table).where(table.c.valid_to.is_(None), *same).values(valid_to=number), keys)


def _open(connection: Connection, table: Table, number: int, rows: Sequence[Mapping[str, str | int | None]]) -> None:
    if rows:
        connection.execute(insert(table), [{**row, "valid_from": number, "valid_to": None} for row in rows])
