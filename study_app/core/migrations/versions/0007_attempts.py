"""Guesses at passwords are counted by the server, not in the row of the researcher they aim at."""

import sqlalchemy as sa
from alembic import op

import study_app.models.base

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forget the failures of each name."""
    with op.batch_alter_table("researcher") as table:
        table.drop_column("failures")
        table.drop_column("locked_until")


def downgrade() -> None:
    """Nobody has failed yet."""
    with op.batch_alter_table("researcher") as table:
        table.add_column(sa.Column("failures", sa.Integer(), nullable=False, server_default="0"))
        table.add_column(sa.Column("locked_until", study_app.models.base.Moment(), nullable=True))
    with op.batch_alter_table("researcher") as table:
        table.alter_column("failures", server_default=None)
