"""No sitting is found by the token of a link: a personal link's leads to an address of its own."""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

SITTING = sa.table(
    "ranking_sitting", sa.column("id", sa.Integer), sa.column("token_hash", sa.String)
)
INVITATION = sa.table("invitation", sa.column("token_hash", sa.String))


def upgrade() -> None:
    """Give such sittings a hash that no token has; a personal link readdresses its own.

    Whoever took an open link over, by beginning with its token, loses the sitting with it.
    """
    links = sa.select(INVITATION.c.token_hash)
    found = sa.select(SITTING.c.id).where(SITTING.c.token_hash.in_(links))
    for sitting_id in op.get_bind().scalars(found).all():
        fresh = sa.update(SITTING).where(SITTING.c.id == sitting_id)
        op.execute(fresh.values(token_hash=secrets.token_hex(32)))


def downgrade() -> None:
    """The tokens themselves were never stored, so the earlier hashes cannot come back."""
