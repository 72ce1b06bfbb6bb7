"""Researchers: one-time links, passwords, and signing in."""

import secrets
from datetime import timedelta

from sqlalchemy import delete, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from study_app.accounts import members, names, one_time_codes, passkeys, passwords
from study_app.accounts.audit import recording
from study_app.core.database import writing
from study_app.core.errors import NotFound, StudyError
from study_app.core.text.languages import rgettext, rtranslatable
from study_app.core.tokens import token_hash
from study_app.models import Researcher, SignInLink, now

LINK_LIFE = timedelta(hours=24)


class LinkSpent(StudyError):
    """The sign-in link was used, has expired, or is unknown."""

    status = 410

    def __init__(self) -> None:
        super().__init__(
            rgettext(
                "This link has been used, was cancelled or has expired. Ask for a new "
                "one; on the server, the command “sketch-study sign-in-link” prints one."
            )
        )


class NameTaken(StudyError):
    """The name is already taken by another researcher."""

    def __init__(self, name: str) -> None:
        super().__init__(
            rgettext("The name %(name)s is taken. Choose another one.", name=repr(name))
        )


class NameMissing(StudyError):
    """The name is missing or too long."""

    def __init__(self) -> None:
        super().__init__(rgettext("Enter the name you will sign in with, at most 80 characters."))


class NameMixed(StudyError):
    """The name has letters of scripts that are not written together."""

    def __init__(self, scripts: list[str]) -> None:
        super().__init__(
            rgettext(
                "This name mixes letters of different scripts (%(scripts)s), which can look the "
                "same. Write it in one script.",
                scripts=", ".join(scripts),
            )
        )


class WrongPassword(StudyError):
    """Name and password do not match."""

    status = 403

    def __init__(self) -> None:
        super().__init__(rgettext("Name and password do not match. Try again."))


class SignInExpired(StudyError):
    """Too much time between the password and the one-time code."""

    status = 403

    def __init__(self) -> None:
        super().__init__(
            rgettext("This sign-in took too long. Enter your name and password again.")
        )


class WrongCurrentPassword(StudyError):
    """The current password is wrong."""

    status = 403

    def __init__(self) -> None:
        super().__init__(
            rgettext("That is not your current password, so nothing was changed. Try again.")
        )


class AdministratorOnly(StudyError):
    """The action affects all studies, so it requires the administrator."""

    status = 403

    def __init__(self) -> None:
        super().__init__(
            rgettext(
                "This affects all studies of this installation, so only its "
                "administrator may do it: the researcher with the oldest account."
            )
        )


def anybody(session: Session) -> bool:
    """Whether there is a researcher who can sign in."""
    return session.scalar(select(Researcher.id).limit(1)) is not None


def is_administrator(session: Session, researcher: Researcher) -> bool:
    """Whether a researcher is the administrator: the one with the oldest account."""
    return session.scalar(select(func.min(Researcher.id))) == researcher.id


def make_link(session: Session, name: str | None = None) -> str:
    """Create the token of a one-time link, for a new researcher or to reset the password of
    `name`."""
    researcher = None
    if name is not None:
        researcher = named(session, name)
        if researcher is None:
            raise NotFound(rtranslatable("researcher"), name)
    token = secrets.token_urlsafe(24)
    session.add(
        SignInLink(
            token_hash=token_hash(token),
            researcher_id=researcher and researcher.id,
            expires_at=now() + LINK_LIFE,
        )
    )
    return token


def open_link(session: Session, token: str, lock: bool = False) -> SignInLink:
    """The unused link of a token; with `lock`, locked until the transaction ends."""
    query = select(SignInLink).where(SignInLink.token_hash == token_hash(token))
    link = session.scalar(query.with_for_update(of=SignInLink) if lock else query)
    if link is None or link.used_at or link.expires_at < now():
        raise LinkSpent()
    return link


def use_link(session: Session, token: str, name: str, password_hash: str) -> Researcher:
    """Set a name and a password with a one-time link, which is then used up.

    A link for a new password also turns off one-time codes and deletes passkeys: the device may be
    lost, or somebody else may have added one.
    """
    link = open_link(session, token, lock=True)
    link.used_at = now()
    if link.researcher_id:
        researcher = session.get_one(Researcher, link.researcher_id)
        one_time_codes.turn_off(session, researcher)
        passkeys.remove_all(session, researcher)
        set_password(session, researcher, password_hash)
    else:
        researcher = _add(session, names.plain(name), password_hash)
        if link.study_id:
            members.accept(session, link, researcher)
        else:
            members.adopt_ownerless(session, researcher)
    return researcher


def set_password(session: Session, researcher: Researcher, password_hash: str) -> None:
    """Change a password and sign out all browsers."""
    researcher.password_hash = password_hash
    sign_out_everywhere(session, researcher)


def sign_out_everywhere(session: Session, researcher: Researcher) -> None:
    """End all sign-ins of a researcher and invalidate their password links."""
    researcher.cookie_key = _cookie_key()
    session.flush()
    renewing = SignInLink.researcher_id == researcher.id
    session.execute(delete(SignInLink).where(renewing, SignInLink.used_at.is_(None)))


def _cookie_key() -> str:
    return secrets.token_hex(16)


def _add(session: Session, name: str, password_hash: str) -> Researcher:
    if not (names.alike(name) and len(name) <= 80):
        raise NameMissing()
    if scripts := names.mixed_scripts(name):
        raise NameMixed(scripts)
    if names.alike(name) in map(names.alike, session.scalars(select(Researcher.name))):
        raise NameTaken(name)
    researcher = Researcher(name=name, password_hash=password_hash, cookie_key=_cookie_key())
    session.add(researcher)
    try:
        session.flush()
    except IntegrityError as fault:  # with another link at the same moment
        raise NameTaken(name) from fault
    return researcher


def matches(session: Session, researcher: Researcher | None, password: str) -> bool:
    """Check a researcher's password; slow by design, so call it outside `writing`.

    Meanwhile the session that read the researcher has no connection to the database: others may
    need it. Without a researcher the check fails after the same time.
    """
    password_hash = researcher.password_hash if researcher else None
    session.rollback()
    return passwords.matches(password_hash, password)


def upgrade_hash(session: Session, researcher: Researcher, password: str) -> None:
    """Replace an outdated hash of a correct password; sign-ins stay valid.

    Slow like `matches`, and the session has no connection to the database meanwhile, either.
    """
    researcher_id, outdated = researcher.id, researcher.password_hash
    if not passwords.is_outdated(outdated):
        return
    session.rollback()
    password_hash = passwords.hasher.hash(password)
    # The password may have been changed meanwhile.
    is_same = Researcher.id == researcher_id, Researcher.password_hash == outdated
    with writing() as transaction, recording.silent(transaction):
        transaction.execute(update(Researcher).where(*is_same).values(password_hash=password_hash))


def named(session: Session, name: str) -> Researcher | None:
    """The researcher with a name, or None."""
    exact = session.scalar(select(Researcher).where(Researcher.name == name.strip()))
    return exact or session.scalar(select(Researcher).where(Researcher.name == names.plain(name)))
