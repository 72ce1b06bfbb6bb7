"""A long task split into parts on several days: when the next one opens, and what is done.

The trials of a sitting are divided in their order. Someone who has done a part rests until the next
one opens; the place is held for some days after that. What was done in a whole part counts, also if
the person never returns.
"""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, or_, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from study_app.models import now
from study_app.models.participation import WebSitting, WebTask
from study_app.participation.sittings.sitting import UNTRACKED
from study_app.participation.tasks import lock_sitting


def part_of_trials(practice: int, trials: int, parts: int) -> list[int]:
    """The part of each trial, from 1; parts differ by one trial at most.

    Parameters
    ----------
    practice : int
        Number of practice trials, all in the first part.
    trials : int
        Number of other trials.
    parts : int
        Number of parts; each has at least one trial.

    Returns
    -------
    list of int
        Shape (practice + trials,).
    """
    parts = max(1, min(parts, trials))
    return [1] * practice + [at * parts // trials + 1 for at in range(trials)]


def is_counted(part: InstrumentedAttribute[int]) -> ColumnElement[bool]:
    """Whether a trial in this part of a `WebSitting` counts: the part is done, or all has ended."""
    resting = and_(WebSitting.next_part_at.is_not(None), part == WebSitting.part)
    return or_(WebSitting.ending.is_not(None), part < WebSitting.part, resting)


def rest(session: Session, sitting_id: int, moment: datetime, hours: int) -> None:
    """End a part; the next one opens after the task's number of hours."""
    resting = update(WebSitting).where(WebSitting.id == sitting_id)
    opens = moment + timedelta(hours=hours)
    session.execute(resting.values(next_part_at=opens), execution_options=UNTRACKED)


def begin_next(session: Session, sitting: WebSitting) -> None:
    """Start the next part if it is open; a started part is not changed."""
    sitting = lock_sitting(session, sitting.id)
    moment = now()
    if sitting.ending or not is_open(sitting, moment):
        return
    sitting.part += 1
    # The time limit applies to each part.
    sitting.ready_at = sitting.seen_at = moment
    sitting.next_part_at = None


def code_of(task: WebTask, part: int) -> str:
    """The code for the platform after a part that is not the last, or an empty text."""
    return task.part_codes[part - 1] if part <= len(task.part_codes) else ""


def is_open(sitting: WebSitting, moment: datetime) -> bool:
    """Whether the next part of a sitting can be begun; only real participants have to wait."""
    opens = sitting.next_part_at
    return opens is not None and (opens <= moment or sitting.purpose != "real")
