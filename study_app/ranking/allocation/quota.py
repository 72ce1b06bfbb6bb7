"""The quota of each query: how many participants have it, and how many have submitted it."""

from sqlalchemy import ColumnElement, and_, bindparam, func, or_, select
from sqlalchemy.orm import Session

from study_app.models.participation import WebSitting
from study_app.models.ranking import AssignedQuery, RankingQuery, RankingTask
from study_app.participation.people import included
from study_app.participation.people.quota import COUNTS, limits
from study_app.participation.sittings import parts

LARGEST_NUMBER = 2**31 - 1


def _people(condition: ColumnElement[bool]) -> ColumnElement[int]:
    is_done = parts.is_counted(AssignedQuery.part) & AssignedQuery.submitted_at.is_not(None)
    # A subquery of its own, and last, because it asks about every sitting once, not every trial.
    held = WebSitting.id.in_(select(WebSitting.id).where(COUNTS).correlate(None))
    return func.count().filter(or_(is_done, and_(condition, held)))


# Built once: it is sent at every arrival, and building it takes longer than running it.
_NUMBERS = select(
    select(func.max(WebSitting.number))
    .where(WebSitting.task_id == bindparam("task_id"))
    .scalar_subquery(),
    select(func.count(RankingQuery.id))
    .where(RankingQuery.task_id == bindparam("task_id"), RankingQuery.practice.is_(False))
    .scalar_subquery(),
)
_SUBMITTED = AssignedQuery.submitted_at.is_not(None)
_BY_QUERY = (
    select(
        AssignedQuery.query_id,
        _people(or_(WebSitting.ending.is_(None), _SUBMITTED)).label("taken"),
        _people(WebSitting.ending.is_not(None) & _SUBMITTED).label("filled"),
    )
    .join(WebSitting, WebSitting.id == AssignedQuery.sitting_id)
    .where(
        WebSitting.task_id == bindparam("task_id"),
        WebSitting.number > bindparam("after"),
        WebSitting.number <= bindparam("until"),
        *included.web_sittings(),
        *included.trials(AssignedQuery.position),
        AssignedQuery.kind == "main",
    )
    .group_by(AssignedQuery.query_id)
    .subquery()
)
_TAKEN_AND_FILLED = (
    select(
        RankingQuery.id,
        func.coalesce(_BY_QUERY.c.taken, 0),
        func.coalesce(_BY_QUERY.c.filled, 0),
    )
    .outerjoin(_BY_QUERY, _BY_QUERY.c.query_id == RankingQuery.id)
    .where(RankingQuery.task_id == bindparam("task_id"), RankingQuery.practice.is_(False))
)


def of_each(task: RankingTask, queries: int) -> int:
    """The number of participants that each query should have.

    With a total number of participants, each query has an equal share of them.
    """
    if task.people is None:
        return task.quota
    return task.people * min(task.part_size or queries, queries) // max(queries, 1)


def has_open(session: Session, task: RankingTask) -> bool:
    """Whether some query surely needs participants: there were too few for all."""
    # The number of the last sitting is at least the number of those that take places.
    last, queries = session.execute(_NUMBERS, {"task_id": task.id}).one()
    places = min(task.part_size or queries, queries)
    return (last or 0) * places < task.quota * queries


def must_count(task: RankingTask, sittings: int) -> bool:
    """Whether a participant's queries depend on the places taken by so many sittings.

    They do not while everybody gets all queries, and none of them can have enough participants.
    """
    return task.part_size is not None or (task.people is None and sittings >= task.quota)


def taken(
    session: Session, task: RankingTask, after: int = 0, until: int = LARGEST_NUMBER
) -> dict[int, int]:
    """Number of places taken in each query of a task, without practice; see `taken_and_filled`."""
    return taken_and_filled(session, task, after, until)[0]


def taken_and_filled(
    session: Session, task: RankingTask, after: int = 0, until: int = LARGEST_NUMBER
) -> tuple[dict[int, int], dict[int, int]]:
    """Numbers of places taken, and of finished participants who submitted it, by query.

    A finished sitting takes a place in the queries it submitted; a current one in all of its
    queries; one that was given up in those of the parts that were done. Practice is left out.
    Only sittings with these numbers are counted.
    """
    values = limits(task) | {"after": after, "until": until}
    counted = session.execute(_TAKEN_AND_FILLED, values).all()
    holding = {query: people for query, people, _ in counted}
    return holding, {query: people for query, _, people in counted}
