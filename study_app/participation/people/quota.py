"""Which sittings take places of a task: finished ones permanently, others for a limited time."""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, func, or_, select
from sqlalchemy.orm import Session

from study_app.core.clock import lately
from study_app.models.participation import WebSitting, WebTask
from study_app.participation.people import included
from study_app.participation.sittings import parts

# Time to read the introduction and to begin; the first score counts as a sign of life.
UNHEARD_MINUTES = 10


def counting(task: WebTask) -> ColumnElement[bool]:
    """The condition that a sitting takes places: finished, seen lately, or between two parts.

    Whoever withdrew, is excluded, was screened out or failed the checks gives the place to
    somebody else.
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
                WebSitting.seen_at.between(*_held_unheard_between(task)),
            ),
        ),
    )


def count(session: Session, task: WebTask) -> int:
    """How many sittings take a place of a task."""
    return session.scalar(select(func.count(WebSitting.id)).where(counting(task))) or 0


def _held_unheard_between(task: WebTask) -> tuple[datetime, datetime]:
    """Participants whose page has not yet sent anything hold a place only briefly."""
    return lately(timedelta(minutes=min(task.hold_minutes, UNHEARD_MINUTES)))


def held_between(task: WebTask) -> tuple[datetime, datetime]:
    """Participants last seen outside this range have given up.

    Active participants are seen again within seconds; a wrong clock must not hold a place for a
    whole day.
    """
    return lately(timedelta(minutes=task.hold_minutes))
