"""Which sittings count towards a quota: finished ones permanently, others for a limited time."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, and_, bindparam, func, or_, select
from sqlalchemy.orm import Session

from study_app.core.clock import recent_range
from study_app.models import now
from study_app.models.participation import WebSitting, WebTask
from study_app.participation.people import included

# Time to read the introduction and start.
FIRST_ANSWER_MINUTES = 10
# The condition that a sitting counts: finished, recently active, or between two parts. Participants
# who withdrew, were excluded, were screened out or failed the checks do not count. Statements with
# this condition are given the `limits` of a task.
COUNTS = and_(
    WebSitting.task_id == bindparam("task_id"),
    *included.web_sittings(),
    or_(
        WebSitting.ending.is_not(None),
        WebSitting.next_part_at > bindparam("rested_since"),
        and_(
            WebSitting.ending.is_(None),
            WebSitting.seen_at != WebSitting.agreed_at,
            WebSitting.seen_at.between(bindparam("active_since"), bindparam("active_until")),
        ),
        and_(
            WebSitting.ending.is_(None),
            WebSitting.seen_at.between(bindparam("begun_since"), bindparam("begun_until")),
        ),
    ),
)


def limits(task: WebTask) -> dict[str, Any]:
    """The values of `COUNTS` for a task."""
    active_since, active_until = held_between(task)
    begun_since, begun_until = _held_before_first_answer(task)
    return {
        "task_id": task.id,
        "rested_since": now() - timedelta(days=task.part_days),
        "active_since": active_since,
        "active_until": active_until,
        "begun_since": begun_since,
        "begun_until": begun_until,
    }


def count(session: Session, task: WebTask, *conditions: ColumnElement[bool]) -> int:
    """The number of sittings that count towards a task's quota, of those with these conditions."""
    counted = select(func.count(WebSitting.id)).where(COUNTS, *conditions)
    return session.scalar(counted, limits(task)) or 0


def _held_before_first_answer(task: WebTask) -> tuple[datetime, datetime]:
    """The range for participants who have not answered anything yet; it is short."""
    return recent_range(timedelta(minutes=min(task.hold_minutes, FIRST_ANSWER_MINUTES)))


def held_between(task: WebTask) -> tuple[datetime, datetime]:
    """The range of times in which active participants were last seen.

    Active participants send requests every few seconds; with a wrong clock, a place must not be
    held for a whole day.
    """
    return recent_range(timedelta(minutes=task.hold_minutes))
