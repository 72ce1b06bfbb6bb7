"""Indexes of events that are undone and of cards in photos skip the many rows without either."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

INDEXES = (("ix_act_undoes_id", "act", "undoes_id"), ("ix_scan_photo_id", "scan", "photo_id"))


def upgrade() -> None:
    """Build them again, of rows with a value."""
    for name, table, column in INDEXES:
        op.drop_index(name, table)
        known = sa.text(f"{column} IS NOT NULL")
        op.create_index(name, table, [column], sqlite_where=known, postgresql_where=known)


def downgrade() -> None:
    """Build them again, of every row."""
    for name, table, column in INDEXES:
        op.drop_index(name, table)
        op.create_index(name, table, [column])
