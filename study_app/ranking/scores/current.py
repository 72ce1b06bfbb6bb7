"""Adding entries, each once, and updating the current scores."""

from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import and_, or_
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from study_app.core.database.prepared import Prepared
from study_app.models.ranking import Score, ScoreEntry

# The columns of a current score.
CURRENT = ("assigned_query_id", "stimulus_id", "value", "answered_at")


def add_scores(session: Session, rows: dict[str, dict[str, Any]]) -> None:
    """Add new entries, and store the last answer as the current score of its image.

    Parameters
    ----------
    session : sqlalchemy.orm.Session
    rows : dict of str to dict
        Rows of `ScoreEntry` by the key from the page; known keys are ignored.
    """
    if not rows:
        return
    adding, changing = _statements(session.get_bind().dialect.name)
    connection = session.connection()
    added = [rows[key] for row in rows.values() for (key,) in adding.send(connection, row)]
    if added:
        changing.send_rows(connection, _current(added))


@cache
def _statements(dialect: str) -> tuple[Prepared, Prepared]:
    """Statements for adding new entries and updating current scores; built once."""
    insert: Any = (postgresql if dialect == "postgresql" else sqlite).insert
    entry, score = ScoreEntry.__table__, Score.__table__
    adding = insert(entry).on_conflict_do_nothing(index_elements=["sitting_id", "key"])
    changing = insert(score)
    changing = changing.on_conflict_do_update(
        index_elements=["assigned_query_id", "stimulus_id"],
        set_={"value": changing.excluded.value, "answered_at": changing.excluded.answered_at},
        where=_replaces(changing.excluded),
    )
    columns = [column.key for column in entry.columns if not column.primary_key]
    return Prepared(adding.returning(entry.c.key), columns), Prepared(changing, CURRENT)


def _current(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The last new row about each image, because a statement may change a row only once."""
    current: dict[tuple[int, int], dict[str, Any]] = {}
    for row in rows:
        image = (row["assigned_query_id"], row["stimulus_id"])
        other = current.get(image)
        if other is None or _order(row) >= _order(other):
            current[image] = row
    return [{name: row[name] for name in CURRENT} for row in current.values()]


def _order(row: dict[str, Any]) -> tuple[bool, datetime]:
    """Sort key: scores after failed loads, later ones after earlier ones."""
    return row["value"] is not None, row["answered_at"]


def _replaces(new: Any) -> Any:
    """Whether a new row replaces the current one: a later score, any score after a failed load."""
    later = new.answered_at >= Score.answered_at
    scored = and_(new.value.is_not(None), or_(Score.value.is_(None), later))
    return or_(scored, and_(new.value.is_(None), Score.value.is_(None)))
