"""Sittings."""

import sqlalchemy as sa
from alembic import op

import study_app.models.base

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "study_instructions",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["study_id"], ["study.id"], name=op.f("fk_study_instructions_study_id")
        ),
        sa.PrimaryKeyConstraint("study_id", name=op.f("pk_study_instructions")),
    )
    op.create_table(
        "sitting",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("set_id", sa.Integer(), nullable=False),
        sa.Column("deck_number", sa.Integer(), nullable=True),
        sa.Column("deck_id", sa.Integer(), nullable=True),
        sa.Column("first_entry_id", sa.Integer(), nullable=True),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("limit_minutes", sa.Integer(), nullable=True),
        sa.Column("instructions", sa.Text(), nullable=True),
        sa.Column("notes", sa.Text(), nullable=False),
        sa.Column("missing_reason", sa.Text(), nullable=False),
        sa.Column("imported_from", sa.String(length=200), nullable=True),
        sa.Column("created_at", study_app.models.base.Moment(), nullable=False),
        sa.Column("started_at", study_app.models.base.Moment(), nullable=True),
        sa.Column("stopped_at", study_app.models.base.Moment(), nullable=True),
        sa.Column("finished_at", study_app.models.base.Moment(), nullable=True),
        sa.ForeignKeyConstraint(["deck_id"], ["deck.id"], name=op.f("fk_sitting_deck_id")),
        sa.ForeignKeyConstraint(
            ["first_entry_id"], ["sitting.id"], name=op.f("fk_sitting_first_entry_id")
        ),
        sa.ForeignKeyConstraint(["set_id"], ["stimulus_set.id"], name=op.f("fk_sitting_set_id")),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_sitting_study_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sitting")),
        sa.UniqueConstraint("study_id", "number", name=op.f("uq_sitting_study_id_number")),
    )
    op.create_index(op.f("ix_sitting_deck_id"), "sitting", ["deck_id"], unique=False)
    op.create_index(op.f("ix_sitting_first_entry_id"), "sitting", ["first_entry_id"], unique=False)
    op.create_index(op.f("ix_sitting_set_id"), "sitting", ["set_id"], unique=False)
    op.create_index(op.f("ix_sitting_study_id"), "sitting", ["study_id"], unique=False)
    op.create_table(
        "act",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sitting_id", sa.Integer(), nullable=False),
        sa.Column("client_id", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("undoes_id", sa.Integer(), nullable=True),
        sa.Column("researcher_id", sa.Integer(), nullable=True),
        sa.Column("at", study_app.models.base.Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["researcher_id"], ["researcher.id"], name=op.f("fk_act_researcher_id")
        ),
        sa.ForeignKeyConstraint(
            ["sitting_id"], ["sitting.id"], name=op.f("fk_act_sitting_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["undoes_id"], ["act.id"], name=op.f("fk_act_undoes_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_act")),
        sa.UniqueConstraint("sitting_id", "client_id", name=op.f("uq_act_sitting_id_client_id")),
    )
    op.create_index(op.f("ix_act_undoes_id"), "act", ["undoes_id"], unique=False)
    op.create_table(
        "photo",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sitting_id", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("original_bytes", sa.Integer(), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column("one_group", sa.Boolean(), nullable=False),
        sa.Column("reading", sa.JSON(), nullable=False),
        sa.Column("taken_at", study_app.models.base.Moment(), nullable=False),
        sa.Column("settled_at", study_app.models.base.Moment(), nullable=True),
        sa.ForeignKeyConstraint(
            ["sitting_id"], ["sitting.id"], name=op.f("fk_photo_sitting_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_photo")),
        sa.UniqueConstraint("sitting_id", "sha256", name=op.f("uq_photo_sitting_id_sha256")),
    )
    op.create_table(
        "sitting_assessor",
        sa.Column("sitting_id", sa.Integer(), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["participant_id"], ["participant.id"], name=op.f("fk_sitting_assessor_participant_id")
        ),
        sa.ForeignKeyConstraint(
            ["sitting_id"],
            ["sitting.id"],
            name=op.f("fk_sitting_assessor_sitting_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("sitting_id", "participant_id", name=op.f("pk_sitting_assessor")),
    )
    op.create_index(
        op.f("ix_sitting_assessor_participant_id"),
        "sitting_assessor",
        ["participant_id"],
        unique=False,
    )
    op.create_table(
        "sitting_group",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sitting_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=40), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("opened_at", study_app.models.base.Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["sitting_id"],
            ["sitting.id"],
            name=op.f("fk_sitting_group_sitting_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sitting_group")),
        sa.UniqueConstraint("sitting_id", "key", name=op.f("uq_sitting_group_sitting_id_key")),
        sa.UniqueConstraint(
            "sitting_id", "number", name=op.f("uq_sitting_group_sitting_id_number")
        ),
    )
    op.create_table(
        "scan",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("act_id", sa.Integer(), nullable=False),
        sa.Column("stimulus_id", sa.Integer(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=True),
        sa.Column("how", sa.String(length=10), nullable=False),
        sa.Column("margin", sa.Double(), nullable=True),
        sa.Column("photo_id", sa.Integer(), nullable=True),
        sa.Column("corners", sa.JSON(), nullable=True),
        sa.ForeignKeyConstraint(
            ["act_id"], ["act.id"], name=op.f("fk_scan_act_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["group_id"], ["sitting_group.id"], name=op.f("fk_scan_group_id")),
        sa.ForeignKeyConstraint(["photo_id"], ["photo.id"], name=op.f("fk_scan_photo_id")),
        sa.ForeignKeyConstraint(["stimulus_id"], ["stimulus.id"], name=op.f("fk_scan_stimulus_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_scan")),
    )
    op.create_index(op.f("ix_scan_act_id"), "scan", ["act_id"], unique=False)
    op.create_index(op.f("ix_scan_group_id"), "scan", ["group_id"], unique=False)
    op.create_index(op.f("ix_scan_photo_id"), "scan", ["photo_id"], unique=False)
    op.create_index(op.f("ix_scan_stimulus_id"), "scan", ["stimulus_id"], unique=False)


def downgrade() -> None:
    op.drop_index(op.f("ix_scan_stimulus_id"), table_name="scan")
    op.drop_index(op.f("ix_scan_photo_id"), table_name="scan")
    op.drop_index(op.f("ix_scan_group_id"), table_name="scan")
    op.drop_index(op.f("ix_scan_act_id"), table_name="scan")
    op.drop_table("scan")
    op.drop_table("sitting_group")
    op.drop_index(op.f("ix_sitting_assessor_participant_id"), table_name="sitting_assessor")
    op.drop_table("sitting_assessor")
    op.drop_table("photo")
    op.drop_index(op.f("ix_act_undoes_id"), table_name="act")
    op.drop_table("act")
    op.drop_index(op.f("ix_sitting_study_id"), table_name="sitting")
    op.drop_index(op.f("ix_sitting_set_id"), table_name="sitting")
    op.drop_index(op.f("ix_sitting_first_entry_id"), table_name="sitting")
    op.drop_index(op.f("ix_sitting_deck_id"), table_name="sitting")
    op.drop_table("sitting")
    op.drop_table("study_instructions")
