"""Who is signed in where: each browser by a token of its own, which signing out takes back."""

import secrets
from datetime import timedelta

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from study_app.core.tokens import token_hash
from study_app.models import Researcher, SignIn, now

# As long as a browser's cookie is taken.
LIFE = timedelta(days=31)


def begin(session: Session, researcher: Researcher) -> str:
    """Sign a researcher in on one browser; gives the token that its cookie holds."""
    session.execute(delete(SignIn).where(SignIn.began_at < now() - LIFE))
    token = secrets.token_urlsafe(24)
    session.add(SignIn(token_hash=token_hash(token), researcher_id=researcher.id))
    return token


def researcher_of(session: Session, token: str, cookie_key: str) -> Researcher | None:
    """Who is signed in with a token, if their password is still the one it began with."""
    query = (
        select(Researcher)
        .join(SignIn, SignIn.researcher_id == Researcher.id)
        .where(SignIn.token_hash == token_hash(token))
    )
    found = session.scalar(query)
    known = found is not None and secrets.compare_digest(found.cookie_key, cookie_key)
    return found if known else None


def end(session: Session, token: str) -> None:
    """Sign out the browser whose cookie holds this token, and every copy of that cookie."""
    session.execute(delete(SignIn).where(SignIn.token_hash == token_hash(token)))
