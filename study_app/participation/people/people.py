"""The participants of a task: lookup by code, progress, links and endings."""

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, cast

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session, contains_eager, joinedload

from study_app.core.errors import NotFound
from study_app.core.text.languages import rtranslatable
from study_app.models import Participant, now
from study_app.models.participation import (
    EarlyEnding,
    Invitation,
    WebSitting,
    WebTask,
)
from study_app.participation.endings.endings import NAMES, Ending
from study_app.participation.people.quota import COUNTS, held_between, limits

# Names of endings, and of the states before them.
Progress = str
BETWEEN_PARTS, AWAY = rtranslatable("between parts"), rtranslatable("away")
TAKING_PART, CHECKING = rtranslatable("taking part"), rtranslatable("checking")


def person_named(session: Session, study_id: int, code: str) -> Participant:
    """The person with a code in a study: a participant or an assessor."""
    chosen = select(Participant).where(Participant.study_id == study_id, Participant.code == code)
    found = session.scalar(chosen)
    if found is None:
        raise NotFound(rtranslatable("participant"), code[:40])
    return found


def web_sittings_of(session: Session, person: Participant) -> Sequence[WebSitting]:
    """The sittings on the web of a person, without try-outs."""
    chosen = select(WebSitting).where(
        WebSitting.participant_id == person.id, WebSitting.purpose != "tryout"
    )
    return session.scalars(chosen.order_by(WebSitting.id)).all()


def web_sitting_of(session: Session, person: Participant) -> WebSitting:
    """The only sitting on the web of a person."""
    found = web_sittings_of(session, person)
    if len(found) != 1:
        raise NotFound(rtranslatable("sitting on the web of"), person.code)
    return found[0]


def count_people(session: Session, task: WebTask, find: str = "") -> int:
    """The number of participants of a task whose code contains `find`."""
    return session.scalar(_people(select(func.count(WebSitting.id)), task, find)) or 0


def sittings_of(
    session: Session, task: WebTask, *, find: str = "", offset: int = 0, limit: int | None = None
) -> Sequence[WebSitting]:
    """The sittings of a task with their participants and texts, newest first."""
    whole = contains_eager(WebSitting.participant), joinedload(WebSitting.consent_text)
    chosen = _people(select(WebSitting), task, find).options(*whole)
    chosen = chosen.order_by(WebSitting.number.desc()).offset(offset).limit(limit)
    return session.scalars(chosen).all()


def progress_of(task: WebTask, sitting: WebSitting) -> Progress:
    """How far a participant is: "checking", "taking part", "between parts", "away" or an ending.

    "away" means inactive for longer than a place is held.
    """
    if sitting.ending:
        return NAMES[cast(Ending, sitting.ending)]
    if sitting.next_part_at:
        held_until = sitting.next_part_at + timedelta(days=task.part_days)
        return BETWEEN_PARTS if now() < held_until else AWAY
    since, until = held_between(task)
    if not since <= sitting.seen_at <= until:
        return AWAY
    return TAKING_PART if sitting.ready_at else CHECKING


def finished_and_under_way(session: Session, task: WebTask) -> tuple[int, int]:
    """The numbers of participants who completed the task, and who are in progress."""
    counted = select(WebSitting.ending, func.count()).where(COUNTS)
    ended = dict(session.execute(counted.group_by(WebSitting.ending), limits(task)).all())
    return ended.get("complete", 0), ended.get(None, 0)


def endings_of(session: Session, task: WebTask) -> dict[Ending, int]:
    """The number of participants with each ending, including those before consent.

    Try-outs are not counted; endings that did not occur are absent.
    """
    real = Invitation.task_id == task.id, Invitation.purpose != "tryout"
    agreed = select(WebSitting.ending, func.count()).where(
        WebSitting.task_id == task.id,
        WebSitting.purpose != "tryout",
        WebSitting.ending.is_not(None),
    )
    early = select(EarlyEnding.ending, func.sum(EarlyEnding.people)).join(
        Invitation, Invitation.id == EarlyEnding.invitation_id
    )
    counts: Counter[str] = Counter(_counts(session, agreed.group_by(WebSitting.ending)))
    counts.update(_counts(session, early.where(*real).group_by(EarlyEnding.ending)))
    return {ending: int(counts[ending]) for ending in NAMES if counts[ending]}


def links_of(session: Session, task: WebTask) -> list[tuple[Invitation, int]]:
    """Every invitation of a task, in order, with its number of participants."""
    arrivals = select(WebSitting.invitation_id, func.count()).where(WebSitting.task_id == task.id)
    counts = _counts(session, arrivals.group_by(WebSitting.invitation_id))
    chosen = select(Invitation).where(Invitation.task_id == task.id).order_by(Invitation.number)
    return [(invitation, counts.get(invitation.id, 0)) for invitation in session.scalars(chosen)]


def agreed_counts(session: Session, task: WebTask) -> dict[int, int]:
    """The number of people who agreed to each version of the texts, by its id."""
    counted = select(WebSitting.consent_text_id, func.count()).where(
        WebSitting.task_id == task.id, WebSitting.purpose != "tryout"
    )
    return _counts(session, counted.group_by(WebSitting.consent_text_id))


def _people(chosen: Select[*tuple[Any, ...]], task: WebTask, find: str) -> Select[*tuple[Any, ...]]:
    chosen = chosen.join(WebSitting.participant).where(WebSitting.task_id == task.id)
    return chosen.where(Participant.code.icontains(find, autoescape=True)) if find else chosen


def _counts(session: Session, counted: Select[*tuple[Any, ...]]) -> dict[Any, int]:
    return dict(session.execute(counted).all())
