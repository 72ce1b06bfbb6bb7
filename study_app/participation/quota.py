"""Which sittings take places of a task: finished ones for good, others for a while."""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, func, or_, select
from sqlalchemy.orm import Session

from study_app.core.clock import lately
from study_app.models.participation import WebSitting, WebTask
from study_app.participation import included

# To read what the study is about and to begin; the first score counts as heard.
UNHEARD_MINUTES = 10


def counting(task: WebTask) -> ColumnElement[bool]:
    """The condition that a sitting takes places: finished, or seen lately.

    Whoever withdrew, is excluded, was screened out or failed the checks gives the place to
    somebody else.
    """
    return and_(
        WebSitting.task_id == task.id,
        *included.web_sittings(),
        or_(
            WebSitting.ending.is_not(None),
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
    """Somebody whose page never spoke holds a place briefly: a program that only joins, none."""
    return lately(timedelta(minutes=min(task.hold_minutes, UNHEARD_MINUTES)))


def held_between(task: WebTask) -> tuple[datetime, datetime]:
    """Somebody who was last seen before this, or after it, gave up.

    Whoever is still there is seen again within seconds; nobody holds a place for the whole day by
    which the clock of a server was wrong.
    """
    return lately(timedelta(minutes=task.hold_minutes))
