"""How somebody becomes a participant: a link, consent, and trials of their own."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import exists, func, select
from sqlalchemy.orm import Session

from study_app.core.languages import ENGLISH, gettext
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
from study_app.participation.links import devices, invitations
from study_app.participation.methods import method_of
from study_app.participation.people import quota
from study_app.participation.platforms.platforms import PLATFORMS, Told, told_by
from study_app.participation.refusals import (
    AlreadyBegun,
    LinkEnded,
    LinkUnknown,
    NoPlaceLeft,
    NotAgreed,
)
from study_app.participation.sittings import own_address
from study_app.participation.tasks import lock_task

CODE_PREFIX = {"real": "P", "tryout": "TRY", "simulated": "SIM"}


@dataclass(frozen=True)
class Joining:
    """What somebody sends to take part.

    Attributes
    ----------
    sitting_token : str
        What their own address will hold, as `OwnTokens.chosen` gives it; the same one again joins
        once.
    consent_text_id : int
        The version that they were shown.
    agreed : bool
    answers : dict of str to str
        The whole form: answers, and what the page measured of the device.
    told : Told or None
        As `told_of` gives it; None for somebody whom no platform sent.
    language : str
        In which the page was that they were shown.
    """

    sitting_token: str
    consent_text_id: int
    agreed: bool
    answers: Mapping[str, str] = field(default_factory=dict)
    told: Told | None = None
    language: str = ENGLISH


def told_of(invitation: Invitation, sent: Mapping[str, str]) -> Told | None:
    """What a recruitment platform added to an address; None through a link of another kind.

    Raises
    ------
    PersonMissing
        If the platform does not say who comes.
    """
    if invitation.kind != "platform":
        return None
    return told_by(PLATFORMS[invitation.platform], sent)


def begun_through(session: Session, invitation: Invitation, own_token: str) -> WebSitting | None:
    """The sitting that somebody began through this link with their own token, or None.

    That of a personal link is found also where it has another token: see `own_address.readdress`.
    """
    begun = own_address.sitting_of(session, own_token)
    if begun is None and invitation.kind == "personal":
        through = WebSitting.invitation_id == invitation.id
        begun = session.scalar(select(WebSitting).where(through))
    return begun


def refuse_newcomer(session: Session, invitation: Invitation, told: Told | None) -> None:
    """A link may take nobody new, or not this person.

    Raises
    ------
    AlreadyBegun
        If the platform's person takes part already; nothing else is told of it.
    LinkEnded
    NoPlaceLeft
        If the task has as many participants as it wants.
    """
    _refuse_known(session, invitation.task, told)
    invitations.refuse_ended(invitation)
    _refuse_full(session, invitation)


def join(session: Session, invitation: Invitation, joining: Joining) -> WebSitting:
    """Begin a sitting: consent stored, trials allocated and assigned.

    The study is locked meanwhile, so that two people never take one place.

    Returns
    -------
    WebSitting
        If the token has begun a sitting already, that sitting.
    """
    lock_task(session, invitation.task_id)
    if not own_address.has_form(joining.sitting_token):
        raise LinkUnknown()
    begun = begun_through(session, invitation, joining.sitting_token)
    if begun is not None:
        begun.token_hash = token_hash(joining.sitting_token)
        return begun
    refuse_newcomer(session, invitation, joining.told)
    text = session.get(ConsentText, joining.consent_text_id)
    if not joining.agreed or text is None or text.task_id != invitation.task_id:
        raise NotAgreed()
    return _begin(session, invitation, joining, text)


def _refuse_full(session: Session, invitation: Invitation) -> None:
    if invitation.purpose == "tryout":
        return
    task = invitation.task
    if task.people is not None and quota.count(session, task) >= task.people:
        raise NoPlaceLeft()
    if invitation.people is None:
        return
    through = select(func.count()).where(
        WebSitting.invitation_id == invitation.id, quota.counting(invitation.task)
    )
    if (session.scalar(through) or 0) >= invitation.people:
        raise LinkEnded(
            gettext(
                "This link has reached its maximum number of participants. Thank you for your "
                "interest."
            )
        )


def _refuse_known(session: Session, task: WebTask, told: Told | None) -> None:
    """Nobody of a platform takes part twice, also where a task has several of its links."""
    if told is None:
        return
    known = (
        select(PlatformIdentity.sitting_id)
        .join(WebSitting, WebSitting.id == PlatformIdentity.sitting_id)
        .where(
            WebSitting.task_id == task.id,
            WebSitting.purpose != "tryout",
            PlatformIdentity.person == told.person,
        )
    )
    if session.scalar(select(exists(known))):
        raise AlreadyBegun()


def _begin(
    session: Session, invitation: Invitation, joining: Joining, text: ConsentText
) -> WebSitting:
    task, method = invitation.task, method_of(invitation.task)
    newest = select(func.max(WebSitting.number)).where(WebSitting.task_id == task.id)
    number = (session.scalar(newest) or 0) + 1
    seed = sitting_seed(task.seed, number)
    answers = accepted_answers(task.questions, joining.answers)
    is_out = screens_out(task.questions, answers)
    if invitation.purpose != "simulated":
        devices.refuse_unfit(task, joining.answers)
    trials = [] if is_out else method.allocate(session, task, invitation.purpose, seed)
    if invitation.purpose == "simulated":
        invitations.refuse_mixing(session, task)
        task.study.simulated = True
    # Alike until the page speaks for the first time: see `quota`.
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
        participant=_participant(session, task.study_id, invitation.purpose, answers),
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
    _keep_identity(session, sitting, joining.told)
    return sitting


def sitting_seed(task_seed: int, number: int) -> int:
    """The random seed of the sitting that came as `number`th to a task."""
    return random.Random(f"{task_seed}:{number}").randrange(2**31)


def _participant(
    session: Session, study_id: int, purpose: str, answers: Mapping[str, str]
) -> Participant:
    prefix = CODE_PREFIX[purpose]
    codes = select(Participant.code).where(
        Participant.study_id == study_id, Participant.code.startswith(prefix)
    )
    numbers = [code.removeprefix(prefix) for code in session.scalars(codes)]
    highest = max((int(number) for number in numbers if number.isdecimal()), default=0)
    return Participant(
        study_id=study_id,
        code=f"{prefix}{highest + 1:03d}",
        age_band=answers.get("age_band", "")[:20] or None,
        gender=answers.get("gender", "")[:40] or None,
        simulated=purpose == "simulated",
    )


def _keep_identity(session: Session, sitting: WebSitting, told: Told | None) -> None:
    if told:
        session.add(
            PlatformIdentity(
                sitting_id=sitting.id,
                person=told.person,
                platform_study=told.study,
                platform_session=told.submission,
            )
        )
