"""The folder of scheduled backups: whose they are, which are there, and which are deleted."""

import re
import secrets
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import select

from basics.system_messages import system_reason
from study_app.core.database import attempts, own_session, writing
from study_app.core.errors import StudyError
from study_app.models import InstallationNote

NAME = re.compile(r"sketch-study-(\d{8}T\d{6}Z)\.zip(\.age)?")
TIME = "%Y%m%dT%H%M%SZ"
# In the folder, and its name in the database: which installation makes backups into it. A restored
# installation goes on with the folder of the one that it replaces.
OWNER, NOTE = "sketch-study-installation.txt", "installation"


class OtherInstallation(StudyError):
    """The folder has backups of another installation, which would be deleted."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"{folder}: has backups of another installation, which would be deleted; choose "
            f"another folder, or delete {OWNER} in it"
        )


class NotDeleted(StudyError):
    """An old backup could not be deleted."""

    def __init__(self, path: Path, fault: OSError) -> None:
        super().__init__(
            f"{path}: is too old but cannot be deleted ({system_reason(fault)}); delete it"
        )


def name_at(moment: datetime, is_encrypted: bool) -> str:
    """The name of a backup that begins at some time."""
    return f"sketch-study-{moment:{TIME}}.zip{'.age' if is_encrypted else ''}"


def backups_in(folder: Path) -> dict[Path, datetime]:
    """The scheduled backups in a folder with the times in their names, the oldest first."""
    found = {}
    for path in folder.glob("sketch-study-*"):
        if named := NAME.fullmatch(path.name):
            try:
                found[path] = datetime.strptime(named[1], TIME).replace(tzinfo=UTC)
            except ValueError:
                # A file with such a name that has no date is not of a server.
                continue
    return dict(sorted(found.items(), key=lambda one: (one[1], one[0].name)))


def claim(folder: Path) -> None:
    """Note in a folder that this installation makes backups into it.

    Raises
    ------
    OtherInstallation
        If another one does.
    OSError
    """
    folder.mkdir(parents=True, exist_ok=True)
    own, noted = _own_number(), folder / OWNER
    try:
        with noted.open("x", encoding="utf-8") as file:
            file.write(own)
    except FileExistsError:
        # It is empty if the disk was full, or if its writer was killed.
        found = noted.read_text(encoding="utf-8", errors="replace").strip()
        if not found:
            noted.write_text(own, encoding="utf-8")
        elif found != own:
            raise OtherInstallation(folder) from None


def delete_old(folder: Path, keep: int, now: datetime) -> None:
    """Delete the backups that are too many.

    Those dated in the future go first, made while a clock was wrong, then the oldest.

    Raises
    ------
    NotDeleted
        If some cannot be deleted; the others are.
    """
    present = sorted(backups_in(folder).items(), key=lambda one: (one[1] <= now, one[1]))
    refused = None
    for path, _made in present[:-keep]:
        try:
            path.unlink(missing_ok=True)
        except OSError as fault:
            refused = refused or NotDeleted(path, fault)
    if refused:
        raise refused


def _own_number() -> str:
    """A number of this installation, the same on all of its servers and in its backups."""
    stored = select(InstallationNote.value).where(InstallationNote.name == NOTE)
    with own_session() as session:
        known = session.scalar(stored)
    if known:
        return known
    with writing() as session:
        attempts.lock(session, attempts.key_of(NOTE))
        if not (known := session.scalar(stored)):
            known = secrets.token_hex(8)
            session.add(InstallationNote(name=NOTE, value=known))
    return known
