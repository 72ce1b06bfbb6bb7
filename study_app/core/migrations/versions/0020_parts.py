"""Tasks on the web in parts on several days."""

from typing import Any

import sqlalchemy as sa
from alembic import op

import study_app.models.base

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

# Numbers, with what holds for tasks and sittings that are there.
NUMBERS = {
    "web_task": {"parts": 1, "part_hours": 24, "part_days": 7},
    "web_sitting": {"parts": 1, "part": 1},
    "assigned_query": {"part": 1},
}


def upgrade() -> None:
    """Add the columns; every task has one part."""
    for table, columns in NUMBERS.items():
        for name, value in columns.items():
            _add(table, sa.Column(name, sa.Integer(), nullable=False, server_default=str(value)))
    _add("web_task", sa.Column("part_codes", sa.JSON(), nullable=False, server_default="[]"))
    with op.batch_alter_table("web_sitting") as batch:
        batch.add_column(sa.Column("next_part_at", study_app.models.base.Moment(), nullable=True))


def _add(table: str, column: sa.Column[Any]) -> None:
    with op.batch_alter_table(table) as batch:
        batch.add_column(column)
    with op.batch_alter_table(table) as batch:
        batch.alter_column(column.name, server_default=None)


def downgrade() -> None:
    """Whoever was between two parts is within the part that they did."""
    with op.batch_alter_table("web_sitting") as batch:
        batch.drop_column("next_part_at")
    with op.batch_alter_table("web_task") as batch:
        batch.drop_column("part_codes")
    for table, columns in NUMBERS.items():
        with op.batch_alter_table(table) as batch:
            for name in columns:
                batch.drop_column(name)
