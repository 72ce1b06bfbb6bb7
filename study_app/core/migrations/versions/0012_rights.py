"""Exclusions with their rules, consent of assessors, withdrawal at tables, retention dates."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from study_app.models.base import Moment

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables and columns; every earlier row stays as it is."""
    _table(
        "assessor_text",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("information", sa.Text(), nullable=False),
        sa.Column("consent", sa.Text(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.UniqueConstraint("study_id", "version", name=op.f("uq_assessor_text_study_id_version")),
        keys={"study_id": "study"},
    )
    _table(
        "exclusion_rule",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("threshold", sa.Double(), nullable=False),
        sa.Column("set_at", Moment(), nullable=False),
        sa.Column("set_by_id", sa.Integer()),
        sa.Column("removed_at", Moment()),
        keys={"study_id": "study", "set_by_id": "researcher"},
    )
    _exclusions()
    _consents()
    _retention()
    with op.batch_alter_table("participant") as batch:
        batch.add_column(sa.Column("withdrawn_at", Moment()))
    with op.batch_alter_table("sitting") as batch:
        for name, kind in (
            ("retest_of_id", sa.Integer()),
            ("day", sa.Date()),
            ("place_in_order", sa.Integer()),
            ("withdrawn_at", Moment()),
            ("withdrawn_by_id", sa.Integer()),
        ):
            batch.add_column(sa.Column(name, kind, nullable=True))
        for name, target in (("retest_of_id", "sitting"), ("withdrawn_by_id", "researcher")):
            batch.create_index(op.f(f"ix_sitting_{name}"), [name])
            batch.create_foreign_key(op.f(f"fk_sitting_{name}"), target, [name], ["id"])


def downgrade() -> None:
    """Drop them with their rows."""
    with op.batch_alter_table("sitting") as batch:
        for name in ("retest_of_id", "withdrawn_by_id"):
            batch.drop_constraint(op.f(f"fk_sitting_{name}"), type_="foreignkey")
            batch.drop_index(op.f(f"ix_sitting_{name}"))
        for name in (
            "retest_of_id",
            "day",
            "place_in_order",
            "withdrawn_at",
            "withdrawn_by_id",
        ):
            batch.drop_column(name)
    with op.batch_alter_table("participant") as batch:
        batch.drop_column("withdrawn_at")
    for name in ("retention", "deleted_photo", "assessor_consent", "exclusion"):
        op.drop_table(name)
    op.drop_table("exclusion_rule")
    op.drop_table("assessor_text")


def _table(name: str, *columns: Any, keys: dict[str, str], cascade: tuple[str, ...] = ()) -> None:
    """A table with an id of its own; each of `keys` refers to the id of another table."""
    op.create_table(
        name,
        sa.Column("id", sa.Integer(), nullable=False),
        *columns,
        *(
            sa.ForeignKeyConstraint(
                [column],
                [f"{target}.id"],
                name=op.f(f"fk_{name}_{column}"),
                ondelete="CASCADE" if column in cascade else None,
            )
            for column, target in keys.items()
        ),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{name}")),
    )
    for column in keys:
        op.create_index(op.f(f"ix_{name}_{column}"), name, [column])


def _exclusions() -> None:
    _table(
        "exclusion",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("participant_id", sa.Integer()),
        sa.Column("sitting_id", sa.Integer()),
        sa.Column("web_sitting_id", sa.Integer()),
        sa.Column("trial", sa.Integer()),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("rule_id", sa.Integer()),
        sa.Column("excluded_at", Moment(), nullable=False),
        sa.Column("excluded_by_id", sa.Integer()),
        sa.Column("undone_at", Moment()),
        sa.Column("undone_by_id", sa.Integer()),
        keys={
            "study_id": "study",
            "participant_id": "participant",
            "sitting_id": "sitting",
            "web_sitting_id": "ranking_sitting",
            "rule_id": "exclusion_rule",
            "excluded_by_id": "researcher",
            "undone_by_id": "researcher",
        },
        cascade=("sitting_id",),
    )


def _consents() -> None:
    _table(
        "assessor_consent",
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("text_id", sa.Integer(), nullable=False),
        sa.Column("how", sa.String(length=10), nullable=False),
        sa.Column("agreed_at", Moment(), nullable=False),
        sa.Column("recorded_by_id", sa.Integer()),
        sa.UniqueConstraint(
            "participant_id", "text_id", name=op.f("uq_assessor_consent_participant_id_text_id")
        ),
        keys={
            "participant_id": "participant",
            "text_id": "assessor_text",
            "recorded_by_id": "researcher",
        },
    )


def _retention() -> None:
    _table(
        "deleted_photo",
        sa.Column("sitting_id", sa.Integer(), nullable=False),
        sa.Column("deleted_at", Moment(), nullable=False),
        sa.Column("researcher_id", sa.Integer()),
        keys={"sitting_id": "sitting", "researcher_id": "researcher"},
        cascade=("sitting_id",),
    )
    op.create_table(
        "retention",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("photos_until", sa.Date()),
        sa.Column("platform_ids_until", sa.Date()),
        sa.Column("study_until", sa.Date()),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_retention_study_id")),
        sa.PrimaryKeyConstraint("study_id", name=op.f("pk_retention")),
    )
