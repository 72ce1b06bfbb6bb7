"""Researchers: one-time links, passwords, and signing in."""

import secrets
from datetime import timedelta

from sqlalchemy import delete, select
from sqlalchemy.orm import Session
from werkzeug.security import check_password_hash, generate_password_hash

from study_app.core.errors import NotFound, StudyError
from study_app.core.tokens import token_hash
from study_app.models import Researcher, SignInLink, now

LINK_LIFE = timedelta(hours=24)
PASSWORD_LENGTH = 10

# Checked when the name is unknown, so that the answer takes as long as for a known one.
_NOBODY = generate_password_hash(secrets.token_hex())


class LinkSpent(StudyError):
    """A sign-in link that was used, has expired, or never was."""

    status = 410

    def __init__(self) -> None:
        super().__init__(
            "This sign-in link has been used or has expired. `sketch-study sign-in-link` prints "
            "a new one."
        )


class PasswordTooShort(StudyError):
    """A password below the shortest length."""

    def __init__(self) -> None:
        super().__init__(f"Choose a password of at least {PASSWORD_LENGTH} characters.")


class NameTaken(StudyError):
    """Two researchers cannot go by one name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"The name {name!r} is taken. Choose another one.")


class NameMissing(StudyError):
    """A researcher needs a name to sign in with."""

    def __init__(self) -> None:
        super().__init__("Enter the name you will sign in with, at most 80 characters.")


class WrongPassword(StudyError):
    """The name and the password do not belong together."""

    status = 403

    def __init__(self) -> None:
        super().__init__("Name and password do not match. Try again.")


class WrongCurrentPassword(StudyError):
    """Whoever changes a password shows that it is theirs."""

    status = 403

    def __init__(self) -> None:
        super().__init__("That is not your current password, so nothing was changed. Try again.")


def anybody(session: Session) -> bool:
    """Whether somebody can sign in yet."""
    return session.scalar(select(Researcher.id).limit(1)) is not None


def make_link(session: Session, name: str | None = None) -> str:
    """Make a one-time link's token: for a new researcher, or to renew the password of `name`."""
    researcher = None
    if name is not None:
        researcher = named(session, name)
        if researcher is None:
            raise NotFound("researcher", name)
    token = secrets.token_urlsafe(24)
    session.add(
        SignInLink(
            token_hash=token_hash(token),
            researcher_id=researcher and researcher.id,
            expires_at=now() + LINK_LIFE,
        )
    )
    return token


def open_link(session: Session, token: str) -> SignInLink:
    """The unused link of a token."""
    link = session.scalar(select(SignInLink).where(SignInLink.token_hash == token_hash(token)))
    if link is None or link.used_at or link.expires_at < now():
        raise LinkSpent()
    return link


def use_link(session: Session, token: str, name: str, password: str) -> Researcher:
    """Choose a name and a password with a one-time link; the link is spent with it."""
    link = open_link(session, token)
    password_hash = hashed(password)
    if link.researcher_id:
        researcher = session.get_one(Researcher, link.researcher_id)
    else:
        researcher = _add(session, name.strip())
    link.used_at = now()
    set_password(session, researcher, password_hash)
    return researcher


def hashed(password: str) -> str:
    """What is stored of a password; takes its time, so make it outside `writing`.

    Raises
    ------
    PasswordTooShort
    """
    if len(password) < PASSWORD_LENGTH:
        raise PasswordTooShort()
    return generate_password_hash(password)


def set_password(session: Session, researcher: Researcher, password_hash: str) -> None:
    """Change a password: every browser that signed in with the earlier one is signed out."""
    researcher.password_hash = password_hash
    sign_out_everywhere(session, researcher)


def sign_out_everywhere(session: Session, researcher: Researcher) -> None:
    """End every sign-in of a researcher, and every link that would renew their password."""
    researcher.cookie_key = secrets.token_hex(16)
    session.flush()
    renewing = SignInLink.researcher_id == researcher.id
    session.execute(delete(SignInLink).where(renewing, SignInLink.used_at.is_(None)))


def _add(session: Session, name: str) -> Researcher:
    if not 0 < len(name) <= 80:
        raise NameMissing()
    if named(session, name):
        raise NameTaken(name)
    researcher = Researcher(name=name)
    session.add(researcher)
    return researcher


def matches(researcher: Researcher | None, password: str) -> bool:
    """Whether a password is the researcher's; takes its time, so ask outside `writing`.

    Without a researcher it is nobody's, and saying so takes as long.
    """
    return check_password_hash(researcher.password_hash if researcher else _NOBODY, password)


def named(session: Session, name: str) -> Researcher | None:
    """The researcher of a name, or None."""
    return session.scalar(select(Researcher).where(Researcher.name == name.strip()))
