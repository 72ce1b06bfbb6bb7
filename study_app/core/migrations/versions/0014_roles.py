"""Roles in studies, an audit list, one-time codes and passkeys."""

import sqlalchemy as sa
from alembic import op

import study_app.models.base

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

RESEARCHER = sa.table("researcher", sa.column("id", sa.Integer))
STUDY = sa.table("study", sa.column("id", sa.Integer), sa.column("created_at", sa.DateTime))
MEMBER = sa.table(
    "study_member",
    sa.column("study_id", sa.Integer),
    sa.column("researcher_id", sa.Integer),
    sa.column("role", sa.String),
    sa.column("since", sa.DateTime),
)


def upgrade() -> None:
    """Make the tables; until now everybody could do everything: they own what is there."""
    _member()
    _audit()
    _credentials()
    with op.batch_alter_table("researcher") as batch:
        batch.add_column(sa.Column("totp_secret", sa.String(length=40), nullable=True))
        batch.add_column(
            sa.Column("totp_used", sa.BigInteger(), nullable=False, server_default="0")
        )
        batch.add_column(sa.Column("passkey_user", sa.String(length=88), nullable=True))
    with op.batch_alter_table("researcher") as batch:
        batch.alter_column("totp_used", server_default=None)
    with op.batch_alter_table("sign_in_link") as batch:
        batch.add_column(sa.Column("study_id", sa.Integer(), nullable=True))
        batch.add_column(sa.Column("role", sa.String(length=10), nullable=True))
        batch.create_foreign_key(op.f("fk_sign_in_link_study_id"), "study", ["study_id"], ["id"])
        batch.create_index(op.f("ix_sign_in_link_study_id"), ["study_id"])
    everybody = sa.select(
        STUDY.c.id, RESEARCHER.c.id, sa.literal("owner"), STUDY.c.created_at
    ).select_from(STUDY.join(RESEARCHER, sa.true()))
    columns = ["study_id", "researcher_id", "role", "since"]
    op.execute(sa.insert(MEMBER).from_select(columns, everybody))


def _member() -> None:
    op.create_table(
        "study_member",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("researcher_id", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(length=10), nullable=False),
        sa.Column("since", study_app.models.base.Moment(), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_study_member_study_id")),
        sa.ForeignKeyConstraint(
            ["researcher_id"], ["researcher.id"], name=op.f("fk_study_member_researcher_id")
        ),
        sa.PrimaryKeyConstraint("study_id", "researcher_id", name=op.f("pk_study_member")),
    )
    op.create_index(op.f("ix_study_member_researcher_id"), "study_member", ["researcher_id"])


def _audit() -> None:
    op.create_table(
        "audit_entry",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("at", study_app.models.base.Moment(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=True),
        sa.Column("actor", sa.String(length=12), nullable=False),
        sa.Column("researcher_id", sa.Integer(), nullable=True),
        sa.Column("action", sa.String(length=16), nullable=False),
        sa.Column("subject", sa.String(length=30), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("changes", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_audit_entry_study_id")),
        sa.ForeignKeyConstraint(
            ["researcher_id"], ["researcher.id"], name=op.f("fk_audit_entry_researcher_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_entry")),
    )
    op.create_index(op.f("ix_audit_entry_study_id_id"), "audit_entry", ["study_id", "id"])
    op.create_index(op.f("ix_audit_entry_researcher_id"), "audit_entry", ["researcher_id"])


def _credentials() -> None:
    op.create_table(
        "passkey",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("researcher_id", sa.Integer(), nullable=False),
        sa.Column("credential_id", sa.String(length=1400), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("sign_count", sa.BigInteger(), nullable=False),
        sa.Column("host", sa.String(length=255), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("created_at", study_app.models.base.Moment(), nullable=False),
        sa.Column("used_at", study_app.models.base.Moment(), nullable=True),
        sa.ForeignKeyConstraint(
            ["researcher_id"], ["researcher.id"], name=op.f("fk_passkey_researcher_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_passkey")),
        sa.UniqueConstraint("credential_id", name=op.f("uq_passkey_credential_id")),
    )
    op.create_index(op.f("ix_passkey_researcher_id"), "passkey", ["researcher_id"])
    op.create_table(
        "recovery_code",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("researcher_id", sa.Integer(), nullable=False),
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["researcher_id"], ["researcher.id"], name=op.f("fk_recovery_code_researcher_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_recovery_code")),
        sa.UniqueConstraint("code_hash", name=op.f("uq_recovery_code_code_hash")),
    )
    op.create_index(op.f("ix_recovery_code_researcher_id"), "recovery_code", ["researcher_id"])


def downgrade() -> None:
    """Everybody may do everything again; links into a study end."""
    link = sa.table("sign_in_link", sa.column("study_id", sa.Integer))
    op.execute(sa.delete(link).where(link.c.study_id.is_not(None)))
    with op.batch_alter_table("sign_in_link") as batch:
        batch.drop_index(op.f("ix_sign_in_link_study_id"))
        batch.drop_constraint(op.f("fk_sign_in_link_study_id"), type_="foreignkey")
        batch.drop_column("role")
        batch.drop_column("study_id")
    with op.batch_alter_table("researcher") as batch:
        for name in ("passkey_user", "totp_used", "totp_secret"):
            batch.drop_column(name)
    for table in ("recovery_code", "passkey", "audit_entry", "study_member"):
        op.drop_table(table)
