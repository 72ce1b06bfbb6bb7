"""A mark that every restored backup changes: a page left open notices that it shows other data."""

import secrets
import time

from flask import current_app
from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.orm import Session

from study_app.models import InstallationNote

NOTE = "restored"
# How often a process reads the mark: rows are never replaced while a server runs, but an empty
# installation may be restored then.
READ_SECONDS = 5


def note(connection: Connection) -> None:
    """Change the mark."""
    connection.execute(delete(InstallationNote).where(InstallationNote.name == NOTE))
    connection.execute(insert(InstallationNote).values(name=NOTE, value=secrets.token_hex(8)))


def mark(session: Session) -> str:
    """The mark; empty if no backup was ever restored."""
    at, known = current_app.extensions.get("restored", (float("-inf"), ""))
    if time.monotonic() - at < READ_SECONDS:
        return str(known)
    read = select(InstallationNote.value).where(InstallationNote.name == NOTE)
    found = session.scalar(read) or ""
    current_app.extensions["restored"] = time.monotonic(), found
    return found
