"""Copies that an upgrade or a restore saved beside the data, and their deletion after a withdrawal.

The copy of an upgrade has the database before it, that of a restore all that it replaced. They
would keep what was deleted since, so a withdrawal makes all of them outdated: it changes a mark in
the database, in its own transaction. Every copy contains the mark of its time. Each host deletes
its own copies with an earlier mark: after the withdrawal, when it starts, and every minute.
"""

import json
import logging
import sqlite3
import zipfile
from collections.abc import Iterable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from glob import escape
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, insert, inspect, make_url, select
from sqlalchemy.orm import Session

from study_app.accounts.audit import recording
from study_app.core.config import Settings
from study_app.core.database import attempts, is_sqlite, own_session, writing
from study_app.core.text.languages import rtranslatable
from study_app.models import InstallationNote, Study, now

log = logging.getLogger(__name__)

NOTE = "last withdrawal"
SUBJECT = rtranslatable("older copy")
PATTERNS = ("*.before-*.sqlite3*", "*.before-*.zip", "replaced*.zip")
LONGEST_ABOUT = 60


class OlderCopy(NamedTuple):
    """A copy of an earlier state."""

    path: Path
    written_at: datetime

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.path.name


class Mark(NamedTuple):
    """The last withdrawal: when, in which study, and of what (such as "P04"); later ones are
    greater."""

    at: str = ""
    study_id: int | None = None
    about: str = ""


def older_copies(settings: Settings) -> list[OlderCopy]:
    """Copies of earlier states on this host, the oldest first."""
    paths = {path for pattern in PATTERNS for path in settings.instance.glob(pattern)}
    if is_sqlite(settings.database_url):
        # The file of the database can be in another folder.
        database = Path(make_url(settings.database_url).database or "")
        paths |= set(database.parent.glob(f"{escape(database.stem)}.before-*.sqlite3*"))
    found = [OlderCopy(p, datetime.fromtimestamp(p.stat().st_mtime, UTC)) for p in paths]
    return sorted(found, key=lambda copy: (copy.written_at, copy.name))


def outdate(session: Session, study_id: int | None, about: str) -> None:
    """Make all copies outdated; call at the end of the transaction of a withdrawal.

    Parameters
    ----------
    session : Session
    study_id : int or None
        The study in whose audit list the deletion of copies is recorded.
    about : str
        Who or what was withdrawn: a code.
    """
    # Two withdrawals at once: the later one has the later mark.
    attempts.lock(session, attempts.key_of(NOTE))
    last = mark_of(session.connection()).at
    at = max(now(), datetime.fromisoformat(last) + timedelta(microseconds=1)) if last else now()
    mark = Mark(at.isoformat(timespec="microseconds"), study_id, about[:LONGEST_ABOUT])
    set_mark(session.connection(), mark)


def delete_outdated(settings: Settings) -> None:
    """Delete the copies on this host that were made before the last withdrawal."""
    copies = older_copies(settings)
    if not copies:
        return
    with own_session() as session:
        mark = mark_of(session.connection())
    outdated = [copy for copy in copies if _mark_in(copy.path).at < mark.at]
    if outdated:
        with writing() as session:
            known = mark.study_id if session.get(Study, mark.study_id or 0) else None
            delete_copies(session, outdated, known, {"withdrawal": [None, mark.about]})


def delete_copies(
    session: Session,
    copies: Iterable[OlderCopy],
    study_id: int | None,
    reason: dict[str, Any] | None = None,
) -> int:
    """Delete copies, and record it in the audit list; how many there were."""
    deleted = 0
    for copy in copies:
        try:
            copy.path.unlink()
        except FileNotFoundError:
            # Another process was quicker.
            continue
        except OSError:
            # On Windows, a file cannot be deleted while it is open. The next look tries again.
            log.exception("an older copy could not be deleted: %s", copy.name)
            continue
        deleted += 1
        made = {"written_at": [copy.written_at.isoformat(), None]}
        recording.note(session, "deleted", SUBJECT, copy.name, study_id, made | (reason or {}))
    return deleted


def mark_of(connection: Connection) -> Mark:
    """The mark of a database; an empty one before the first withdrawal."""
    noted = select(InstallationNote.value).where(InstallationNote.name == NOTE)
    return _parsed(connection.scalar(noted))


def set_mark(connection: Connection, mark: Mark) -> None:
    """Set the mark of a database, unless it is of a version without notes."""
    if not inspect(connection).has_table(InstallationNote.__tablename__):
        return
    connection.execute(delete(InstallationNote).where(InstallationNote.name == NOTE))
    if mark.at:
        value = json.dumps(mark, ensure_ascii=False)
        connection.execute(insert(InstallationNote).values(name=NOTE, value=value))


def _mark_in(path: Path) -> Mark:
    """The mark in a copy; an empty one if it cannot be read."""
    try:
        return _parsed(_in_archive(path) if path.suffix == ".zip" else _in_database(path))
    except (OSError, ValueError, KeyError, sqlite3.Error, zipfile.BadZipFile):
        return Mark()


def _in_archive(path: Path) -> str | None:
    with zipfile.ZipFile(path) as archive, archive.open("tables/installation_note.jsonl") as rows:
        notes = [json.loads(row) for row in rows]
    return next((note["value"] for note in notes if note["name"] == NOTE), None)


def _in_database(path: Path) -> str | None:
    # Without `immutable`, SQLite would write files beside the copy.
    beside = path.with_name(path.name.partition(".sqlite3")[0] + ".sqlite3")
    with closing(sqlite3.connect(f"{beside.as_uri()}?immutable=1", uri=True)) as opened:
        query = "SELECT value FROM installation_note WHERE name = ?"
        found = opened.execute(query, (NOTE,)).fetchone()
    return found[0] if found else None


def _parsed(value: str | None) -> Mark:
    return Mark(*json.loads(value)) if value else Mark()
