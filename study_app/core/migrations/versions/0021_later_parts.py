"""Later parts of a task as studies of their own on a recruitment platform."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; nobody has come for a later part."""
    later = sa.Column("later_parts", sa.JSON(), nullable=False, server_default="{}")
    with op.batch_alter_table("platform_identity") as batch:
        batch.add_column(later)
    with op.batch_alter_table("platform_identity") as batch:
        batch.alter_column("later_parts", server_default=None)


def downgrade() -> None:
    """Only the submission of the first part stays known."""
    with op.batch_alter_table("platform_identity") as batch:
        batch.drop_column("later_parts")
