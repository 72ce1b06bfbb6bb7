"""Who works on a study: invited, given another role, handed over, removed."""

import secrets
from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import exists, select
from sqlalchemy.orm import Session, contains_eager

from study_app.accounts.roles import accepted_role
from study_app.core import acting
from study_app.core.errors import NotFound, StudyError
from study_app.core.tokens import token_hash
from study_app.models import Researcher, SignInLink, Study, StudyMember, now

INVITATION_LIFE = timedelta(days=7)


class LastOwner(StudyError):
    """A study that would have no owner."""

    status = 409

    def __init__(self) -> None:
        super().__init__(
            "A study needs an owner. Make somebody else an owner first, or hand the study over."
        )


class AlreadyMember(StudyError):
    """An invitation for somebody who works on the study already."""

    status = 409

    def __init__(self) -> None:
        super().__init__(
            "You already work on this study. The link was not used; give it to somebody else."
        )


def add_first_owners(session: Session, study: Study) -> None:
    """Give a new study its owners: who made it, or all accounts where it is made at a terminal."""
    actor = acting.current()
    owners = select(Researcher.id)
    if actor.researcher_id is not None:
        owners = owners.where(Researcher.id == actor.researcher_id)
    for researcher_id in session.scalars(owners).all():
        session.add(StudyMember(study_id=study.id, researcher_id=researcher_id, role="owner"))


def adopt_ownerless(session: Session, researcher: Researcher) -> None:
    """Give a new researcher the studies that nobody owns: made before there was an account."""
    owned = exists().where(StudyMember.study_id == Study.id, StudyMember.role == "owner")
    for study_id in session.scalars(select(Study.id).where(~owned)).all():
        session.add(StudyMember(study_id=study_id, researcher_id=researcher.id, role="owner"))


def role_of(session: Session, study_id: int, researcher: Researcher) -> str | None:
    """The role of a researcher in a study, None if they do not work on it."""
    member = session.get(StudyMember, (study_id, researcher.id))
    return member.role if member else None


def studies_of(session: Session, researcher: Researcher) -> list[tuple[Study, str]]:
    """The studies that a researcher works on, the newest first, each with their role."""
    query = (
        select(Study, StudyMember.role)
        .join(StudyMember, StudyMember.study_id == Study.id)
        .where(StudyMember.researcher_id == researcher.id)
        .order_by(Study.id.desc())
    )
    return [(study, role) for study, role in session.execute(query)]


def members_of(session: Session, study_id: int) -> Sequence[StudyMember]:
    """Everybody who works on a study, by name."""
    query = (
        select(StudyMember)
        .join(StudyMember.researcher)
        .options(contains_eager(StudyMember.researcher))
        .where(StudyMember.study_id == study_id)
        .order_by(Researcher.name)
    )
    return session.scalars(query).all()


def invite(session: Session, study_id: int, role: str) -> str:
    """Make a link that takes one person into a study, once, within a week.

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
    """The links into a study that still work."""
    unused = SignInLink.used_at.is_(None), SignInLink.expires_at > now()
    query = select(SignInLink).where(SignInLink.study_id == study_id, *unused)
    return session.scalars(query.order_by(SignInLink.id)).all()


def cancel(session: Session, study_id: int, link_id: int) -> None:
    """End a link into a study before somebody uses it."""
    link = session.get(SignInLink, link_id)
    if link is None or link.study_id != study_id or link.used_at:
        raise NotFound("invitation", str(link_id))
    session.delete(link)


def accept(session: Session, link: SignInLink, researcher: Researcher) -> int:
    """Use a link into a study, as `researchers.open_link` locked it; gives the study's number.

    Raises
    ------
    NotFound
        If the link leads into no study.
    AlreadyMember
    """
    if link.study_id is None or link.role is None:
        raise NotFound("invitation", "")
    if session.get(StudyMember, (link.study_id, researcher.id)):
        raise AlreadyMember()
    link.used_at = now()
    session.add(StudyMember(study_id=link.study_id, researcher_id=researcher.id, role=link.role))
    return link.study_id


def change_role(session: Session, study_id: int, researcher_id: int, role: str) -> None:
    """Give a member another role.

    Raises
    ------
    LastOwner
        If the study would have no owner.
    """
    members = _locked(session, study_id)
    changed = _member(members, researcher_id)
    changed.role = accepted_role(role)
    _refuse_ownerless(members)


def hand_over(session: Session, study_id: int, from_id: int, to_id: int) -> None:
    """Make another member the owner; who hands the study over becomes an editor.

    Raises
    ------
    NotFound
        If the other one is no member, or is who hands it over.
    """
    if from_id == to_id:
        raise NotFound("other member", str(to_id))
    members = _locked(session, study_id)
    giving, taking = _member(members, from_id), _member(members, to_id)
    giving.role, taking.role = "editor", "owner"
    _refuse_ownerless(members)


def remove(session: Session, study_id: int, researcher_id: int) -> None:
    """Remove a member from a study; what they did stays, under their name.

    Raises
    ------
    LastOwner
        If the study would have no owner.
    """
    members = _locked(session, study_id)
    gone = _member(members, researcher_id)
    _refuse_ownerless([member for member in members if member is not gone])
    session.delete(gone)


def _locked(session: Session, study_id: int) -> Sequence[StudyMember]:
    """The members of a study; two owners who step down at once do so one after the other."""
    query = select(StudyMember).where(StudyMember.study_id == study_id)
    return session.scalars(query.with_for_update()).all()


def _member(members: Sequence[StudyMember], researcher_id: int) -> StudyMember:
    for member in members:
        if member.researcher_id == researcher_id:
            return member
    raise NotFound("member", str(researcher_id))


def _refuse_ownerless(members: Sequence[StudyMember]) -> None:
    if not any(member.role == "owner" for member in members):
        raise LastOwner()
