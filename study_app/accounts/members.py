"""Members of a study: invitations, roles, transfer of ownership, removal."""

import secrets
from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import exists, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, contains_eager

from study_app.accounts.roles import NotAllowed, NotMember, accepted_role
from study_app.core import acting
from study_app.core.errors import NotFound, StudyError
from study_app.core.text.languages import rgettext, rtranslatable
from study_app.core.tokens import token_hash
from study_app.models import Researcher, SignInLink, Study, StudyMember, now

INVITATION_LIFE = timedelta(days=7)


class LastOwner(StudyError):
    """The study would have no owner."""

    status = 409

    def __init__(self) -> None:
        super().__init__(
            rgettext(
                "A study needs an owner. Make somebody else an owner first, or hand the study over."
            )
        )


class AlreadyMember(StudyError):
    """The invited researcher is already a member."""

    status = 409

    def __init__(self) -> None:
        super().__init__(
            rgettext("You are already a member of this study. The link was not used; pass it on.")
        )


def add_first_owners(session: Session, study: Study) -> None:
    """Add the owners of a new study: its creator, or every researcher if created at a terminal."""
    actor = acting.current()
    owners = select(Researcher.id)
    if actor.researcher_id is not None:
        owners = owners.where(Researcher.id == actor.researcher_id)
    for researcher_id in session.scalars(owners).all():
        session.add(StudyMember(study_id=study.id, researcher_id=researcher_id, role="owner"))


def adopt_ownerless(session: Session, researcher: Researcher) -> None:
    """Make a new researcher the owner of the studies without owners, created before any account."""
    owned = exists().where(StudyMember.study_id == Study.id, StudyMember.role == "owner")
    for study_id in session.scalars(select(Study.id).where(~owned)).all():
        session.add(StudyMember(study_id=study_id, researcher_id=researcher.id, role="owner"))


def role_of(session: Session, study_id: int, researcher: Researcher) -> str | None:
    """The role of a researcher in a study; None for non-members."""
    member = session.get(StudyMember, (study_id, researcher.id))
    return member.role if member else None


def studies_of(session: Session, researcher: Researcher) -> list[tuple[Study, str]]:
    """The studies of a researcher, newest first, each with their role."""
    query = (
        select(Study, StudyMember.role)
        .join(StudyMember, StudyMember.study_id == Study.id)
        .where(StudyMember.researcher_id == researcher.id)
        .order_by(Study.id.desc())
    )
    return [(study, role) for study, role in session.execute(query)]


def members_of(session: Session, study_id: int) -> Sequence[StudyMember]:
    """The members of a study, by name."""
    query = (
        select(StudyMember)
        .join(StudyMember.researcher)
        .options(contains_eager(StudyMember.researcher))
        .where(StudyMember.study_id == study_id)
        .order_by(Researcher.name)
    )
    return session.scalars(query).all()


def find(session: Session, study_id: int, researcher_id: int) -> StudyMember:
    """A member of a study; refuses if there is no such member."""
    return _member(members_of(session, study_id), researcher_id)


def refuse_former_owner(session: Session, study_id: int, researcher_id: int) -> None:
    """Refuse an owner who has lost this role since the request was admitted.

    Until the transaction ends, nobody else changes members. Otherwise an owner who is being removed
    could still make an invitation to return with.

    Raises
    ------
    NotMember, NotAllowed
    """
    roles = {member.researcher_id: member.role for member in _locked(session, study_id)}
    role = roles.get(researcher_id)
    if role is None:
        raise NotMember()
    if role != "owner":
        raise NotAllowed(role)


def invite(session: Session, study_id: int, role: str) -> str:
    """Create a link that invites one person to a study; valid once, for a week.

    Returns
    -------
    str
        The link's token; only its hash is stored.
    """
    token = secrets.token_urlsafe(24)
    session.add(
        SignInLink(
            token_hash=token_hash(token),
            study_id=study_id,
            role=accepted_role(role),
            expires_at=now() + INVITATION_LIFE,
        )
    )
    return token


def invitations_of(session: Session, study_id: int) -> Sequence[SignInLink]:
    """The valid invitation links of a study."""
    unused = SignInLink.used_at.is_(None), SignInLink.expires_at > now()
    query = select(SignInLink).where(SignInLink.study_id == study_id, *unused)
    return session.scalars(query.order_by(SignInLink.id)).all()


def cancel(session: Session, study_id: int, link_id: int) -> None:
    """Cancel an unused invitation link."""
    link = session.get(SignInLink, link_id, with_for_update={"of": SignInLink})
    if link is None or link.study_id != study_id or link.used_at:
        raise NotFound(rtranslatable("invitation"), str(link_id))
    session.delete(link)


def accept(session: Session, link: SignInLink, researcher: Researcher) -> int:
    """Use an invitation link locked by `researchers.open_link`; returns the study's id.

    Raises
    ------
    NotFound
        If the link is not an invitation.
    AlreadyMember
    """
    if link.study_id is None or link.role is None:
        raise NotFound(rtranslatable("invitation"), "")
    if session.get(StudyMember, (link.study_id, researcher.id)):
        raise AlreadyMember()
    link.used_at = link.used_at or now()
    session.add(StudyMember(study_id=link.study_id, researcher_id=researcher.id, role=link.role))
    try:
        session.flush()
    except IntegrityError as fault:  # with another invitation at the same moment
        raise AlreadyMember() from fault
    return link.study_id


def change_role(session: Session, study_id: int, researcher_id: int, role: str) -> None:
    """Change a member's role; without an owner's, unused invitations are cancelled.

    Raises
    ------
    LastOwner
        If the study would have no owner.
    """
    members = _locked(session, study_id)
    changed = _member(members, researcher_id)
    before, changed.role = changed.role, accepted_role(role)
    _refuse_ownerless(members)
    if before == "owner" != changed.role:
        _cancel_all(session, study_id)


def hand_over(session: Session, study_id: int, from_id: int, to_id: int) -> None:
    """Transfer ownership to another member; the former owner becomes an editor.

    Unused invitations are cancelled.

    Raises
    ------
    NotFound
        If the other one is not a member, or is the owner.
    NotAllowed
        If the owner has just lost this role, such as in another hand-over.
    """
    if from_id == to_id:
        raise NotFound(rtranslatable("other member"), str(to_id))
    members = _locked(session, study_id)
    giving, taking = _member(members, from_id), _member(members, to_id)
    if giving.role != "owner":
        raise NotAllowed(giving.role)
    giving.role, taking.role = "editor", "owner"
    _refuse_ownerless(members)
    _cancel_all(session, study_id)


def remove(session: Session, study_id: int, researcher_id: int) -> None:
    """Remove a member from a study; their contributions stay, under their name.

    With an owner, unused invitations are cancelled.

    Raises
    ------
    LastOwner
        If the study would have no owner.
    """
    members = _locked(session, study_id)
    member_leaving = _member(members, researcher_id)
    _refuse_ownerless([member for member in members if member is not member_leaving])
    session.delete(member_leaving)
    if member_leaving.role == "owner":
        _cancel_all(session, study_id)


def _cancel_all(session: Session, study_id: int) -> None:
    """Cancel the unused invitations, since a former owner may have kept one to return with."""
    for link in invitations_of(session, study_id):
        session.delete(link)


def _locked(session: Session, study_id: int) -> Sequence[StudyMember]:
    """Lock the members of a study, so that two owners cannot step down at the same time."""
    query = select(StudyMember).where(StudyMember.study_id == study_id)
    return session.scalars(query.with_for_update()).all()


def _member(members: Sequence[StudyMember], researcher_id: int) -> StudyMember:
    for member in members:
        if member.researcher_id == researcher_id:
            return member
    raise NotFound(rtranslatable("member"), str(researcher_id))


def _refuse_ownerless(members: Sequence[StudyMember]) -> None:
    if not any(member.role == "owner" for member in members):
        raise LastOwner()
