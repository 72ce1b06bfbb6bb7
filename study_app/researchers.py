"""Researchers: one-time links, passwords, and signing in."""

import hashlib
import secrets
from datetime import timedelta

from sqlalchemy import func, select
from werkzeug.security import check_password_hash, generate_password_hash

from study_app.errors import NotFound, StudyError
from study_app.models import Researcher, SignInLink, now

LINK_LIFE = timedelta(hours=24)
PASSWORD_LENGTH = 10
FREE_FAILURES = 5
LONGEST_LOCK = timedelta(minutes=15)

# Checked when the name is unknown, so that the answer takes as long as for a known one.
_NOBODY = generate_password_hash(secrets.token_hex())


class LinkSpent(StudyError):
    """A sign-in link that was used, has expired, or never was."""

    status = 410

    def __init__(self):
        super().__init__(
            "This sign-in link was used already or has expired; "
            "`sketch-study sign-in-link` prints a new one."
        )


class PasswordTooShort(StudyError):
    """A password below the shortest length."""

    def __init__(self):
        super().__init__(f"Choose a password of at least {PASSWORD_LENGTH} characters.")


class NameTaken(StudyError):
    """Two researchers cannot go by one name."""

    def __init__(self, name):
        super().__init__(f"There is a researcher {name!r} already; choose another name.")


class NameMissing(StudyError):
    """A researcher needs a name to sign in with."""

    def __init__(self):
        super().__init__("Give the name with which you will sign in, at most 80 characters.")


class WrongPassword(StudyError):
    """The name and the password do not belong together."""

    status = 403

    def __init__(self):
        super().__init__("Name and password do not match; try again.")


class Locked(StudyError):
    """Too many failed attempts for this name."""

    status = 429

    def __init__(self, until):
        self.seconds = max(1, round((until - now()).total_seconds()))
        super().__init__(f"Too many attempts for this name; try again in {self.seconds} seconds.")


def token_hash(token):
    """What is stored of a token: its SHA-256, so that the database opens nothing."""
    return hashlib.sha256(token.encode()).hexdigest()


def anybody(session):
    """Whether somebody can sign in yet."""
    return session.scalar(select(func.count()).select_from(Researcher)) > 0


def make_link(session, name=None):
    """Make a one-time link's token: for a new researcher, or to renew the password of `name`."""
    researcher = None
    if name is not None:
        researcher = _of_name(session, name)
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


def open_link(session, token):
    """The unused link of a token."""
    link = session.scalar(select(SignInLink).where(SignInLink.token_hash == token_hash(token)))
    if link is None or link.used_at or link.expires_at < now():
        raise LinkSpent()
    return link


def use_link(session, token, name, password):
    """Choose a name and a password with a one-time link; the link is spent with it."""
    link = open_link(session, token)
    if len(password) < PASSWORD_LENGTH:
        raise PasswordTooShort()
    if link.researcher_id:
        researcher = session.get(Researcher, link.researcher_id)
    else:
        researcher = _add(session, name.strip())
    researcher.password_hash = generate_password_hash(password)
    researcher.cookie_key = secrets.token_hex(16)
    researcher.failures, researcher.locked_until = 0, None
    link.used_at = now()
    session.flush()
    return researcher


def _add(session, name):
    if not 0 < len(name) <= 80:
        raise NameMissing()
    if _of_name(session, name):
        raise NameTaken(name)
    researcher = Researcher(name=name)
    session.add(researcher)
    return researcher


def matches(session, name, password):
    """Whether a name and a password belong together; takes its time, so ask outside `writing`."""
    researcher = _of_name(session, name)
    if researcher and researcher.locked_until and researcher.locked_until > now():
        raise Locked(researcher.locked_until)
    return check_password_hash(researcher.password_hash if researcher else _NOBODY, password)


def note_attempt(session, name, matched):
    """Count a failed attempt, or forgive earlier ones; the researcher who may come in, or None."""
    researcher = _of_name(session, name)
    if researcher and matched:
        researcher.failures, researcher.locked_until = 0, None
        return researcher
    if researcher:
        _count_failure(researcher)
    return None


def _of_name(session, name):
    return session.scalar(select(Researcher).where(Researcher.name == name.strip()))


def _count_failure(researcher):
    """After a few free failures each further one doubles the wait."""
    researcher.failures += 1
    beyond = researcher.failures - FREE_FAILURES
    if beyond >= 0:
        researcher.locked_until = now() + min(timedelta(seconds=2 ** min(beyond, 12)), LONGEST_LOCK)
