"""A sitting on the web: its state, its time limit, and its lock."""

from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import Select, select, update
from sqlalchemy.orm import Session

from study_app.core.database.prepared import Prepared, Row
from study_app.core.tokens import token_hash
from study_app.models import now
from study_app.models.participation import WebSitting, WebTask
from study_app.participation.endings.endings import Ending
from study_app.participation.refusals import CheckFirst, LinkUnknown, Withdrawn
from study_app.participation.sittings import own_address

# How long after the time limit answers in transit are still accepted.
GRACE = timedelta(seconds=15)
# Places are held for minutes, so not every request has to be stored.
SEEN_EVERY = timedelta(seconds=15)

UNTRACKED = {"synchronize_session": False}
State = Literal["checking", "begun", "resting", "finished", "withdrawn"]

_TASK = WebTask.__table__
# The columns of a sitting for a request; methods add their own.
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
    .where(own_address.HAS_TOKEN)
    .with_for_update(of=WebSitting)
)
_LOCK = Prepared(LOCKED)


def state_of(sitting: WebSitting) -> State:
    """How far a sitting is: "checking" before the trials, "resting" between two parts."""
    if sitting.withdrawn_at:
        return "withdrawn"
    if sitting.finished_at:
        return "finished"
    if sitting.next_part_at:
        return "resting"
    return "begun" if sitting.ready_at else "checking"


def deadline(ready_at: datetime | None, minutes: int | None) -> datetime | None:
    """The end of the time limit for trials opened at a time, or None."""
    return ready_at + timedelta(minutes=minutes) if ready_at and minutes else None


def lock(
    session: Session, token: str, statement: Prepared = _LOCK, *, is_answer: bool = True
) -> Row:
    """Lock the sitting of an own token: other tabs wait until this transaction ends.

    Updates the time it was last seen, to within `SEEN_EVERY`, from the first answer on: a page that
    is only opened, or a program that answers nothing, holds a place for a short time (see `quota`).

    Raises
    ------
    LinkUnknown
        If there is no sitting with the token.
    Withdrawn
        If the participant has withdrawn.
    CheckFirst
        If the comprehension check is not passed.
    """
    found = statement.send(session.connection(), {"token_hash": token_hash(token)})
    if not found:
        raise LinkUnknown()
    sitting = found[0]
    if sitting.withdrawn_at:
        raise Withdrawn()
    if not sitting.ready_at and not sitting.finished_at:
        raise CheckFirst()
    has_begun = is_answer or sitting.seen_at != sitting.agreed_at
    if has_begun and abs(now() - sitting.seen_at) > SEEN_EVERY:
        seen = update(WebSitting).where(WebSitting.id == sitting.id)
        session.execute(seen.values(seen_at=now()), execution_options=UNTRACKED)
    return sitting


def finish(session: Session, sitting_id: int, moment: datetime, ending: Ending) -> None:
    """End a sitting."""
    ended = update(WebSitting).where(WebSitting.id == sitting_id)
    session.execute(ended.values(finished_at=moment, ending=ending), execution_options=UNTRACKED)
