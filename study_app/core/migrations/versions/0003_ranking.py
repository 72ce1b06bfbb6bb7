"""Ranking."""

import sqlalchemy as sa
from alembic import op

import study_app.models.base

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "ranking_task",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("wording", sa.String(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=True),
        sa.Column("low_label", sa.String(length=60), nullable=False),
        sa.Column("high_label", sa.String(length=60), nullable=False),
        sa.Column("best", sa.String(length=4), nullable=False),
        sa.Column("minutes", sa.Integer(), nullable=True),
        sa.Column("places", sa.Integer(), nullable=False),
        sa.Column("part_size", sa.Integer(), nullable=True),
        sa.Column("hold_minutes", sa.Integer(), nullable=False),
        sa.Column("repeats", sa.Integer(), nullable=False),
        sa.Column("checks", sa.Integer(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("questions", sa.JSON(), nullable=False),
        sa.Column("completion_url", sa.String(length=400), nullable=False),
        sa.Column("completion_code", sa.String(length=40), nullable=False),
        sa.Column("closed_at", study_app.models.base.Moment(), nullable=True),
        sa.Column("created_at", study_app.models.base.Moment(), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_ranking_task_study_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ranking_task")),
        sa.UniqueConstraint("study_id", "name", name=op.f("uq_ranking_task_study_id_name")),
    )
    with op.batch_alter_table("ranking_task", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_ranking_task_study_id"), ["study_id"], unique=False)

    op.create_table(
        "consent_text",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("information", sa.String(), nullable=False),
        sa.Column("consent", sa.String(), nullable=False),
        sa.Column("created_at", study_app.models.base.Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["task_id"], ["ranking_task.id"], name=op.f("fk_consent_text_task_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_consent_text")),
        sa.UniqueConstraint("task_id", "version", name=op.f("uq_consent_text_task_id_version")),
    )
    with op.batch_alter_table("consent_text", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_consent_text_task_id"), ["task_id"], unique=False)

    op.create_table(
        "invitation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("purpose", sa.String(length=10), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("people", sa.Integer(), nullable=True),
        sa.Column("expires_at", study_app.models.base.Moment(), nullable=True),
        sa.Column("closed_at", study_app.models.base.Moment(), nullable=True),
        sa.Column("created_at", study_app.models.base.Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["task_id"], ["ranking_task.id"], name=op.f("fk_invitation_task_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitation")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_invitation_token_hash")),
    )
    with op.batch_alter_table("invitation", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_invitation_task_id"), ["task_id"], unique=False)

    op.create_table(
        "ranking_query",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("stimulus_id", sa.Integer(), nullable=False),
        sa.Column("practice", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["stimulus_id"], ["stimulus.id"], name=op.f("fk_ranking_query_stimulus_id")
        ),
        sa.ForeignKeyConstraint(
            ["task_id"], ["ranking_task.id"], name=op.f("fk_ranking_query_task_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ranking_query")),
        sa.UniqueConstraint("task_id", "number", name=op.f("uq_ranking_query_task_id_number")),
    )
    with op.batch_alter_table("ranking_query", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_ranking_query_stimulus_id"), ["stimulus_id"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_ranking_query_task_id"), ["task_id"], unique=False)

    op.create_table(
        "ranking_sitting",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("invitation_id", sa.Integer(), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("purpose", sa.String(length=10), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("consent_text_id", sa.Integer(), nullable=False),
        sa.Column("agreed_at", study_app.models.base.Moment(), nullable=False),
        sa.Column("answers", sa.JSON(), nullable=False),
        sa.Column("seen_at", study_app.models.base.Moment(), nullable=False),
        sa.Column("finished_at", study_app.models.base.Moment(), nullable=True),
        sa.Column("time_up", sa.Boolean(), nullable=False),
        sa.Column("withdrawn_at", study_app.models.base.Moment(), nullable=True),
        sa.Column("withdrawn_by", sa.String(length=12), nullable=True),
        sa.ForeignKeyConstraint(
            ["consent_text_id"],
            ["consent_text.id"],
            name=op.f("fk_ranking_sitting_consent_text_id"),
        ),
        sa.ForeignKeyConstraint(
            ["invitation_id"], ["invitation.id"], name=op.f("fk_ranking_sitting_invitation_id")
        ),
        sa.ForeignKeyConstraint(
            ["participant_id"], ["participant.id"], name=op.f("fk_ranking_sitting_participant_id")
        ),
        sa.ForeignKeyConstraint(
            ["task_id"], ["ranking_task.id"], name=op.f("fk_ranking_sitting_task_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ranking_sitting")),
        sa.UniqueConstraint("task_id", "number", name=op.f("uq_ranking_sitting_task_id_number")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_ranking_sitting_token_hash")),
    )
    with op.batch_alter_table("ranking_sitting", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_ranking_sitting_consent_text_id"), ["consent_text_id"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_ranking_sitting_invitation_id"), ["invitation_id"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_ranking_sitting_participant_id"), ["participant_id"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_ranking_sitting_task_id"), ["task_id"], unique=False)

    op.create_table(
        "assigned_query",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sitting_id", sa.Integer(), nullable=False),
        sa.Column("query_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("shown_order", sa.JSON(), nullable=False),
        sa.Column("checked", sa.Boolean(), nullable=False),
        sa.Column("entered_at", study_app.models.base.Moment(), nullable=True),
        sa.Column("handed_in_at", study_app.models.base.Moment(), nullable=True),
        sa.ForeignKeyConstraint(
            ["query_id"], ["ranking_query.id"], name=op.f("fk_assigned_query_query_id")
        ),
        sa.ForeignKeyConstraint(
            ["sitting_id"], ["ranking_sitting.id"], name=op.f("fk_assigned_query_sitting_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assigned_query")),
        sa.UniqueConstraint(
            "sitting_id", "position", name=op.f("uq_assigned_query_sitting_id_position")
        ),
    )
    with op.batch_alter_table("assigned_query", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_assigned_query_query_id"), ["query_id"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_assigned_query_sitting_id"), ["sitting_id"], unique=False
        )

    op.create_table(
        "candidate",
        sa.Column("query_id", sa.Integer(), nullable=False),
        sa.Column("stimulus_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["query_id"], ["ranking_query.id"], name=op.f("fk_candidate_query_id")
        ),
        sa.ForeignKeyConstraint(
            ["stimulus_id"], ["stimulus.id"], name=op.f("fk_candidate_stimulus_id")
        ),
        sa.PrimaryKeyConstraint("query_id", "stimulus_id", name=op.f("pk_candidate")),
    )
    with op.batch_alter_table("candidate", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_candidate_stimulus_id"), ["stimulus_id"], unique=False)

    op.create_table(
        "platform_identity",
        sa.Column("sitting_id", sa.Integer(), nullable=False),
        sa.Column("person", sa.String(length=80), nullable=False),
        sa.Column("platform_study", sa.String(length=80), nullable=False),
        sa.Column("platform_session", sa.String(length=80), nullable=False),
        sa.ForeignKeyConstraint(
            ["sitting_id"], ["ranking_sitting.id"], name=op.f("fk_platform_identity_sitting_id")
        ),
        sa.PrimaryKeyConstraint("sitting_id", name=op.f("pk_platform_identity")),
    )
    op.create_table(
        "score",
        sa.Column("assigned_query_id", sa.Integer(), nullable=False),
        sa.Column("stimulus_id", sa.Integer(), nullable=False),
        sa.Column("value", sa.Double(), nullable=True),
        sa.Column("answered_at", study_app.models.base.Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["assigned_query_id"], ["assigned_query.id"], name=op.f("fk_score_assigned_query_id")
        ),
        sa.ForeignKeyConstraint(
            ["stimulus_id"], ["stimulus.id"], name=op.f("fk_score_stimulus_id")
        ),
        sa.PrimaryKeyConstraint("assigned_query_id", "stimulus_id", name=op.f("pk_score")),
    )
    op.create_index(op.f("ix_score_stimulus_id"), "score", ["stimulus_id"], unique=False)
    op.create_table(
        "score_entry",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("sitting_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=40), nullable=False),
        sa.Column("assigned_query_id", sa.Integer(), nullable=False),
        sa.Column("stimulus_id", sa.Integer(), nullable=False),
        sa.Column("value", sa.Double(), nullable=True),
        sa.Column("shown_position", sa.Integer(), nullable=False),
        sa.Column("looking_over", sa.Boolean(), nullable=False),
        sa.Column("shown_at", study_app.models.base.Moment(), nullable=True),
        sa.Column("answered_at", study_app.models.base.Moment(), nullable=False),
        sa.Column("response_ms", sa.Integer(), nullable=True),
        sa.Column("received_at", study_app.models.base.Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["assigned_query_id"],
            ["assigned_query.id"],
            name=op.f("fk_score_entry_assigned_query_id"),
        ),
        sa.ForeignKeyConstraint(
            ["sitting_id"], ["ranking_sitting.id"], name=op.f("fk_score_entry_sitting_id")
        ),
        sa.ForeignKeyConstraint(
            ["stimulus_id"], ["stimulus.id"], name=op.f("fk_score_entry_stimulus_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_score_entry")),
        sa.UniqueConstraint("sitting_id", "key", name=op.f("uq_score_entry_sitting_id_key")),
    )
    with op.batch_alter_table("score_entry", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_score_entry_assigned_query_id"), ["assigned_query_id"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_score_entry_stimulus_id"), ["stimulus_id"], unique=False
        )


def downgrade() -> None:
    with op.batch_alter_table("score_entry", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_score_entry_stimulus_id"))
        batch_op.drop_index(batch_op.f("ix_score_entry_assigned_query_id"))

    op.drop_table("score_entry")
    op.drop_index(op.f("ix_score_stimulus_id"), table_name="score")
    op.drop_table("score")
    op.drop_table("platform_identity")
    with op.batch_alter_table("candidate", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_candidate_stimulus_id"))

    op.drop_table("candidate")
    with op.batch_alter_table("assigned_query", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_assigned_query_sitting_id"))
        batch_op.drop_index(batch_op.f("ix_assigned_query_query_id"))

    op.drop_table("assigned_query")
    with op.batch_alter_table("ranking_sitting", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_ranking_sitting_task_id"))
        batch_op.drop_index(batch_op.f("ix_ranking_sitting_participant_id"))
        batch_op.drop_index(batch_op.f("ix_ranking_sitting_invitation_id"))
        batch_op.drop_index(batch_op.f("ix_ranking_sitting_consent_text_id"))

    op.drop_table("ranking_sitting")
    with op.batch_alter_table("ranking_query", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_ranking_query_task_id"))
        batch_op.drop_index(batch_op.f("ix_ranking_query_stimulus_id"))

    op.drop_table("ranking_query")
    with op.batch_alter_table("invitation", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_invitation_task_id"))

    op.drop_table("invitation")
    with op.batch_alter_table("consent_text", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_consent_text_task_id"))

    op.drop_table("consent_text")
    with op.batch_alter_table("ranking_task", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_ranking_task_study_id"))

    op.drop_table("ranking_task")
