"""One participant with one task: how far it is, how long it may take, and one request at a time."""

from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import Row, Select, bindparam, select, update
from sqlalchemy.orm import Session

from study_app.core.tokens import token_hash
from study_app.models import now
from study_app.models.participation import WebSitting, WebTask
from study_app.participation.endings.endings import Ending
from study_app.participation.refusals import CheckFirst, LinkUnknown, Withdrawn
from study_app.participation.sittings import own_address

# For how long after the time limit an answer that was on its way still counts.
GRACE = timedelta(seconds=15)
# Places are held for minutes: writing down each request would only cost.
SEEN_EVERY = timedelta(seconds=15)

UNTRACKED = {"synchronize_session": False}
State = Literal["checking", "begun", "resting", "finished", "withdrawn"]

_TASK = WebTask.__table__
# One sitting as a request finds it; a method adds the columns of its own.
LOCKED: Select[Any] = (
    select(
        WebSitting.id,
        WebSitting.agreed_at,
        WebSitting.seen_at,
        WebSitting.ready_at,
        WebSitting.finished_at,
        WebSitting.withdrawn_at,
        WebSitting.part,
        WebSitting.next_part_at,
        _TASK.c.minutes,
        _TASK.c.part_hours,
    )
    .join(_TASK, _TASK.c.id == WebSitting.task_id)
    .where(own_address.is_of(bindparam("token_hash")))
    .with_for_update(of=WebSitting)
)


def state_of(sitting: WebSitting) -> State:
    """How far a sitting is: "checking" before the comprehension check, "resting" between parts."""
    if sitting.withdrawn_at:
        return "withdrawn"
    if sitting.finished_at:
        return "finished"
    if sitting.next_part_at:
        return "resting"
    return "begun" if sitting.ready_at else "checking"


def deadline(ready_at: datetime | None, minutes: int | None) -> datetime | None:
    """When the time limit ends a sitting whose trials were opened then, or None."""
    return ready_at + timedelta(minutes=minutes) if ready_at and minutes else None


def lock(session: Session, token: str, statement: Select[Any] = LOCKED) -> Row[Any]:
    """The sitting of an own token, as the other tabs left it: they wait until this one is done.

    It counts as seen now, to within `SEEN_EVERY`.

    Raises
    ------
    LinkUnknown
        If no sitting has the token.
    Withdrawn
        Nothing of a withdrawn participant is stored.
    CheckFirst
        If the comprehension check comes first.
    """
    # By the connection: a save is asked for hundreds of times a second and needs no objects.
    sitting = session.connection().execute(statement, {"token_hash": token_hash(token)}).first()
    if sitting is None:
        raise LinkUnknown()
    if sitting.withdrawn_at:
        raise Withdrawn()
    if not sitting.ready_at and not sitting.finished_at:
        raise CheckFirst()
    if abs(now() - sitting.seen_at) > SEEN_EVERY:
        seen = update(WebSitting).where(WebSitting.id == sitting.id)
        session.execute(seen.values(seen_at=now()), execution_options=UNTRACKED)
    return sitting


def finish(session: Session, sitting_id: int, moment: datetime, ending: Ending) -> None:
    """End a sitting."""
    ended = update(WebSitting).where(WebSitting.id == sitting_id)
    session.execute(ended.values(finished_at=moment, ending=ending), execution_options=UNTRACKED)
