"""A phone that records one sitting: a researcher shows a one-time link, and the phone opens it.

The link works once, for ten minutes. The phone then has its own token: with it, it can only record
that sitting, for twelve hours, and only as long as the researcher has access and the same password.
Only hashes of both tokens are stored.
"""

import secrets
from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import delete, or_, select
from sqlalchemy.orm import Session

from study_app.accounts import members
from study_app.accounts.roles import may
from study_app.core.errors import StudyError
from study_app.core.text.languages import gettext
from study_app.core.tokens import token_hash
from study_app.models import PhoneLink, Researcher, Sitting, now
from study_app.sittings.recording.stored_events import NotRecording

LINK_LIFE = timedelta(minutes=10)
PHONE_LIFE = timedelta(hours=12)


class LinkUsed(StudyError):
    """The link is unknown, was used, or has expired."""

    status = 410

    def __init__(self) -> None:
        super().__init__(
            gettext("This link was used or has expired. Show a new QR code on the recording page.")
        )


def make(session: Session, sitting: Sitting, researcher: Researcher) -> str:
    """Create a link to a sitting that is being recorded; returns its token.

    Raises
    ------
    NotRecording
    """
    if sitting.state != "recording":
        raise NotRecording(sitting)
    over = or_(
        PhoneLink.ends_at < now(), PhoneLink.ends_at.is_(None) & (PhoneLink.expires_at < now())
    )
    session.execute(delete(PhoneLink).where(over))
    token = secrets.token_urlsafe(24)
    session.add(
        PhoneLink(
            sitting_id=sitting.id,
            researcher_id=researcher.id,
            token_hash=token_hash(token),
            expires_at=now() + LINK_LIFE,
        )
    )
    return token


def find(session: Session, token: str, lock: bool = False) -> PhoneLink:
    """The link of a token, if it can still be opened.

    Raises
    ------
    LinkUsed
    """
    query = select(PhoneLink).where(PhoneLink.token_hash == token_hash(token))
    if lock:
        query = query.with_for_update().execution_options(populate_existing=True)
    link = session.scalar(query)
    if link is None or link.phone_hash or link.expires_at < now():
        raise LinkUsed()
    return link


def connect(session: Session, token: str) -> tuple[PhoneLink, str]:
    """Use up a link on a phone; returns the phone's own token.

    Raises
    ------
    LinkUsed
    """
    link = find(session, token, lock=True)
    own = secrets.token_urlsafe(24)
    link.phone_hash, link.ends_at = _hash(own, link.researcher), now() + PHONE_LIFE
    session.flush()
    return link, f"{link.id}.{own}"


def of_phone(session: Session, token: str) -> PhoneLink | None:
    """The link of the phone with this token, if it may still record; else None."""
    number, _, own = token.partition(".")
    link = session.get(PhoneLink, int(number)) if number.isdecimal() else None
    if link is None or link.phone_hash is None or link.ends_at is None:
        return None
    known = secrets.compare_digest(link.phone_hash, _hash(own, link.researcher))
    open_ = link.ends_at > now() and link.sitting.state in ("recording", "finished")
    role = members.role_of(session, link.sitting.study_id, link.researcher)
    return link if known and open_ and may(role, "record") else None


def connected(session: Session, sitting: Sitting) -> Sequence[PhoneLink]:
    """The phones that record a sitting."""
    query = select(PhoneLink).where(PhoneLink.sitting_id == sitting.id, PhoneLink.ends_at > now())
    return session.scalars(query).all()


def disconnect(session: Session, sitting: Sitting) -> None:
    """Disconnect all phones from a sitting, and cancel its unused links."""
    session.execute(delete(PhoneLink).where(PhoneLink.sitting_id == sitting.id))


def _hash(own: str, researcher: Researcher) -> str:
    # A new password, or signing out everywhere, disconnects the phones as well.
    return token_hash(own + researcher.cookie_key)
