"""One-time links that open a sitting's recording page on a phone."""

import sqlalchemy as sa
from alembic import op

import study_app.models.base

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "phone_link",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sitting_id", sa.Integer(), nullable=False),
        sa.Column("researcher_id", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("expires_at", study_app.models.base.Moment(), nullable=False),
        sa.Column("phone_hash", sa.String(length=64), nullable=True),
        sa.Column("ends_at", study_app.models.base.Moment(), nullable=True),
        sa.ForeignKeyConstraint(
            ["sitting_id"],
            ["sitting.id"],
            name=op.f("fk_phone_link_sitting_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["researcher_id"], ["researcher.id"], name=op.f("fk_phone_link_researcher_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_phone_link")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_phone_link_token_hash")),
    )
    op.create_index(op.f("ix_phone_link_sitting_id"), "phone_link", ["sitting_id"])
    op.create_index(op.f("ix_phone_link_researcher_id"), "phone_link", ["researcher_id"])


def downgrade() -> None:
    """Drop the table: phones have to be connected again after the next upgrade."""
    op.drop_table("phone_link")
