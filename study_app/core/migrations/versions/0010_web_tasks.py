"""What every task on the web shares gets a table of its own; a method keeps only what is its "
"own."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

# Tables whose task may be of any method.
OF_ANY_METHOD = ("consent_text", "invitation", "ranking_sitting")
SHARED = (
    "study_id",
    "name",
    "minutes",
    "hold_minutes",
    "seed",
    "questions",
    "completion_url",
    "completion_code",
    "closed_at",
    "created_at",
)


def _columns(nullable: bool = False) -> list[sa.Column[Any]]:
    """The shared columns; a table that has rows already takes them empty first."""
    return [
        sa.Column("study_id", sa.Integer(), nullable=nullable),
        sa.Column("name", sa.String(length=120), nullable=nullable),
        sa.Column("minutes", sa.Integer(), nullable=True),
        sa.Column("hold_minutes", sa.Integer(), nullable=nullable),
        sa.Column("seed", sa.Integer(), nullable=nullable),
        sa.Column("questions", sa.JSON(), nullable=nullable),
        sa.Column("completion_url", sa.String(length=400), nullable=nullable),
        sa.Column("completion_code", sa.String(length=40), nullable=nullable),
        sa.Column("closed_at", sa.DateTime(), nullable=True),
        sa.Column("created_at", sa.DateTime(), nullable=nullable),
    ]


def upgrade() -> None:
    """Copy the shared columns of every ranking task, under the same id, then drop them there."""
    op.create_table(
        "web_task",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("method", sa.String(length=20), nullable=False),
        *_columns(),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_web_task_study_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_web_task")),
        sa.UniqueConstraint("study_id", "name", name=op.f("uq_web_task_study_id_name")),
    )
    op.create_index(op.f("ix_web_task_study_id"), "web_task", ["study_id"])
    names = ", ".join(SHARED)
    op.execute(
        f"insert into web_task (id, method, {names}) select id, 'ranking', {names} from "
        f"ranking_task"
    )
    _count_on("web_task")
    _point_to("web_task")
    with op.batch_alter_table("ranking_task") as batch:
        batch.drop_index(op.f("ix_ranking_task_study_id"))
        batch.drop_constraint(op.f("uq_ranking_task_study_id_name"), type_="unique")
        batch.drop_constraint(op.f("fk_ranking_task_study_id"), type_="foreignkey")
        for name in SHARED:
            batch.drop_column(name)
        batch.create_foreign_key(op.f("fk_ranking_task_id"), "web_task", ["id"], ["id"])


def downgrade() -> None:
    """Copy them back; only tasks of the method "ranking" had a place before."""
    with op.batch_alter_table("ranking_task") as batch:
        batch.drop_constraint(op.f("fk_ranking_task_id"), type_="foreignkey")
        for column in _columns(nullable=True):
            batch.add_column(column)
    for name in SHARED:
        op.execute(
            f"update ranking_task set {name} ="
            f" (select {name} from web_task where web_task.id = ranking_task.id)"
        )
    with op.batch_alter_table("ranking_task") as batch:
        for column in _columns():
            if not column.nullable:
                batch.alter_column(column.name, existing_type=column.type, nullable=False)
        batch.create_unique_constraint(op.f("uq_ranking_task_study_id_name"), ["study_id", "name"])
        batch.create_foreign_key(op.f("fk_ranking_task_study_id"), "study", ["study_id"], ["id"])
        batch.create_index(op.f("ix_ranking_task_study_id"), ["study_id"])
    _count_on("ranking_task")
    _point_to("ranking_task")
    op.drop_table("web_task")


def _point_to(table: str) -> None:
    """Let whatever is of any method refer to the tasks of this table."""
    for name in OF_ANY_METHOD:
        key = op.f(f"fk_{name}_task_id")
        with op.batch_alter_table(name) as batch:
            batch.drop_constraint(key, type_="foreignkey")
            batch.create_foreign_key(key, table, ["task_id"], ["id"])


def _count_on(table: str) -> None:
    """PostgreSQL counts ids apart from the rows: the next one comes after those copied."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            f"select setval(pg_get_serial_sequence('{table}', 'id'), max(id)) from {table}"
            " having max(id) is not null"
        )
