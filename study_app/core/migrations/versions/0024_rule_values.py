"""What an exclusion rule found is a number; before, it was part of a sentence."""

import re

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

EXCLUSION = sa.table(
    "exclusion",
    sa.column("id", sa.Integer),
    sa.column("reason", sa.Text),
    sa.column("rule_id", sa.Integer),
    sa.column("value", sa.Double),
)
RULE = sa.table(
    "exclusion_rule",
    sa.column("id", sa.Integer),
    sa.column("kind", sa.String),
    sa.column("threshold", sa.Double),
)
VALUE = re.compile(r"\((\d+(?:\.\d+)?(?:e[+-]?\d+)?)\)$")
SENTENCES = {
    "failed_checks": "failed {} or more attention checks",
    "fast_answers": "median response time below {} ms",
    "fast_sitting": "took less than {} minutes",
    "same_answer": "{} % or more of the answers are the same",
    "unfinished": "less than {} % finished",
}


def upgrade() -> None:
    """Read the numbers from the sentences; a sentence without one stays as it is."""
    with op.batch_alter_table("exclusion") as batch:
        batch.add_column(sa.Column("value", sa.Double(), nullable=True))
    by_rules = sa.select(EXCLUSION).where(EXCLUSION.c.rule_id.is_not(None))
    for row in op.get_bind().execute(by_rules).all():
        found = VALUE.search(row.reason)
        if found:
            _store(row.id, reason="", value=float(found[1]))


def downgrade() -> None:
    """Write the sentences."""
    by_rules = (
        sa.select(EXCLUSION.c.id, EXCLUSION.c.value, RULE.c.kind, RULE.c.threshold)
        .join(RULE, RULE.c.id == EXCLUSION.c.rule_id)
        .where(EXCLUSION.c.value.is_not(None))
    )
    for row in op.get_bind().execute(by_rules).all():
        sentence = SENTENCES[row.kind].format(f"{row.threshold:g}")
        _store(row.id, reason=f"{sentence} ({round(row.value, 2):g})")
    with op.batch_alter_table("exclusion") as batch:
        batch.drop_column("value")


def _store(number: int, **columns: str | float) -> None:
    op.execute(sa.update(EXCLUSION).where(EXCLUSION.c.id == number).values(**columns))
