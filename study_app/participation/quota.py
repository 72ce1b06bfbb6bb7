"""Which sittings take places of a task: finished ones for good, others for a while."""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, or_

from study_app.core.clock import lately
from study_app.models.participation import WebSitting, WebTask


def counting(task: WebTask) -> ColumnElement[bool]:
    """The condition that a sitting takes places: finished, or seen lately; never withdrawn."""
    return and_(
        WebSitting.task_id == task.id,
        WebSitting.purpose != "tryout",
        WebSitting.withdrawn_at.is_(None),
        or_(
            WebSitting.finished_at.is_not(None),
            WebSitting.seen_at.between(*held_between(task)),
        ),
    )


def held_between(task: WebTask) -> tuple[datetime, datetime]:
    """Somebody who was last seen before this, or after it, gave up.

    Whoever is still there is seen again within seconds; nobody holds a place for the whole day by
    which the clock of a server was wrong.
    """
    return lately(timedelta(minutes=task.hold_minutes))
