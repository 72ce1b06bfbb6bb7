"""Near-duplicates of a set that a researcher keeps."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; no pair is kept yet."""
    kept = sa.Column("kept_pairs", sa.JSON(), nullable=False, server_default="[]")
    with op.batch_alter_table("stimulus_set") as batch:
        batch.add_column(kept)
    with op.batch_alter_table("stimulus_set") as batch:
        batch.alter_column("kept_pairs", server_default=None)


def downgrade() -> None:
    """Every pair is shown again."""
    with op.batch_alter_table("stimulus_set") as batch:
        batch.drop_column("kept_pairs")
