"""Attempts that are counted for all servers of an installation, in its database."""

import hashlib

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from study_app.models import Attempt

# Longer than anything that is counted is remembered.
KEPT_S = 6 * 3600
MOST_ROWS = 50_000


def key_of(*parts: str) -> str:
    """What attempts are counted under; neither a name nor an address can be read in it."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def lock(session: Session, key: str) -> None:
    """Let attempts under one key be counted one after the other; SQLite has one writer anyway."""
    if session.get_bind().dialect.name == "postgresql":
        number = int.from_bytes(bytes.fromhex(key[:16]), "big", signed=True)
        session.execute(select(func.pg_advisory_xact_lock(number)))


def newest(session: Session, key: str) -> Attempt | None:
    """The last attempt under a key."""
    query = select(Attempt).where(Attempt.key == key).order_by(Attempt.id.desc()).limit(1)
    return session.scalar(query)


def recent(session: Session, key: str, now: float, seconds: float) -> int:
    """How many attempts under a key lie within so many seconds; a clock may have been set back."""
    near = Attempt.at.between(now - seconds, now + seconds)
    query = select(func.count()).select_from(Attempt).where(Attempt.key == key, near)
    return session.scalar(query) or 0


def add(session: Session, key: str, now: float, number: int = 1) -> None:
    """Count an attempt, and forget what is too old or too much."""
    session.add(Attempt(key=key, at=now, number=number))
    session.flush()
    last = session.scalar(select(func.max(Attempt.id))) or 0
    session.execute(
        delete(Attempt).where((Attempt.at < now - KEPT_S) | (Attempt.id <= last - MOST_ROWS))
    )


def forget(session: Session, key: str, at: float | None = None) -> None:
    """Count the attempts under a key no longer, or only those of one moment."""
    query = delete(Attempt).where(Attempt.key == key)
    session.execute(query if at is None else query.where(Attempt.at == at))
