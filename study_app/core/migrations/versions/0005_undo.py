"""Names, notes and settled photos as acts, so that they can be undone; header cards with places."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy import Connection

import study_app.models.base

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

ACT = sa.table(
    "act",
    sa.column("id", sa.Integer),
    sa.column("sitting_id", sa.Integer),
    sa.column("client_id", sa.String),
    sa.column("kind", sa.String),
    sa.column("reason", sa.Text),
    sa.column("at", study_app.models.base.Moment),
)
GROUP = sa.table(
    "sitting_group",
    sa.column("id", sa.Integer),
    sa.column("sitting_id", sa.Integer),
    sa.column("name", sa.String),
    sa.column("note", sa.Text),
    sa.column("opened_at", study_app.models.base.Moment),
)
DESCRIPTION = sa.table(
    "group_description",
    sa.column("id", sa.Integer),
    sa.column("act_id", sa.Integer),
    sa.column("group_id", sa.Integer),
    sa.column("name", sa.String),
    sa.column("note", sa.Text),
)
PHOTO = sa.table(
    "photo",
    sa.column("id", sa.Integer),
    sa.column("sitting_id", sa.Integer),
    sa.column("reading", sa.JSON),
    sa.column("settled_at", study_app.models.base.Moment),
    sa.column("settled_by_id", sa.Integer),
)
SCAN = sa.table("scan", sa.column("act_id", sa.Integer), sa.column("photo_id", sa.Integer))


def upgrade() -> None:
    op.create_table(
        "group_description",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("act_id", sa.Integer(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["act_id"], ["act.id"], name=op.f("fk_group_description_act_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["group_id"],
            ["sitting_group.id"],
            name=op.f("fk_group_description_group_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_group_description")),
    )
    for column in ("act_id", "group_id"):
        op.create_index(op.f(f"ix_group_description_{column}"), "group_description", [column])
    with op.batch_alter_table("photo") as photo:
        photo.add_column(sa.Column("settled_by_id", sa.Integer(), nullable=True))
        photo.create_foreign_key(op.f("fk_photo_settled_by_id"), "act", ["settled_by_id"], ["id"])
        photo.create_index(op.f("ix_photo_settled_by_id"), ["settled_by_id"])
    connection = op.get_bind()
    _describe_by_acts(connection)
    _settle_by_acts(connection)
    _number_headers(connection)
    with op.batch_alter_table("photo") as photo:
        photo.drop_column("settled_at")
    with op.batch_alter_table("sitting_group") as group:
        group.drop_column("name")
        group.drop_column("note")


def downgrade() -> None:
    with op.batch_alter_table("sitting_group") as group:
        group.add_column(sa.Column("name", sa.String(length=80), nullable=False, server_default=""))
        group.add_column(sa.Column("note", sa.Text(), nullable=False, server_default=""))
    with op.batch_alter_table("photo") as photo:
        photo.add_column(sa.Column("settled_at", study_app.models.base.Moment(), nullable=True))
    connection = op.get_bind()
    for row in connection.execute(sa.select(DESCRIPTION).order_by(DESCRIPTION.c.id)).all():
        named = sa.update(GROUP).where(GROUP.c.id == row.group_id)
        connection.execute(named.values(name=row.name, note=row.note))
    settled = sa.select(PHOTO.c.id, ACT.c.at).join(ACT, ACT.c.id == PHOTO.c.settled_by_id)
    for photo_id, at in connection.execute(settled).all():
        connection.execute(sa.update(PHOTO).where(PHOTO.c.id == photo_id).values(settled_at=at))
    _strip_headers(connection)
    with op.batch_alter_table("photo") as photo:
        photo.drop_index(op.f("ix_photo_settled_by_id"))
        photo.drop_constraint(op.f("fk_photo_settled_by_id"), type_="foreignkey")
        photo.drop_column("settled_by_id")
    with op.batch_alter_table("sitting_group") as group:
        group.alter_column("name", server_default=None)
        group.alter_column("note", server_default=None)
    op.drop_table("group_description")


def _act(connection: Connection, sitting_id: int, client_id: str, kind: str, at: datetime) -> int:
    """The act of this id; one that an earlier upgrade made stands."""
    written = (ACT.c.sitting_id == sitting_id) & (ACT.c.client_id == client_id)
    query = sa.select(ACT.c.id).where(written)
    present = connection.scalar(query)
    if present is not None:
        return present
    connection.execute(
        sa.insert(ACT).values(
            sitting_id=sitting_id, client_id=client_id, kind=kind, reason="", at=at
        )
    )
    return connection.execute(query).scalar_one()


def _describe_by_acts(connection: Connection) -> None:
    """Names and notes of before become the first description of their groups."""
    described = sa.select(GROUP).where((GROUP.c.name != "") | (GROUP.c.note != ""))
    for group in connection.execute(described).all():
        act = _act(
            connection, group.sitting_id, f"described-{group.id}", "describe", group.opened_at
        )
        connection.execute(
            sa.insert(DESCRIPTION).values(
                act_id=act, group_id=group.id, name=group.name, note=group.note
            )
        )


def _settle_by_acts(connection: Connection) -> None:
    """Photos settled before were so by the first act with a card of theirs, else set aside."""
    first = (
        sa.select(sa.func.min(SCAN.c.act_id)).where(SCAN.c.photo_id == PHOTO.c.id).scalar_subquery()
    )
    query = sa.select(PHOTO.c.id, PHOTO.c.sitting_id, PHOTO.c.settled_at, first.label("act"))
    for photo in connection.execute(query.where(PHOTO.c.settled_at.is_not(None))).all():
        act = photo.act or _act(
            connection, photo.sitting_id, f"settled-{photo.id}", "set_aside", photo.settled_at
        )
        settled = sa.update(PHOTO).where(PHOTO.c.id == photo.id).values(settled_by_id=act)
        connection.execute(settled)


def _number_headers(connection: Connection) -> None:
    """A header card was its number; now it says where it lay, which nobody noted then."""
    _change_headers(
        connection,
        lambda number: {"number": number, "corners": None, "outline": None, "beside": None},
    )


def _strip_headers(connection: Connection) -> None:
    _change_headers(connection, lambda header: header["number"])


def _change_headers(connection: Connection, change: Callable[[Any], Any]) -> None:
    for photo_id, reading in connection.execute(sa.select(PHOTO.c.id, PHOTO.c.reading)).all():
        if reading.get("headers"):
            changed = {**reading, "headers": [change(header) for header in reading["headers"]]}
            stored = sa.update(PHOTO).where(PHOTO.c.id == photo_id).values(reading=changed)
            connection.execute(stored)
