"""Revisions, and the nodes and edges they hold."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "revision",
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("parent", sa.Integer()),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_revision"),
        sa.ForeignKeyConstraint(["parent"], ["revision.number"], name="fk_revision_parent_revision"),
    )
    op.create_table(
        "node",
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("stage", sa.Text()),
        sa.Column("layer_min", sa.Integer()),
        sa.Column("layer_max", sa.Integer()),
        sa.Column("dimension", sa.Text()),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("valid_from", sa.Integer(), nullable=False),
        sa.Column("valid_to", sa.Integer()),
        sa.PrimaryKeyConstraint("kind", "key", "valid_from", name="pk_node"),
        sa.ForeignKeyConstraint(["valid_from"], ["revision.number"], name="fk_node_valid_from_revision"),
        sa.ForeignKeyConstraint(["valid_to"], ["revision.number"], name="fk_node_valid_to_revision"),
        sa.CheckConstraint("valid_to > valid_from", name=op.f("ck_node_validity")),
        sa.CheckConstraint("layer_min <= layer_max", name=op.f("ck_node_layers")),
    )
    op.create_index("ix_node_cell", "node", ["stage", "dimension", "layer_min", "layer_max"])
    op.create_index("ix_node_validity", "node", ["valid_from", "valid_to"])
    still_open = sa.text("valid_to IS NULL")
    op.create_index(
        "uq_node_open", "node", ["kind", "key"], unique=True, sqlite_where=still_open, postgresql_where=still_open
    )
    op.create_table(
        "edge",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("from_dimension", sa.Text()),
        sa.Column("onto_dimension", sa.Text()),
        sa.Column("quantity", sa.Text()),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("valid_from", sa.Integer(), nullable=False),
        sa.Column("valid_to", sa.Integer()),
        sa.PrimaryKeyConstraint("id", name="pk_edge"),
        sa.ForeignKeyConstraint(["valid_from"], ["revision.number"], name="fk_edge_valid_from_revision"),
        sa.ForeignKeyConstraint(["valid_to"], ["revision.number"], name="fk_edge_valid_to_revision"),
        sa.CheckConstraint("valid_to > valid_from", name=op.f("ck_edge_validity")),
    )
    op.create_index("ix_edge_source", "edge", ["source", "kind"])
    op.create_index("ix_edge_target", "edge", ["target", "kind"])
    op.create_index("ix_edge_shift", "edge", ["from_dimension", "onto_dimension", "quantity"])
    op.create_index("ix_edge_validity", "edge", ["valid_from", "valid_to"])


def downgrade() -> None:
    op.drop_table("edge")
    op.drop_table("node")
    op.drop_table("revision")
