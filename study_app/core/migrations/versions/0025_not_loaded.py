"""Images that did not load are found without reading every score."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

INDEX = "ix_score_not_loaded"
MISSING = sa.text("value IS NULL")


def upgrade() -> None:
    """Add the index."""
    op.create_index(
        INDEX,
        "score",
        ["assigned_query_id"],
        sqlite_where=MISSING,
        postgresql_where=MISSING,
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_index(INDEX, "score")
