"""Makers of small bundles, and direct looks into a database, past the store."""

from collections.abc import Sequence

from sqlalchemy import create_engine, text
from sqlalchemy.pool import NullPool

from knockon.store.store import open_store
from knockon.terms.bundle import Bundle, Entry
from knockon.terms.words import Json


def technique(key: str, **body: Json) -> Entry:
    return Entry("technique", key, {"cells": [["inference", "L4", "compute"]]} | body)


def quantity(key: str, **body: Json) -> Entry:
    return Entry("quantity", key, {"of": "storage"} | body)


def bundle(*entries: Entry) -> Bundle:
    return Bundle.of(entries)


def bundle_of_size(count: int, *, edition: int) -> Bundle:
    """`count` techniques, each with one shift; two editions differ in all of them."""
    shift: dict[str, Json] = {"onto": "storage", "quantity": "kv_cache_tokens", "edition": edition}
    return Bundle.of(technique(f"t-{index}", edition=edition, shifts=[shift]) for index in range(count))


def rows(url: str, query: str) -> list[tuple[object, ...]]:
    """What `query` finds, asked over a connection of its own."""
    engine = create_engine(_with_driver(url), poolclass=NullPool)
    with engine.connect() as connection:
        return [tuple(row) for row in connection.execute(text(query))]


def execute(url: str, *statements: str) -> None:
    """Run statements from outside, as another program could."""
    engine = create_engine(_with_driver(url), poolclass=NullPool)
    with engine.begin() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)


def table_names(url: str) -> list[str]:
    """The tables there are, sorted."""
    catalog = (
        "SELECT name FROM sqlite_master WHERE type = 'table'"
        if url.startswith("sqlite")
        else "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
    )
    return sorted(str(row[0]) for row in rows(url, catalog))


def everything(url: str) -> tuple[Sequence[tuple[object, ...]], ...]:
    """All rows of all tables: what must stay the same when something was refused."""
    tables = ("alembic_version", "revision", "node", "edge", "run", "hypothesis")
    return tuple(sorted(rows(url, f"SELECT * FROM {table}"), key=repr) for table in tables)


def history(url: str) -> list[Bundle]:
    """The bundles of all revisions, oldest first, read by a store of its own."""
    with open_store(url) as store:
        return [store.read(revision.number) for revision in reversed(store.revisions(100))]


def _with_driver(url: str) -> str:
    return url.replace("postgresql://", "postgresql+psycopg://")
