"""Systems."""

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade():
    pass


def downgrade():
    pass
