"""Which sittings count towards a quota: finished ones permanently, others for a limited time."""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, func, or_, select
from sqlalchemy.orm import Session

from study_app.core.clock import recent_range
from study_app.models.participation import WebSitting, WebTask
from study_app.participation.people import included
from study_app.participation.sittings import parts

# Time to read the introduction and start.
FIRST_ANSWER_MINUTES = 10


def counting(task: WebTask) -> ColumnElement[bool]:
    """The condition that a sitting counts: finished, recently active, or between two parts.

    Participants who withdrew, were excluded, were screened out or failed the checks do not count.
    """
    return and_(
        WebSitting.task_id == task.id,
        *included.web_sittings(),
        or_(
            WebSitting.ending.is_not(None),
            parts.is_held(task),
            and_(
                WebSitting.ending.is_(None),
                WebSitting.seen_at != WebSitting.agreed_at,
                WebSitting.seen_at.between(*held_between(task)),
            ),
            and_(
                WebSitting.ending.is_(None),
                WebSitting.seen_at.between(*_held_before_first_answer(task)),
            ),
        ),
    )


def count(session: Session, task: WebTask, *conditions: ColumnElement[bool]) -> int:
    """The number of sittings that count towards a task's quota, of those with these conditions."""
    counted = select(func.count(WebSitting.id)).where(counting(task), *conditions)
    return session.scalar(counted) or 0


def _held_before_first_answer(task: WebTask) -> tuple[datetime, datetime]:
    """The range for participants who have not answered anything yet; it is short."""
    return recent_range(timedelta(minutes=min(task.hold_minutes, FIRST_ANSWER_MINUTES)))


def held_between(task: WebTask) -> tuple[datetime, datetime]:
    """The range of times in which active participants were last seen.

    Active participants send requests every few seconds; with a wrong clock, a place must not be
    held for a whole day.
    """
    return recent_range(timedelta(minutes=task.hold_minutes))
