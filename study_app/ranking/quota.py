"""The quota of each query: how many participants have it, and how many have submitted it."""

from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.orm import Session

from study_app.models.participation import WebSitting
from study_app.models.ranking import AssignedQuery, RankingQuery, RankingTask
from study_app.participation import included
from study_app.participation.quota import counting


def taken(session: Session, task: RankingTask) -> dict[int, int]:
    """Number of places taken in each query of a task, without practice.

    A finished sitting takes a place in the queries it submitted; a current one in all of its
    queries.
    """
    queries = select(RankingQuery.id).where(
        RankingQuery.task_id == task.id, RankingQuery.practice.is_(False)
    )
    people = dict.fromkeys(session.scalars(queries), 0)
    held = or_(WebSitting.ending.is_(None), AssignedQuery.handed_in_at.is_not(None))
    counted = _people_by_query(session, task, held)
    people.update({query: count for query, count in counted.items() if query in people})
    return people


def filled(session: Session, task: RankingTask) -> dict[int, int]:
    """Number of finished participants who submitted each query, without practice."""
    done = WebSitting.ending.is_not(None), AssignedQuery.handed_in_at.is_not(None)
    return _people_by_query(session, task, *done)


def _people_by_query(
    session: Session, task: RankingTask, *conditions: ColumnElement[bool]
) -> dict[int, int]:
    counted = (
        select(AssignedQuery.query_id, func.count())
        .join(WebSitting, WebSitting.id == AssignedQuery.sitting_id)
        .where(
            counting(task),
            *included.trials(AssignedQuery.position),
            AssignedQuery.kind == "main",
            *conditions,
        )
        .group_by(AssignedQuery.query_id)
    )
    return dict(session.execute(counted).all())
