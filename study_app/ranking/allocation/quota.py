"""The quota of each query: how many participants have it, and how many have submitted it."""

from sqlalchemy import ColumnElement, and_, func, or_, select
from sqlalchemy.orm import Session

from study_app.models.participation import WebSitting
from study_app.models.ranking import AssignedQuery, RankingQuery, RankingTask
from study_app.participation.people import included
from study_app.participation.people.quota import counting
from study_app.participation.sittings import parts


def taken(session: Session, task: RankingTask) -> dict[int, int]:
    """Number of places taken in each query of a task, without practice.

    A finished sitting takes a place in the queries it submitted; a current one in all of its
    queries; one that was given up in those of the parts that were done.
    """
    queries = select(RankingQuery.id).where(
        RankingQuery.task_id == task.id, RankingQuery.practice.is_(False)
    )
    people = dict.fromkeys(session.scalars(queries), 0)
    held = or_(WebSitting.ending.is_(None), AssignedQuery.submitted_at.is_not(None))
    counted = _people_by_query(session, task, held)
    people.update({query: count for query, count in counted.items() if query in people})
    return people


def filled(session: Session, task: RankingTask) -> dict[int, int]:
    """Number of finished participants who submitted each query, without practice."""
    done = WebSitting.ending.is_not(None), AssignedQuery.submitted_at.is_not(None)
    return _people_by_query(session, task, *done)


def _people_by_query(
    session: Session, task: RankingTask, *conditions: ColumnElement[bool]
) -> dict[int, int]:
    is_done = parts.is_counted(AssignedQuery.part) & AssignedQuery.submitted_at.is_not(None)
    counted = (
        select(AssignedQuery.query_id, func.count())
        .join(WebSitting, WebSitting.id == AssignedQuery.sitting_id)
        .where(
            WebSitting.task_id == task.id,
            *included.web_sittings(),
            *included.trials(AssignedQuery.position),
            AssignedQuery.kind == "main",
            or_(and_(counting(task), *conditions), is_done),
        )
        .group_by(AssignedQuery.query_id)
    )
    return dict(session.execute(counted).all())
