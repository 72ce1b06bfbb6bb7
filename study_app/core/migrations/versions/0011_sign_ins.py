"""Sign-ins that the server can end, and attempts that several servers count together."""

import sqlalchemy as sa
from alembic import op

import study_app.models.base

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make both tables; whoever is signed in signs in once more."""
    op.create_table(
        "sign_in",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("researcher_id", sa.Integer(), nullable=False),
        sa.Column("began_at", study_app.models.base.Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["researcher_id"], ["researcher.id"], name=op.f("fk_sign_in_researcher_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_sign_in_token_hash")),
    )
    op.create_index(op.f("ix_sign_in_researcher_id"), "sign_in", ["researcher_id"])
    op.create_table(
        "attempt",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attempt")),
    )
    op.create_index(op.f("ix_attempt_key"), "attempt", ["key"])


def downgrade() -> None:
    """Cookies hold again all that a sign-in is."""
    op.drop_table("attempt")
    op.drop_table("sign_in")
