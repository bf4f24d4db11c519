"""Runs that were kept, and the hypotheses that each of them led to."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "run",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("taken_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kept_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revision", sa.Integer()),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("profile", sa.Text(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_run"),
        sa.ForeignKeyConstraint(["revision"], ["revision.number"], name="fk_run_revision_revision"),
    )
    op.create_index("ix_run_target", "run", ["target", "taken_at", "id"])
    op.create_index("ix_run_taken_at", "run", ["taken_at"])
    op.create_table(
        "hypothesis",
        sa.Column("run", sa.String(64), nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.Column("wall", sa.Text(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("run", "place", name="pk_hypothesis"),
        sa.ForeignKeyConstraint(["run"], ["run.id"], name="fk_hypothesis_run_run", ondelete="CASCADE"),
    )
    op.create_index("ix_hypothesis_rule", "hypothesis", ["rule"])
    op.create_index("ix_hypothesis_wall", "hypothesis", ["wall"])


def downgrade() -> None:
    op.drop_table("hypothesis")
    op.drop_table("run")
