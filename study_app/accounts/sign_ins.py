"""Sign-ins: each browser has its own token, which is revoked when it signs out."""

import secrets
from datetime import timedelta

from sqlalchemy import bindparam, delete, select
from sqlalchemy.orm import Session

from study_app.core.tokens import token_hash
from study_app.models import Researcher, SignIn, now

# As long as a browser's cookie is accepted.
LIFE = timedelta(days=31)

# Built once, because every request runs it.
_RESEARCHER = (
    select(Researcher)
    .join(SignIn, SignIn.researcher_id == Researcher.id)
    .where(SignIn.token_hash == bindparam("token_hash"))
)


def begin(session: Session, researcher: Researcher) -> str:
    """Sign a researcher in on one browser; returns the token for its cookie."""
    session.execute(delete(SignIn).where(SignIn.began_at < now() - LIFE))
    token = secrets.token_urlsafe(24)
    session.add(SignIn(token_hash=token_hash(token), researcher_id=researcher.id))
    return token


def researcher_of(session: Session, token: str, cookie_key: str) -> Researcher | None:
    """The researcher signed in with a token, unless their password has changed since."""
    found = session.scalar(_RESEARCHER, {"token_hash": token_hash(token)})
    known = found is not None and secrets.compare_digest(found.cookie_key, cookie_key)
    return found if known else None


def end(session: Session, token: str) -> None:
    """Revoke a token: signs out the browser with this cookie, and every copy of the cookie."""
    session.execute(delete(SignIn).where(SignIn.token_hash == token_hash(token)))
