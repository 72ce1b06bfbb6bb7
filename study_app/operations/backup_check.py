"""Opening a backup, and comparing everything in it with its checksums, before it is restored."""

import hashlib
import json
import os
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, NamedTuple

from alembic.script import ScriptDirectory

from basics.system_messages import system_reason
from study_app.core.errors import StudyError
from study_app.core.migrations import NewerDatabase, configuration
from study_app.core.storage import zip_list
from study_app.operations.backup import FORMATS, SUMS

# Largest description of a backup, and checksum with its name: a small file can unpack to any size.
ABOUT_BYTES, SUM_BYTES = 100_000, 1000
# Longest list of its files, which have names of up to 100 characters.
LIST_BYTES = 150_000_000
# Raised for a damaged backup, a full disk or an unavailable database: zipfile, zlib, json and the
# database have too many exceptions to list.
FAULTS = Exception


class NotABackup(StudyError):
    """A file that this program did not write as a backup."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: is not a sketch-study backup ({reason}).")


class NotOpened(StudyError):
    """A backup that does not exist, or that this user may not read."""

    def __init__(self, path: Path, reason: object) -> None:
        super().__init__(f"{path}: cannot be opened ({reason}); give a file made by `backup`.")


class CheckedBackup(NamedTuple):
    """An open, undamaged backup, and the revision of its tables."""

    path: Path
    archive: zipfile.ZipFile
    revision: str


@contextmanager
def checked(path: Path, decrypted: IO[bytes] | None = None) -> Iterator[CheckedBackup]:
    """Open a backup and compare everything in it with its checksums.

    Parameters
    ----------
    path : Path
    decrypted : binary file, optional
        The content of an encrypted backup.

    Raises
    ------
    NotOpened, NotABackup
    """
    with ExitStack() as stack:
        try:
            archive = stack.enter_context(zip_list.opened(decrypted or path, LIST_BYTES))
        except OSError as fault:
            raise NotOpened(path, system_reason(fault)) from fault
        except zip_list.ListTooLong as fault:
            raise NotABackup(path, "it lists more than a million files") from fault
        except FAULTS as fault:
            raise NotABackup(path, str(fault)) from fault
        yield CheckedBackup(path, archive, _check(archive, path))


def _check(archive: zipfile.ZipFile, path: Path) -> str:
    """The revision of a backup; refuses one that this version cannot read."""
    try:
        about = json.loads(_read(archive, "about.json", ABOUT_BYTES))
        kind, revision = about["format"], about["revision"]
    except FAULTS as fault:
        raise NotABackup(path, "it has no about.json") from fault
    if kind not in FORMATS:
        raise NotABackup(path, f"its format {kind} is not supported by this version")
    if sum(entry.compress_size for entry in archive.infolist()) > _size(archive):
        raise NotABackup(path, "files in it overlap")
    damaged = _first_damaged(archive, path, kind)
    if damaged:
        raise NotABackup(path, f"{damaged} in it is damaged, or was added later")
    known = ScriptDirectory.from_config(configuration()).walk_revisions()
    if revision not in [script.revision for script in known]:
        raise NewerDatabase(revision)
    return revision


def _first_damaged(archive: zipfile.ZipFile, path: Path, kind: int) -> str | None:
    """The first file that is missing, added, cannot be unpacked or is damaged, or None."""
    sums = _sums(archive, path) if kind > 1 else {}
    if missing := sums.keys() - set(archive.namelist()):
        return repr(min(missing)[:80])
    for entry in archive.infolist():
        if entry.filename.startswith("files/") and entry.compress_type != zipfile.ZIP_STORED:
            # A backup has none: unpacked, it could have any size.
            return repr(entry.filename[:80])
        seen = hashlib.sha256()
        try:
            with archive.open(entry) as source:
                while piece := source.read(1 << 20):
                    seen.update(piece)
        except FAULTS:
            return repr(entry.filename[:80])
        if sums and entry.filename != SUMS and sums.get(entry.filename) != seen.hexdigest():
            return repr(entry.filename[:80])
    return None


def _sums(archive: zipfile.ZipFile, path: Path) -> dict[str, str]:
    try:
        most = SUM_BYTES * len(archive.infolist())
        return dict(json.loads(_read(archive, SUMS, most)))
    except FAULTS as fault:
        raise NotABackup(path, f"it has no {SUMS}") from fault


def _size(archive: zipfile.ZipFile) -> int:
    assert archive.fp is not None
    return archive.fp.seek(0, os.SEEK_END)


def _read(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    """A file of a backup, which must not be longer than this."""
    with archive.open(name) as source:
        content = source.read(most + 1)
    if len(content) > most:
        raise ValueError(f"{name} is too long")
    return content
