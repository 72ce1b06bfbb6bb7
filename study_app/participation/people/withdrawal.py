"""Withdrawal of participants on the web, and deletion of try-outs."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, or_, select
from sqlalchemy.orm import Session

from study_app.core.errors import NotFound
from study_app.core.text.languages import rtranslatable
from study_app.models import Participant, now
from study_app.models.exclusion import Exclusion
from study_app.models.participation import PlatformIdentity, WebSitting, WebTask
from study_app.models.systems import GoldFigure
from study_app.participation.methods import method_of
from study_app.participation.tasks import lock_sitting


@dataclass(frozen=True)
class Withdrawal:
    """A withdrawal: whose, when, and by whom.

    Attributes
    ----------
    participant : str
    at : datetime
    by : str
        "participant" or "researcher".
    """

    participant: str
    at: datetime
    by: str


def withdrawals_of(session: Session, task: WebTask) -> list[Withdrawal]:
    """The withdrawals from a task, in order."""
    chosen = (
        select(Participant.code, WebSitting.withdrawn_at, WebSitting.withdrawn_by)
        .join(WebSitting, WebSitting.participant_id == Participant.id)
        .where(
            WebSitting.task_id == task.id,
            WebSitting.purpose != "tryout",
            WebSitting.withdrawn_at.is_not(None),
        )
        .order_by(WebSitting.withdrawn_at, Participant.code)
    )
    return [Withdrawal(code, at, by) for code, at, by in session.execute(chosen) if at and by]


def get_sitting(session: Session, task: WebTask, sitting_id: int) -> WebSitting:
    """The sitting with an id, if it belongs to the task."""
    found = session.get(WebSitting, sitting_id)
    if found is None or found.task_id != task.id:
        raise NotFound(rtranslatable("participant"), str(sitting_id))
    return found


def withdraw(session: Session, sitting: WebSitting, by: str) -> None:
    """Delete a participant's data, and results computed from them.

    What remains: which texts a pseudonym agreed to and when, the time and author of the withdrawal,
    and, for payment, the platform ID and the time at which its owner completed the task. Earlier
    exports contain the scores: `studies.people.withdrawal.delete_traces` deletes them.

    Parameters
    ----------
    session : sqlalchemy.orm.Session
    sitting : WebSitting
    by : str
        "participant" or "researcher".
    """
    # Scores that are just being saved come first, and are removed with the others.
    sitting = lock_sitting(session, sitting.id)
    if sitting.withdrawn_at:
        return
    method_of(sitting.task).remove_observations(session, [sitting.id])
    # The reasons may say something about the person.
    person = Exclusion.participant_id == sitting.participant_id
    session.execute(delete(Exclusion).where(or_(Exclusion.web_sitting_id == sitting.id, person)))
    moment = now()
    sitting.withdrawn_at, sitting.withdrawn_by = moment, by
    if sitting.ending != "complete" or session.get(PlatformIdentity, sitting.id) is None:
        sitting.finished_at = None
    sitting.seen_at, sitting.ending = moment, "withdrew"
    sitting.answers, sitting.end_answered_at, sitting.next_part_at = {}, None, None
    sitting.participant.age_band = sitting.participant.gender = None
    figure = delete(GoldFigure).where(GoldFigure.study_id == sitting.task.study_id)
    session.execute(figure.where(GoldFigure.target == f"task-{sitting.task_id}"))


def clear_tryouts(session: Session, task: WebTask) -> int:
    """Delete every try-out of a task, so that its trials can be changed; returns how many."""
    chosen = select(WebSitting).where(WebSitting.task_id == task.id, WebSitting.purpose == "tryout")
    sittings = session.scalars(chosen).all()
    ids = [sitting.id for sitting in sittings]
    people = [sitting.participant_id for sitting in sittings]
    method_of(task).remove_observations(session, ids)
    session.execute(delete(PlatformIdentity).where(PlatformIdentity.sitting_id.in_(ids)))
    session.execute(delete(Exclusion).where(Exclusion.web_sitting_id.in_(ids)))
    session.execute(delete(Exclusion).where(Exclusion.participant_id.in_(people)))
    session.execute(delete(WebSitting).where(WebSitting.id.in_(ids)))
    session.execute(delete(Participant).where(Participant.id.in_(people)))
    return len(ids)
