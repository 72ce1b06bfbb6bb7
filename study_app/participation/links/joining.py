"""Joining a task: through a link, with consent, and with assigned trials."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from study_app.core.database import attempts
from study_app.core.text.languages import ENGLISH
from study_app.core.tokens import token_hash
from study_app.models import Participant, now
from study_app.models.participation import (
    ConsentText,
    Invitation,
    PlatformIdentity,
    WebSitting,
    WebTask,
)
from study_app.participation.consent.questions import accepted_answers, screens_out
from study_app.participation.links import devices, invitations, mixing, places
from study_app.participation.methods import method_of
from study_app.participation.platforms.platforms import PLATFORMS, PlatformVisit, visit_from
from study_app.participation.refusals import (
    AlreadyBegun,
    LinkUnknown,
    NotAgreed,
)
from study_app.participation.sittings import own_address
from study_app.participation.tasks import hold_task


@dataclass(frozen=True)
class Joining:
    """The form with which a person joins.

    Attributes
    ----------
    sitting_token : str
        The token of the participant's own address, from `OwnTokens.chosen`; a repeated request with
        the same token joins once.
    consent_text_id : int
        The version that was shown.
    agreed : bool
    answers : dict of str to str
        The whole form: answers, and the measured device.
    visit : PlatformVisit or None
        From `visit_of`; None without a recruitment platform.
    language : str
        Language of the page that was shown.
    """

    sitting_token: str
    consent_text_id: int
    agreed: bool
    answers: Mapping[str, str] = field(default_factory=dict)
    visit: PlatformVisit | None = None
    language: str = ENGLISH


def visit_of(invitation: Invitation, sent: Mapping[str, str]) -> PlatformVisit | None:
    """The parameters that a recruitment platform added to a URL; None for other links.

    Raises
    ------
    PersonMissing
        If the platform ID is missing.
    """
    if invitation.kind != "platform":
        return None
    return visit_from(PLATFORMS[invitation.platform], sent)


def sitting_through(session: Session, invitation: Invitation, own_token: str) -> WebSitting | None:
    """The sitting started through this link with this token, or None.

    The sitting of a personal link is found even if it has another token: see
    `own_address.readdress`.
    """
    sitting = own_address.sitting_of(session, own_token)
    if sitting is None and invitation.kind == "personal":
        through = WebSitting.invitation_id == invitation.id
        sitting = session.scalar(select(WebSitting).where(through))
    return sitting


def sitting_elsewhere(
    session: Session, invitation: Invitation, visit: PlatformVisit | None
) -> WebSitting | None:
    """The sitting in parts that a platform's person began through another link, or None.

    The platform ID is not secret: require the own token before the sitting is opened.
    """
    if visit is None:
        return None
    query = (
        select(WebSitting)
        .join(PlatformIdentity, PlatformIdentity.sitting_id == WebSitting.id)
        .join(Invitation, Invitation.id == WebSitting.invitation_id)
        .where(
            WebSitting.task_id == invitation.task_id,
            WebSitting.invitation_id != invitation.id,
            WebSitting.purpose == invitation.purpose,
            WebSitting.parts > 1,
            PlatformIdentity.person == visit.person,
        )
    )
    return session.scalars(query).first()


def refuse_newcomer(session: Session, invitation: Invitation, visit: PlatformVisit | None) -> None:
    """Refuse a new participant if the link or the task accepts none, or not this person.

    Raises
    ------
    AlreadyBegun
        If this platform ID already takes part; nothing else is revealed.
    LinkEnded
    NoPlaceLeft
        If the maximum number of participants is reached.
    """
    _refuse_known(session, invitation.task, visit)
    invitations.refuse_ended(invitation)
    places.refuse_full_now(session, invitation)


def join(
    session: Session, invitation: Invitation, joining: Joining, before: places.Before | None = None
) -> WebSitting:
    """Start a sitting: store the consent, allocate and assign the trials.

    People join a study one after the other, so that two of them cannot take the same place.

    Parameters
    ----------
    session : sqlalchemy.orm.Session
        Inside `study_app.core.database.writing`.
    invitation : study_app.models.participation.Invitation
    joining : Joining
    before : study_app.participation.links.places.Before, optional
        From `places.count_before`, if it was called before the transaction.

    Returns
    -------
    WebSitting
        If the token already has a sitting, that sitting.
    """
    hold_task(session, invitation.task_id)
    before = before or places.count_before(session, invitation)
    attempts.lock(session, attempts.key_of("join", str(invitation.task.study_id)))
    if not own_address.has_form(joining.sitting_token):
        raise LinkUnknown()
    sitting = sitting_through(session, invitation, joining.sitting_token)
    if sitting is not None:
        sitting.token_hash = token_hash(joining.sitting_token)
        return sitting
    _refuse_known(session, invitation.task, joining.visit)
    invitations.refuse_ended(invitation)
    before = places.count_later(session, invitation, before)
    places.refuse_full(session, invitation, before.people, before.through)
    text = session.get(ConsentText, joining.consent_text_id)
    if not joining.agreed or text is None or text.task_id != invitation.task_id:
        raise NotAgreed()
    return _begin(session, invitation, joining, text, before)


def _refuse_known(session: Session, task: WebTask, visit: PlatformVisit | None) -> None:
    """Refuse a platform ID that already takes part, through any link of the task."""
    if visit is None:
        return
    known = (
        select(PlatformIdentity.sitting_id)
        .join(WebSitting, WebSitting.id == PlatformIdentity.sitting_id)
        .where(
            WebSitting.task_id == task.id,
            WebSitting.purpose != "tryout",
            PlatformIdentity.person == visit.person,
        )
    )
    if session.scalar(select(exists(known))):
        raise AlreadyBegun()


def _begin(
    session: Session,
    invitation: Invitation,
    joining: Joining,
    text: ConsentText,
    before: places.Before,
) -> WebSitting:
    task, method, number = invitation.task, method_of(invitation.task), before.number + 1
    seed = sitting_seed(task.seed, number)
    answers = accepted_answers(task.questions, joining.answers)
    is_out = screens_out(task.questions, answers)
    if invitation.purpose != "simulated":
        devices.refuse_unsuitable(task, joining.answers)
    trials: Sequence[Any] = []
    if not is_out:
        trials = method.allocate(session, task, invitation.purpose, seed, before.taken)
    if invitation.purpose == "simulated":
        mixing.refuse(session, task.study, "simulated")
        task.study.simulated = True
    # Equal until the first answer: see `quota`.
    moment = now()
    sitting = WebSitting(
        agreed_at=moment,
        seen_at=moment,
        ready_at=None if is_out or task.comprehension else moment,
        finished_at=moment if is_out else None,
        ending="screened_out" if is_out else None,
        task_id=task.id,
        number=number,
        invitation_id=invitation.id,
        participant=_participant(
            task.study_id,
            invitation.purpose,
            places.code_after(invitation, before.code),
            answers,
        ),
        token_hash=token_hash(joining.sitting_token),
        purpose=invitation.purpose,
        language=joining.language,
        seed=seed,
        consent_text_id=text.id,
        answers=answers,
    )
    session.add(sitting)
    session.flush()
    if trials:
        method.assign(session, sitting, trials)
    _keep_identity(session, sitting, joining.visit)
    return sitting


def sitting_seed(task_seed: int, number: int) -> int:
    """The random seed of a task's sitting with this number."""
    return random.Random(f"{task_seed}:{number}").randrange(2**31)


def _participant(study_id: int, purpose: str, code: str, answers: Mapping[str, str]) -> Participant:
    return Participant(
        study_id=study_id,
        code=code,
        age_band=answers.get("age_band", "")[:20] or None,
        gender=answers.get("gender", "")[:40] or None,
        simulated=purpose == "simulated",
    )


def _keep_identity(session: Session, sitting: WebSitting, visit: PlatformVisit | None) -> None:
    if visit:
        session.add(
            PlatformIdentity(
                sitting_id=sitting.id,
                person=visit.person,
                platform_study=visit.study,
                platform_session=visit.submission,
            )
        )
