"""What pages say about scheduled backups: which there are, and why the last one failed.

It is in the database, since another process makes them, maybe on another host.
"""

import hashlib
import json
import socket
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from study_app.core.database import attempts, own_session, writing
from study_app.models import InstallationNote, now

# Names of notes, before a hash of the host and the folder.
KEPT, FAILED = "backups ", "failed backup "
LONGEST_REASON = 150
# A failing schedule is noted every minute; after a day without that, it was given up.
FAILURE_SHOWN = timedelta(days=1)


class Kept(NamedTuple):
    """The backups in one folder.

    Attributes
    ----------
    oldest, newest : str
        Their times, in ISO 8601.
    until : str
        When the newest will be deleted.
    """

    oldest: str
    newest: str
    until: str


class Failure(NamedTuple):
    """A schedule whose last backup failed: when, and why."""

    at: str
    reason: str


def kept(session: Session) -> list[Kept]:
    """The scheduled backups of every host."""
    return [Kept(*values) for values in _noted(session, KEPT)]


def failures(session: Session) -> list[Failure]:
    """The schedules, of every host, that fail at present."""
    found = [Failure(*values) for values in _noted(session, FAILED)]
    return [one for one in found if now() - datetime.fromisoformat(one.at) < FAILURE_SHOWN]


def note(folder: Path, present: Kept | None, at: datetime, reason: str) -> None:
    """Store the state of a folder after a look at the schedule.

    Parameters
    ----------
    folder : Path
    present : Kept or None
        None for an empty folder.
    at : datetime
    reason : str
        Why the last backup failed; empty if it did not.
    """
    key = _key(folder)
    failure = Failure(at.isoformat(), reason[:LONGEST_REASON]) if reason else None
    _store({KEPT + key: present, FAILED + key: failure})


def note_kept(folder: Path, present: Kept | None) -> None:
    """As `note`, before a backup is made: whether the last one failed stays as it is."""
    _store({KEPT + _key(folder): present})


def _key(folder: Path) -> str:
    place = f"{socket.gethostname()}\0{folder.resolve()}"
    return hashlib.sha256(place.encode()).hexdigest()[:16]


def _store(values: dict[str, Kept | Failure | None]) -> None:
    """Store the notes of these names, and delete those without a value."""
    written = {n: json.dumps(value, ensure_ascii=False) for n, value in values.items() if value}
    stored = select(InstallationNote.name, InstallationNote.value)
    with own_session() as session:
        before = session.execute(stored.where(InstallationNote.name.in_(values))).all()
    if {row.name: row.value for row in before} == written:
        return
    with writing() as session:
        # Servers with the same host name may share a folder.
        attempts.lock(session, attempts.key_of(KEPT))
        session.execute(delete(InstallationNote).where(InstallationNote.name.in_(values)))
        session.add_all(InstallationNote(name=n, value=value) for n, value in written.items())


def _noted(session: Session, kind: str) -> Iterator[Any]:
    noted = select(InstallationNote.value).where(InstallationNote.name.startswith(kind))
    return map(json.loads, session.scalars(noted.order_by(InstallationNote.name)))
