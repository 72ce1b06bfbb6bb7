"""How somebody becomes a participant: a link, consent, and trials of their own."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import exists, func, select
from sqlalchemy.orm import Session

from study_app.core.tokens import token_hash
from study_app.models import Participant, now
from study_app.models.participation import (
    ConsentText,
    Invitation,
    PlatformIdentity,
    WebSitting,
    WebTask,
)
from study_app.participation import invitations, own_address, quota
from study_app.participation.methods import method_of
from study_app.participation.questions import accepted_answers
from study_app.participation.refusals import (
    AlreadyBegun,
    LinkEnded,
    LinkUnknown,
    NotAgreed,
    PersonMissing,
)
from study_app.participation.tasks import lock_task

CODE_PREFIX = {"real": "P", "tryout": "TRY", "simulated": "SIM"}
PLATFORM_FIELDS = ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
PLACE_HOLDER = "{{%"
LONGEST_IDENTITY = 80


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
    platform : dict of str to str
        As `told_by_platform` gives them; empty for somebody whom no platform sent.
    """

    sitting_token: str
    consent_text_id: int
    agreed: bool
    answers: Mapping[str, str] = field(default_factory=dict)
    platform: Mapping[str, str] = field(default_factory=dict)


def told_by_platform(sent: Mapping[str, str]) -> dict[str, str]:
    """What a recruitment platform added to an address: PROLIFIC_PID, STUDY_ID and SESSION_ID.

    Raises
    ------
    PersonMissing
        If it does not say who comes: left out, or the platform's own place-holder.
    """
    told = {name: sent.get(name, "").strip()[:LONGEST_IDENTITY] for name in PLATFORM_FIELDS}
    if not told["PROLIFIC_PID"] or told["PROLIFIC_PID"].startswith(PLACE_HOLDER):
        raise PersonMissing()
    return told


def begun_through(session: Session, invitation: Invitation, own_token: str) -> WebSitting | None:
    """The sitting that somebody began through this link with their own token, or None.

    That of a personal link is found also where it has another token: see `own_address.readdress`.
    """
    begun = own_address.sitting_of(session, own_token)
    if begun is None and invitation.kind == "personal":
        through = WebSitting.invitation_id == invitation.id
        begun = session.scalar(select(WebSitting).where(through))
    return begun


def refuse_newcomer(session: Session, invitation: Invitation, platform: Mapping[str, str]) -> None:
    """A link may take nobody new, or not this person.

    Raises
    ------
    AlreadyBegun
        If the platform's person takes part already; nothing else is told of it.
    LinkEnded
    """
    _refuse_known(session, invitation.task, platform)
    invitations.refuse_ended(invitation)
    _refuse_full(session, invitation)


def join(session: Session, invitation: Invitation, joining: Joining) -> WebSitting:
    """Begin a sitting: consent stored, trials allocated and assigned.

    The study is locked meanwhile, so that two people never take one place.

    Returns
    -------
    WebSitting
        The one there is already where the same token comes again.
    """
    lock_task(session, invitation.task_id)
    if not own_address.has_form(joining.sitting_token):
        raise LinkUnknown()
    begun = begun_through(session, invitation, joining.sitting_token)
    if begun is not None:
        begun.token_hash = token_hash(joining.sitting_token)
        return begun
    refuse_newcomer(session, invitation, joining.platform)
    text = session.get(ConsentText, joining.consent_text_id)
    if not joining.agreed or text is None or text.task_id != invitation.task_id:
        raise NotAgreed()
    return _begin(session, invitation, joining, text)


def _refuse_full(session: Session, invitation: Invitation) -> None:
    if invitation.people is None or invitation.purpose == "tryout":
        return
    through = select(func.count()).where(
        WebSitting.invitation_id == invitation.id, quota.counting(invitation.task)
    )
    if (session.scalar(through) or 0) >= invitation.people:
        raise LinkEnded(
            "This link has reached its maximum number of participants. Thank you for your interest."
        )


def _refuse_known(session: Session, task: WebTask, platform: Mapping[str, str]) -> None:
    """Nobody of a platform takes part twice, also where a task has several of its links."""
    if not platform:
        return
    known = (
        select(PlatformIdentity.sitting_id)
        .join(WebSitting, WebSitting.id == PlatformIdentity.sitting_id)
        .where(
            WebSitting.task_id == task.id,
            WebSitting.purpose != "tryout",
            PlatformIdentity.person == platform["PROLIFIC_PID"],
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
    trials = method.allocate(session, task, invitation.purpose, seed)
    answers = accepted_answers(task.questions, joining.answers)
    if invitation.purpose == "simulated":
        invitations.refuse_mixing(session, task)
        task.study.simulated = True
    # Alike until the page speaks for the first time: see `quota`.
    moment = now()
    sitting = WebSitting(
        agreed_at=moment,
        seen_at=moment,
        task_id=task.id,
        number=number,
        invitation_id=invitation.id,
        participant=_participant(session, task.study_id, invitation.purpose, answers),
        token_hash=token_hash(joining.sitting_token),
        purpose=invitation.purpose,
        seed=seed,
        consent_text_id=text.id,
        answers=answers,
    )
    session.add(sitting)
    session.flush()
    method.assign(session, sitting, trials)
    _keep_identity(session, sitting, joining.platform)
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


def _keep_identity(session: Session, sitting: WebSitting, platform: Mapping[str, str]) -> None:
    if platform:
        person, platform_study, platform_session = (platform[name] for name in PLATFORM_FIELDS)
        session.add(
            PlatformIdentity(
                sitting_id=sitting.id,
                person=person,
                platform_study=platform_study,
                platform_session=platform_session,
            )
        )
