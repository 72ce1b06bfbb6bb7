"""How a participation ended, what is asked besides the trials, and how a platform tells who comes."""

from typing import Any

import sqlalchemy as sa
from alembic import op

import study_app.models.base

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def _added() -> dict[str, list[sa.Column[Any]]]:
    """The new columns of each table, with what the rows before them hold."""
    moment = study_app.models.base.Moment()

    def filled(name: str, kind: Any, first: Any) -> sa.Column[Any]:
        return sa.Column(name, kind, nullable=False, server_default=first)

    return {
        "web_task": [
            sa.Column("people", sa.Integer(), nullable=True),
            filled("comprehension", sa.JSON(), "[]"),
            filled("attempts", sa.Integer(), "2"),
            filled("end_questions", sa.JSON(), "[]"),
            filled("asks_comment", sa.Boolean(), sa.false()),
            filled("debriefing", sa.String(), ""),
            filled("laptop_only", sa.Boolean(), sa.false()),
            sa.Column("screen_width", sa.Integer(), nullable=True),
            sa.Column("screen_height", sa.Integer(), nullable=True),
            filled("endings", sa.JSON(), "{}"),
        ],
        "invitation": [filled("platform", sa.String(length=20), "")],
        "ranking_sitting": [
            filled("attempts", sa.Integer(), "0"),
            sa.Column("ready_at", moment, nullable=True),
            sa.Column("ending", sa.String(length=16), nullable=True),
            sa.Column("end_answered_at", moment, nullable=True),
        ],
        "ranking_task": [sa.Column("checks_needed", sa.Integer(), nullable=True)],
    }


def upgrade() -> None:
    """Whoever finished by the time limit ended so; nobody before needed a comprehension check."""
    for table, columns in _added().items():
        with op.batch_alter_table(table) as batch:
            for column in columns:
                batch.add_column(column)
        with op.batch_alter_table(table) as batch:
            for column in (one for one in columns if not one.nullable):
                batch.alter_column(column.name, existing_type=column.type, server_default=None)
    op.execute("update invitation set platform = 'prolific' where kind = 'platform'")
    op.execute(
        "update ranking_sitting set ready_at = agreed_at, end_answered_at = finished_at,"
        " ending = case when withdrawn_at is not null then 'withdrew'"
        " when finished_at is null then null when time_up then 'time_up' else 'complete' end"
    )
    with op.batch_alter_table("ranking_sitting") as batch:
        batch.drop_column("time_up")
    op.create_table(
        "early_ending",
        sa.Column("invitation_id", sa.Integer(), nullable=False),
        sa.Column("ending", sa.String(length=16), nullable=False),
        sa.Column("people", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["invitation_id"], ["invitation.id"], name=op.f("fk_early_ending_invitation_id")
        ),
        sa.PrimaryKeyConstraint("invitation_id", "ending", name=op.f("pk_early_ending")),
    )


def downgrade() -> None:
    """Every ending but that of the time limit was a finished one before, or none."""
    op.drop_table("early_ending")
    with op.batch_alter_table("ranking_sitting") as batch:
        batch.add_column(
            sa.Column("time_up", sa.Boolean(), nullable=False, server_default=sa.false())
        )
    op.execute("update ranking_sitting set time_up = (coalesce(ending, '') = 'time_up')")
    with op.batch_alter_table("ranking_sitting") as batch:
        batch.alter_column("time_up", existing_type=sa.Boolean(), server_default=None)
    for table, columns in _added().items():
        with op.batch_alter_table(table) as batch:
            for column in columns:
                batch.drop_column(column.name)
