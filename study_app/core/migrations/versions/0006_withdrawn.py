"""Of people who withdrew before this version, what they did goes too, as it does from now on."""

import sqlalchemy as sa
from alembic import op

import study_app.models.base

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

SITTING = sa.table(
    "ranking_sitting",
    sa.column("id", sa.Integer),
    sa.column("seen_at", study_app.models.base.Moment),
    sa.column("finished_at", study_app.models.base.Moment),
    sa.column("time_up", sa.Boolean),
    sa.column("withdrawn_at", study_app.models.base.Moment),
)
ASSIGNED = sa.table("assigned_query", sa.column("sitting_id", sa.Integer))


def upgrade() -> None:
    """Remove when queries were entered and in which order images were shown."""
    withdrawn = SITTING.c.withdrawn_at.is_not(None)
    gone = sa.select(SITTING.c.id).where(withdrawn)
    op.execute(sa.delete(ASSIGNED).where(ASSIGNED.c.sitting_id.in_(gone)))
    bare = {"seen_at": SITTING.c.withdrawn_at, "finished_at": None, "time_up": False}
    op.execute(sa.update(SITTING).where(withdrawn).values(bare))


def downgrade() -> None:
    """What was removed does not come back."""
