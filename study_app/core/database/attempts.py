"""Attempts counted in the database, for all servers of an installation."""

import hashlib

from sqlalchemy import ColumnElement, and_, delete, func, insert, select
from sqlalchemy.orm import Session

from study_app.models import Attempt

# Longer than any counter needs.
KEPT_S = 6 * 3600
MOST_ROWS = 50_000


def key_of(*parts: str) -> str:
    """The hashed key of a counter, which reveals neither names nor addresses."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def lock(session: Session, key: str) -> None:
    """Serialise the counting of attempts under one key; SQLite has a single writer anyway."""
    if session.get_bind().dialect.name == "postgresql":
        number = int.from_bytes(bytes.fromhex(key[:16]), "big", signed=True)
        session.execute(select(func.pg_advisory_xact_lock(number)))


def newest(session: Session, key: str) -> Attempt | None:
    """The last attempt under a key."""
    query = select(Attempt).where(Attempt.key == key).order_by(Attempt.id.desc()).limit(1)
    return session.scalar(query)


def recent(session: Session, key: str, now: float, seconds: float) -> int:
    """Number of attempts under a key within the last seconds; tolerates clock rollback."""
    query = select(func.count()).select_from(Attempt).where(_near(key, now, seconds))
    return session.scalar(query) or 0


def nth_newest(session: Session, key: str, now: float, seconds: float, n: int) -> float | None:
    """When the n-th newest of the attempts that `recent` counts was made; None if there are
    fewer."""
    query = select(Attempt.at).where(_near(key, now, seconds)).order_by(Attempt.at.desc())
    return session.scalar(query.offset(n - 1).limit(1))


def add(session: Session, key: str, now: float, number: int = 1) -> None:
    """Count an attempt, and delete old or surplus ones."""
    session.execute(insert(Attempt).values(key=key, at=now, number=number))
    last = select(func.max(Attempt.id)).scalar_subquery()
    session.execute(
        delete(Attempt).where((Attempt.at < now - KEPT_S) | (Attempt.id <= last - MOST_ROWS))
    )


def remove(session: Session, key: str, at: float | None = None) -> None:
    """Delete the attempts under a key, or only those of one moment."""
    query = delete(Attempt).where(Attempt.key == key)
    session.execute(query if at is None else query.where(Attempt.at == at))


def _near(key: str, now: float, seconds: float) -> ColumnElement[bool]:
    return and_(Attempt.key == key, Attempt.at.between(now - seconds, now + seconds))
