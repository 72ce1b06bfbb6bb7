"""Stamps that change when a sitting has new scores."""

from collections.abc import Hashable, Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from study_app.models.participation import WebSitting
from study_app.models.ranking import AssignedQuery, RankingTask, ScoreEntry


def stamps_of(session: Session, task: RankingTask) -> dict[int, Hashable]:
    """A value for each sitting of a task that changes with its scores.

    An ended sitting accepts no more scores, so its stamp does not change. For the others, the
    entries are counted, which are only deleted by a withdrawal.
    """
    # With `agreed_at`, because SQLite reuses the ids of deleted try-outs.
    chosen = select(WebSitting.id, WebSitting.agreed_at, WebSitting.ending).where(
        WebSitting.task_id == task.id
    )
    sittings = session.execute(chosen).all()
    under_way = select(WebSitting.id).where(
        WebSitting.task_id == task.id, WebSitting.ending.is_(None)
    )
    entries = select(ScoreEntry.sitting_id, func.count()).where(
        ScoreEntry.sitting_id.in_(under_way)
    )
    sent = dict(session.execute(entries.group_by(ScoreEntry.sitting_id)).all())
    queries = select(AssignedQuery.sitting_id, func.count(AssignedQuery.submitted_at)).where(
        AssignedQuery.sitting_id.in_(under_way)
    )
    submitted = dict(session.execute(queries.group_by(AssignedQuery.sitting_id)).all())
    return {
        one: (began, ending or (sent.get(one, 0), submitted.get(one, 0)))
        for one, began, ending in sittings
    }


def queries_in(session: Session, sittings: Sequence[int]) -> int:
    """The number of queries submitted in some sittings."""
    counted = select(func.count(AssignedQuery.submitted_at)).where(
        AssignedQuery.sitting_id.in_(sittings)
    )
    return session.scalar(counted) or 0
