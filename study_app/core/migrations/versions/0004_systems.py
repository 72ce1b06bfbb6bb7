"""Systems, and the figures of gold standards."""

import sqlalchemy as sa
from alembic import op

import study_app.models.base

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "gold_figure",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("target", sa.String(length=20), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("measure", sa.String(length=4), nullable=False),
        sa.Column("value", sa.Double(), nullable=True),
        sa.Column("computed_at", study_app.models.base.Moment(), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_gold_figure_study_id")),
        sa.PrimaryKeyConstraint("study_id", "target", name=op.f("pk_gold_figure")),
    )
    op.create_table(
        "system",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("set_id", sa.Integer(), nullable=True),
        sa.Column("task_id", sa.Integer(), nullable=True),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("direction", sa.String(length=10), nullable=False),
        sa.Column("file_name", sa.String(length=200), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("added_at", study_app.models.base.Moment(), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_system_study_id")),
        sa.ForeignKeyConstraint(["set_id"], ["stimulus_set.id"], name=op.f("fk_system_set_id")),
        sa.ForeignKeyConstraint(["task_id"], ["ranking_task.id"], name=op.f("fk_system_task_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_system")),
        sa.UniqueConstraint(
            "study_id",
            "set_id",
            "task_id",
            "name",
            name=op.f("uq_system_study_id_set_id_task_id_name"),
        ),
    )
    op.create_index(op.f("ix_system_study_id"), "system", ["study_id"], unique=False)
    op.create_index(op.f("ix_system_set_id"), "system", ["set_id"], unique=False)
    op.create_index(op.f("ix_system_task_id"), "system", ["task_id"], unique=False)


def downgrade() -> None:
    op.drop_table("system")
    op.drop_table("gold_figure")
