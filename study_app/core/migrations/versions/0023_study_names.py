"""Study names are not unique: a name would tell others that the study exists."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

STUDY = sa.table("study", sa.column("id", sa.Integer), sa.column("name", sa.String))


def upgrade() -> None:
    """Drop the constraint."""
    with op.batch_alter_table("study") as batch:
        batch.drop_constraint(op.f("uq_study_name"), type_="unique")


def downgrade() -> None:
    """Add the number of the study to a name that is taken."""
    first = sa.select(sa.func.min(STUDY.c.id)).group_by(STUDY.c.name)
    later = sa.select(STUDY).where(STUDY.c.id.not_in(first))
    for number, name in op.get_bind().execute(later).all():
        renamed = f"{name[:105]} ({number})"
        op.execute(sa.update(STUDY).where(STUDY.c.id == number).values(name=renamed))
    with op.batch_alter_table("study") as batch:
        batch.create_unique_constraint(op.f("uq_study_name"), ["name"])
