"""Who takes part in a task: found by code, how far, through which link, known to a platform."""

from collections.abc import Sequence
from typing import Any, Literal

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session, contains_eager, joinedload

from study_app.models import Participant
from study_app.models.participation import Invitation, PlatformIdentity, WebSitting, WebTask
from study_app.participation.quota import counting, held_between

Progress = Literal["withdrawn", "time up", "finished", "begun", "away"]


def count_people(session: Session, task: WebTask, find: str = "") -> int:
    """How many participants a task has, of those whose code holds `find`."""
    return session.scalar(_people(select(func.count(WebSitting.id)), task, find)) or 0


def sittings_of(
    session: Session, task: WebTask, *, find: str = "", offset: int = 0, limit: int | None = None
) -> Sequence[WebSitting]:
    """The sittings of a task with their participants and texts, the newest first."""
    whole = contains_eager(WebSitting.participant), joinedload(WebSitting.consent_text)
    chosen = _people(select(WebSitting), task, find).options(*whole)
    chosen = chosen.order_by(WebSitting.number.desc()).offset(offset).limit(limit)
    return session.scalars(chosen).all()


def progress_of(task: WebTask, sitting: WebSitting) -> Progress:
    """How far a participant is; "away" was not seen for longer than a place is held."""
    if sitting.withdrawn_at:
        return "withdrawn"
    if sitting.finished_at:
        return "time up" if sitting.time_up else "finished"
    since, until = held_between(task)
    return "begun" if since <= sitting.seen_at <= until else "away"


def finished_and_under_way(session: Session, task: WebTask) -> tuple[int, int]:
    """How many participants finished, and how many are under way."""
    ends = session.scalars(select(WebSitting.finished_at).where(counting(task))).all()
    finished = sum(end is not None for end in ends)
    return finished, len(ends) - finished


def links_of(session: Session, task: WebTask) -> list[tuple[Invitation, int]]:
    """Every invitation of a task with how many came through it, in order."""
    came = select(WebSitting.invitation_id, func.count()).where(WebSitting.task_id == task.id)
    counts = _counts(session, came.group_by(WebSitting.invitation_id))
    chosen = select(Invitation).where(Invitation.task_id == task.id).order_by(Invitation.number)
    return [(invitation, counts.get(invitation.id, 0)) for invitation in session.scalars(chosen)]


def agreed_counts(session: Session, task: WebTask) -> dict[int, int]:
    """How many people agreed to each version of the texts, by its number."""
    counted = select(WebSitting.consent_text_id, func.count()).where(
        WebSitting.task_id == task.id, WebSitting.purpose != "tryout"
    )
    return _counts(session, counted.group_by(WebSitting.consent_text_id))


def identities_of(session: Session, task: WebTask) -> list[tuple[PlatformIdentity, str, Progress]]:
    """What the recruitment platform calls each participant, with their code and progress."""
    chosen = (
        select(PlatformIdentity, WebSitting)
        .join(WebSitting, WebSitting.id == PlatformIdentity.sitting_id)
        .options(joinedload(WebSitting.participant))
        .where(WebSitting.task_id == task.id)
        .order_by(WebSitting.number)
    )
    return [
        (identity, sitting.participant.code, progress_of(task, sitting))
        for identity, sitting in session.execute(chosen)
    ]


def _people(chosen: Select[*tuple[Any, ...]], task: WebTask, find: str) -> Select[*tuple[Any, ...]]:
    chosen = chosen.join(WebSitting.participant).where(WebSitting.task_id == task.id)
    return chosen.where(Participant.code.icontains(find, autoescape=True)) if find else chosen


def _counts(session: Session, counted: Select[*tuple[Any, ...]]) -> dict[int, int]:
    return dict(session.execute(counted).all())
