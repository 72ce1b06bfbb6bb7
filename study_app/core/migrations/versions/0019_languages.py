"""Languages of studies, tasks and sittings."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

# What earlier sittings were read in is English; a task leaves the language to the browser.
ADDED = {"study": "en", "web_task": "", "web_sitting": "en", "sitting": ""}


def upgrade() -> None:
    """Add a language to each; what is there was in English."""
    # Not in a batch: SQLite adds a column with a default in place, and copies no table.
    for table, first in ADDED.items():
        language = sa.Column("language", sa.String(length=12), nullable=False, server_default=first)
        op.add_column(table, language)


def downgrade() -> None:
    """Forget the languages."""
    for table in ADDED:
        op.drop_column(table, "language")
