"""What a study asks people to do, and what its stored figures are worth."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

SORTED = """id in (select study_id from sitting) or id in (select s.study_id from stimulus_set s
    join deck d on d.set_id = s.id)"""
RANKED = "id in (select study_id from web_task)"


def upgrade() -> None:
    """Add the columns; a study with data of one method shows the steps of that method."""
    with op.batch_alter_table("study") as batch:
        batch.add_column(
            sa.Column("methods", sa.String(length=10), nullable=False, server_default="both")
        )
    with op.batch_alter_table("study") as batch:
        batch.alter_column("methods", server_default=None)
    op.execute(f"update study set methods = 'sorting' where ({SORTED}) and not ({RANKED})")
    op.execute(f"update study set methods = 'ranking' where ({RANKED}) and not ({SORTED})")
    with op.batch_alter_table("gold_figure") as batch:
        batch.add_column(sa.Column("chance", sa.Double(), nullable=True))
        batch.add_column(sa.Column("people", sa.Integer(), nullable=True))


def downgrade() -> None:
    """Every study shows every step again."""
    with op.batch_alter_table("gold_figure") as batch:
        batch.drop_column("people")
        batch.drop_column("chance")
    with op.batch_alter_table("study") as batch:
        batch.drop_column("methods")
