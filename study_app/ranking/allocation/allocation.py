"""Allocating and storing the queries of one participant, with few SQL statements.

Others wait to join until the queries are allocated, so they are read and written in bulk.
"""

from collections.abc import Mapping, Sequence
from typing import cast

from sqlalchemy import String, Table, bindparam, func, insert, or_, select
from sqlalchemy import cast as cast_to
from sqlalchemy.orm import Session

from study_app.models.participation import WebSitting
from study_app.models.ranking import AssignedQuery, Candidate, RankingQuery, RankingTask
from study_app.participation.refusals import NoPlaceLeft
from study_app.participation.sittings import parts
from study_app.ranking.allocation import quota
from study_app.ranking.allocation.block_design import (
    Allocated,
    TaskQuery,
    allocate_queries,
    choose_queries,
)

# SQLite accepts 32,766 values in one statement.
NAMED_AT_ONCE = 5_000

# Statements of every arrival: building one takes longer than running it.
# A text of all images of a query, such as "2:17,1:4", is read sooner than a row for each.
_IMAGE = cast_to(Candidate.number, String) + ":" + cast_to(Candidate.stimulus_id, String)
_OF_TASK = (
    select(
        RankingQuery.id,
        RankingQuery.stimulus_id,
        RankingQuery.practice,
        func.aggregate_strings(_IMAGE, ","),
    )
    .join(Candidate, Candidate.query_id == RankingQuery.id)
    .where(RankingQuery.task_id == bindparam("task_id"))
    .group_by(RankingQuery.id)
    .order_by(RankingQuery.number, RankingQuery.id)
)
_OF_CHOSEN = _OF_TASK.where(
    or_(RankingQuery.practice, RankingQuery.id.in_(bindparam("chosen", expanding=True)))
)
# Only a statement that returns something is sent once for all rows, not once for each.
_ASSIGN = insert(cast(Table, AssignedQuery.__table__)).returning(AssignedQuery.id)


def allocate(
    session: Session, task: RankingTask, purpose: str, seed: int, taken: Mapping[int, int] | None
) -> list[Allocated]:
    """Sample the queries of a participant and all orders.

    Parameters
    ----------
    session : sqlalchemy.orm.Session
    task : study_app.models.ranking.RankingTask
    purpose : str
        A "tryout" does not count towards the quota, and is not limited by it.
    seed : int
        Random seed of the sitting.
    taken : dict of int to int or None
        Number of places taken in each query, from `quota.taken`; None for none.

    Returns
    -------
    list of study_app.ranking.allocation.block_design.Allocated

    Raises
    ------
    NoPlaceLeft
        If every query has enough participants.
    """
    queries = None
    if taken is None or purpose == "tryout":
        queries = _queries(session, task)
        taken = dict.fromkeys((query.query_id for query in queries if not query.practice), 0)
    # With a total number of participants, queries have no quota: the least-covered come first.
    quota_each = len(taken) and max(taken.values()) + 1 if task.people else task.quota
    chosen = choose_queries(taken, quota_each, task.part_size, seed)
    if not chosen:
        raise NoPlaceLeft(is_full(session, task, only_finished=True))
    queries = queries or _queries(session, task, chosen)
    return allocate_queries(queries, chosen, task.repeats, task.checks, seed)


def is_full(session: Session, task: RankingTask, only_finished: bool = False) -> bool:
    """Whether every query has enough participants, or enough who finished if asked for.

    With a total number of participants, queries have no quota: False.
    """
    # Counting the places takes longer, and is needed only if there were enough people.
    if task.people or quota.has_open(session, task):
        return False
    taken, filled = quota.taken_and_filled(session, task)
    counted = filled if only_finished else taken
    return bool(counted) and min(counted.values()) >= task.quota


def assign(session: Session, sitting: WebSitting, allocated: Sequence[Allocated]) -> None:
    """Store the queries of a sitting in their order, divided into the parts of its task."""
    practice = sum(query.kind == "practice" for query in allocated)
    # Simulated participants do all parts at once.
    wanted = 1 if sitting.purpose == "simulated" else sitting.task.parts
    part_of = parts.part_of_trials(practice, len(allocated) - practice, wanted)
    sitting.parts = part_of[-1]
    rows = [
        {
            "sitting_id": sitting.id,
            "query_id": query.query_id,
            "position": position,
            "part": part,
            "kind": query.kind,
            "shown_order": query.shown_order,
            "checked": query.checked,
        }
        for position, (part, query) in enumerate(zip(part_of, allocated, strict=True), start=1)
    ]
    session.execute(_ASSIGN, rows)


def _queries(
    session: Session, task: RankingTask, chosen: list[int] | None = None
) -> list[TaskQuery]:
    """The practice queries and the chosen ones, by default all, with their images, in order."""
    is_named = chosen is not None and len(chosen) <= NAMED_AT_ONCE
    values = {"task_id": task.id, "chosen": chosen if is_named else []}
    rows = session.execute(_OF_CHOSEN if is_named else _OF_TASK, values)
    wanted = None if chosen is None else set(chosen)
    return [
        TaskQuery(query_id, sketch_id, _in_order(images), practice)
        for query_id, sketch_id, practice, images in rows
        if practice or wanted is None or query_id in wanted
    ]


def _in_order(images: str) -> tuple[int, ...]:
    """Ids of images by their numbers, which the text names before them."""
    numbered = sorted(tuple(map(int, image.split(":"))) for image in images.split(","))
    return tuple(image for _, image in numbered)
