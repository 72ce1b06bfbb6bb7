"""Sign-ins: each browser has its own token, which is revoked when it signs out."""

import secrets
from datetime import timedelta
from typing import NamedTuple

from sqlalchemy import Engine, and_, bindparam, delete, select
from sqlalchemy.orm import Session

from study_app.core.database.prepared import Prepared
from study_app.core.tokens import token_hash
from study_app.models import Researcher, SignIn, StudyMember, now

# As long as a browser's cookie is accepted.
LIFE = timedelta(days=31)

# Built once and of columns only, because every request runs it.
_SIGNED_IN = Prepared(
    select(Researcher.id, Researcher.cookie_key, StudyMember.role)
    .join(SignIn, SignIn.researcher_id == Researcher.id)
    .outerjoin(
        StudyMember,
        and_(
            StudyMember.researcher_id == Researcher.id,
            StudyMember.study_id == bindparam("study_id"),
        ),
    )
    .where(SignIn.token_hash == bindparam("token_hash"))
)


class SignedIn(NamedTuple):
    """A researcher who is signed in.

    Attributes
    ----------
    researcher_id : int
    role : str or None
        Their role in the study of the request; None for non-members, and without a study.
    """

    researcher_id: int
    role: str | None


def begin(session: Session, researcher: Researcher) -> str:
    """Sign a researcher in on one browser; returns the token for its cookie."""
    session.execute(delete(SignIn).where(SignIn.began_at < now() - LIFE))
    token = secrets.token_urlsafe(24)
    session.add(SignIn(token_hash=token_hash(token), researcher_id=researcher.id))
    return token


def signed_in(
    engine: Engine, token: str, cookie_key: str, study_id: int | None = None
) -> SignedIn | None:
    """Who is signed in with a token, unless their password has changed since."""
    asked = {"token_hash": token_hash(token), "study_id": study_id}
    for found in _SIGNED_IN.send_alone(engine, asked):
        if secrets.compare_digest(found.cookie_key, cookie_key):
            return SignedIn(found.id, found.role)
    return None


def end(session: Session, token: str) -> None:
    """Revoke a token: signs out the browser with this cookie, and every copy of the cookie."""
    session.execute(delete(SignIn).where(SignIn.token_hash == token_hash(token)))
