"""After the last trial: questions, a free comment, then the page of the ending."""

from collections.abc import Mapping

from sqlalchemy.orm import Session

from study_app.models import now
from study_app.models.participation import WebSitting, WebTask
from study_app.participation.consent.questions import (
    COMMENT,
    LONGEST_COMMENT,
    accepted_answers,
    whole_answer,
)
from study_app.participation.endings.endings import COUNTED
from study_app.participation.tasks import lock_sitting


def asks(task: WebTask) -> bool:
    """Whether a task has questions after the last trial."""
    return bool(task.end_questions or task.asks_comment)


def is_asked(sitting: WebSitting) -> bool:
    """Whether a participant has not yet answered the questions after the last trial."""
    is_over = sitting.ending in (*COUNTED, "failed_checks") and not sitting.withdrawn_at
    return is_over and asks(sitting.task) and sitting.end_answered_at is None


def answer(session: Session, sitting: WebSitting, given: Mapping[str, str]) -> None:
    """Store the answers, all of which are optional; once only, and none after a withdrawal."""
    sitting = lock_sitting(session, sitting.id)
    if not is_asked(sitting):
        return
    answers = accepted_answers(sitting.task.end_questions, given)
    comment = whole_answer(given.get(COMMENT, ""), LONGEST_COMMENT)
    if sitting.task.asks_comment and comment:
        answers[COMMENT] = comment
    sitting.answers = {**sitting.answers, **answers}
    sitting.end_answered_at = now()
