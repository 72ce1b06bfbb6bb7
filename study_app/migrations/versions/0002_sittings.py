"""Sittings."""

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade():
    pass


def downgrade():
    pass
