"""The tables: revisions with their nodes and edges, by the range of revisions these are valid in; runs that were kept.

A row is valid in revision n when `valid_from <= n` and (`valid_to` is NULL or `valid_to > n`). Rows are only ever
added, and closed once by setting `valid_to`; so what an old revision holds never changes, and reading needs no lock.

Bodies are kept as canonical text, not as a JSON type: PostgreSQL's jsonb would turn 2.0 and 2 into one number, and the
digest of a revision must come out the same from both databases.

A run is one measurement of a target with the diagnosis that was made of it; it is written once and removed when it is
old. What people look for (target, time, rule, wall) are columns, the rest is its body.
"""

from datetime import UTC, datetime

from sqlalchemy import (
    CheckConstraint,
    Column,
    ColumnElement,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    or_,
)


class Moment(TypeDecorator[datetime]):
    """A point in time with its zone, kept in UTC; SQLite has no zones and keeps the bare UTC time."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Turn into UTC what goes into the database."""
        return value.astimezone(UTC) if value is not None else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give back UTC, whatever zone the database's session speaks."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


# Names are fixed by rule, so that a later migration can drop a constraint that SQLite would leave nameless.
metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

revision = Table(
    "revision",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("digest", String(64), nullable=False),
    Column("parent", Integer, ForeignKey("revision.number")),
    Column("author", Text, nullable=False),
    Column("message", Text, nullable=False),
    Column("at", Moment, nullable=False),
)

node = Table(
    "node",
    metadata,
    Column("kind", String(32), primary_key=True),
    Column("key", Text, primary_key=True),
    Column("stage", Text),
    Column("layer_min", Integer),
    Column("layer_max", Integer),
    Column("dimension", Text),
    Column("body", Text, nullable=False),
    Column("valid_from", Integer, ForeignKey("revision.number"), primary_key=True),
    Column("valid_to", Integer, ForeignKey("revision.number")),
    CheckConstraint("valid_to > valid_from", name="validity"),
    CheckConstraint("layer_min <= layer_max", name="layers"),
    Index("ix_node_cell", "stage", "dimension", "layer_min", "layer_max"),
    Index("ix_node_validity", "valid_from", "valid_to"),
)

edge = Table(
    "edge",
    metadata,
    # Two shifts of one technique may differ in nothing but their condition, so the columns do not name a row.
    Column("id", Integer, primary_key=True),
    Column("kind", String(32), nullable=False),
    Column("source", Text, nullable=False),
    Column("target", Text, nullable=False),
    Column("from_dimension", Text),
    Column("onto_dimension", Text),
    Column("quantity", Text),
    Column("body", Text, nullable=False),
    Column("valid_from", Integer, ForeignKey("revision.number"), nullable=False),
    Column("valid_to", Integer, ForeignKey("revision.number")),
    CheckConstraint("valid_to > valid_from", name="validity"),
    Index("ix_edge_source", "source", "kind"),
    Index("ix_edge_target", "target", "kind"),
    Index("ix_edge_shift", "from_dimension", "onto_dimension", "quantity"),
    Index("ix_edge_validity", "valid_from", "valid_to"),
)

# At most one row of a node is open, whatever goes wrong between two publishers.
Index(
    "uq_node_open",
    node.c.kind,
    node.c.key,
    unique=True,
    sqlite_where=node.c.valid_to.is_(None),
    postgresql_where=node.c.valid_to.is_(None),
)

run = Table(
    "run",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("target", Text, nullable=False),
    Column("taken_at", Moment, nullable=False),
    Column("kept_at", Moment, nullable=False),
    # None where it was judged by trees that were never published here; the digest names them all the same.
    Column("revision", Integer, ForeignKey("revision.number")),
    Column("digest", String(64), nullable=False),
    Column("profile", Text, nullable=False),
    Column("verdict", Text, nullable=False),
    Column("body", Text, nullable=False),
    Index("ix_run_target", "target", "taken_at", "id"),
    Index("ix_run_taken_at", "taken_at"),
)

hypothesis = Table(
    "hypothesis",
    metadata,
    Column("run", String(64), ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("rule", Text, nullable=False),
    Column("wall", Text, nullable=False),
    Column("confidence", Float, nullable=False),
    Column("body", Text, nullable=False),
    Index("ix_hypothesis_rule", "rule"),
    Index("ix_hypothesis_wall", "wall"),
)


def valid_in(table: Table, number: int) -> ColumnElement[bool]:
    """The condition that a row of `table` (node or edge) is valid in revision `number`."""
    return (table.c.valid_from <= number) & or_(table.c.valid_to.is_(None), table.c.valid_to > number)
