"""Where each card of a deck lies on its sheet, so that an export holds whole manifests."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

SIZES = ("x_mm", "y_mm", "width_mm", "height_mm")


def upgrade() -> None:
    """Nobody noted it of the decks printed before."""
    with op.batch_alter_table("deck_card") as table:
        table.add_column(sa.Column("page", sa.Integer(), nullable=True))
        for column in SIZES:
            table.add_column(sa.Column(column, sa.Double(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("deck_card") as table:
        for column in (*SIZES, "page"):
            table.drop_column(column)
