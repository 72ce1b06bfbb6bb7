"""Entries added once each, and the score that stands for an image because of them."""

from functools import cache

from sqlalchemy import and_, or_
from sqlalchemy.dialects import postgresql, sqlite

from study_app.models.ranking import Score, ScoreEntry


def add_scores(session, rows):
    """Add the entries that are new, and let the last answer stand for each image.

    Parameters
    ----------
    session : sqlalchemy.orm.Session
    rows : dict of str to dict
        Rows of `ScoreEntry` by the key that the page made; a known key adds nothing.
    """
    if not rows:
        return
    adding, changing = _statements(session.get_bind().dialect.name)
    added = session.scalars(adding, list(rows.values()))
    standing = _standing([rows[key] for key in added])
    if standing:
        session.execute(changing, standing)


@cache
def _statements(dialect):
    """Adding entries that are new, and letting scores stand; put together once, used a lot."""
    insert = (postgresql if dialect == "postgresql" else sqlite).insert
    entry, score = ScoreEntry.__table__, Score.__table__
    adding = insert(entry).on_conflict_do_nothing(index_elements=["sitting_id", "key"])
    changing = insert(score)
    changing = changing.on_conflict_do_update(
        index_elements=["assigned_query_id", "stimulus_id"],
        set_={"value": changing.excluded.value, "answered_at": changing.excluded.answered_at},
        where=_stands_before(changing.excluded),
    )
    return adding.returning(entry.c.key), changing


def _standing(rows):
    """What stands for each image of new rows: a statement may change a row only once."""
    standing = {}
    for row in rows:
        place = (row["assigned_query_id"], row["stimulus_id"])
        other = standing.get(place)
        if other is None or _order(row) >= _order(other):
            standing[place] = row
    kept = ("assigned_query_id", "stimulus_id", "value", "answered_at")
    return [{name: row[name] for name in kept} for row in standing.values()]


def _order(row):
    """Scores stand over failed loads, later ones over earlier ones."""
    return row["value"] is not None, row["answered_at"]


def _stands_before(new):
    """Whether a new row replaces the standing one: a later score, any score after a failed load."""
    later = new.answered_at >= Score.answered_at
    scored = and_(new.value.is_not(None), or_(Score.value.is_(None), later))
    return or_(scored, and_(new.value.is_(None), Score.value.is_(None)))
