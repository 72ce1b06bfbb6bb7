"""Real and simulated judgments are not mixed: those of a simulated study all count as simulated."""

from typing import Any

from sqlalchemy import Select, exists, or_, select
from sqlalchemy.orm import Session

from study_app.core.text.languages import rgettext
from study_app.models import Participant, Sitting, SittingAssessor, Study, now
from study_app.models.participation import Invitation, WebSitting
from study_app.participation.refusals import TaskUnclear


def refuse(session: Session, study: Study, purpose: str) -> None:
    """Refuse "simulated" participants in a study with "real" ones, and the other way round.

    Raises
    ------
    TaskUnclear
    """
    if purpose == "real":
        if study.simulated:
            raise TaskUnclear(
                rgettext(
                    "The judgments in this study are simulated, and those of real people must not "
                    "be mixed in. Invite people to a separate study."
                )
            )
        return
    if session.scalar(select(exists(_people_on_the_web(study)) | exists(_people_at_tables(study)))):
        raise TaskUnclear(
            rgettext(
                "This study has scores or sittings of real people, and simulated ones must not "
                "be mixed in. Simulate in a separate study."
            )
        )
    if session.scalar(select(exists(_open_links(study)))):
        raise TaskUnclear(
            rgettext(
                "This study has links for real participants, and simulated ones must not be mixed "
                "in. Close the links, or simulate in a separate study."
            )
        )


def _people_on_the_web(study: Study) -> Select[Any]:
    real = WebSitting.purpose == "real", WebSitting.task.has(study_id=study.id)
    return select(WebSitting.id).join(WebSitting.task).where(*real)


def _people_at_tables(study: Study) -> Select[Any]:
    real = Sitting.study_id == study.id, Sitting.state != "withdrawn", ~Participant.simulated
    return select(Sitting.id).join(SittingAssessor).join(Participant).where(*real)


def _open_links(study: Study) -> Select[Any]:
    return select(Invitation.id).where(
        Invitation.task.has(study_id=study.id),
        Invitation.purpose == "real",
        Invitation.closed_at.is_(None),
        or_(Invitation.expires_at.is_(None), Invitation.expires_at > now()),
    )
