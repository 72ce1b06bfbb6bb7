"""The table of sittings on the web is called so, since they are of any method."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from study_app.models.base import Moment

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

OLD, NEW = "ranking_sitting", "web_sitting"
# Each key of the table itself, with the table that it refers to.
KEYS = {
    "task_id": "web_task",
    "invitation_id": "invitation",
    "participant_id": "participant",
    "consent_text_id": "consent_text",
}
# Each table that refers to a sitting, with its column.
REFERRING = {
    "assigned_query": "sitting_id",
    "score_entry": "sitting_id",
    "platform_identity": "sitting_id",
    "exclusion": "web_sitting_id",
}


def upgrade() -> None:
    """Copy the rows into a table of the new name, with every key, index and sequence."""
    _copy(OLD, NEW)


def downgrade() -> None:
    """Copy them back."""
    _copy(NEW, OLD)


def _columns() -> list[sa.Column[Any]]:
    return [
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("invitation_id", sa.Integer(), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("purpose", sa.String(length=10), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("consent_text_id", sa.Integer(), nullable=False),
        sa.Column("agreed_at", Moment(), nullable=False),
        sa.Column("answers", sa.JSON(), nullable=False),
        sa.Column("seen_at", Moment(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("ready_at", Moment(), nullable=True),
        sa.Column("finished_at", Moment(), nullable=True),
        sa.Column("ending", sa.String(length=16), nullable=True),
        sa.Column("end_answered_at", Moment(), nullable=True),
        sa.Column("withdrawn_at", Moment(), nullable=True),
        sa.Column("withdrawn_by", sa.String(length=12), nullable=True),
    ]


def _copy(old: str, new: str) -> None:
    op.create_table(
        new,
        *_columns(),
        *(
            sa.ForeignKeyConstraint([column], [f"{table}.id"], name=op.f(f"fk_{new}_{column}"))
            for column, table in KEYS.items()
        ),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{new}")),
        sa.UniqueConstraint("task_id", "number", name=op.f(f"uq_{new}_task_id_number")),
        sa.UniqueConstraint("token_hash", name=op.f(f"uq_{new}_token_hash")),
    )
    for column in KEYS:
        op.create_index(op.f(f"ix_{new}_{column}"), new, [column])
    names = ", ".join(column.name for column in _columns())
    op.execute(f"insert into {new} ({names}) select {names} from {old}")
    if op.get_bind().dialect.name == "postgresql":
        # Ids are counted apart from the rows: the next one comes after those copied.
        op.execute(
            f"select setval(pg_get_serial_sequence('{new}', 'id'), max(id)) from {new}"
            " having max(id) is not null"
        )
    for table, column in REFERRING.items():
        key = op.f(f"fk_{table}_{column}")
        with op.batch_alter_table(table) as batch:
            batch.drop_constraint(key, type_="foreignkey")
            batch.create_foreign_key(key, new, [column], ["id"])
    op.drop_table(old)
