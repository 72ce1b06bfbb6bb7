"""Jobs that another process can run: their arguments, who asked, and who runs them.

The queue that hands them to workers on PostgreSQL is no part of these revisions: see
`study_app.core.background.job_queue`.
"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns, and notes on the installation."""
    with op.batch_alter_table("job") as table:
        table.add_column(sa.Column("arguments", sa.JSON(), nullable=False, server_default="{}"))
        table.add_column(sa.Column("researcher_id", sa.Integer(), nullable=True))
        table.add_column(sa.Column("owner", sa.String(length=16), nullable=True))
        table.create_foreign_key(
            op.f("fk_job_researcher_id"), "researcher", ["researcher_id"], ["id"]
        )
        table.create_index(op.f("ix_job_researcher_id"), ["researcher_id"])
    with op.batch_alter_table("job") as table:
        table.alter_column("arguments", server_default=None)
    op.create_table(
        "installation_note",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("value", sa.String(length=200), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_installation_note")),
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("installation_note")
    with op.batch_alter_table("job") as table:
        table.drop_index(op.f("ix_job_researcher_id"))
        table.drop_constraint(op.f("fk_job_researcher_id"), type_="foreignkey")
        for name in ("owner", "researcher_id", "arguments"):
            table.drop_column(name)
