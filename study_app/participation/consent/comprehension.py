"""The comprehension check: questions about the instructions, before the first trial."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy.orm import Session

from study_app.models import now
from study_app.models.participation import WebSitting
from study_app.participation.consent.questions import all_right
from study_app.participation.tasks import lock_sitting


def attempts_left(sitting: WebSitting) -> int:
    """The number of attempts that a participant has left."""
    return max(0, sitting.task.attempts - sitting.attempts)


def answer(session: Session, sitting: WebSitting, given: Mapping[str, str]) -> bool:
    """Use one attempt: if right it opens the trials; the last wrong attempt screens out.

    Parameters
    ----------
    session : sqlalchemy.orm.Session
        Inside `study_app.core.database.writing`.
    sitting : study_app.models.participation.WebSitting
    given : dict of str to str
        Answers by the names of the questions.

    Returns
    -------
    bool
        Whether every answer was right. Nothing changes if the check is already over.
    """
    sitting = lock_sitting(session, sitting.id)
    if sitting.ready_at or sitting.ending:
        return bool(sitting.ready_at)
    moment: datetime = now()
    sitting.attempts += 1
    sitting.seen_at = moment
    if all_right(sitting.task.comprehension, given):
        sitting.ready_at = moment
        return True
    if not attempts_left(sitting):
        sitting.ending, sitting.finished_at = "screened_out", moment
    return False
