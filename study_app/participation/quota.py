"""Which places of a task are taken: filled for good, or held for a while."""

from datetime import timedelta

from sqlalchemy import and_, func, or_, select

from study_app.models import now
from study_app.models.ranking import AssignedQuery, RankingQuery, RankingSitting


def counting(task):
    """The condition that a sitting takes places: finished, or seen lately; never withdrawn."""
    return and_(
        RankingSitting.task_id == task.id,
        RankingSitting.purpose != "tryout",
        RankingSitting.withdrawn_at.is_(None),
        or_(
            RankingSitting.finished_at.is_not(None),
            RankingSitting.seen_at.between(*held_between(task)),
        ),
    )


def held_between(task):
    """Somebody who was last seen before this gave up; after it, the clock was set back since.

    Whoever is still there is seen again within seconds; nobody holds a place for the whole day by
    which the clock of a server was wrong.
    """
    hold = timedelta(minutes=task.hold_minutes)
    return now() - hold, now() + hold


def taken_places(session, task):
    """How many people have or had each query of a task, practice left out.

    A finished sitting fills the places of what it handed in; one under way holds all of its own.
    """
    queries = select(RankingQuery.id).where(
        RankingQuery.task_id == task.id, RankingQuery.practice.is_(False)
    )
    taken = dict.fromkeys(session.scalars(queries), 0)
    held = or_(RankingSitting.finished_at.is_(None), AssignedQuery.handed_in_at.is_not(None))
    counted = _people_by_query(session, task, held)
    taken.update({query: count for query, count in counted.items() if query in taken})
    return taken


def filled_places(session, task):
    """How many finished participants handed in each query, practice left out."""
    done = RankingSitting.finished_at.is_not(None), AssignedQuery.handed_in_at.is_not(None)
    return _people_by_query(session, task, *done)


def _people_by_query(session, task, *conditions):
    counted = (
        select(AssignedQuery.query_id, func.count())
        .join(RankingSitting, RankingSitting.id == AssignedQuery.sitting_id)
        .where(counting(task), AssignedQuery.kind == "main", *conditions)
        .group_by(AssignedQuery.query_id)
    )
    return dict(session.execute(counted).all())
